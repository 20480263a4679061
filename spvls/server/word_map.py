"""Words and the text that they were made of, as JSON. The text of each part is made once, and moved with its chunk."""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterator

from spvls.binary.words import HEADER_WORDS
from spvls.diagnostic import Range
from spvls.ide.source.source_module import SourceModule
from spvls.ide.words.encoded_chunk import Token, tokens
from spvls.ide.words.encoding import LiveEncoding, PlacedChunk
from spvls.record import NamedTuple
from spvls.server.convert import Converter, Json
from spvls.syntax.instruction import Instruction, Span
from spvls.syntax.report import range_in
from spvls.text.escaping import visible


class Template:
    """The map of one part, with its first line and its first word left open."""

    __slots__ = ("_above", "_at", "_ends", "_format", "_starts", "_text", "_words", "count", "part")

    def __init__(self, part: PlacedChunk, source: SourceModule, convert: Converter) -> None:
        self.part = part
        self._above = convert.line(0)
        self._words: list[int] = []
        self._starts: list[int] = []
        self._ends: list[int] = []
        entries = [
            self._entry(source, convert, part, line, record, at)
            for at, line, record in part.placed(source)
            if part.encoded.offsets[at] < part.encoded.offsets[at + 1]
        ]
        self.count = len(entries)
        self._format = ",".join(entries)
        self._at = (-1, -1)
        self._text = ""

    def text(self) -> str:
        """The entries of the map, for where the part is now."""
        first_line, first_word = at = self.part.first_line + self._above, self.part.first_word
        if at != self._at:
            values = [0] * (3 * len(self._words))
            values[0::3] = [word + first_word for word in self._words]
            values[1::3] = [line + first_line for line in self._starts]
            values[2::3] = [line + first_line for line in self._ends]
            self._text = self._format % tuple(values)
            self._at = at
        return self._text

    def _entry(
        self, source: SourceModule, convert: Converter, part: PlacedChunk, line: int, record: Instruction, at: int
    ) -> str:
        first = part.encoded.offsets[at]
        count = part.encoded.offsets[at + 1] - first
        whole = self._item(convert, part, line, record, Token(Span(record.start, record.end), first, count))
        inner = ",".join(
            self._item(convert, part, line, record, token._replace(word=first + token.word)) + "}"
            for token in tokens(record, part.encoded.operands(at))
        )
        return f'{whole},"tokens":[{inner}]}}'

    def _item(self, convert: Converter, part: PlacedChunk, line: int, record: Instruction, token: Token) -> str:
        start, end = range_in(record, line, *token.span)
        self._words.append(token.word)
        self._starts.append(start.line - part.first_line)
        self._ends.append(end.line - part.first_line)
        left, right = convert.units(*start), convert.units(*end)
        return (
            f'{{"word":%d,"count":{token.length},"range":'
            f'{{"start":{{"line":%d,"character":{left}}},"end":{{"line":%d,"character":{right}}}}}'
        )


class SentPart(NamedTuple):
    """A part as it was sent to a client."""

    template: Template
    first_line: int
    first_word: int
    words: array[int]


