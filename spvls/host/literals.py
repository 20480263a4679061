"""Languages whose modules stand in string literals: raw ones over several lines, and plain ones that are joined."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from spvls.host.line_class import BLANK, CLASSES, COMMENT, HEADER, INSTRUCTIONS, embedded
from spvls.host.reader import BLANK_OUTSIDE, OUTSIDE, REMARK, environment_above, remarked
from spvls.host.span import Form, ModuleSpan, Piece
from spvls.record import NamedTuple

JOINED_BELOW, JOINED_ABOVE = ">", "<"
"""Classes of lines of code that end, or begin, with an operator that joins strings."""

# Where in a line literals stand, as the distance of its class from that of what they say.
_OPENS, _CLOSES, _REOPENS, _QUOTED, _QUOTED_BEHIND, _QUOTED_BEFORE = range(0x80, 0xE0, 0x10)
_MARKED = {mark: {name: chr(mark + at) for at, name in enumerate(CLASSES)} for mark in range(0x80, 0xE0, 0x10)}
_SAID = {ord(mark): name for names in _MARKED.values() for name, mark in names.items()}

_BLOCK = re.compile(
    "(?P<raw>[\x80-\x8f\xa0-\xaf][A-Za-z]*(?:(?=[\x90-\xaf])|(?P<end>\\Z)))|[\xb0-\xcf](?:n*[\xb0-\xbf])*(?:n*[\xd0-\xdf])?"
).finditer

_TRIVIAL = dict.fromkeys(map(ord, BLANK + COMMENT + HEADER + BLANK_OUTSIDE))

# Code that joins what follows it, or what precedes it, with other strings; conversions may stand around a literal.
_JOINS_BEFORE = re.compile(r"(?:\+|<<|\.\.|%)\s*(?:[\w:.]+\()*$").search
_JOINS_AFTER = re.compile(r"(?:\)|\.\w+\(\)|\s)*(?:\+|<<|\.\.|%)").match
_JOINS = ("+", "<<", "..", "%")
_NAMES = re.compile(r"spv|asm", re.IGNORECASE).search
_ESCAPE = re.compile(r"\\(?:x[0-9a-fA-F]+|[0-7]{1,3}|u[0-9a-fA-F]{4}|.)")
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "0": "\0"}


class LiteralSyntax(NamedTuple):
    """`word` matches what can stand in code: a comment to the end of the line, group `comment`; the begin of a comment over
    lines, `block`; that of a raw string, `raw`, with the group `fence`; a plain literal on one line, `plain`; one that goes
    on in further lines, `long`; anything else is passed over. `close_raw` with the fence for `{fence}` ends a raw string."""

    word: re.Pattern[str]
    close_raw: str
    close_block: str = "*/"
    close_long: str = '"'
    joins_plain: bool = False


class _Read(NamedTuple):
    """What stands in a line. `closed` is where a raw string from above ends, `opened` where the text of one begins that goes
    on below; `literals` are the plain ones. `before` is the code before the first literal, or before the raw string that opens, and
    `after` that after the last one, or after the raw string that ends."""

    state: str
    closed: int | None
    opened: int | None
    literals: list[tuple[int, int]]
    before: str
    after: str
    has_code: bool


class Literals:
    """The reader of a language with string literals. The state is what ends the raw string (`r` and it), the comment (`c`) or
    the other string (`s`) that is open."""

    borders = frozenset({chr(code) for code in range(0x80, 0xE0)} | {REMARK, JOINED_BELOW, JOINED_ABOVE})

    passive = frozenset({OUTSIDE, BLANK_OUTSIDE})

    def __init__(self, syntax: LiteralSyntax) -> None:
        self.syntax = syntax
        #: Most blocks are as they were when a text is cut again.
        self._judge = lru_cache(maxsize=4096)(self._judged)
        self._starts = re.compile(r"""["'`]|/\*""").search

    def read(self, state: str, line: str) -> tuple[str, str]:
        if not state and self._starts(line) is None:
            return "", _class_of_code(line)
        if state[:1] == "r" and state[1:] not in line:
            return state, embedded(line)
        found = self._read(state, line)
        if found.opened is not None:
            said = embedded(line[found.opened :])
            return found.state, _MARKED[_OPENS if found.closed is None else _REOPENS][said]
        if found.closed is not None:
            return found.state, _MARKED[_CLOSES][embedded(line[: found.closed])]
        if found.literals and self.syntax.joins_plain and not found.state:
            said = embedded(line[found.literals[0][0] + 1 : found.literals[0][1] - 1])
            if not found.before:
                return found.state, _MARKED[_QUOTED if not found.after else _QUOTED_BEFORE][said]
            if not found.after:
                return found.state, _MARKED[_QUOTED_BEHIND][said]
        if not found.has_code:
            return found.state, REMARK if remarked(line) is not None else BLANK_OUTSIDE
        return found.state, _class_of_code(line)

    def _read(self, state: str, line: str) -> _Read:
        syntax = self.syntax
        at, closed = 0, None
        if state:
            end = line.find(state[1:])
            if end < 0:
                return _Read(state, None, None, [], "", "", False)
            at = end + len(state) - 1
            closed = end if state[0] == "r" else None
        content = len(line.rstrip("\r\n"))
        literals: list[tuple[int, int]] = []
        code: list[tuple[int, int]] = []
        opened, after_state, done = None, "", at
        for match in syntax.word.finditer(line, at):
            if match.start() < done:
                continue
            code.append((done, match.start()))
            done = match.end()
            kind = match.lastgroup
            if kind == "plain":
                literals.append(match.span())
                continue
            if kind in ("comment", "other"):
                if kind == "comment":
                    done = content
                continue
            awaited = _awaited(syntax, match)
            end = line.find(awaited[1:], done)
            if end >= 0:
                done = end + len(awaited) - 1
                if kind != "block":
                    literals.append((done, done))
                continue
            after_state = awaited
            if kind == "raw":
                opened = done
            done = content
            break
        code.append((done, content))
        texts = [line[start:end].strip() for start, end in code]
        before, after = texts[-2 if opened is not None else 0] if opened is not None or literals else "", texts[-1]
        if closed is not None:
            after = texts[0]
        has_code = bool(literals) or any(texts)
        if literals and any(texts[1:-1]):
            after = after or texts[-2]
        return _Read(after_state, closed, opened, literals, before, after, has_code)

    def ordinary(self, text: str, at: int) -> int:
        return at

    def cut(self, lines: Sequence[str], classes: str, states: Sequence[str]) -> list[ModuleSpan]:
        has_remark = REMARK in classes
        spans: list[ModuleSpan] = []
        for match in _BLOCK(classes):
            first, end = match.span()
            is_raw, is_closed = match["raw"] is not None, match["end"] is None
            last = end if is_raw and is_closed else end - 1
            if not is_raw and last == first:
                continue
            edges = (lines[first], states[first], lines[last], states[last])
            found = self._judge(classes[first : last + 1], is_raw, is_closed, *edges)
            if found is None:
                continue
            form, column, end_column, is_joined = found
            if not is_joined and _is_joined_around(classes, first, last):
                form, is_joined = Form.FRAGMENT, True
            environment = environment_above(lines, classes, first) if has_remark else None
            spans.append(
                ModuleSpan(first, last + 1, column, end_column, form, not is_raw, environment, None, "", is_closed, is_joined)
            )
        return spans

    def _judged(
        self, classes: str, is_raw: bool, is_closed: bool, first: str, before: str, last: str, inside: str
    ) -> tuple[Form, int, int | None, bool] | None:
        """What lines of these classes hold, the columns where it begins in the first line and ends in the last one, and whether
        operators on these lines join it with others; None where it is not SPIR-V. `before` and `inside` are the states
        before the first and the last line."""
        said = classes.translate(_SAID)
        form = _form(said, is_named=False)
        opening = self._read(before, first)
        if form is None and is_raw and _NAMES(opening.state):
            form = _form(said, is_named=True)
        if form is None:
            return None
        column, end_column = 0, None
        ending = self._read(inside, last)
        if is_raw:
            assert opening.opened is not None
            column, end_column = opening.opened, ending.closed if is_closed else None
        is_joined = _JOINS_BEFORE(opening.before) is not None or (is_closed and _JOINS_AFTER(ending.after) is not None)
        return Form.FRAGMENT if is_joined or not is_closed else form, column, end_column, is_joined


