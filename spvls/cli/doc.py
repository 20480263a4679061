"""`spvls doc`: what instructions, enumerants and the like mean."""

from __future__ import annotations

import shutil
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator

from spvls.cli.console import coloured, complain, say
from spvls.cli.failure import UNUSABLE
from spvls.cli.markdown import render
from spvls.grammar import docs
from spvls.grammar.keys import keys, resolve
from spvls.ide.docs_markdown import docs_markdown, signature
from spvls.syntax.nearest import Spelling
from spvls.text.escaping import code_span

WIDTH = 100
"""Columns that a text fills at most."""

FEW = 4
"""So many entries of one name are shown; of more only the keys."""


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "keys",
        nargs="+",
        metavar="NAME",
        help="OpPhi, StorageClass.Private or Private, GLSL.std.450.Sqrt, Header.Bound, in any case; a family such as StorageClass",
    )


def run(options: Namespace) -> int:
    width = min(shutil.get_terminal_size((WIDTH, 24)).columns, WIDTH)
    code = 0
    shown: list[str] = []
    for name in options.keys:
        found = _shown(name)
        if not found:
            complain(_unknown(name))
            code = UNUSABLE
        shown += found
    if shown:
        colour = coloured(sys.stdout)
        say("\n\n".join(render(text, width, colour=colour) for text in shown), styled=colour)
    return code


def _shown(name: str) -> list[str]:
    """What there is to show of a name, as Markdown: an entry, some of that name in several families, or a family."""
    text = _entry(name)
    if text is not None:
        return [text]
    members = _members(name)
    if members:
        return [_list(name, members)]
    matches = list(_of_name(name)) or list(_in_any_case(name))
    if len(matches) > FEW:
        return [_list(name, matches)]
    return [text for key in matches if (text := _entry(key)) is not None]


def _entry(key: str) -> str | None:
    subject = resolve(key)
    if subject is not None:
        record = subject.record
        return f"# {subject.key}\n\n{docs_markdown(record, None, subject.set, with_signature=' ' in signature(record))}"
    entry = docs.lookup(key)
    return f"# {key}\n\n{entry.markdown}" if entry is not None else None


def _list(title: str, members: list[str]) -> str:
    """Entries by key, each with its summary."""
    lines = []
    for key in members:
        entry = docs.lookup(key)
        lines.append(f"- {code_span(key)}" + (f": {entry.summary}" if entry is not None else ""))
    return f"# {title}\n\n" + "\n".join(lines)


def _everything() -> tuple[str, ...]:
    return (*keys(), *docs.syntax_keys())


def _members(family: str) -> list[str]:
    """The keys of a kind, a set, or the header or the syntax."""
    return [key for key in _everything() if key.rpartition(".")[0] == family]


def _of_name(name: str) -> Iterator[str]:
    """The keys that are `name` but for their family, or for the `Op` in front."""
    for key in _everything():
        if key.endswith(f".{name}") or key == f"Op{name}":
            yield key


def _in_any_case(name: str) -> Iterator[str]:
    """The keys that are `name`, as a whole or but for what `_of_name` leaves out, in upper or lower case."""
    wanted = name.lower()
    for key in _everything():
        if f".{key.lower()}".endswith(f".{wanted}") or key.lower() == f"op{wanted}":
            yield key


def _unknown(name: str) -> str:
    everything = _everything()
    by_name = {key.rpartition(".")[2]: key for key in everything}
    nearest = Spelling(everything).nearest(name)
    if nearest is None:
        last = Spelling(by_name).nearest(name.rpartition(".")[2])
        nearest = by_name[last] if last is not None else None
    return f"nothing is known of {name!r}" + (f"; did you mean {nearest}?" if nearest is not None else "")
