"""`python -m tests.execution [MODULE.spv…]`: whether modules compute the same after each refactoring, and after many of them.

Without modules, those of `shaders/` are compiled. Each has an entry point `main` with 64 invocations a workgroup and a storage
buffer at set 0, binding 0. Exit 1: a refactoring has changed what a module computes, or has made it invalid.
"""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import spvls
from spvls.diagnostic import Position, Severity
from spvls.ide.refactor.offers import refactorings
from spvls.ide.refactor.refactoring import Refactoring
from spvls.ide.source.source_module import SourceModule
from spvls.text.edits import edited

HERE = Path(__file__).parent
ENVIRONMENT = "vulkan1.1"
ALONE = frozenset({"select-to-if", "inline-call", "merge-block", "split-block"})
"""Refactorings that are applied once each."""

CHAINED = frozenset(
    {"variable-to-values", "remove-stores", "remove-uncalled", "forward-copy", "move-out-of-loop", "if-to-select"}
)
"""Refactorings that are also applied one after another, until none is offered."""

MOST = 500
"""Refactorings of a chain."""


def main(given: list[str]) -> int:
    with TemporaryDirectory() as folder:
        runner = Path(folder) / "runner"
        subprocess.run(["cc", "-O1", "-o", runner, HERE / "runner.c", "-lvulkan"], check=True)
        modules = [Path(path) for path in given] or [_compiled(source, Path(folder)) for source in sorted(HERE.glob("shaders/*.comp"))]
        faults = [fault for module in modules for fault in _faults(module, runner, Path(folder))]
    print(*faults, sep="\n")
    return int(bool(faults))


def _compiled(source: Path, folder: Path) -> Path:
    made = folder / f"{source.stem}.spv"
    command = ["glslangValidator", "-V", "--target-env", ENVIRONMENT, source, "-o", made]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return made


def _faults(module: Path, runner: Path, folder: Path) -> Iterator[str]:
    text = spvls.disassemble(module.read_bytes())
    changed = [(title, after) for title, after in _once_each(text)]
    chain, count = _in_turn(text)
    changed.append(("all in turn", chain))
    paths = [module]
    for at, (title, after) in enumerate(changed):
        errors = [found.message for found in spvls.validate(after, target_env=ENVIRONMENT) if found.severity is Severity.ERROR]
        if errors:
            yield f"{module.name}: {title}: {errors[0]}"
        paths.append(folder / f"changed-{at}.spv")
        paths[-1].write_bytes(spvls.assemble(after, target_env=ENVIRONMENT))
    ran = subprocess.run([runner, *paths], check=True, capture_output=True, text=True)
    before, *after_each = ran.stdout.split()
    for (title, _), result in zip(changed, after_each, strict=True):
        if result != before:
            yield f"{module.name}: {title}: it computes something else"
    said = ", ".join(f"{number} {key}" for key, number in sorted(count.items()))
    print(f"{module.name}: {len(changed) - 1} refactorings alone; in turn {said}; {_lines(text)} lines become {_lines(chain)}")


def _lines(text: str) -> int:
    return len(text.splitlines())


def _offers(text: str, keys: frozenset[str]) -> Iterator[tuple[SourceModule, Refactoring]]:
    source = SourceModule(text)
    for number, line in enumerate(source.document.lines):
        start = Position(number, len(line) - len(line.lstrip()))
        yield from ((source, found) for found in refactorings(source, start) if found.key in keys)


def _applied(source: SourceModule, found: Refactoring) -> str:
    return edited(source.text, sorted(found.edits(), key=lambda edit: edit.range))


def _once_each(text: str) -> Iterator[tuple[str, str]]:
    """The title of each refactoring, and the text after it."""
    seen: set[str] = set()
    for source, found in _offers(text, ALONE | CHAINED):
        if found.title not in seen:
            seen.add(found.title)
            yield found.title, _applied(source, found)


def _in_turn(text: str) -> tuple[str, Counter[str]]:
    """A text after one refactoring upon the other, and how many there were of each."""
    count: Counter[str] = Counter()
    while count.total() < MOST:
        offer = next(_offers(text, CHAINED), None)
        if offer is None:
            break
        count[offer[1].key] += 1
        text = _applied(*offer)
    return text, count


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
