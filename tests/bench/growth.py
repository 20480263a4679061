"""How time and memory grow with one thing in a module: `python -m tests.bench growth [--only WORD …]`.

Each case is measured at its size, at twice and at four times that, each in a process of its own that has the tables read
already. A size whose time would be too short to be compared is doubled first. Garbage is looked for only in what the measured
work makes: one search through what was there before would count as growth. What takes n log n becomes at most 2.2 times as
long when a size such as these is doubled; with a fifth more for what measuring adds, the mean factor of both doublings must
stay below `MOST`. Memory is what the process takes at most beyond what it had before.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import resource
import time
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection
from typing import NamedTuple

from tests.bench.worst_cases import CASES, module

MOST = 2.64
"""The mean factor of a doubling from which growth is worse than n log n."""

LIMIT = 60
"""Seconds of processor time after which a measurement is given up."""

SHORT = 0.05
"""Seconds below which a time says nothing about growth."""

LARGEST = 4
"""How many times its size a row is measured from at most, where its time is short."""

_MOST_OPERANDS = 8_000
"""Pairs of operands of an instruction that can still be encoded when their number is doubled twice."""

TARGET = "vulkan1.3"
MEGABYTE = 1 << 20

Say = Callable[[str, str], None]
Work = Callable[[], object]


class Row(NamedTuple):
    """`prepare` is given the size, and gives what is to be measured; `limited` where a larger size
    would be another case: it cannot be encoded, or reaches the limits that a module must keep."""

    name: str
    size: int
    prepare: Callable[[int], Work]
    limited: bool = False


class Taken(NamedTuple):
    seconds: float
    megabytes: float


def _linted(text: str) -> Work:
    """A text, to all its findings."""

    def work() -> object:
        import spvls

        return spvls.validate(text, target_env=TARGET)

    return work


def _assembled(text: str) -> Work:
    """A text, to its words."""
    import spvls

    return lambda: spvls.assemble(text, target_env=TARGET)


def _disassembled(text: str) -> Work:
    """The words of a text, to a listing."""
    import spvls

    words = spvls.assemble(text, target_env=TARGET)
    return lambda: spvls.disassemble(words)


def _keystroke(text: str) -> Work:
    """A letter typed behind the last word of the label that the text has last, to all findings."""
    from spvls.diagnostic import Position, Range
    from spvls.grammar.environments import environment
    from spvls.module.module import Module
    from spvls.syntax.document import Document
    from spvls.validate.engine.checker import Checker
    from spvls.validate.engine.report import diagnostics

    document = Document(text)
    checker = Checker(Module(document.chunks, environment(TARGET)))
    diagnostics(checker, document)
    row = max(at for at, line in enumerate(document.lines) if " = OpLabel" in line)
    column = document.lines[row].index(" ")

    def work() -> object:
        checker.update(document.edit([(Range(Position(row, column), Position(row, column)), "x")]))
        return diagnostics(checker, document)

    return work


def _picture(text: str) -> Work:
    """The control flow of a text as a picture."""
    from spvls.ide.flow.graph import flow_graphs
    from spvls.ide.flow.svg import svg
    from spvls.ide.source.source_module import SourceModule

    source_module = SourceModule(text, TARGET, None)
    return lambda: svg([graph for graph in flow_graphs(source_module) if graph.blocks])


def _edits_of_one_line(count: int) -> Work:
    """Letters typed one by one behind each other on one line, in one notification."""
    from lsprotocol import types

    from spvls.server.host_document import HostDocument
    from spvls.server.settings import Settings
    from spvls.text.encoding import ColumnCodec

    document = HostDocument("file:///a.spvasm", module(), 1, "spirv", ColumnCodec("utf-16"), Settings())
    changes = [
        types.TextDocumentContentChangePartial(
            types.Range(types.Position(0, len("OpCapability Shader") + at), types.Position(0, len("OpCapability Shader") + at)),
            " " if at == 0 else ";" if at == 1 else "x",
        )
        for at in range(count)
    ]
    return lambda: document.apply(changes, 2)


def _bad_settings(count: int) -> Work:
    """A `spvls.toml` of keys that there are not."""
    import tempfile

    from spvls.validate.config import read_config

    with tempfile.NamedTemporaryFile("w", suffix=".toml", delete=False) as file:
        file.write("[options]\n" + "".join(f"bad-{at} = 1\n" for at in range(count)))

    def work() -> object:
        try:
            return read_config(file.name, 0)
        finally:
            os.unlink(file.name)

    return work


def _of_text(action: Callable[[str], Work], make: Callable[[int], str]) -> Callable[[int], Work]:
    return lambda size: action(make(size))


def rows() -> list[Row]:
    """All that is measured: every case linted, and some in other ways."""
    cases = {case.make.__name__: case for case in CASES}
    found = [Row(name, case.size, _of_text(_linted, case.make)) for name, case in cases.items()]
    for name in (
        "sequential_ifs", "switch", "switch_without_labels", "long_block", "call_chain", "phi_pairs", "block_members",
        "decorations_of_one_id", "groups", "redefined", "entry_points_and_functions", "source_lines", "no_line_breaks",
    ):  # fmt: skip
        found.append(Row(f"keystroke in {name}", cases[name].size, _of_text(_keystroke, cases[name].make), name == "call_chain"))
    for name in (
        "decorations_of_one_id", "switch", "phi_pairs", "long_block", "call_chain", "structure_members", "groups", "source_lines",
        "nested_structures", "nested_pointers", "nested_loops", "no_line_breaks",
    ):  # fmt: skip
        limited = name in ("switch", "phi_pairs", "structure_members")
        size = min(cases[name].size, _MOST_OPERANDS) if limited else cases[name].size
        found.append(Row(f"as of {name}", size, _of_text(_assembled, cases[name].make), limited))
        found.append(Row(f"dis of {name}", size, _of_text(_disassembled, cases[name].make), limited))
    for name, size in (("switch_fall_through", 100), ("sequential_ifs", 100), ("nested_loops", 25), ("switch", 100)):
        found.append(Row(f"picture of {name}", size, _of_text(_picture, cases[name].make)))
    found.append(Row("edits of one line in a notification", 10_000, _edits_of_one_line))
    found.append(Row("bad keys in spvls.toml", 15_000, _bad_settings))
    return found


def _run(prepare: Callable[[int], Work], size: int, limit: int, answer: Connection) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
    work = prepare(size)
    gc.freeze()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.process_time()
    work()
    seconds = time.process_time() - start
    answer.send(Taken(seconds, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024))


def measure(row: Row, size: int, limit: int = LIMIT) -> Taken | None:
    """What a row takes at a size; None where that is longer than the limit, or fails."""
    context = multiprocessing.get_context("fork")
    receiving, sending = context.Pipe(duplex=False)
    child = context.Process(target=_run, args=(row.prepare, size, limit, sending))
    child.start()
    sending.close()
    try:
        taken: Taken | None = receiving.recv()
    except EOFError:
        taken = None
    child.join()
    return taken


def series(row: Row) -> tuple[int, list[Taken | None]]:
    """The size that a row is measured from, and what it takes at that size, at twice and at four times that."""
    size, taken = row.size, measure(row, row.size)
    while taken is not None and taken.seconds < SHORT and size < row.size * LARGEST and not row.limited:
        size *= 2
        taken = measure(row, size)
    found = [taken]
    for times in (2, 4):
        found.append(None if found[-1] is None else measure(row, size * times))
    return size, found


def verdict(times: list[Taken | None]) -> str:
    """The mean factor of a doubling, and what it says."""
    first, *_, last = times
    if first is None or last is None:
        return "too long"
    if last.seconds < SHORT:
        return "short"
    factor = (last.seconds / max(first.seconds, 0.001)) ** (1 / (len(times) - 1))
    return f"× {factor:.2f}" + ("" if factor < MOST else "  WORSE than n log n")


def warm() -> None:
    """Read in this process what every measurement needs."""
    import spvls

    spvls.validate(module(), target_env=TARGET)
    for case in CASES:
        spvls.validate(case.make(3), target_env=TARGET)
    _picture(module())()


def growth(say: Say, chosen: Sequence[str]) -> None:
    """Tell the times and the memory of each row to `say`; of those whose names hold a word of `chosen`, or of all."""
    if not hasattr(os, "fork"):
        say("growth", "(no fork)")
        return
    warm()
    for row in rows():
        if chosen and not any(word in row.name for word in chosen):
            continue
        size, taken = series(row)
        seconds = " / ".join("–" if one is None else f"{one.seconds:.2f}" for one in taken)
        memory = f"{taken[-1].megabytes:.0f} MB" if taken[-1] is not None else "–"
        say(f"{row.name}, from {size} on", f"{seconds} s  {memory:>7}  {verdict(taken)}")
