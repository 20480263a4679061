"""A page for each rule, as `spvls explain` shows it, and their list."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from itertools import groupby

import playground
from guides import ROOT

from spvls.text.escaping import code_block, code_span, link, visible
from spvls.validate.engine.explanation import explained, explanation, title_of
from spvls.validate.engine.rule_markdown import page_markdown

_HEADING = re.compile(r"^\*\*([\w ]+)\*\*$", re.MULTILINE)
_MODULES = {"Example": "{}.spvasm", "Use instead": "{}.clean.spvasm"}
"""The parts of a page with an excerpt, and the fixture that it is of."""

_INTRODUCTION = """\
# Rules

What `spvls lint` and the editors find. A finding has the id of its rule in brackets; `spvls explain RULE` shows the same page in a
terminal. The table `[rules]` of `spvls.toml` sets the severity of a rule or turns it off. [Messages](messages.md) has what their
findings say.
"""


def pages(*, has_playground: bool) -> Iterator[tuple[str, str]]:
    """Names and contents of the pages."""
    ids = explained()
    parts = [_INTRODUCTION]
    for folder, members in groupby(ids, lambda id_: id_.partition("/")[0]):
        items = [f"- {link(code_span(id_), f'{id_}.md')}: {title_of(id_)}" for id_ in members]
        parts.append(f"## {folder}\n\n" + "\n".join(items))
    yield "rules/index.md", "\n\n".join(parts)
    yield "rules/messages.md", _messages()
    for id_ in ids:
        yield f"rules/{id_}.md", _page(id_, has_playground=has_playground)


def _page(id_: str, *, has_playground: bool) -> str:
    found = explanation(id_)
    assert found is not None, id_
    folder = id_.partition("/")[0]
    head, *rest = _HEADING.split(page_markdown(found))
    title, _, about = head.strip().partition(" (")
    parts = [title, f"[Rules](../index.md) / [{folder}](../index.md#{folder})" + (f" · {about.rstrip(')')}" if about else "")]
    for heading, content in zip(rest[::2], rest[1::2], strict=True):
        parts += [f"## {heading}", content.strip()]
        if has_playground and heading in _MODULES:
            parts.append(_opened(id_, _MODULES[heading].format(id_)))
    return "\n\n".join(filter(None, parts))


def _opened(id_: str, name: str) -> str:
    """A link that opens the module that an excerpt is of; nothing where no playground could hold it."""
    path = ROOT / "fixtures" / "rules" / name
    try:
        text = path.read_bytes().decode()
    except (FileNotFoundError, UnicodeDecodeError):
        return ""
    return playground.link("Open the whole module in the playground", f"rules/{id_}.md", text)


def _messages() -> str:
    """What the findings of all rules say, as the modules of the tests show it."""
    sys.path.insert(0, str(ROOT))
    try:
        from tests.messages import messages
    finally:
        sys.path.remove(str(ROOT))
    parts = ["# Messages\n\nWhat findings and their notes say, by rule, on the modules that the validator is tested with."]
    for rule, listed in messages().items():
        lines = "\n".join(visible(message) for message in listed)
        parts.append(f"**{link(code_span(rule), f'{rule}.md')}**\n\n{code_block(lines, 'text')}")
    return "\n\n".join(parts)
