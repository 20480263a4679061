"""The documentation of the tables' entries and of the text syntax: Markdown under `docs/`, read when asked for.

A file holds one family of entries, each under a heading of its own: all instructions of one group, the enumerants
of one kind, the instructions of one extended set, the header and the text syntax. Only the family that a key
belongs to is read.
"""

from __future__ import annotations

import os.path
import re
from functools import cache
from os import listdir

from spvls.grammar import tables
from spvls.grammar.data_text import data_folder, data_text, parts
from spvls.grammar.keys import resolve
from spvls.record import NamedTuple


class Example(NamedTuple):
    """A fragment of a module, and what a module around it has to bring.

    `language` is "spirv" for lines that assemble once their surroundings are added, "text" for a form that does
    not stand for itself. The module has an entry point of `stage` and is written for `environment`; it declares
    `capabilities` and `extensions` besides those that the lines need.
    """

    language: str
    code: str
    stage: str = "GLCompute"
    environment: str = "spv1.6"
    capabilities: tuple[str, ...] = ()
    extensions: tuple[str, ...] = ()


class Entry(NamedTuple):
    """What the documentation says of one entry.

    `key` is as in `spvls.grammar.keys`, or `Header.FIELD`, `Syntax.FORM` or `Limit.NAME`. `summary` is one sentence; `operands`
    are the names of the operands, as the tables have them, each with what it is. Texts are Markdown on one line;
    `markdown` is all of it as written.
    """

    key: str
    summary: str
    paragraphs: tuple[str, ...]
    operands: tuple[tuple[str, str], ...]
    example: Example | None
    markdown: str


def lookup(key: str) -> Entry | None:
    """The documentation of a key, of what it is an alias of, or None when there is none."""
    text = _text(key)
    if text is None:
        subject = resolve(key)
        if subject is None:
            return None
        key = subject.key
        text = _text(key)
    return None if text is None else parse(key, text)


def parse(key: str, text: str) -> Entry:
    """Reads an entry, the text below its heading; ValueError when an option of its example is none."""
    paragraphs: list[str] = []
    operands: list[tuple[str, str]] = []
    example = None
    for block in _BLOCK.finditer(text):
        if block["code"] is not None:
            example = _example(block["info"].split(), block["code"])
            continue
        paragraph = " ".join(block[0].split())
        if paragraph.startswith("- `"):
            operands += [(item[1], item[2]) for item in _OPERAND.finditer(block[0])]
        else:
            paragraphs.append(paragraph)
    operands = [(name, " ".join(phrase.split())) for name, phrase in operands]
    return Entry(key, paragraphs[0], tuple(paragraphs[1:]), tuple(operands), example, text.strip("\n"))


@cache
def texts(file: str) -> dict[str, str]:
    """The entries of one file, by heading; empty when there is no such file. The name is relative to the folder."""
    text = read(file)
    if text is None:
        return {}
    sections = text.split("\n## ")
    entries = (section.partition("\n") for section in sections[1:])
    return {heading: text for heading, _, text in entries}


def files(folder: str) -> list[str]:
    """The files of one of the folders `instructions`, `enumerants` and `extended`."""
    if os.path.isdir(_folder()):
        return sorted(f"{folder}/{name}" for name in listdir(os.path.join(_folder(), folder)))
    return [name for name in _packed() if name.startswith(f"{folder}/")]


def read(file: str) -> str | None:
    """The text of a file of the folder; None when there is no such file. In an installed package one file holds all of them."""
    if not os.path.isdir(_folder()):
        return _packed().get(file)
    try:
        with open(os.path.join(_folder(), *file.split("/")), encoding="utf-8") as stream:
            return stream.read()
    except FileNotFoundError:
        return None


@cache
def _packed() -> dict[str, str]:
    """The files by name, in the order of their names."""
    return parts(data_text("docs.md"))


def syntax_keys() -> tuple[str, ...]:
    """The keys of the fields of the header and the forms of the text syntax."""
    return tuple(texts(_TEXT))


def limit_keys() -> tuple[str, ...]:
    """The keys of what every consumer accepts of a module at least (2.17)."""
    return tuple(texts(_LIMITS))


_TEXT, _LIMITS = "text.md", "limits.md"
_FAMILIES = {"Header": _TEXT, "Syntax": _TEXT, "Limit": _LIMITS}
_BLOCK = re.compile(r"```(?P<info>.*)\n(?P<code>(?:(?!```).*\n)*)```|(?:(?!```).+(?:\n|\Z))+")
_OPERAND = re.compile(r"^- `(.*?)`: (.*(?:\n  .*)*)", re.MULTILINE)


def _folder() -> str:
    return os.path.join(data_folder(), "docs")


def _instruction(name: str) -> str | None:
    """The text of an instruction, from the file of its class; those of the class Reserved are in several."""
    opcode = tables.opcode(name)
    if opcode is None:
        return None
    text = texts(f"instructions/{opcode.class_.lower().replace('_', '-')}.md").get(name)
    if text is not None:
        return text
    return next((found[name] for file in files("instructions") if name in (found := texts(file))), None)


@cache
def _sets() -> tuple[str, ...]:
    """The extended sets that have a file."""
    return tuple([file.removeprefix("extended/").removesuffix(".md") for file in files("extended")])


def _text(key: str) -> str | None:
    if "." not in key:
        return _instruction(key)
    family, _, name = key.partition(".")
    if family in _FAMILIES:
        return texts(_FAMILIES[family]).get(key)
    for known in _sets():
        if key.startswith(f"{known}."):
            return texts(f"extended/{known}.md").get(key[len(known) + 1 :])
    return texts(f"enumerants/{family}.md").get(name)


def _example(info: list[str], code: str) -> Example:
    given = {name: value for name, _, value in (option.partition("=") for option in info[1:])}
    for name in given.keys() - {"stage", "env", "caps", "ext"}:
        raise ValueError(f"an example has no option {name!r}")
    return Example(
        info[0],
        code,
        given.get("stage", "GLCompute"),
        given.get("env", "spv1.6"),
        tuple(filter(None, given.get("caps", "").split(","))),
        tuple(filter(None, given.get("ext", "").split(","))),
    )