def _is_joined_around(classes: str, first: int, last: int) -> bool:
    """Whether code on the lines around a literal joins it with others."""
    above = first - 1
    while above >= 0 and classes[above] == BLANK_OUTSIDE:
        above -= 1
    return (above >= 0 and classes[above] == JOINED_BELOW) or classes[last + 1 : last + 2] == JOINED_ABOVE


def quoted_rows(reader: Literals, lines: Sequence[str], span: ModuleSpan) -> tuple[str, list[list[Piece]], str]:
    """What the literals of a quoted span say, the pieces of each line of it, and the indentation of the literals."""
    said: list[str] = []
    rows: list[list[Piece]] = [[]]
    column, indent = 0, ""
    for number in range(span.first, span.end):
        line = lines[number]
        for start, end in reader._read("", line).literals:
            if start == end:
                continue
            at, stop = line.index('"', start) + 1, end - 1
            indent = indent or " " * (at - 1)
            while at < stop:
                match = _ESCAPE.search(line, at, stop)
                plain = (match.start() if match is not None else stop) - at
                if plain:
                    rows[-1].append(Piece(column, plain, number, at, plain))
                    said.append(line[at : at + plain])
                    column, at = column + plain, at + plain
                if match is not None:
                    character = _unescaped(match[0])
                    rows[-1].append(Piece(column, 1, number, at, len(match[0])))
                    said.append(character)
                    column, at = column + 1, match.end()
                    if character == "\n":
                        rows.append([])
                        column = 0
    return "".join(said), rows, indent


