"""`spvls doc`: what instructions, enumerants and other names mean."""

from __future__ import annotations

import shutil
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator

from spvls.cli.console import colored, complain, say
from spvls.cli.failure import UNUSABLE, Failure
from spvls.cli.markdown import WIDTH, render
from spvls.grammar import docs, glossary, tables
from spvls.grammar.history import renamed
from spvls.grammar.keys import keys, resolve
from spvls.ide.documentation.docs_markdown import docs_markdown, signature
from spvls.ide.documentation.example import complete
from spvls.ide.documentation.extension_markdown import extension_markdown, set_markdown
from spvls.syntax.nearest import Spelling
from spvls.text.escaping import code_span

FEW = 4
"""So many entries of one name are shown; of more only the keys."""


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "keys",
        nargs="+",
        metavar="NAME",
        help="OpPhi, StorageClass.Private or Private, GLSL.std.450.Sqrt, Header.Bound, SPV_KHR_ray_query, in any case; a family "
        "such as StorageClass or limits; a term of the specification such as 'structurally dominates'",
    )
    parser.add_argument("--module", action="store_true", help="print the example of one entry as a complete module instead")


def run(options: Namespace) -> int:
    if options.module:
        say(_module(options.keys).rstrip("\n"))
        return 0
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
        color = colored(sys.stdout)
        say("\n\n".join(render(text, width, color=color) for text in shown), styled=color)
    return code


def _shown(name: str) -> list[str]:
    """What there is to show of a name, as Markdown: an entry, some of that name in several families, or a family."""
    text = _entry(name)
    if text is not None:
        return [text]
    if name in tables.extension_names():
        return [f"# {name}\n\n{extension_markdown(name)}"]
    known = tables.extended_set(name)
    if known is not None and known.name != name:
        return [f"# {name}\n\n{set_markdown(known, name)}"]
    members = _members(name)
    if members:
        return [_list(members[0].rpartition(".")[0], members)]
    exact = list(_of_name(name))
    meant = None if exact else glossary.term(name)
    shown = [] if meant is None else [f"# {meant.name} ({meant.section})\n\n{meant.markdown}"]
    matches = exact or list(_in_any_case(name))
    if len(matches) > FEW:
        return [*shown, _list(name, matches)]
    return [*shown, *(text for key in matches if (text := _entry(key)) is not None)]


def _entry(key: str) -> str | None:
    subject = resolve(key)
    if subject is not None:
        record, known = subject.record, subject.set
        text = docs_markdown(record, None, known, with_signature=" " in signature(record, known))
        return f"# {subject.key}\n\n{text}"
    entry = docs.lookup(key)
    return f"# {key}\n\n{entry.markdown}" if entry is not None else None


def _module(names: list[str]) -> str:
    """The module that the example of an entry is a part of."""
    if len(names) > 1:
        raise Failure("--module takes one NAME")
    found = [names[0]] if docs.lookup(names[0]) is not None else list(_of_name(names[0])) or list(_in_any_case(names[0]))
    if not found:
        raise Failure(_unknown(names[0]))
    shown = [(key, entry.example) for key in found if (entry := docs.lookup(key)) is not None and entry.example is not None]
    shown = [(key, example) for key, example in shown if example.language == "spirv"]
    if not shown:
        raise Failure(f"{names[0]} has no example")
    if len(shown) > 1:
        raise Failure(f"{names[0]} is ambiguous; write {' or '.join(key for key, _ in shown)}")
    return complete(shown[0][1])


def _list(title: str, members: list[str]) -> str:
    """Entries by key, each with its summary."""
    lines = []
    for key in members:
        entry = docs.lookup(key)
        lines.append(f"- {code_span(key)}" + (f": {entry.summary}" if entry is not None else ""))
    return f"# {title}\n\n" + "\n".join(lines)


def _everything() -> tuple[str, ...]:
    return (*keys(), *docs.syntax_keys(), *docs.limit_keys())


def _members(family: str) -> list[str]:
    """The keys of a kind, a set, the header, the syntax or the limits; a term, which is in lower case, is none of them."""
    if glossary.term(family) is not None and family.islower():
        return []
    by_family: dict[str, list[str]] = {}
    for key in _everything():
        by_family.setdefault(key.rpartition(".")[0], []).append(key)
    if family in by_family:
        return by_family[family]
    wanted = family.lower()
    return next((keys for name, keys in by_family.items() if wanted in (name.lower(), f"{name.lower()}s")), [])


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
    today = renamed(name)
    if today:
        return f"{name} is now {' or '.join(today)}"
    everything = (*_everything(), *glossary.names())
    by_name = {key.rpartition(".")[2]: key for key in everything}
    nearest = Spelling(everything).nearest(name)
    if nearest is None:
        last = Spelling(by_name).nearest(name.rpartition(".")[2])
        nearest = by_name[last] if last is not None else None
    return f"nothing is known of {name!r}" + (f"; did you mean {nearest}?" if nearest is not None else "")
