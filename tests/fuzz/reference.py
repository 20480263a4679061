"""Compares spvls with the reference on modules and on mutants of them: `python -m tests.fuzz reference --driver DRIVER FOLDER…`.

Each module is compared as it is: its words and listings, and the verdicts in the environments that it may be meant for.
Modules that both sides take are mutated in one or two places and compared again, each mutant in one environment. What
differs goes to the folder `--out`:

    differences.jsonl   a line for each: where it comes from, what both sides say, the words
    clusters.jsonl      a line for each cluster of differences that look alike, the most frequent first, with a small module
    clusters/           these modules as texts, with what both sides say of them at their top
    reached.jsonl       with --source: a mutant of the project's own modules for each place in the sources of the reference
                        that refuses it, where spvls reports the same instruction
    summary.txt         counts and rates; with --cascades also how many errors a single mutation brings

The same seed, modules and number give the same mutants. The driver is compiled by `python -m tests.reference driver`.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from random import Random
from statistics import mean, quantiles
from time import monotonic
from typing import Any

from tests.corpus import FIXTURES
from tests.fuzz.cascades import Cascade, Cascades, cascade_of
from tests.fuzz.comparison import (
    Comparison,
    compare_assembled,
    compare_verdicts,
    compare_words,
    drawn_environment,
    environments_for,
    natural_environments,
    version_of,
)
from tests.fuzz.corpora import is_binary, modules_below
from tests.fuzz.limits import enforced
from tests.fuzz.mutation import mutate
from tests.fuzz.reduction import Reduction
from tests.fuzz.words import Words
from tests.reference.deliberate import Deliberate
from tests.reference.driver import Driver, DriverError
from tests.reference.inventory import Inventory
from tests.reference.ours import validated
from tests.reference.sites import Site, sites_below

TWICE = 0.3
"""The share of mutants with two mutations."""

LONGEST_MUTATED = 20_000
"""Octets of the modules that are mutated."""

CHUNK = 25

CASCADES = 60
"""So many combinations of rules of errors from single mutations are listed."""


@dataclass(frozen=True, slots=True)
class Result:
    """`source` is the file that the module comes from, `mutations` are what was done to it. `cascade` is what comes of a single
    mutation of a module that both sides take in that environment, where it was asked for."""

    source: str
    own: bool
    mutations: tuple[str, ...]
    words: bytes
    comparison: Comparison
    cascade: Cascade | None = None


@dataclass(frozen=True, slots=True)
class Base:
    """A module to mutate, and the environments in which both sides take it, as far as they were asked."""

    source: str
    own: bool
    words: bytes
    taken: tuple[str, ...]


_inventory: Inventory
_deliberate: Deliberate
_bases: list[Base] = []
_with_cascades = False


def _start(driver: Path, sites: list[Site], with_cascades: bool) -> None:
    global _inventory, _deliberate, _with_cascades
    _with_cascades = with_cascades
    _inventory = Inventory(driver, sites)
    _deliberate = Deliberate(_inventory)


def _natural(job: tuple[str, bool, bytes]) -> tuple[Base | None, list[Result]]:
    """What comes of a file, and a base of it where both sides take it and it is small enough."""
    name, own, contents = job
    with enforced():
        return _compared_file(name, own, contents)


def _compared_file(name: str, own: bool, contents: bytes) -> tuple[Base | None, list[Result]]:
    found: list[Comparison] = []
    words = contents
    if not is_binary(contents):
        env = environment_of_text(contents)
        found += compare_assembled(_inventory.driver, contents, env)
        words = _inventory.driver.assemble(contents, env).payload
    if not is_binary(words):
        return None, [Result(name, own, (), words, one) for one in found]
    found += compare_words(_inventory.driver, words)
    try:
        envs = natural_environments(words)
        fitting = environments_for(words)
    except ValueError:
        envs, fitting = ["spv1.6"], []
    verdicts = [compare_verdicts(_inventory, words, env, _deliberate) for env in envs]
    results = [Result(name, own, (), words, one) for one in [*found, *verdicts]]
    differing = {one.env for one in verdicts if one.kind != "same"}
    taken = tuple([env for env in fitting if env not in differing and _inventory.driver.validate(words, env).ok])
    return Base(name, own, words, taken) if taken and len(words) <= LONGEST_MUTATED else None, results


def environment_of_text(contents: bytes) -> str:
    """The universal environment of a text: of the version that its first lines name, else the newest."""
    from spvls.syntax.header import read_header

    version = read_header(contents.decode("utf-8", "replace").split("\n")).version
    return "spv1.6" if version is None else f"spv1.{version}"


def _mutants(job: tuple[int, int]) -> list[Result]:
    """So many mutants from a seed on."""
    first, count = job
    with enforced():
        return [one for seed in range(first, first + count) for one in _mutant(seed)]


def _mutant(seed: int) -> Iterator[Result]:
    chance = Random(seed)
    base = chance.choice(_bases)
    module = Words.parse(base.words)
    done = mutate(module, chance, 2 if chance.random() < TWICE else 1)
    mutant = module.data()
    env = drawn_environment(base.taken, chance)
    for one in compare_words(_inventory.driver, mutant):
        yield Result(base.source, base.own, tuple(done), mutant, one)
    compared = compare_verdicts(_inventory, mutant, env, _deliberate)
    result = Result(base.source, base.own, tuple(done), mutant, compared)
    if _with_cascades and len(done) == 1 and env in base.taken and compared.refused and compared.errors:
        result = replace(result, cascade=cascade_of(_inventory.driver, mutant, env, validated(mutant, env)))
    yield result


def shows(inventory: Inventory, words: bytes, wanted: Comparison, deliberate: Deliberate | None = None) -> bool:
    """Whether a module shows the same difference as another one did. The reference is asked first: it is faster."""
    if wanted.kind in ("words", "listing") or (wanted.kind == "raised" and not wanted.env):
        return any(one.cluster == wanted.cluster for one in compare_words(inventory.driver, words))
    answer = inventory.driver.validate(words, wanted.env)
    if answer.ok is None or answer.ok == wanted.refused:
        return False
    return compare_verdicts(inventory, words, wanted.env, deliberate).cluster == wanted.cluster


def _reduced(result: Result) -> bytes:
    with enforced():
        if result.comparison.kind == "slow" or not is_binary(result.words):
            return result.words
        try:
            module = Words.parse(result.words)
        except ValueError:
            return result.words
        holds = lambda smaller: shows(_inventory, smaller.data(), result.comparison, _deliberate)  # noqa: E731
        return Reduction(module, holds).run().data()


class Report:
    """Gathers results, and writes them."""

    def __init__(self, out: Path, folders: Sequence[Path] = ()) -> None:
        self._out = out
        self._folders = sorted(map(str, folders), key=len, reverse=True)
        self._of_folders: dict[str, Counter[str]] = {}
        out.mkdir(parents=True, exist_ok=True)
        self._lines = (out / "differences.jsonl").open("w", encoding="utf-8")
        self._counts: dict[bool, Counter[str]] = {True: Counter(), False: Counter()}
        self._errors: list[int] = []
        self._seconds: list[float] = []
        self._cascades = Cascades()
        self.clusters: dict[str, list[Result]] = {}
        self._sizes: Counter[str] = Counter()
        self.reached: dict[str, Result] = {}

    def add(self, result: Result) -> None:
        one = result.comparison
        self._counts[bool(result.mutations)][one.kind if one.kind != "same" else "refused" if one.refused else "taken"] += 1
        self._count_in_folder(result)
        self._seconds.append(one.seconds)
        if one.kind in ("same", "place") and one.refused and len(result.mutations) == 1:
            self._errors.append(one.errors)
        if result.cascade is not None:
            self._cascades.add(result.cascade, f"{result.mutations[0]} in {result.source}, {one.env}: {one.message}")
        if one.kind == "same":
            known = self.reached.get(one.site or "")
            if one.site and one.refused and result.own and (known is None or len(result.words) < len(known.words)):
                self.reached[one.site] = result
            return
        if one.kind in ("died", "known"):
            return
        self._sizes[one.cluster] += 1
        self._lines.write(json.dumps(_record(result)) + "\n")
        kept = self.clusters.setdefault(one.cluster, [])
        kept.append(result)
        kept.sort(key=lambda kept: len(kept.words))
        del kept[3:]

    def _count_in_folder(self, result: Result) -> None:
        folder = next((folder for folder in self._folders if result.source.startswith(folder)), "fixtures")
        counts = self._of_folders.setdefault(folder, Counter())
        counts["mutants" if result.mutations else "modules"] += 1
        counts["differ"] += result.comparison.kind not in ("same", "known", "died")

    def write(self, small: dict[str, bytes], listings: dict[str, str]) -> str:
        """Write all files, with a small module for each cluster; the summary."""
        self._lines.close()
        folder = self._out / "clusters"
        folder.mkdir(exist_ok=True)
        for old in folder.glob("*.spvasm"):
            old.unlink()
        with (self._out / "clusters.jsonl").open("w", encoding="utf-8") as lines:
            for number, (cluster, count) in enumerate(self._sizes.most_common(), 1):
                results = self.clusters[cluster]
                words = small.get(cluster, results[0].words)
                names = sorted({one.source for one in results})
                entry = {"cluster": cluster, "count": count, "sources": names, **_record(replace(results[0], words=words))}
                lines.write(json.dumps(entry) + "\n")
                (folder / f"{number:04}.spvasm").write_text(_head(cluster, count, results[0]) + listings.get(cluster, ""), "utf-8")
        with (self._out / "reached.jsonl").open("w", encoding="utf-8") as lines:
            for site in sorted(self.reached):
                lines.write(json.dumps(_record(self.reached[site])) + "\n")
        text = self.summary()
        (self._out / "summary.txt").write_text(text, "utf-8")
        return text

    def summary(self) -> str:
        lines = []
        for mutated, counts in self._counts.items():
            every = counts.total() or 1
            said = ", ".join(f"{kind} {count} ({100 * count / every:.2f} %)" for kind, count in counts.most_common())
            lines.append(f"{'mutants' if mutated else 'modules'}: {counts.total()} comparisons; {said}")
        for folder, counts in sorted(self._of_folders.items()):
            said = f"{counts['modules']} of modules, {counts['mutants']} of mutants, {counts['differ']} differ"
            lines.append(f"{folder}: comparisons {said}")
        if len(self._errors) > 1:
            lines.append(f"errors of single mutations: mean {mean(self._errors):.2f}, {_quantiles(self._errors)}")
        lines += self._cascades.summary(CASCADES)
        if self._seconds:
            lines.append(f"slowest {max(self._seconds):.2f} s; {len(self._sizes)} clusters")
        lines += [f"{count:6}  {cluster}" for cluster, count in self._sizes.most_common()]
        return "\n".join(lines) + "\n"


def _quantiles(numbers: list[int]) -> str:
    cuts = quantiles(numbers, n=100)
    return f"median {cuts[49]:.0f}, p95 {cuts[94]:.0f}, most {max(numbers)}"


def _record(result: Result) -> dict[str, Any]:
    said = asdict(result.comparison)
    return {"source": result.source, "own": result.own, "mutations": result.mutations, **said, "words": result.words.hex()}


def _head(cluster: str, count: int, result: Result) -> str:
    one = result.comparison
    lines = [f"{count} times: {cluster}", f"the reference: {one.message or 'takes it'} (instruction {one.instruction})"]
    lines += [f"spvls: {' '.join(one.rules) or 'takes it'} (instruction {one.ours}; {one.errors} errors)"]
    lines += [f"first in {result.source}: {'; '.join(result.mutations) or 'as it is'}", f"spvls: target-env={one.env or 'spv1.6'}"]
    return "".join(f"; {line}\n" for line in lines)


def _listing(words: bytes, driver: Driver) -> str:
    """The text of a module, of the version that its words have."""
    answer = driver.disassemble(words, ("friendly-names", "indent", "handle-unknown-opcodes"))
    major, minor = version_of(words)
    return answer.payload.decode("utf-8", "replace") if answer.ok else f"; version {major}.{minor}: {words.hex()}\n"


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz reference", description=__doc__.partition("\n")[0])
    parser.add_argument("folders", type=Path, nargs="*", help="folders or files with modules, beside the fixtures")
    parser.add_argument("--driver", type=Path, required=True)
    parser.add_argument("--source", type=Path, help="the folder `source` of SPIRV-Tools, to name the places that are reached")
    parser.add_argument("--out", type=Path, required=True, help="the folder for what is found")
    parser.add_argument("--count", type=int, default=2000, help="how many mutants (default: 2000)")
    parser.add_argument("--seconds", type=float, help="stop making mutants after so long")
    parser.add_argument("--modules", type=int, help="only so many modules, drawn by the seed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--reduce", type=int, default=1000, help="how many clusters get a small module (default: 1000)")
    parser.add_argument("--cascades", action="store_true", help="count the errors of each single mutation, and those of the reference")
    parser.add_argument("--no-fixtures", action="store_true", help="leave the fixtures out")
    options = parser.parse_args(arguments)
    try:
        begun = (options.driver, sites_below(options.source) if options.source else [], options.cascades)
        with Driver(options.driver) as driver:
            driver.assemble(b"", "spv1.6")
    except (DriverError, FileNotFoundError) as error:
        print(error, file=sys.stderr)
        return 2
    own = [] if options.no_fixtures else [(name, True, contents) for name, contents in modules_below([FIXTURES])]
    others = [(name, False, contents) for name, contents in modules_below(options.folders)]
    if options.modules is not None and len(others) > options.modules:
        others = Random(options.seed).sample(others, options.modules)
    report = Report(options.out, options.folders)
    with multiprocessing.Pool(options.jobs, _start, begun) as pool:
        for base, results in pool.imap(_natural, [*own, *others], chunksize=4):
            for result in results:
                report.add(result)
            if base is not None:
                _bases.append(base)
    print(f"{len(own) + len(others)} modules, {len(_bases)} to be mutated", flush=True)
    if _bases:
        _run_mutants(options, report, begun)
    small, listings = _run_reductions(options, report, begun)
    text = report.write(small, listings)
    print("\n".join(text.splitlines()[:40]))
    return 1 if report.clusters else 0


def _run_mutants(options: argparse.Namespace, report: Report, begun: tuple[Path, list[Site], bool]) -> None:
    end = monotonic() + options.seconds if options.seconds is not None else float("inf")
    start = options.seed << 32
    jobs = [(start + at, min(CHUNK, options.count - at)) for at in range(0, options.count, CHUNK)]
    with multiprocessing.Pool(options.jobs, _start, begun) as pool:
        for results in pool.imap(_mutants, jobs):
            for result in results:
                report.add(result)
            if monotonic() > end:
                break


def _run_reductions(
    options: argparse.Namespace, report: Report, begun: tuple[Path, list[Site], bool]
) -> tuple[dict[str, bytes], dict[str, str]]:
    chosen = sorted(report.clusters.items(), key=lambda item: -len(item[1]))[: options.reduce]
    small: dict[str, bytes] = {}
    with multiprocessing.Pool(options.jobs, _start, begun) as pool, Driver(options.driver) as driver:
        for (cluster, _), words in zip(chosen, pool.imap(_reduced, [results[0] for _, results in chosen]), strict=True):
            small[cluster] = words
        return small, {cluster: _listing(words, driver) for cluster, words in small.items()}
