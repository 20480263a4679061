"""How fast it is, and how much memory it takes: `python -m tests.bench [--lines N] [PART …]`.

Whole processes are timed from outside, and beside those of the reference tools, where these are installed, in the same
run; a ratio says more than a time does, for machines differ. Times are processor time, so that what else runs matters less; those
of requests are by the clock. Each part runs in a process of its own. `--tools FOLDER`, or the environment variable
SPVLS_REFERENCE_TOOLS, says which reference tools: those that a distribution has may be old, and slower.
"""

from __future__ import annotations

import argparse
import gc
import math
import os
import random
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from time import perf_counter, process_time

from spvls.diagnostic import Position, Range
from tests.bench.modules import KINDS, faulty_module_text, module_text
from tests.bench.reference_tools import VARIABLE, missing_tools, tool, version
from tests.corpus import FIXTURES, ROOT

SHADER = FIXTURES / "shaders" / "transform.vert.spvasm"
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}

TARGET = ("--target-env", "spv1.3")
"""What the modules of the benchmark are valid for."""

EDITS = 200


def say(what: str, figure: str) -> None:
    print(f"{what:<64} {figure:>18}", flush=True)


def ms(seconds: float) -> str:
    return f"{seconds * 1000:.1f} ms"


def spread(times: list[float]) -> str:
    """The median and the 95th percentile."""
    ordered = sorted(times)
    return f"{statistics.median(ordered) * 1000:.1f} / {ordered[int(len(ordered) * 0.95)] * 1000:.1f} ms"


def in_turn(*commands: Sequence[str | Path], runs: int) -> list[float]:
    """The least time that each command took, of several runs of one after the other."""
    least = [math.inf] * len(commands)
    for _ in range(runs):
        for at, command in enumerate(commands):
            start = _of_processes()
            subprocess.run([str(part) for part in command], env=ENVIRONMENT, cwd=ROOT, check=False, capture_output=True)
            least[at] = min(least[at], _of_processes() - start)
    return least


