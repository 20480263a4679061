"""The places in the sources of SPIRV-Tools that give messages: `sites_below` lists them.

A *site* is a statement that makes a message, one that gives a part of it to a function that makes it (`diag(…)`), or one that
calls for a check by a macro (`CHECK_OPERAND(…)`), which names the operand that is checked. Its key is `FILE:FUNCTION:HASH`, with `:2`, `:3`, … after those that are alike. The hash is that of
the literals of the statement, so that a key holds nothing of the message, and stays when lines or other sites come and go.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PATTERNS = ("val/*.cpp", "val/*.h", "text*.cpp", "binary.cpp", "opcode*.cpp", "operand*.cpp", "parsed_operand.cpp")
"""The files, below the folder `source`, that can refuse a module or a text."""

_MAKERS = frozenset({"diag", "diagnostic", "DiagnosticStream"})
_CHECKS = re.compile(r"CHECK_[A-Z_0-9]+").fullmatch
_TOKEN = re.compile(
    r"""(?P<skip>\s+|//[^\n]*|/\*.*?\*/|^[ \t]*\#(?:\\\n|[^\n])*)
    |(?P<string>R"(?P<fence>[^()\s\\]*)\(.*?\)(?P=fence)"|"(?:\\.|[^"\\\n])*")
    |(?P<char>'(?:\\.|[^'\\\n])*')
    |(?P<word>[A-Za-z_]\w*|\d[\w.']*)
    |(?P<mark>::|<<|->|.)""",
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
_OPENING, _CLOSING = "([{", ")]}"
_NAMED_BLOCKS = frozenset({"namespace", "class", "struct", "union", "enum", "extern"})


@dataclass(frozen=True, slots=True)
class Site:
    """`first` and `last` are lines, from 1; `macro` names the macro of a site that calls for a check by one; `passed` says that
    the site gives its words to another one."""

    key: str
    file: str
    function: str
    first: int
    last: int
    macro: str = ""
    passed: bool = False


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    line: int


def sites_below(source: Path) -> list[Site]:
    """The sites of the folder `source` of SPIRV-Tools, by file and line. Raises FileNotFoundError where it is none."""
    if not (source / "val").is_dir():
        raise FileNotFoundError(f"{source} is not the folder `source` of SPIRV-Tools")
    files = sorted({path for pattern in PATTERNS for path in source.glob(pattern)})
    return [site for path in files for site in sites_of(path.relative_to(source).as_posix(), path.read_text("utf-8"))]


def sites_of(file: str, text: str) -> list[Site]:
    """The sites of one file."""
    found = []
    seen: Counter[str] = Counter()
    for function, statement, macro, passed in _statements(list(_tokens(text))):
        literals = [token.text for token in statement if macro or token.kind == "string"]
        key = f"{file}:{function}:{_hash(literals)}"
        seen[key] += 1
        full = key if seen[key] == 1 else f"{key}:{seen[key]}"
        found.append(Site(full, file, function, statement[0].line, statement[-1].line, macro, passed))
    return found


def _hash(literals: list[str]) -> str:
    return hashlib.sha1("\0".join(literals).encode()).hexdigest()[:8]


def _tokens(text: str) -> Iterator[_Token]:
    line = 1
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup if match.lastgroup != "fence" else "string"
        if match["skip"] is None:
            yield _Token(str(kind), match[0], line)
        line += match[0].count("\n")


def _statements(tokens: list[_Token]) -> Iterator[tuple[str, list[_Token], str, bool]]:
    """The function, the tokens and the macro of each site, and whether it gives its words to another one."""
    stack: list[str] = []  # what each open brace began: a function's name, or nothing
    begun = 0  # where the declaration began that the next brace belongs to
    for at, token in enumerate(tokens):
        function = next((name for name in stack if name), "")
        if token.text == "{":
            stack.append("" if function else _declared(tokens[begun:at]))
            begun = at + 1
        elif token.text == "}":
            if stack:
                stack.pop()
            begun = at + 1
        elif token.text == ";":
            begun = at + 1
        elif function and function.rpartition("::")[2] not in _MAKERS and _makes(tokens, at):
            macro = token.text if _CHECKS(token.text) else ""
            passed = token.text == "diag" and tokens[at - 1].text not in (".", "->")
            yield function, _statement(tokens, at), macro, passed


def _makes(tokens: list[_Token], at: int) -> bool:
    """Whether a message, or a check by a macro, begins at a token."""
    token = tokens[at]
    if token.kind != "word" or at + 1 == len(tokens) or tokens[at + 1].text != "(":
        return False
    return token.text in _MAKERS or _CHECKS(token.text) is not None


def _statement(tokens: list[_Token], at: int) -> list[_Token]:
    """The tokens from one on to the end of its statement."""
    depth = 0
    for end in range(at, len(tokens)):
        text = tokens[end].text
        if len(text) == 1 and text in _OPENING:
            depth += 1
        elif len(text) == 1 and text in _CLOSING:
            depth -= 1
        if depth < 0 or (depth == 0 and text == ";"):
            return tokens[at : end + 1]
    return tokens[at:]


def _declared(tokens: list[_Token]) -> str:
    """The name of the function that a declaration declares; empty where it declares something else."""
    texts = [token.text for token in tokens]
    if "(" not in texts or "=" in texts[: texts.index("(")] or _NAMED_BLOCKS & set(texts[: texts.index("(")]):
        return ""
    at = texts.index("(") - 1
    name = texts[at] if at >= 0 else ""
    while at >= 2 and texts[at - 1] == "::":
        at -= 2
        name = f"{texts[at]}::{name}"
    return name
