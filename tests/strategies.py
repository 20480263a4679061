"""What Hypothesis draws: texts, edits to them, instructions, numbers, binary modules."""

from __future__ import annotations

from functools import cache
from typing import Literal

from hypothesis import strategies as st

from spvls.binary.assemble import assemble
from spvls.diagnostic import Position, Range
from tests.corpus import BINARIES, TEXTS, is_faulty, text_of

Edit = tuple[Range, str]

#: Pieces that meet in odd ways: heads without tails, quotes, comments, every kind of line break, the end of the text.
FRAGMENTS = (
    "OpFunction", "OpFunctionEnd\n", "OpNop", "OpReturn OpNop", "%a", "%void = OpTypeVoid\n", "%x = OpConstant %int 0x1F",
    "%main = OpFunction %void None %fn\n", "OpStore %a %b Volatile|Aligned 4\n", "OpName %a \"b;c\"\n", "OpUnknown(0, 1)",
    "=", " ", "\t", "\n", "\r", "\r\n", "\"", "\\", "\\\"", "; c", ";", "(", ")", ",", "!5", "!0x10", "-1", "1.5", "x", "|",
    "\x00", "\x0c", "\u2028", "\ufeff", "é", "\U0001f600", "%", "Op", "op", "%0", "%_",
)  # fmt: skip

_LINES = [text_of(path).split("\n") for path in TEXTS]


@st.composite
def excerpts(draw: st.DrawFn) -> str:
    """Some lines of a fixture that follow each other."""
    lines = draw(st.sampled_from(_LINES))
    first = draw(st.integers(0, len(lines) - 1))
    return "\n".join(lines[first : first + draw(st.integers(0, 60))])


def rubble() -> st.SearchStrategy[str]:
    """Fragments in a row, which make a module only by accident."""
    return st.lists(st.sampled_from(FRAGMENTS), max_size=30).map("".join)


def texts() -> st.SearchStrategy[str]:
    """Texts of every sort: parts of modules, rubble, and both in turn."""
    return st.one_of(excerpts(), rubble(), st.lists(st.one_of(excerpts(), rubble()), max_size=3).map("".join))


def positions() -> st.SearchStrategy[Position]:
    """Positions in and around texts; some do not exist."""
    return st.builds(Position, st.integers(0, 70), st.integers(0, 60))


@st.composite
def edits(draw: st.DrawFn) -> Edit:
    """A replacement, nearly always of a short range."""
    start = draw(positions())
    lines = draw(st.sampled_from([0, 0, 0, 0, 1, 3, 40]))
    columns = draw(st.integers(0, 6)) if not lines else draw(st.integers(-20, 20))
    end = Position(start.line + lines, max(0, start.column + columns))
    text = draw(
        st.one_of(
            st.just(""),
            st.sampled_from(FRAGMENTS),
            st.lists(st.sampled_from(FRAGMENTS), max_size=4).map("".join),
            excerpts(),
        )
    )
    return Range(start, end), text


def edit_batches() -> st.SearchStrategy[list[list[Edit]]]:
    """Notifications of an editor, one after the other, of one edit or several."""
    return st.lists(st.lists(edits(), min_size=1, max_size=3), min_size=1, max_size=6)


def any_text() -> st.SearchStrategy[str]:
    """Texts of any characters, line breaks of all sorts among them more often than by chance."""
    return st.lists(
        st.one_of(st.text(max_size=8), st.sampled_from(["\n", "\r", "\r\n", "\u2028", "\x85", "\x0b", "\x0c", "\U0001f600"])),
        max_size=12,
    ).map("".join)


@cache
def _modules() -> tuple[bytes, ...]:
    whole = [path.read_bytes() for path in BINARIES if "truncated" not in path.name]
    return (*whole, *[assemble(text_of(path)) for path in TEXTS if not is_faulty(path)])


def modules() -> st.SearchStrategy[bytes]:
    """Binary modules: the fixtures, all whole."""
    return st.sampled_from(_modules())


_WORDS = st.one_of(
    st.integers(0, 70),
    st.integers(0, 0xFFFFFFFF),
    st.builds(lambda count, opcode: count << 16 | opcode, st.integers(0, 6), st.integers(0, 400)),
)


@st.composite
def damaged_modules(draw: st.DrawFn) -> bytes:
    """Binary modules with words changed, lost, doubled, put in, or cut off; mostly behind the header."""
    data = draw(modules())
    words = [data[at : at + 4] for at in range(0, len(data), 4)]
    order: Literal["big", "little"] = "big" if data.startswith(b"\x07") else "little"
    for _ in range(draw(st.integers(1, 8))):
        at = draw(st.integers(min(draw(st.sampled_from([0, 5, 5, 5, 5])), len(words)), len(words)))
        fresh = draw(_WORDS).to_bytes(4, order)
        match draw(st.sampled_from(["change", "change", "lose", "double", "insert", "cut"])):
            case "change":
                words[at : at + 1] = [fresh]
            case "lose":
                del words[at : at + 1]
            case "double":
                words[at:at] = words[at : at + draw(st.integers(1, 4))]
            case "insert":
                words[at:at] = [fresh]
            case "cut":
                words[at + draw(st.integers(0, 40)) :] = []
    damaged = b"".join(words)
    return damaged[: len(damaged) - draw(st.sampled_from([0, 0, 0, 1, 3]))]


@st.composite
def altered_modules(draw: st.DrawFn) -> bytes:
    """Binary modules with other words among the operands of instructions, whose first words stay."""
    data = draw(modules())
    order: Literal["big", "little"] = "big" if data.startswith(b"\x07") else "little"
    words = [int.from_bytes(data[at : at + 4], order) for at in range(0, len(data), 4)]
    operands: list[int] = []
    at = 5
    while at < len(words):
        stop = at + (words[at] >> 16)
        operands += range(at + 1, stop)
        at = stop
    for at in draw(st.lists(st.sampled_from(operands), min_size=1, max_size=3)):
        bit = 1 << draw(st.integers(0, 31))
        words[at] = draw(st.sampled_from([words[at] ^ bit, words[at] | 0x41000000, words[at] | 0x10000, words[at] ^ 1]))
    return b"".join(word.to_bytes(4, order) for word in words)


_ODD = (
    "\r\r\n", "\x0b", "\x0c", "\x85", "\u2028", "\ufeff", '"abc', '"s\n t"', '"s\r\n t"', "; c\n", "; c\r", "; c \r\n", "; c\r\r\n", "\\\n",
    "\\\r", "\\\r\n", "\\ ", "\\(", "OpUnknown(", "!1 ", "!0x10\n", "%l = OpLabel\n", "OpBranch %l\r", "OpReturn\r\r\n", "\udc80", "; Version: 1.3\n",
)  # fmt: skip
_BREAKS = ["\n", "\r", "\r\n", "\r\r\n"]


@st.composite
def odd_texts(draw: st.DrawFn) -> str:
    """Texts in which every kind of line break meets words, comments, strings and escapes without an end."""
    pieces = draw(st.lists(st.sampled_from((*_ODD, *FRAGMENTS)), max_size=14))
    text = draw(st.sampled_from(["", " ", " \n", "\r"])).join(pieces)
    part = draw(st.sampled_from(["", "", draw(excerpts())])).replace("\n", draw(st.sampled_from(_BREAKS)))
    at = draw(st.integers(0, len(part)))
    return draw(st.sampled_from(["", "", "\ufeff"])) + part[:at] + text + part[at:]
