"""`spvls lint`: the findings of modules, listed, and repaired where that is asked for."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import chain

from spvls.binary.gc_pause import collect_often
from spvls.cli.arguments import ArgumentParser, Namespace
from spvls.cli.console import (
    colored,
    complain,
    lines_for_people,
    lines_for_programs,
    on_terminal,
    say,
    say_data,
    show_progress,
    warn,
)
from spvls.cli.failure import DEFECTIVE, UNUSABLE, Failure
from spvls.cli.judge import MAX_FINDINGS, Fixing, Settings, known, lint, lint_config
from spvls.cli.outcome import FORMATS, Outcome, Totals, format_named
from spvls.cli.output import STDOUT, force_argument, write
from spvls.cli.search import Search, modules_at, search_arguments
from spvls.cli.source import STDIN, is_stream, size_argument, stdin_argument
from spvls.cli.tally import Tally, counted
from spvls.cli.target import environment_argument, validator_arguments, validator_options
from spvls.diagnostic import RULE_FAILED, Severity
from spvls.typed import TYPE_CHECKING
from spvls.validate.config import Config, config_for
from spvls.validate.engine.rule_patterns import chosen

if TYPE_CHECKING:
    from spvls.cli.result_cache import ResultCache

#: So many files are worth a process more.
FILES_A_PROCESS = 16


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "paths",
        nargs="*",
        metavar="PATH",
        help="a text or a binary, as its content shows; a file of another language that has modules in it; a folder of "
        "modules; - is the standard input, which is read when no path is given",
    )
    environment_argument(parser)
    search_arguments(parser)
    stdin_argument(parser)
    size_argument(parser)
    report = parser.add_argument_group("report")
    report.add_argument("--format", choices=FORMATS, default="text", help="how findings are written (default: text)")
    report.add_argument("--output", "-o", metavar="FILE", default=STDOUT, help="write the report to this file")
    for flag, meaning in (("--select", "report only these rules"), ("--ignore", "do not report these rules")):
        report.add_argument(
            flag, metavar="RULES", action="extend", type=_patterns, default=[], help=f"{meaning}: RULE or FOLDER/*, ..."
        )
    report.add_argument(
        "--baseline", metavar="FILE", help="do not report what is in this report of lint, as json or sarif, from the same folder"
    )
    report.add_argument("--statistics", action="store_true", help="count findings by rule instead of listing them")
    report.add_argument(
        "--max-findings",
        metavar="N",
        type=_positive,
        default=MAX_FINDINGS,
        help="list at most N findings of a rule in a file as text; all are counted (default: %(default)s)",
    )
    report.add_argument("--strict", action="store_true", help="exit with 1 for warnings too")
    report.add_argument("--exit-zero", action="store_true", help="exit with 0 whatever is found")
    fixes = parser.add_argument_group("fixes")
    fixes.add_argument("--fix", action="store_true", help="apply the sure fixes that add no error or warning; report what is left")
    fixes.add_argument("--diff", action="store_true", help="write nothing; print what --fix would change; exit with 1 if anything")
    fixes.add_argument("--unsafe-fixes", action="store_true", help="with --fix or --diff: apply fixes that are not sure too")
    force_argument(parser)
    parser.add_argument(
        "--link", action="store_true", help="also report what keeps the modules of all files from being linked with each other"
    )
    parser.add_argument("--watch", action="store_true", help="lint again whenever a file changes, until interrupted")
    parser.add_argument("--jobs", metavar="N", type=int, help="processes to share the files among")
    cache = parser.add_argument_group("cache")
    cache.add_argument("--no-cache", action="store_true", help="neither use nor keep what was found in files before")
    cache.add_argument(
        "--cache-dir", metavar="FOLDER", help="keep it in this folder, for a single file too (default: the user's cache folder)"
    )
    validator_arguments(parser)


def run(options: Namespace) -> int:
    _require_sense(options)
    settings = _settings(options)
    failures: list[str] = []
    search = Search.of(options)
    if options.watch:
        from spvls.cli.watch import watch

        watch(options.paths, search, partial(lint, settings=settings), partial(_report, options=options, settings=settings))
    paths = modules_at(options.paths or [STDIN], failures, search)
    if len(paths) == 1:
        gc.disable()  # what is left of one module goes with the process
    if options.link:
        from spvls.cli.linking import linked_findings

        settings = settings._replace(linked=linked_findings(paths, settings))
    outcomes = _outcomes(paths, settings, _cache(options, paths), options.jobs)
    return _report(outcomes, paths, failures, options=options, settings=settings)


def _require_sense(options: Namespace) -> None:
    """Raise Failure for options that do not go together."""
    if not options.paths and sys.stdin is not None and sys.stdin.isatty():
        raise Failure("give a file, a folder, or - for the standard input")
    stdin = STDIN in (options.paths or [STDIN])
    if stdin and options.fix and not options.diff:
        raise Failure("--fix must not be used with the standard input; --diff prints what would change")
    if stdin and options.watch:
        raise Failure("--watch needs files or folders")
    if options.link and (options.watch or options.fix or options.diff or STDIN in (options.paths or [STDIN])):
        raise Failure("--link compares files: it must not be used with --watch, --fix, --diff or the standard input")
    if options.jobs is not None and options.jobs < 1:
        raise Failure(f"--jobs {options.jobs}: expected at least 1 process")
    if options.unsafe_fixes and not (options.fix or options.diff):
        raise Failure("--unsafe-fixes requires --fix or --diff")
    if options.diff and (options.format != "text" or options.statistics or options.output != STDOUT):
        raise Failure("--diff prints changes, not findings: it must not be used with --format, --output or --statistics")
    if options.statistics and format_named(options.format).counts is None:
        raise Failure(f"--statistics is not available as {options.format}; use --format text or json")


def _settings(options: Namespace) -> Settings:
    """What the options ask for. Raises Failure."""
    try:
        choice = chosen(options.select, options.ignore)
    except ValueError as error:
        raise Failure(str(error)) from None
    known = None
    if options.baseline is not None:
        from spvls.cli.baseline import read_baseline

        known = read_baseline(options.baseline)
    fixing = Fixing(options.unsafe_fixes, options.diff, options.force) if options.fix or options.diff else None
    color = colored(sys.stdout) and options.output == STDOUT
    checks = validator_options(options)
    size, name = options.max_file_size, options.stdin_filename
    most = options.max_findings
    return Settings(options.target_env, checks, options.format, color, size, choice, known, fixing, name, most)


def _report(
    outcomes: Iterable[Outcome], paths: list[str], failures: list[str], *, options: Namespace, settings: Settings
) -> int:
    """Print or write the report; the exit code."""
    totals = Totals(failures)
    configurations = (lint_config(config, settings) for config in _faulty_configurations(paths))
    followed = _followed(chain(configurations, outcomes), totals, len(paths))
    if options.diff:
        for outcome in followed:
            if outcome.diff:
                say(outcome.diff)
        if totals.files:
            warn(f"{counted(totals.fixed, 'finding')} would be fixed, in {totals.changed} of {counted(totals.files, 'file')}")
        return _exit_code(options, totals, found=bool(totals.changed))
    made = format_named(options.format)
    if options.statistics and made.counts is not None:
        for _ in followed:
            pass
        lines = made.counts(totals)
    else:
        lines = made.document(followed, totals)
    if options.output != STDOUT:
        written = lines_for_people if made.for_people else lines_for_programs
        write(options.output, "".join(map(written, lines)).encode("utf-8", "surrogateescape"), force=options.force)
    else:
        for line in lines:
            if made.for_people:
                say(line, styled=settings.color)
            else:
                say_data(line)
    return _exit_code(options, totals, found=_fails(totals.tally, strict=options.strict))


def _fails(tally: Tally, *, strict: bool) -> bool:
    return tally.of(Severity.ERROR) > 0 or (strict and tally.of(Severity.WARNING) > 0)


def _exit_code(options: Namespace, totals: Totals, *, found: bool) -> int:
    if totals.failures:
        return UNUSABLE
    if any(found.rule == RULE_FAILED for found in totals.tally.by_rule()):
        return DEFECTIVE
    return int(found and not options.exit_zero)


def _followed(outcomes: Iterable[Outcome], totals: Totals, files: int) -> Iterator[Outcome]:
    """The outcomes, counted; how many there are of all is shown meanwhile on a line that is taken away before anything else
    is printed."""
    progress = files > 1 and on_terminal(sys.stderr)
    for outcome in outcomes:
        totals.add(outcome)
        if progress:
            show_progress("")
        if outcome.failure is not None:
            complain(outcome.failure)
        yield outcome
        if progress:
            if sys.stdout is not None:
                sys.stdout.flush()
            show_progress(f"{totals.judged} of {files} files")
    if progress:
        show_progress("")


def _faulty_configurations(paths: list[str]) -> Iterator[Config]:
    """The configurations that the files fall under and that have something wrong."""
    return iter({config.path: config for path in paths if (config := config_for(path)).problems}.values())


def _cache(options: Namespace, paths: list[str]) -> ResultCache | None:
    """Where what was found is kept: in a folder that is named, and for several files in that of the user."""
    if options.no_cache or options.fix or options.diff or STDIN in paths:
        return None
    if options.cache_dir is None and len(paths) < 2:
        return None
    from spvls.cli.result_cache import ResultCache, user_folder

    folder = user_folder() if options.cache_dir is None else options.cache_dir
    return None if folder is None else ResultCache(folder)


def _processes(wanted: int | None, files: int) -> int:
    """How many processes so many files are shared among."""
    return min(wanted, files) if wanted is not None else min(os.cpu_count() or 1, files // FILES_A_PROCESS)


def _outcomes(paths: list[str], settings: Settings, cache: ResultCache | None, jobs: int | None) -> Iterator[Outcome]:
    """The outcomes in the order of the paths."""
    before: dict[int, Outcome] = {}
    if cache is not None:
        for at, path in enumerate(paths):
            found = None if is_stream(path) else known(path, settings, cache)
            if found is not None:
                before[at] = found
    left = [path for at, path in enumerate(paths) if at not in before]
    judge = partial(lint, settings=settings, cache=cache)
    processes = 1 if STDIN in paths else _processes(jobs, len(left))
    if len(left) > 1:
        collect_often()
    if processes < 2:
        new: Iterator[Outcome] = map(judge, left)
    else:
        from spvls.cli.workers import judged

        new = judged(left, judge, processes)
    for at in range(len(paths)):
        yield before[at] if at in before else next(new)


def _positive(given: str) -> int:
    """A number from 1 on."""
    number = int(given)
    if number < 1:
        raise ValueError
    return number


def _patterns(given: str) -> list[str]:
    """Patterns with commas between them."""
    return [pattern for pattern in given.replace(",", " ").split() if pattern]