def _of_processes() -> float:
    """The processor time of all processes that this one has waited for; the clock where the system does not say."""
    try:
        from resource import RUSAGE_CHILDREN, getrusage
    except ImportError:
        return perf_counter()
    used = getrusage(RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def spvls(*arguments: str | Path) -> list[str | Path]:
    return [sys.executable, "-m", "spvls", *arguments]


def beside(ours: Sequence[str | Path], *commands: Sequence[str | Path]) -> str:
    """The time of a command, and how many times that of the reference tools it is, all run in turn."""
    missing = missing_tools(*(os.path.basename(command[0]) for command in commands))
    least, *theirs = in_turn(ours, *(() if missing else commands), runs=10)
    return f"{ms(least)} (no {', '.join(missing)})" if missing else f"{ms(least)} {least / sum(theirs):.1f} ×"


def start_up(lines: int) -> None:
    """A short shader from the shell, and the start of the server, beside a Python that does nothing."""
    from tests.bench.requests import IDLE, PAGES, first_answers, idle_pages

    with tempfile.TemporaryDirectory() as folder:
        shader = Path(folder, "short.spvasm")
        shader.write_text(module_text(functions=2))
        count = shader.read_text().count("\n")
        lint = spvls("lint", *TARGET, shader)
        in_turn(lint, runs=1)
        bare, ours = in_turn((sys.executable, "-c", "pass"), lint, runs=25)
        say("python -c pass", ms(bare))
        say(f"spvls lint of a shader of {count} lines, whole process; × python -c pass", f"{ms(ours)} {ours / bare:.1f} ×")
    first = first_answers(SHADER.read_text())
    say("the server, from its start to the answer to initialize", ms(first.initialize))
    say("the first hover, once a small shader has its findings", ms(first.hover))
    say(f"the first hover, after {IDLE:.0f} s in which nothing is asked", ms(first.hover_when_idle))
    at_once, later = idle_pages()
    say(f"a byte of each of {PAGES} pages; the same after {IDLE:.0f} s", f"{ms(at_once)} / {ms(later).strip()}")


def trees(lines: int) -> None:
    """Many files at once."""
    from tests.bench.trees import trees as measured

    measured(say, ENVIRONMENT)


def tables(lines: int) -> None:
    """The tables of the grammar, read from their files."""
    start = process_time()
    from spvls.grammar import tables

    tables.opcode("OpNop")
    tables.kind("Capability").get("Shader")
    glsl = tables.extended_set("GLSL.std.450")
    assert glsl is not None and glsl.get("Sqrt") is not None
    say("the tables that a shader needs, read", ms(process_time() - start))
    tables.opcodes()
    for kind in tables.kinds():
        assert kind.all is not None
    for extended in tables.extended_sets():
        assert extended.all
    say("every table read, and every record made", ms(process_time() - start))


def commands(lines: int) -> None:
    """The commands on a long module, beside the reference tools."""
    with tempfile.TemporaryDirectory() as folder:
        text, binary, out = (Path(folder, name) for name in ("big.spvasm", "big.spv", "out"))
        text.write_text(module_text(lines=lines))
        ours = spvls("as", *TARGET, text, "-o", binary)
        say(f"spvls as, {lines} lines; × spirv-as", beside(ours, [tool("spirv-as"), *TARGET, text, "-o", out]))
        ours = spvls("dis", binary, "-o", out)
        say(f"spvls dis, {lines} lines; × spirv-dis", beside(ours, [tool("spirv-dis"), binary, "-o", out]))
        ours = spvls("lint", *TARGET, text)
        reference: list[list[str | Path]] = [[tool("spirv-as"), *TARGET, text, "-o", out], [tool("spirv-val"), *TARGET, binary]]
        say(f"spvls lint, {lines} lines; × spirv-as + spirv-val", beside(ours, *reference))
        faulty = Path(folder, "faulty.spvasm")
        faulty.write_text(faulty_module_text(lines=lines, findings=lines // 10))
        ours = spvls("lint", *TARGET, faulty)
        # The reference tools stop at the first of the findings, so they are given the module of as many lines that has none.
        what = f"spvls lint, {lines // 10} findings of {len(KINDS)} rules; × spirv-as + spirv-val of none"
        say(what, beside(ours, *reference))


def one_line(lines: int) -> None:
    """Ten megabytes on one line: processor time and memory."""
    from tests.bench.budget import one_line as measured

    measured(say)


def _typing(lines: list[str], rows: list[int]) -> Iterable[list[tuple[Range, str]]]:
    """Edits in turn: a digit behind the last word of a line, and the digit gone again."""
    chance = random.Random(1)
    for _ in range(EDITS // 2):
        row = chance.choice(rows)
        end = len(lines[row].rstrip("\n"))
        yield [(Range(Position(row, end), Position(row, end)), "7")]
        yield [(Range(Position(row, end), Position(row, end + 1)), "")]


def _renaming(lines: list[str], rows: list[int]) -> Iterable[list[tuple[Range, str]]]:
    """Edits in turn: a digit behind the name that a line defines, so that none defines it, and the digit gone again."""
    chance = random.Random(1)
    for _ in range(EDITS // 2):
        row = chance.choice(rows)
        end = lines[row].index(" ")
        yield [(Range(Position(row, end), Position(row, end)), "7")]
        yield [(Range(Position(row, end), Position(row, end + 1)), "")]


def _of_types(lines: list[str], number: int = 4) -> Iterable[list[tuple[Range, str]]]:
    """Edits in turn: another number of components in the type of vectors that everything uses, and the one it had."""
    row = next(row for row, line in enumerate(lines) if line.startswith("%v4float = OpTypeVector %float 4"))
    where = Range(Position(row, len("%v4float = OpTypeVector %float ")), Position(row, len("%v4float = OpTypeVector %float 4")))
    for _ in range(number):
        yield [(where, "3")]
        yield [(where, "4")]


def _timed(edits: Iterable[list[tuple[Range, str]]], follow: Callable[[list[tuple[Range, str]]], object]) -> list[float]:
    times = []
    for edit in edits:
        start = process_time()
        follow(edit)
        times.append(process_time() - start)
    return times


def edits(lines: int) -> None:
    """Keystrokes in a long module, from the text to the findings."""
    from spvls.grammar.environments import environment
    from spvls.module.ids import SymbolTable
    from spvls.module.module import Module
    from spvls.syntax.document import Document
    from spvls.validate.engine.checker import Checker
    from spvls.validate.engine.report import diagnostics

    def opened(size: int) -> tuple[Document, Checker]:
        text = module_text(lines=size)
        start = process_time()
        document = Document(text)
        checker = Checker(Module(document.chunks, environment("vulkan1.1")))
        assert diagnostics(checker, document) == []
        say(f"a module of {size} lines opened, to all its findings", ms(process_time() - start))
        return document, checker

    text = module_text(lines=lines)
    rows = text.split("\n")
    inside = [row for row, line in enumerate(rows) if " = OpFMul " in line or " = OpFAdd " in line]
    globals_ = [row for row, line in enumerate(rows) if line.startswith("%") and " = OpConstant " in line]
    opened(200)  # the tables are read
    gc.freeze()
    opened(lines // 10)
    document, checker = opened(lines)
    gc.freeze()
    apart = Document(text)
    ids = SymbolTable(apart.chunks)
    times = _timed(_typing(apart.lines, inside), lambda edit: ids.update(apart.edit(edit)))
    say("keystroke in a function → text, instructions, ids; p50 / p95", spread(times))

    def follow(edit: list[tuple[Range, str]]) -> object:
        checker.update(document.edit(edit))
        return diagnostics(checker, document)

    say("keystroke in a function → findings; p50 / p95", spread(_timed(_typing(document.lines, inside), follow)))
    say("keystroke on a constant → findings; p50 / p95", spread(_timed(_typing(document.lines, globals_), follow)))
    say("keystroke in a constant's name → findings; p50 / p95", spread(_timed(_renaming(document.lines, globals_), follow)))
    say("edit of a type that everything uses → findings; p50 / p95", spread(_timed(_of_types(document.lines), follow)))


def memory(lines: int) -> None:
    """What an open module takes, findings included."""
    from spvls.grammar.environments import environment
    from spvls.module.module import Module
    from spvls.syntax.document import Document
    from spvls.validate.engine.checker import Checker
    from spvls.validate.engine.report import diagnostics

    def opened(size: int) -> tuple[Document, Checker]:
        document = Document(module_text(lines=size))
        checker = Checker(Module(document.chunks, environment("vulkan1.1")))
        diagnostics(checker, document)
        return document, checker

    statistics_file = Path("/proc/self/statm")
    if not statistics_file.exists():
        say("memory a line", "(no /proc/self/statm)")
        return
    opened(200)
    gc.collect()
    before = int(statistics_file.read_text().split()[1])
    held = opened(lines)
    gc.collect()
    pages = int(statistics_file.read_text().split()[1]) - before
    say("memory of an open module, a line", f"{pages * os.sysconf('SC_PAGE_SIZE') / len(held[0].lines):.0f} bytes")


def latency(lines: int) -> None:
    """Requests of an editor, over standard input and output."""
    from tests.bench.requests import requests

    requests(lines, lambda what, times: say(what, spread(times)))


def retention(lines: int) -> None:
    """What a server keeps of what is past."""
    from tests.bench.retention import retention as kept

    kept(say)


def growth(lines: int, only: Sequence[str] = ()) -> None:
    """How time and memory grow with one thing in a module."""
    from tests.bench.growth import growth as measured

    measured(say, only)


def megabyte(_lines: int, only: Sequence[str] = ()) -> None:
    """What a megabyte of each worst case takes in the command line."""
    from tests.bench.budget import megabyte as measured

    measured(say, only)


def pauses(_lines: int, only: Sequence[str] = ()) -> None:
    """How long a megabyte of each worst case keeps the loop of the server."""
    from tests.bench.budget import pauses as measured

    measured(say, only)


def hosts(_lines: int) -> None:
    """Documents with several modules, and of other languages."""
    from tests.bench.hosts import hosts as measured
    from tests.bench.hosts import spread as shown

    measured(lambda what, times: say(what, shown(times)))


PARTS = {
    part.__name__: part
    for part in (tables, start_up, commands, one_line, trees, edits, hosts, memory, latency, retention, growth, megabyte, pauses)
}
BESIDE = {"commands", "trees"}
"""Parts that measure the reference tools too."""

BY_CASE = {"growth": growth, "megabyte": megabyte, "pauses": pauses}
"""Parts that measure case after case."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)}; all of them when none is named")
    parser.add_argument("--lines", type=int, default=50_000, help="size of the long module (default: 50000)")
    parser.add_argument("--only", nargs="+", metavar="WORD", help=f"rows of {', '.join(BY_CASE)} whose names hold one of these")
    parser.add_argument("--tools", metavar="FOLDER", help="where the reference tools are (default: where the shell finds them)")
    options = parser.parse_args()
    if options.tools is not None:
        ENVIRONMENT[VARIABLE] = os.environ[VARIABLE] = os.path.abspath(options.tools)
    unknown = set(options.parts) - PARTS.keys()
    if unknown:
        parser.error(f"there is no part {', '.join(sorted(unknown))}")
    chosen = options.parts or list(PARTS)
    if options.only:
        if len(chosen) > 1 or chosen[0] not in BY_CASE:
            parser.error(f"--only goes with one of {', '.join(BY_CASE)}")
        BY_CASE[chosen[0]](options.lines, options.only)
    elif len(chosen) == 1:
        if {*chosen} & BESIDE:
            say("the reference tools", version())
        PARTS[chosen[0]](options.lines)
    else:
        for name in chosen:
            command = [sys.executable, "-m", "tests.bench", name, "--lines", str(options.lines)]
            subprocess.run(command, env=ENVIRONMENT, cwd=ROOT, check=True)
