"""Which files of a folder a command takes."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable

from spvls.cli.arguments import ArgumentParser, Namespace
from spvls.cli.console import complain
from spvls.cli.source import STDIN
from spvls.record import NamedTuple
from spvls.text.files import Refused, find_files, read_head
from spvls.validate.config import FILE_NAME, config_for


class Search(NamedTuple):
    """What is added to the files that a folder is searched for, and what is left out: globs as in `.gitignore`."""

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    with_ignored: bool = False

    @classmethod
    def of(cls, options: Namespace) -> Search:
        """The search that the options of a command ask for."""
        return cls(tuple(options.include), tuple(options.exclude), options.no_ignore)


def search_arguments(parser: ArgumentParser) -> None:
    """Add `--include`, `--exclude` and `--no-ignore` to a parser."""
    for name, meaning in (
        ("include", "in folders, also take files of this pattern, such as '*.amber' or 'tests/**/*.cpp'; may be repeated"),
        ("exclude", "in folders, leave out files and folders of this pattern; may be repeated"),
    ):
        parser.add_argument(f"--{name}", metavar="GLOB", action="append", default=[], help=meaning)
    parser.add_argument("--no-ignore", action="store_true", help="in folders, also take what .gitignore leaves out")


def modules_at(
    given: Iterable[str],
    failures: list[str],
    search: Search = Search(),  # noqa: B008 immutable
    report: Callable[[str], None] = complain,
) -> list[str]:
    """The files that paths stand for, each once: a folder for the files of SPIR-V under it, by name or by content, and for
    those that the search or the `spvls.toml` of the folder includes.

    A folder that has none or cannot be listed, and a file in a folder that is not a regular one, is left out with a message,
    by default on the standard error stream, which is added to `failures`.
    """

    def fail(message: str) -> None:
        report(message)
        failures.append(message)

    def refused(path: str, why: str) -> None:
        fail(f"{os.path.normpath(path)}: {why[:1].lower()}{why[1:]}")

    found: dict[str, None] = {}
    for path in given:
        if path == STDIN or not os.path.isdir(path):
            found[path] = None
            continue
        before = len(failures)
        below = _below(path, search, refused)
        found.update(dict.fromkeys(below))
        if not below and len(failures) == before:
            fail(f"{path}: there is no SPIR-V file in this folder")
    return list(found)


def _below(folder: str, search: Search, refused: Refused) -> list[str]:
    from spvls.host.patterns import is_named, is_sniffed
    from spvls.text.ignored import Ignored, globs

    config = config_for(os.path.join(folder, FILE_NAME))
    home = os.path.dirname(config.path) if config.path is not None else folder
    included, also_included = globs(config.include, home), globs(search.include, folder)
    excluded, also_excluded = globs(config.exclude, home), globs(search.exclude, folder)
    ignored = Ignored(folder)

    def left_out(path: str) -> bool:
        return excluded(path) or also_excluded(path) or (not search.with_ignored and ignored(path))

    any_name = bool(config.include or search.include)
    paths = find_files(folder, lambda name: any_name or is_named(name) or is_sniffed(name), refused, ignored=left_out)
    return [os.path.normpath(path) for path in paths if _is_taken(path) or included(path) or also_included(path)]


def _is_taken(path: str) -> bool:
    from spvls.host.patterns import SNIFF, is_assembly, is_named, is_sniffed

    name = os.path.basename(path)
    return is_named(name) or (is_sniffed(name) and is_assembly(read_head(path, SNIFF)))
