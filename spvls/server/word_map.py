"""Words and the text that they were made of, as JSON. The text of each part is made once, and moved with its chunk."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import NamedTuple

from spvls.diagnostic import Range
from spvls.ide.assembly import Assembly
from spvls.ide.encoding import LiveEncoding, Part
from spvls.ide.piece import Token, tokens
from spvls.server.convert import Converter, Json
from spvls.syntax.instruction import Instruction, Span
from spvls.syntax.report import range_in


class Template:
    """The map of one part, with its first line and its first word left open."""

    __slots__ = ("_at", "_ends", "_format", "_starts", "_text", "_words", "count", "part")

    def __init__(self, part: Part, assembly: Assembly, convert: Converter) -> None:
        self.part = part
        self._words: list[int] = []
        self._starts: list[int] = []
        self._ends: list[int] = []
        entries = [
            self._entry(assembly, convert, part, line, record, at)
            for at, line, record in part.placed(assembly)
            if part.piece.offsets[at] < part.piece.offsets[at + 1]
        ]
        self.count = len(entries)
        self._format = ",".join(entries)
        self._at = (-1, -1)
        self._text = ""

    def text(self) -> str:
        """The entries of the map, for where the part is now."""
        first_line, first_word = at = self.part.first_line, self.part.first_word
        if at != self._at:
            values = [0] * (3 * len(self._words))
            values[0::3] = [word + first_word for word in self._words]
            values[1::3] = [line + first_line for line in self._starts]
            values[2::3] = [line + first_line for line in self._ends]
            self._text = self._format % tuple(values)
            self._at = at
        return self._text

    def _entry(
        self, assembly: Assembly, convert: Converter, part: Part, line: int, record: Instruction, at: int
    ) -> str:
        first = part.piece.offsets[at]
        count = part.piece.offsets[at + 1] - first
        whole = self._item(convert, part, line, record, Token(Span(record.start, record.end), first, count))
        inner = ",".join(
            self._item(convert, part, line, record, token._replace(word=first + token.word)) + "}"
            for token in tokens(record, part.piece.resolved[at])
        )
        return f'{whole},"tokens":[{inner}]}}'

    def _item(self, convert: Converter, part: Part, line: int, record: Instruction, token: Token) -> str:
        start, end = range_in(record, line, *token.span)
        self._words.append(token.word)
        self._starts.append(start.line - part.first_line)
        self._ends.append(end.line - part.first_line)
        left, right = convert.units(*start), convert.units(*end)
        return (
            f'{{"word":%d,"count":{token.length},"range":'
            f'{{"start":{{"line":%d,"character":{left}}},"end":{{"line":%d,"character":{right}}}}}'
        )


class State(NamedTuple):
    """What a client was told: the version, and the words and map entries of each part, with where they were."""

    version: int | None
    parts: tuple[tuple[int, int, int, int, int], ...]


class WordMap:
    """The answers to `spvls/binary` for one document."""

    def __init__(self, assembly: Assembly, convert: Converter, encoding: LiveEncoding) -> None:
        self._assembly = assembly
        self._convert = convert
        self.encoding = encoding
        self._templates: dict[int, Template] = {}
        self._words: dict[int, tuple[object, str]] = {}

    def steps(self) -> Iterator[None]:
        """Bring all up to date, a chunk a step."""
        yield from self.encoding.steps()
        templates: dict[int, Template] = {}
        for part in self.encoding.parts:
            template = self._templates.get(id(part))
            if template is None or template.part is not part:
                template = self._templates[id(part)] = Template(part, self._assembly, self._convert)
                yield
            templates[id(part)] = template
        self._templates = templates

    def answer(self, version: int | None) -> str:
        """All words, the map and the gaps."""
        header = self.encoding.header
        words = [",".join(map(str, header.words()))]
        words += [self._words_of(part) for part in self.encoding.parts if part.words]
        entries = [text for template in self._templates.values() if (text := template.text())]
        return (
            f'{{"version":{json.dumps(version)},"header":{json.dumps(self.header_json())},'
            f'"first":0,"words":[{",".join(words)}],"map":[{",".join(entries)}],"gaps":{json.dumps(self.gaps())}}}'
        )

    def part_of(self, version: int | None, wanted: Range) -> Json:
        """Words, map and gaps of the instructions that touch a range; `first` is the first of the words."""
        words: list[int] = []
        entries: list[Json] = []
        first: int | None = None
        for part in self.encoding.parts:
            end = part.first_line + len(part.lines)
            if part.first_line > wanted.end.line or end < wanted.start.line:
                continue
            for at, line, record in part.placed(self._assembly):
                where = range_in(record, line, record.start, record.end)
                begin, stop = part.piece.offsets[at], part.piece.offsets[at + 1]
                if where.end < wanted.start or where.start > wanted.end or begin == stop:
                    continue
                if first is None:
                    first = part.first_word + begin
                words.extend(part.words[begin:stop])
                entries.append(self._entry(part, at, line, record))
        gaps = [gap for gap in self.gaps() if self._touches(gap["range"], wanted)]
        return {
            "version": version,
            "header": None,
            "first": first or 0,
            "words": words,
            "map": entries,
            "gaps": gaps,
        }

    def _touches(self, span: Json, wanted: Range) -> bool:
        client = self._convert.to_range(wanted)
        return _key(span["start"]) <= _key(client["end"]) and _key(client["start"]) <= _key(span["end"])

    def _entry(self, part: Part, at: int, line: int, record: Instruction) -> Json:
        begin, stop = part.piece.offsets[at], part.piece.offsets[at + 1]
        word = part.first_word + begin
        inner = [
            {
                "word": word + token.word,
                "count": token.length,
                "range": self._convert.to_range(range_in(record, line, *token.span)),
            }
            for token in tokens(record, part.piece.resolved[at])
        ]
        where = self._convert.to_range(range_in(record, line, record.start, record.end))
        return {"word": word, "count": stop - begin, "range": where, "tokens": inner}

    def header_json(self) -> Json:
        """The header, its version as people write it."""
        header = self.encoding.header
        return {
            "magic": header.magic,
            "version": f"{header.version[0]}.{header.version[1]}",
            "generator": header.generator,
            "bound": header.bound,
            "schema": header.schema,
        }

    def gaps(self) -> list[Json]:
        """The instructions without words, and why."""
        found: list[Json] = []
        for part in self.encoding.parts:
            if not part.piece.gaps:
                continue
            lines = [line for _, line, _ in part.placed(self._assembly)]
            for index, fault in part.piece.gaps:
                record = part.piece.records[index]
                where = range_in(record, lines[index], record.start, record.end)
                found.append({"range": self._convert.to_range(where), "message": fault.message})
        return found

    def _words_of(self, part: Part) -> str:
        """The words of a part as text, made once for the same words."""
        known = self._words.get(id(part))
        if known is None or known[0] is not part.words:
            known = self._words[id(part)] = part.words, ",".join(map(str, part.words))
        return known[1]


def _key(place: Json) -> tuple[int, int]:
    return place["line"], place["character"]