class WordMap:
    """The answers to `spvls/binary` for one module, as long as it begins where it does: `moves` is when that was."""

    def __init__(self, source: SourceModule, convert: Converter, encoding: LiveEncoding, moves: int = 0) -> None:
        self.moves = moves
        self._source = source
        self._convert = convert
        self.encoding = encoding
        self._templates: dict[int, Template] = {}
        self._words: dict[int, tuple[object, str]] = {}
        self._sent: tuple[int | None, list[SentPart]] = None, []

    def steps(self) -> Iterator[None]:
        """Bring all up to date, a chunk a step."""
        yield from self.encoding.steps()
        templates: dict[int, Template] = {}
        for part in self.encoding.parts:
            template = self._templates.get(id(part))
            if template is None or template.part is not part:
                template = self._templates[id(part)] = Template(part, self._source, self._convert)
                yield
            templates[id(part)] = template
        self._templates = templates
        self._words = {key: known for key, known in self._words.items() if key in templates}

    def answer(self, version: int | None, since: int | None = None) -> str:
        """All words, the map and the gaps; where the client has the answer for version `since`, what is other now."""
        before, known = self._sent
        now = [
            SentPart(template, template.part.first_line, template.part.first_word, template.part.words)
            for template in self._templates.values()
        ]
        self._sent = version, now
        head = f'"version":{json.dumps(version)},"header":{json.dumps(self.header_json())}'
        gaps = f'"gaps":{json.dumps(self._gaps())}'
        if since is not None and since == before:
            changes = f'"words":{self._changed_words(known, now)},"map":{_changed_map(known, now)}'
            return f'{{{head},"since":{since},{changes},{gaps}}}'
        words = [",".join(map(str, self.encoding.header.words()))]
        words += [self._words_of(sent.template.part) for sent in now if sent.words]
        entries = [text for sent in now if (text := sent.template.text())]
        return f'{{{head},"first":0,"words":[{",".join(words)}],"map":[{",".join(entries)}],{gaps}}}'

    def _changed_words(self, known: list[SentPart], now: list[SentPart]) -> str:
        """The words that are other, after the header, which is compared apart."""
        first = last = 0
        shorter = min(len(known), len(now))
        while first < shorter and known[first].words == now[first].words:
            first += 1
        while last < shorter - first and known[-1 - last].words == now[-1 - last].words:
            last += 1
        start = HEADER_WORDS + sum(len(sent.words) for sent in now[:first])
        gone = sum(len(sent.words) for sent in known[first : len(known) - last])
        come = ",".join(self._words_of(sent.template.part) for sent in now[first : len(now) - last] if sent.words)
        return f'{{"start":{start},"deleteCount":{gone},"insert":[{come}]}}'

    def part_of(self, version: int | None, wanted: Range) -> Json:
        """Words, map and gaps of the instructions that touch a range; `first` is the first of the words."""
        words: list[int] = []
        entries: list[Json] = []
        first: int | None = None
        for part in self.encoding.parts:
            end = part.first_line + len(part.lines)
            if part.first_line > wanted.end.line or end < wanted.start.line:
                continue
            for at, line, record in part.placed(self._source):
                where = range_in(record, line, record.start, record.end)
                begin, stop = part.encoded.offsets[at], part.encoded.offsets[at + 1]
                if where.end < wanted.start or where.start > wanted.end or begin == stop:
                    continue
                if first is None:
                    first = part.first_word + begin
                words.extend(part.words[begin:stop])
                entries.append(self._entry(part, at, line, record))
        gaps = [gap for gap in self._gaps() if self._touches(gap["range"], wanted)]
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

    def _entry(self, part: PlacedChunk, at: int, line: int, record: Instruction) -> Json:
        begin, stop = part.encoded.offsets[at], part.encoded.offsets[at + 1]
        word = part.first_word + begin
        inner = [
            {
                "word": word + token.word,
                "count": token.length,
                "range": self._convert.to_range(range_in(record, line, *token.span)),
            }
            for token in tokens(record, part.encoded.operands(at))
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

    def _gaps(self) -> list[Json]:
        return gaps_of(self.encoding, self._source, self._convert)

    def _words_of(self, part: PlacedChunk) -> str:
        """The words of a part as text, made once for the same words."""
        known = self._words.get(id(part))
        if known is None or known[0] is not part.words:
            known = self._words[id(part)] = part.words, ",".join(map(str, part.words))
        return known[1]


def gaps_of(encoding: LiveEncoding, source: SourceModule, convert: Converter) -> list[Json]:
    """The instructions without words, and why."""
    found: list[Json] = []
    for part in encoding.parts:
        if not part.encoded.errors:
            continue
        lines = [line for _, line, _ in part.placed(source)]
        for index, fault in part.encoded.errors:
            record = part.encoded.records[index]
            where = range_in(record, lines[index], record.start, record.end)
            found.append({"range": convert.to_range(where), "message": visible(fault.message)})
    return found


def _changed_map(known: list[SentPart], now: list[SentPart]) -> str:
    """The entries of the map that are other, and by how many lines and words those after them have moved."""
    first = last = 0
    shorter = min(len(known), len(now))
    while first < shorter and known[first][:3] == now[first][:3]:
        first += 1
    lines = now[-1].first_line - known[-1].first_line if now and known else 0
    words = now[-1].first_word - known[-1].first_word if now and known else 0
    while last < shorter - first:
        one, other = known[-1 - last], now[-1 - last]
        moved = other.first_line - one.first_line, other.first_word - one.first_word
        if one.template is not other.template or moved != (lines, words):
            break
        last += 1
    start = sum(sent.template.count for sent in now[:first])
    gone = sum(sent.template.count for sent in known[first : len(known) - last])
    come = ",".join(text for sent in now[first : len(now) - last] if (text := sent.template.text()))
    shift = f'{{"lines":{lines},"words":{words}}}' if last else '{"lines":0,"words":0}'
    return f'{{"start":{start},"deleteCount":{gone},"insert":[{come}],"shift":{shift}}}'


def _key(place: Json) -> tuple[int, int]:
    return place["line"], place["character"]
