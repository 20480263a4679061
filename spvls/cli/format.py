"""`spvls fmt`: white space put in order, in place, on the standard output, or as a question."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from spvls.cli.console import complain, say, warn
from spvls.cli.diff import diff_of
from spvls.cli.failure import UNUSABLE, Failure
from spvls.cli.modules import modules_of
from spvls.cli.output import STDOUT, force_argument, write, write_text
from spvls.cli.search import Search, modules_at, search_arguments
from spvls.cli.source import STDIN, is_binary, read, shown, size_argument, stdin_argument, text_of
from spvls.host.host_text import HostText
from spvls.host.languages import SPIRV, language_of
from spvls.ide.features.formatting import Style, WordsChangedError, formatted
from spvls.text.escaping import visible
from spvls.text.lines import split_lines


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("paths", nargs="*", default=[STDIN], metavar="PATH", help="texts or folders; - or none: stdin to stdout")
    force_argument(parser)
    search_arguments(parser)
    stdin_argument(parser)
    size_argument(parser)
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 where a text is not formatted")
    parser.add_argument("--diff", action="store_true", help="write nothing; print what would change, and exit with 1 if anything")
    parser.add_argument(
        "--style", choices=("aligned", "nested"), default="aligned", help="opcodes in one column, or nested by control flow"
    )


def run(options: Namespace) -> int:
    changed = 0
    failures: list[str] = []
    for path in modules_at(options.paths, failures, Search.of(options)):
        try:
            data = read(path, options.max_file_size)
            name = options.stdin_filename if path == STDIN else path
            if language_of(name).name != SPIRV:
                if path in options.paths:
                    raise Failure(f"{shown(path)}: only files of assembly text are formatted")
            elif not is_binary(data):
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
        result = _formatted(text, path, options.style)
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


def _formatted(text: str, path: str, style: Style) -> str:
    """A text with each of its modules formatted, and all else as it stands."""
    modules = list(modules_of(HostText(text, language_of(path))))
    if len(modules) == 1 and modules[0].text == text:
        return formatted(text, style)
    lines = split_lines(text)
    kept, at = [], 0
    for module in modules:
        body = module.text.rstrip()  # empty lines between a module and what follows it are the file's
        end = module.text[len(body) :]
        kept += [*lines[at : module.span.first], formatted(f"{body}\n", style).removesuffix("\n"), end]
        at = module.span.end
    return "".join([*kept, *lines[at:]])
