"""`spvls fmt`: white space put in order, in place, on the standard output, or as a question."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from spvls.cli.console import complain, say, warn
from spvls.cli.diff import diff_of
from spvls.cli.failure import UNUSABLE, Failure
from spvls.cli.output import STDOUT, force_argument, write, write_text
from spvls.cli.source import STDIN, is_binary, modules_at, read, shown, size_argument, text_of
from spvls.ide.formatting import WordsChangedError, formatted
from spvls.text.escaping import visible


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("paths", nargs="*", default=[STDIN], metavar="PATH", help="texts or folders; - or none: stdin to stdout")
    force_argument(parser)
    size_argument(parser)
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 where a text is not formatted")
    parser.add_argument("--diff", action="store_true", help="write nothing; print what would change, and exit with 1 if anything")
    parser.add_argument(
        "--style", choices=("aligned", "nested"), default="aligned", help="opcodes in one column, or nested by control flow"
    )


def run(options: Namespace) -> int:
    changed = 0
    failures: list[str] = []
    for path in modules_at(options.paths, failures):
        try:
            data = read(path, options.max_file_size)
            if not is_binary(data):
                changed += _format(path, text_of(data, path), options)
            elif path in options.paths:
                raise Failure(f"{shown(path)}: this is a binary module; `spvls dis` lists it as text")
        except Failure as failure:
            complain(str(failure))
            failures.append(str(failure))
    if failures:
        return UNUSABLE
    return 1 if changed and (options.check or options.diff) else 0


def _format(path: str, text: str, options: Namespace) -> bool:
    """Format one text as the options have it; whether that changes it. Raises Failure."""
    try:
        result = formatted(text, options.style)
    except WordsChangedError as error:
        raise Failure(f"{shown(path)}: {error}") from error
    changed = result != text
    if options.diff:
        if changed:
            say(diff_of(shown(path), text, result))
    elif options.check:
        if changed:
            warn(visible(f"{shown(path)}: not formatted"))
    elif path == STDIN:
        write_text(STDOUT, result)
    elif changed:
        write(path, result.encode("utf-8", "surrogateescape"), force=options.force)
    return changed
