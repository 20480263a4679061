"""The terms of the specification: `docs/glossary.md`, read when first asked for.

A term has its section below its heading, then the forms of it that texts link to the glossary. Words that texts also use in
another sense, or in every other sentence, have no such forms.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from spvls.grammar import docs
from spvls.record import NamedTuple

SITE = "https://spvls.github.io/spvls/"
"""Where the site is published."""

PAGE = SITE + "reference/glossary/"
"""The page of the glossary on it."""


class Term(NamedTuple):
    """A term: the number of its section, or "Vulkan"; the forms that texts link; what it means, as Markdown."""

    name: str
    section: str
    forms: tuple[str, ...]
    markdown: str

    @property
    def anchor(self) -> str:
        """The place of the term on the page of the glossary."""
        return self.name.lower().replace(" ", "-")

    @property
    def address(self) -> str:
        """Where the site shows the term."""
        return f"{PAGE}#{self.anchor}"


@cache
def terms() -> dict[str, Term]:
    """All terms by name, in the order of the file."""
    found = {}
    for name, text in docs.texts("glossary.md").items():
        head, _, markdown = text.partition("\n")
        section, _, forms = head.partition(": ")
        found[name] = Term(name, section, tuple(filter(None, forms.split(", "))), markdown.strip("\n"))
    return found


def term(words: str) -> Term | None:
    """The term of that name, or with that form, in upper or lower case, also in the plural."""
    wanted = " ".join(words.lower().split())
    named = _named()
    return named.get(wanted) or named.get(wanted.removesuffix("s"))


def names() -> tuple[str, ...]:
    """The names and the forms of all terms, in lower case."""
    return tuple(_named())


def linked(paragraphs: Sequence[str], besides: Term | None = None) -> list[str]:
    """Paragraphs of Markdown in which the first use of each term, `besides` one, is a link to the glossary.

    Code and links stay as they are.
    """
    seen = {besides.name} if besides is not None else set()

    def replaced(found: re.Match[str]) -> str:
        words = found["form"]
        if words is None:
            return found[0]
        meant = _named()[words.lower()]
        if meant.name in seen:
            return words
        seen.add(meant.name)
        return f"[{words}]({meant.address})"

    return [_pattern().sub(replaced, paragraph) for paragraph in paragraphs]


@cache
def _named() -> dict[str, Term]:
    found = {name.lower(): known for name, known in terms().items()}
    for known in terms().values():
        for form in known.forms:
            found.setdefault(form, known)
    return found


@cache
def _pattern() -> re.Pattern[str]:
    forms = sorted((form for known in terms().values() for form in known.forms), key=len, reverse=True)
    return re.compile(rf"`[^`]*`|\[[^]]*\]\([^)]*\)|(?<![\w-])(?P<form>{'|'.join(map(re.escape, forms))})(?![\w-])", re.IGNORECASE)
