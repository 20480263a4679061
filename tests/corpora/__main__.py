"""`python -m tests.corpora FOLDER…`: the verdict on each module in the files of folders, beside that of `spirv-val`.

Files are found as `spvls lint` finds them, with `--include` also those of other languages. Each module is cut out, assembled
by `spirv-as` as the version that it declares, and judged by `spirv-val` for the environment that it is taken for. `SPIRV_AS` and `SPIRV_VAL` name other tools
than those on the PATH. Printed are counts, then every disagreement with what either side says first.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from spvls import validate
from spvls.cli.modules import TextModule, modules_of
from spvls.cli.search import Search, modules_at
from spvls.cli.source import is_binary
from spvls.diagnostic import Severity
from spvls.grammar.environments import DEFAULT, environment
from spvls.host.host_text import HostText
from spvls.host.languages import language_of
from spvls.host.span import Form
from spvls.syntax.header import read_header
from spvls.text.lines import split_lines

AS = os.environ.get("SPIRV_AS", "spirv-as")
VAL = os.environ.get("SPIRV_VAL", "spirv-val")

SECONDS = 60
"""That a tool may take for one module."""

# What an older tool says of an instruction, an operand or an environment that it does not know.
_UNKNOWN = re.compile(r"Invalid (?:[\w ]+ '|Opcode name|opcode|[\w ]+ operand)|Unrecognized target|invalid target", re.IGNORECASE).search


class Case(NamedTuple):
    """A module of a file, the environment that it is taken for, and what spvls says: "" where nothing is wrong."""

    path: str
    module: TextModule
    environment: str
    said: str


class Reference(NamedTuple):
    """What the reference tools say: "" where nothing is wrong. `is_unknown` where they do not know what the module uses."""

    said: str
    is_unknown: bool = False


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.corpora", description=__doc__)
    parser.add_argument("folders", nargs="+", metavar="FOLDER")
    parser.add_argument("--include", action="append", default=[], metavar="GLOB", help="further files, such as '*.amber'")
    parser.add_argument("--exclude", action="append", default=[], metavar="GLOB")
    parser.add_argument("--limit", type=int, default=None, metavar="N", help="this many files at most, spread over all")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N")
    options = parser.parse_args()
    failures: list[str] = []
    paths = modules_at(options.folders, failures, Search(tuple(options.include), tuple(options.exclude), True))
    if options.limit is not None and len(paths) > options.limit:
        paths = [paths[at * len(paths) // options.limit] for at in range(options.limit)]
    counts: Counter[str] = Counter()
    began = time.perf_counter()
    cases = list(_cases(paths, counts))
    spent = time.perf_counter() - began
    with TemporaryDirectory() as folder, ThreadPoolExecutor(options.jobs) as pool:
        answers = pool.map(lambda item: _reference(item[1], Path(folder) / f"{item[0]}"), enumerate(cases))
        disagreements = list(_compare(cases, answers, counts))
    for name, count in sorted(counts.items()):
        print(f"{count:8} {name}")
    print(f"{spent:8.1f} s to read, cut and judge: {counts['files'] / max(spent, 1e-9):.0f} files/s")
    for line in disagreements:
        print(line)
    return int(bool(disagreements))


def _cases(paths: list[str], counts: Counter[str]) -> Iterator[Case]:
    for path in paths:
        data = Path(path).read_bytes()
        if is_binary(data):
            continue
        text = data.decode("utf-8", "surrogateescape")
        counts["files"] += 1
        before = counts["modules"]
        for module in modules_of(HostText(text, language_of(path))):
            if module.span.form is not Form.MODULE:
                counts[f"{module.span.form.value}s, not compared"] += 1
                continue
            counts["modules"] += 1
            chosen = module.target(None, None)
            target = chosen or read_header(split_lines(module.text)).environment().name or DEFAULT
            yield Case(path, module, target, _first_error(module.text, chosen))
        counts["files without a module"] += counts["modules"] == before


def _first_error(text: str, environment: str | None) -> str:
    for finding in validate(text, target_env=environment):
        if finding.severity is Severity.ERROR:
            line = finding.range.start.line + 1 if finding.range else 0
            return f"{line}: {finding.message} [{finding.rule}]"
    return ""


def _reference(case: Case, stem: Path) -> Reference:
    source, binary = stem.with_suffix(".spvasm"), stem.with_suffix(".spv")
    source.write_bytes(case.module.text.encode("utf-8", "surrogateescape"))
    try:
        version = read_header(split_lines(case.module.text)).version_in(environment(case.environment))
        made = _run(AS, "--target-env", f"spv{version[0]}.{version[1]}", str(source), "-o", str(binary))
        if made:
            return Reference(made, _UNKNOWN(made) is not None)
        judged = _run(VAL, "--target-env", case.environment, str(binary))
        return Reference(judged, _UNKNOWN(judged) is not None)
    finally:
        source.unlink()
        binary.unlink(missing_ok=True)


def _run(*command: str) -> str:
    """What a tool says that is not content; "" where it is."""
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=SECONDS, check=False)
    return "" if done.returncode == 0 else (done.stderr or done.stdout or f"exit code {done.returncode}").strip().split("\n")[0]


def _compare(cases: list[Case], answers: Iterator[Reference], counts: Counter[str]) -> Iterator[str]:
    for case, answer in zip(cases, answers, strict=True):
        if bool(case.said) == bool(answer.said):
            counts["agree: invalid" if case.said else "agree: valid"] += 1
            continue
        if answer.is_unknown:
            counts["the reference does not know an instruction or operand"] += 1
            continue
        counts["DISAGREE"] += 1
        where = f"{case.path}:{case.module.span.first + 1} (module {case.module.number}, {case.environment})"
        yield f"{where}\n    spvls: {case.said or 'valid'}\n    reference: {answer.said or 'valid'}"


if __name__ == "__main__":
    sys.exit(main())
