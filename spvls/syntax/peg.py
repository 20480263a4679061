"""From the grammar of the text (`grammar/spvasm.peg`) to regular expressions that match just what it matches.

A PEG whose rules do not recur is regular, and its notation maps to that of `re` token by token: an ordered choice is an
atomic group, a repetition is possessive, `!` and `&` are lookaheads. `explain` asks parsimonious about the few words that
the expressions refuse.
"""

from __future__ import annotations

import os.path
from functools import lru_cache

from spvls.grammar.data_text import data_folder
from spvls.text.pattern import pattern as lazy
from spvls.text.pattern import written_later
from spvls.typed import TYPE_CHECKING

if TYPE_CHECKING:
    import re

    from parsimonious.grammar import Grammar

_RULE = lazy(r"(?m)^(\w+)\s*=\s*(.*)$")
_TOKEN = lazy(r'(?P<regex>~r"(?:[^"\\]|\\.)*")|(?P<literal>"[^"\\]*")|(?P<name>\w+)|(?P<mark>[/!&*+?()])')


def _source() -> str:
    with open(os.path.join(data_folder(), "spvasm.peg"), encoding="utf-8") as file:
        return file.read()


@lru_cache(maxsize=1)
def rules() -> dict[str, str]:
    """The right side of each rule of the grammar, by its name."""
    return dict(_RULE.findall(_source()))


def expression(rule: str, captures: tuple[str, ...] = ()) -> str:
    """A regular expression equal to `rule`; each rule named in `captures` becomes a group of that name.

    Inside lookaheads nothing is captured.
    """
    output: list[str] = []
    wrapped: list[int] = []  # for each open parenthesis, whether a lookahead around it is still to be closed
    pending = 0  # lookaheads opened before the next atom
    tokens = [(str(m.lastgroup), m.group()) for m in _TOKEN.finditer(rules()[rule])]
    for index, (token, text) in enumerate(tokens):
        follower = tokens[index + 1][1] if index + 1 < len(tokens) else ""
        if text in ("!", "&"):
            output.append("(?!" if text == "!" else "(?=")
            pending += 1
            continue
        if text == "(":
            output.append("(?>")
            wrapped.append(pending)
            pending = 0
            continue
        if text == "/":
            output.append("|")
            continue
        if text in ("*", "+", "?"):
            output.append(text + "+")
        elif text == ")":
            output.append(")")
            pending = wrapped.pop()
        elif token == "regex":
            output.append(f"(?>{text[3:-1]})")
        elif token == "literal":
            import re

            output.append(f"(?>{re.escape(text[1:-1])})")
        else:
            wanted = () if pending else captures
            group = f"?P<{text}>" if text in wanted else "?>"
            output.append(f"({group}{expression(text, wanted)})")
        if pending and follower not in ("*", "+", "?"):
            output.append(")" * pending)
            pending = 0
    return "".join(output)


def pattern(rule: str, captures: tuple[str, ...] = ()) -> re.Pattern[str]:
    """`rule`, compiled when it is first used; see `expression`."""
    return written_later(lambda: expression(rule, captures))


@lru_cache(maxsize=1)
def grammar() -> Grammar:
    """The grammar as parsimonious reads it."""
    from parsimonious.grammar import Grammar

    return Grammar(_source())


def explain(rule: str, word: str) -> int | None:
    """The offset in `word` of the first character that cannot belong to a `rule`; None where it is one."""
    from parsimonious.exceptions import IncompleteParseError, ParseError

    try:
        grammar()[rule].parse(word)
    except IncompleteParseError as error:
        return int(error.pos)
    except ParseError as error:
        return int(error.pos)
    return None
