"""`spvls sources`: the sources that the debug information of a module names, listed or extracted."""

from __future__ import annotations

import os
import re
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator

from spvls.cli.console import say, say_data
from spvls.cli.failure import Failure, reason
from spvls.cli.output import write
from spvls.cli.source_module import read_source_module, source_module_arguments
from spvls.cli.tally import counted
from spvls.ide.features.source_listing import Source, sources_of
from spvls.text.escaping import json_text, visible

_LONGEST = 100
"""Characters of a part of a path."""

#: What Windows takes for devices, whatever follows the dot.
_DEVICES = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|\Z)", re.IGNORECASE).match
_UNSAFE = re.compile(r'[<>:"|?*%\x00-\x1f\x7f]|[^\x00-\x7f]')


def arguments(parser: ArgumentParser) -> None:
    source_module_arguments(parser)
    parser.add_argument("--format", choices=("text", "json"), default="text", help="how the list is written (default: text)")
    parser.add_argument("--extract", metavar="DIR", help="write the texts that the module carries into this folder")
    parser.add_argument("--force", action="store_true", help="let --extract replace files")


def run(options: Namespace) -> int:
    loaded = read_source_module(options)
    found = sources_of(loaded.source_module)
    if options.extract is not None:
        _extract(found, options.extract, force=options.force)
    elif options.format == "json":
        say_data(json_text({"sources": [_as_object(source) for source in found]}, indent=1))
    else:
        for line in _table(found):
            say(line)
    return int(loaded.damaged)


def _as_object(source: Source) -> dict[str, object]:
    text = source.text.decode("utf-8", "replace") if source.text is not None else None
    return {"name": source.name, "language": source.language, "instructions": source.instructions, "text": text}


def _table(found: list[Source]) -> Iterator[str]:
    """The sources, a line each."""
    if not found:
        yield "no sources"
        return
    rows = [(visible(source.name), source.language, _size(source), counted(source.instructions, "instruction")) for source in found]
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=False) if width]
        yield "  ".join([*cells, row[-1]])


def _size(source: Source) -> str:
    if source.text is None:
        return "text not in the module"
    lines = len(source.text.split(b"\n")) - source.text.endswith(b"\n")
    return f"{counted(lines, 'line')}, {counted(len(source.text), 'byte')}"


def _extract(found: list[Source], folder: str, *, force: bool) -> None:
    """Write the texts below a folder, each under its name; none of them where one cannot be written. Raises Failure."""
    targets = [(path, source.text) for path, source in _paths(found, folder) if source.text is not None]
    try:
        os.makedirs(folder, exist_ok=True)
        inside = os.path.realpath(folder)
        for path, _ in targets:
            _require_writable(path, inside, force=force)
        for path, text in targets:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            write(path, text, force=force)
            say(visible(path))
    except OSError as error:
        raise Failure(f"{folder}: {reason(error)}") from error
    if not targets:
        raise Failure("the module carries no text of a source")


def _require_writable(path: str, folder: str, *, force: bool) -> None:
    """Raise Failure for a file that is there, and for one that links lead out of the folder."""
    real = os.path.realpath(path)
    if os.path.commonpath((real, folder)) != folder:
        raise Failure(f"{path}: a link leads out of {folder}")
    if os.path.lexists(path) and not force:
        raise Failure(f"{path}: this file exists already; --force replaces it")


def _paths(found: list[Source], folder: str) -> Iterator[tuple[str, Source]]:
    """The sources, each with a path of its own below a folder."""
    # Names that differ in case alone are one on some systems.
    files: set[str] = set()
    folders: set[str] = set()
    for source in found:
        *above, name = safe_parts(source.name)
        path = folder
        for part in above:
            path = _free(os.path.join(path, part), files)
            folders.add(path.casefold())
        path = _free(os.path.join(path, name), files | folders)
        files.add(path.casefold())
        yield path, source


def _free(path: str, taken: set[str]) -> str:
    """The path, with a number where it is taken."""
    stem, extension = os.path.splitext(path)
    number = 1
    while path.casefold() in taken:
        number += 1
        path = f"{stem}-{number}{extension}"
    return path


def safe_parts(name: str) -> list[str]:
    """The folders and the file of a name as every system takes them: none leads upward, to a root, to a drive or to a device;
    other characters than printable ASCII are given by their numbers, as in `%1b`."""
    parts = [_safe(part) for part in re.split(r"[/\\]", re.sub(r"\A[A-Za-z]:(?=[/\\])", "", name))]
    return [part for part in parts if part] or ["source"]


def _safe(part: str) -> str:
    escaped = _UNSAFE.sub(lambda mark: "".join(f"%{octet:02x}" for octet in mark[0].encode("utf-8", "replace")), part)
    escaped = escaped[:_LONGEST].rstrip(". ").lstrip(" ")
    return f"_{escaped}" if _DEVICES(escaped) else escaped