def _form(said: str, is_named: bool) -> Form | None:
    """What lines of these classes are; None where they are not SPIR-V. The first of them may be the end of a longer line."""
    words = said.translate(_TRIVIAL)
    count = sum(words.count(name) for name in INSTRUCTIONS + "P")
    if not count or 2 * count < len(words) or (not is_named and (said[1:].translate(_TRIVIAL)[:1] == "t" or count < 2)):
        return None
    is_whole = "C" in words and "M" in words and "P" not in words
    if is_whole and ("F" in words or "N" in words):
        is_whole = words.rstrip("t").endswith("E")
    return Form.MODULE if is_whole else Form.FRAGMENT


def _awaited(syntax: LiteralSyntax, match: re.Match[str]) -> str:
    if match.lastgroup == "block":
        return "c" + syntax.close_block
    if match.lastgroup == "long":
        return "s" + syntax.close_long
    return "r" + syntax.close_raw.replace("{fence}", match["fence"])


def _class_of_code(line: str) -> str:
    code = line.strip()
    if not code:
        return BLANK_OUTSIDE
    if "spvls:" in code and remarked(code) is not None:
        return REMARK
    if code.startswith("//"):
        return BLANK_OUTSIDE
    if code.endswith(_JOINS):
        return JOINED_BELOW
    return JOINED_ABOVE if code.startswith(_JOINS) else OUTSIDE


def _unescaped(escape: str) -> str:
    kind = escape[1]
    if kind in "xu" and len(escape) > 2:
        return chr(int(escape[2:], 16) & 0x10FFFF)
    if kind.isdigit() and len(escape) > 2:
        return chr(int(escape[1:], 8))
    return _ESCAPED.get(kind, kind)


CPP = Literals(
    LiteralSyntax(
        re.compile(
            r"""//(?P<comment>)|/\*(?P<block>)|\b(?:u8|[uUL])?R"(?P<fence>[^()\\\s"]{0,16})\((?P<raw>)"""
            r"""|(?:u8|[uUL])?"(?:[^"\\\r\n]|\\.)*"(?P<plain>)|'(?:[^'\\\r\n]|\\.)+'(?P<other>)"""
        ),
        '){fence}"',
        joins_plain=True,
    )
)

RUST = Literals(
    LiteralSyntax(
        re.compile(
            r"""//(?P<comment>)|/\*(?P<block>)|\b[bc]?r(?P<fence>#*)"(?P<raw>)"""
            r"""|"(?:[^"\\\r\n]|\\.)*"(?P<plain>)|"(?P<long>)|'(?:[^'\\\r\n]|\\.)'(?P<other>)"""
        ),
        '"{fence}',
    )
)

PYTHON = Literals(
    LiteralSyntax(
        re.compile(
            r"""\#(?P<comment>)|(?:\b[rRbBuUfF]{1,2})?(?P<fence>\"\"\"|''')(?P<raw>)"""
            r"""|(?:"(?:[^"\\\r\n]|\\.)*"|'(?:[^'\\\r\n]|\\.)*')(?P<plain>)""",
        ),
        "{fence}",
    )
)
