"""What of a message is particular to a module, and what is the same in all that have the same fault."""

from __future__ import annotations

import re

from spvls.grammar import tables

LONGEST = 160

_PARTICULAR = (
    (re.compile(r"'?\b\d+\[%[^\]]*\]'?"), "<id>"),
    (re.compile(r"%[A-Za-z_0-9.]+"), "<id>"),
    (re.compile(r"\"[^\"]*\"|(?<![A-Za-z])'[^']*'"), "<text>"),
    (re.compile(r"(?<![\w-])-?(?:0x[0-9a-fA-F.]+(?:p[+-]?\d+)?|\d+(?:\.\d+)?(?:e[pn+-]*\d+)?)(?![\w-])"), "<n>"),
    (re.compile(r"\s+"), " "),
)
_LAST_WORD = re.compile(r"(: )(\w+)$")
_OPCODE = re.compile(r"\bOp[A-Z]\w*")


def normal(message: str) -> str:
    """A message without ids, numbers, texts and names of instructions; the ids of valid usages stay."""
    line = message.strip().partition("\n")[0]
    for pattern, instead in _PARTICULAR:
        line = pattern.sub(instead, line)
    line = _OPCODE.sub(lambda match: "<op>" if tables.opcode(match[0]) else match[0], line)
    return _LAST_WORD.sub(lambda match: f"{match[1]}<op>" if tables.opcode(f"Op{match[2]}") else match[0], line)[:LONGEST]
