"""Documents that clients open, edits that they make to them, and the text that a client has after its edits."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

from spvls.diagnostic import Position, Range
from tests.corpus import BINARIES, FIXTURES, text_of
from tests.fuzz.edits import Editor, fixtures
from tests.hostile import HARM, faulty_module, sound_module
from tests.strategies import FRAGMENTS

Json = dict[str, Any]

HOSTS = {
    "amber": "amber", "shader_test": "vkscript", "cpp": "cpp", "py": "python", "rs": "rust", "slang": "slang", "txt": "spirv",
    "md": "markdown",
}  # fmt: skip
"""The languages of the fixtures of hosts, by the ends of their names."""

_UNIT = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+")
_ODD = ("\r", "\r\n", "\r\r\n", "\u2028", "\x00", "\ufeff", "\U0001f600", "é\U0001f600", '"', "```spirv\n", "```\n", ")\"", "R\"(", "; SPIR-V\n",
        "OpFunctionEnd\nOpCapability Shader\n", "END\n", "; spvls: ignore\n", "; spvls: target-env=vulkan1.1\n", "x" * 3000)  # fmt: skip


class Draft(NamedTuple):
    """A document that may be opened."""

    language: str
    suffix: str
    text: str


@cache
def _hosts() -> tuple[Draft, ...]:
    paths = sorted((FIXTURES / "hosts").iterdir())
    return tuple(Draft(HOSTS[path.suffix[1:]], path.suffix, text_of(path)) for path in paths)


def draft(chance: random.Random) -> Draft:
    """Some document: mostly a fixture; sometimes a hostile module, the bytes of a binary, or rubble."""
    kind = chance.randrange(20)
    if kind < 10:
        return Draft("spirv", ".spvasm", text_of(chance.choice(fixtures())))
    if kind < 14:
        return chance.choice(_hosts())
    if kind < 16:
        return Draft("spirv", ".spvasm", chance.choice((sound_module, faulty_module))())
    if kind == 16:
        return Draft("spirv", ".spv", chance.choice(BINARIES).read_bytes().decode("latin-1"))
    if kind == 17:
        texts = [text_of(chance.choice(fixtures())) for _ in range(2)]
        return Draft("spirv", ".spvasm", chance.choice(("", "\n", "; SPIR-V\n")).join(texts))
    if kind == 18:
        return Draft("spirv", ".spvasm", text_of(chance.choice(fixtures())).replace("\n", chance.choice(("\r", "\r\n"))))
    return Draft(chance.choice(("spirv", "plaintext", "cpp")), ".spvasm", "".join(chance.choices(FRAGMENTS, k=chance.randrange(40))))


# The text of the client


def lines_of(text: str) -> list[str]:
    """The lines with their breaks; the last one has none."""
    lines = _LINE.findall(text)
    if not lines or lines[-1].endswith(("\n", "\r")):
        lines.append("")
    return lines


def units(line: str, column: int, encoding: str) -> int:
    """The column of a client that counts in units of an encoding."""
    codec, size = _UNIT[encoding]
    return len(line[:column].encode(codec, "surrogatepass")) // size


def _offset(lines: Sequence[str], place: Json, encoding: str) -> int:
    """The offset in the text of a place, or of the nearest one that there is."""
    line, column = place["line"], max(0, place["character"])
    if line < 0:
        return 0
    if line >= len(lines):
        return sum(map(len, lines))
    content = lines[line].rstrip("\r\n")
    codec, size = _UNIT[encoding]
    taken = size * column
    points = at = 0
    for character in content:
        at += len(character.encode(codec, "surrogatepass"))
        if at > taken:
            break
        points += 1
    return sum(map(len, lines[:line])) + points


def edited(text: str, changes: Sequence[Json], encoding: str) -> str:
    """The text after the changes of a notification, as an editor makes them."""
    for change in changes:
        if change.get("range") is None:
            text = change["text"]
            continue
        lines = lines_of(text)
        start, end = sorted(_offset(lines, change["range"][end], encoding) for end in ("start", "end"))
        text = text[:start] + change["text"] + text[end:]
    return text


# Edits


class _Lines(NamedTuple):
    lines: list[str]


def _change(lines: Sequence[str], span: Range, text: str, encoding: str) -> Json:
    def place(position: Position) -> Json:
        line, column = position
        return {"line": line, "character": units(lines[line], column, encoding) if line < len(lines) else column}

    return {"range": {"start": place(span.start), "end": place(span.end)}, "text": text}


def _of_tokens(chance: random.Random, lines: list[str], encoding: str) -> list[Json]:
    return [_change(lines, span, text, encoding) for span, text in Editor(chance).batch(_Lines(lines))]


def _of_lines(chance: random.Random, lines: list[str], encoding: str) -> list[Json]:
    """Some lines give way to lines of another text."""
    first = chance.randrange(len(lines))
    end = min(first + chance.choice((0, 1, 2, 10, 100)), len(lines) - 1)
    others = lines_of(text_of(chance.choice(fixtures())))
    at = chance.randrange(len(others))
    text = "".join(others[at : at + chance.choice((0, 1, 5, 40))])
    return [_change(lines, Range(Position(first, 0), Position(end, 0)), text, encoding)]


def _anywhere(chance: random.Random, lines: list[str], encoding: str) -> list[Json]:
    """Between any two places, also such as there are not; and the other way round."""

    def place() -> Json:
        line = chance.choice((chance.randrange(len(lines)), chance.randrange(len(lines)), len(lines) + 5, 2**31 - 1, -1))
        return {"line": line, "character": chance.choice((0, chance.randrange(60), chance.randrange(60), 10**6, 2**31 - 1, -4))}

    start = place()
    end = place() if chance.random() < 0.3 else {**start, "character": start["character"] + chance.randrange(8)}
    text = chance.choice((*FRAGMENTS, *_ODD, "", HARM))
    return [{"range": {"start": start, "end": end}, "text": text}]


def _typed(chance: random.Random, lines: list[str], encoding: str) -> list[Json]:
    """A word that is typed letter by letter, all in one notification."""
    line = chance.randrange(len(lines))
    column = chance.randrange(len(lines[line].rstrip("\r\n")) + 1)
    at = units(lines[line], column, encoding)
    word = chance.choice(("%value", "OpNop", " é\U0001f600 ", "; comment", '"string"'))
    changes = []
    for letter in word:
        changes.append({"range": {"start": {"line": line, "character": at}, "end": {"line": line, "character": at}}, "text": letter})
        at += units(letter, 1, encoding)
    return changes


def _whole(chance: random.Random, lines: list[str], encoding: str) -> list[Json]:
    return [{"text": draft(chance).text}]


_KINDS = (*(_of_tokens,) * 10, *(_of_lines,) * 3, *(_anywhere,) * 4, *(_typed,) * 2, _whole)


def changes(chance: random.Random, text: str, encoding: str) -> list[Json]:
    """The changes of one notification: mostly one edit, sometimes several of any kind in turn."""
    found: list[Json] = []
    for _ in range(chance.choice((1, 1, 1, 1, 2, 5))):
        more = chance.choice(_KINDS)(chance, lines_of(text), encoding)
        text = edited(text, more, encoding)
        found += more
    return found
