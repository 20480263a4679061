"""`spvls lint`: the findings of modules, listed."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, NamedTuple

from spvls import validate
from spvls.cli import octets
from spvls.cli.console import coloured, complain, described, on_terminal, say, say_data, show_progress
from spvls.cli.failure import UNUSABLE, Failure
from spvls.cli.report import FORMATS, Listing, Tally, counted, json_document
from spvls.cli.source import STDIN, is_binary, modules_at, read, shown, size_argument, text_of
from spvls.cli.target import environment_argument, validator_arguments, validator_options
from spvls.diagnostic import Position, Range
from spvls.syntax.header import read_header
from spvls.syntax.scanner import scan
from spvls.text.files import MAX_FILE_SIZE
from spvls.text.lines import split_lines
from spvls.validate.config import config_for

#: So many files are worth a process more.
FILES_A_PROCESS = 16

_START = Range(Position(0, 0), Position(0, 0))


class Settings(NamedTuple):
    """What all modules are linted by."""

    target_env: str | None
    options: dict[str, Any]
    format: str
    colour: bool
    max_file_size: int = MAX_FILE_SIZE


class Outcome(NamedTuple):
    """What came of one file: its findings as they are to be shown, their number, or why it could not be judged."""

    entries: list[str]
    tally: Tally
    failure: str | None = None
    is_module: bool = True


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "paths",
        nargs="*",
        metavar="PATH",
        help="a text or a binary, told apart by content; a folder of them (.spvasm, .spvasm.*, .spv); - is the standard "
        "input, which is read when no path is given",
    )
    environment_argument(parser)
    size_argument(parser)
    parser.add_argument("--format", choices=FORMATS, default="text", help="how findings are written (default: text)")
    parser.add_argument("--strict", action="store_true", help="exit with 1 for warnings too")
    parser.add_argument("--jobs", metavar="N", type=int, help="processes to share the files among")
    validator_arguments(parser)


def run(options: Namespace) -> int:
    if not options.paths and sys.stdin is not None and sys.stdin.isatty():
        raise Failure("give a file, a folder, or - for the standard input")
    failures: list[str] = []
    paths = modules_at(options.paths or [STDIN], failures)
    checks = validator_options(options)
    settings = Settings(options.target_env, checks, options.format, coloured(sys.stdout), options.max_file_size)
    report = _Report(len(paths), failures)
    outcomes = _outcomes(paths, settings, _processes(options.jobs, paths))
    entries = report.follow(chain(_configurations(paths, settings), outcomes))
    if options.format == "json":
        for line in json_document(entries, report.totals):
            say_data(line)
    else:
        for entry in entries:
            if options.format == "text":
                say(entry, styled=settings.colour)
            else:
                say_data(entry)
    if options.format == "text" and report.judged:
        say(f"{report.tally} in {counted(report.judged, 'file')}")
    if report.failures:
        return UNUSABLE
    return int(bool(report.tally.errors or (options.strict and report.tally.warnings)))


def lint(path: str, settings: Settings) -> Outcome:
    """Read and judge one module."""
    name = shown(path)
    try:
        data = read(path, settings.max_file_size)
        config = config_for(path)
        options = {**config.options, **settings.options}
        target = settings.target_env or config.target_env
        if _is_module(data, path):
            findings = config.applied(validate(data, target_env=target, options=options))
            listing = _binary_listing(name, data, settings) if findings else Listing(name, [])
        else:
            text = text_of(data, path)
            if target is not settings.target_env and read_header(split_lines(text)).target is not None:
                target = None  # the text itself is nearer than the folder that it lies in
            findings = config.applied(validate(text, target_env=target, options=options))
            lines = split_lines(text) if findings or "\0" in text or not text.isascii() else []
            if lines:
                findings = sorted([*findings, *octets.findings(lines)], key=lambda finding: finding.range or _START)
            listing = Listing(name, lines, colour=settings.colour)
    except Failure as failure:
        return Outcome([], Tally(), str(failure))
    except Exception as error:  # one module must not keep the others from being judged
        return Outcome([], Tally(), f"{name}: internal error: {described(error)}")
    show = FORMATS[settings.format]
    return Outcome([show(listing, finding) for finding in findings], Tally.of(findings))


class _Report:
    """What has been judged so far."""

    def __init__(self, files: int, failures: list[str]) -> None:
        self.failures = failures
        self.tally = Tally()
        self.judged = 0
        self._files = files
        self._progress = files > 1 and on_terminal(sys.stderr)

    def follow(self, outcomes: Iterable[Outcome]) -> Iterator[str]:
        """The entries of all outcomes; what they come to is kept."""
        done = 0
        for outcome in outcomes:
            self._show_progress(done)
            done += outcome.is_module
            if outcome.failure is not None:
                complain(outcome.failure)
                self.failures.append(outcome.failure)
            else:
                self.judged += outcome.is_module
                self.tally = self.tally.plus(outcome.tally)
            yield from outcome.entries
        self._show_progress(None)

    def totals(self) -> dict[str, Any]:
        """What a report for programs closes with."""
        return {"files": self.judged, **self.tally._asdict(), "failures": self.failures}

    def _show_progress(self, done: int | None) -> None:
        """Say on a line that the next one replaces how far it has come; take it away before anything else is written."""
        if self._progress:
            show_progress("" if done is None else f"{done} of {self._files} files")


def _configurations(paths: list[str], settings: Settings) -> Iterator[Outcome]:
    """What is wrong with the configurations that the files fall under."""
    configs = {config.path: config for path in paths if (config := config_for(path)).problems}
    for path, config in configs.items():
        assert path is not None  # without a file there is nothing that could be wrong
        name = os.path.relpath(path)
        listing = Listing(name, split_lines(config.text), colour=settings.colour)
        show = FORMATS[settings.format]
        yield Outcome([show(listing, problem) for problem in config.problems], Tally.of(config.problems), is_module=False)


def _processes(wanted: int | None, paths: list[str]) -> int:
    if STDIN in paths:
        return 1
    if wanted is not None:
        if wanted < 1:
            raise Failure(f"--jobs {wanted}: at least one process is needed")
        return min(wanted, len(paths))
    return min(os.cpu_count() or 1, len(paths) // FILES_A_PROCESS)


def _outcomes(paths: list[str], settings: Settings, processes: int) -> Iterator[Outcome]:
    """The outcomes in the order of the paths."""
    if processes < 2:
        for path in paths:
            yield lint(path, settings)
        return
    from functools import partial
    from multiprocessing import Pool

    # A process that is not forked starts as `python -c`, which would import from the working directory.
    os.environ["PYTHONSAFEPATH"] = "1"
    with Pool(processes, _leave_interrupts) as pool:
        yield from pool.imap(partial(lint, settings=settings), paths, chunksize=4)


def _leave_interrupts() -> None:
    """An interrupt from the keyboard is for the first process alone, which ends the others."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _is_module(data: bytes, path: str) -> bool:
    """Whether to judge the octets as a binary; those of a `.spv` file with a damaged magic number too."""
    return is_binary(data) or (path.endswith(".spv") and b"\0" in data)


def _binary_listing(name: str, data: bytes, settings: Settings) -> Listing:
    """The lines to show with findings of a binary: its disassembly, as far as there is one."""
    from spvls import DisassembleError, disassemble

    try:
        lines = split_lines(disassemble(data, friendly_names=False, indent=False, header=False))
    except DisassembleError:
        return Listing(name, [], colour=settings.colour)
    return Listing(name, lines, [line for line, _ in scan(lines)], settings.colour)
