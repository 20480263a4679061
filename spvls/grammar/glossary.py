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
    return [_linked(paragraph, seen) for paragraph in paragraphs]


def _linked(paragraph: str, seen: set[str]) -> str:
    """A paragraph with links to the terms that are not among those `seen`, which are added to them."""
    parts: list[str] = []
    end = linked_to = 0
    for found in _WORD.finditer(paragraph):
        first = found["word"]
        if first is None or found.start() < end:
            continue
        form = _form_at(found.start(), first.lower(), paragraph)
        if form is None:
            continue
        end = found.start() + len(form)
        meant = _named()[form]
        if meant.name not in seen:
            seen.add(meant.name)
            parts += paragraph[linked_to : found.start()], f"[{paragraph[found.start() : end]}]({meant.address})"
            linked_to = end
    return "".join([*parts, paragraph[linked_to:]])


def _form_at(place: int, first: str, paragraph: str) -> str | None:
    """The longest form of a term, which begins with the word `first`, at a place of a paragraph."""
    for form in _forms().get(first, ()):
        end = place + len(form)
        if paragraph[place:end].lower() == form and _WORD_PART.match(paragraph, end) is None:
            return form
    return None


@cache
def _named() -> dict[str, Term]:
    found = {name.lower(): known for name, known in terms().items()}
    for known in terms().values():
        for form in known.forms:
            found.setdefault(form, known)
    return found


@cache
def _forms() -> dict[str, list[str]]:
    """The forms by their first word, the longest first."""
    found: dict[str, list[str]] = {}
    for form in sorted((form for known in terms().values() for form in known.forms), key=len, reverse=True):
        found.setdefault(form.partition(" ")[0], []).append(form)
    return found


_WORD = re.compile(r"`[^`]*`|\[[^]]*\]\([^)]*\)|(?P<word>[\w-]+)")
_WORD_PART = re.compile(r"[\w-]")
