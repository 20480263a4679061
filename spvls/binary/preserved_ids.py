"""Comments at the top of a text that preserve what names and instructions do not say: the header, the numbers of ids.

    ; spvls: header generator=0x0008000b bound=27 schema=0
    ; spvls: ids main=4 float=6 v4float=7

Ids that are written as their number, `%12`, keep it without being listed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from spvls.binary.words import Header
from spvls.record import NamedTuple

_WIDTH = 100
DIRECTIVES = ("header", "ids")
"""The words after `; spvls:` with which these comments begin."""

_MARK = "spvls:"
_COMMENT = rf";\s*{_MARK}\s*({'|'.join(DIRECTIVES)})((?:\s+\w+=\w+)+)\s*"
_NUMBER = r"0[xX][0-9a-fA-F]{1,8}|[0-9]{1,10}"


class Preserved(NamedTuple):
    """The words of a header, None for those that a text does not give, and the numbers of ids by name."""

    generator: int | None
    bound: int | None
    schema: int | None
    ids: dict[str, int]

    @property
    def numbers_stay(self) -> bool:
        """Whether ids that are written as their number keep it."""
        return self != NOTHING_PRESERVED


NOTHING_PRESERVED = Preserved(None, None, None, {})


def preserved_lines(header: Header, names: dict[str, str]) -> list[str]:
    """The comments for a module whose ids are called as `names` says."""
    lines = [f"; spvls: header generator=0x{header.generator:08x} bound={header.bound} schema={header.schema}"]
    line = ""
    for number, name in names.items():
        if name != number:
            if not line or len(line) + len(name) > _WIDTH:
                lines.append(line)
                line = "; spvls: ids"
            line += f" {name}={number}"
    lines.append(line)
    return [line for line in lines if line]


def read_preserved(lines: Iterable[str]) -> Preserved:
    """What the comments at the top of a text preserve; numbers of more than 32 bits are left out."""
    header: dict[str, int] = {}
    ids: dict[str, int] = {}
    for line in lines:
        comment = line.strip(" \t\r\n")
        if comment and not comment.startswith(";"):
            break
        match = re.fullmatch(_COMMENT, comment, re.ASCII) if _MARK in comment else None
        if match is not None:
            into = ids if match[1] == "ids" else header
            for pair in match[2].split():
                name, _, digits = pair.partition("=")
                if re.fullmatch(_NUMBER, digits) and (value := int(digits, 0 if "x" in digits.lower() else 10)) <= 0xFFFFFFFF:
                    into.setdefault(name, value)
    return Preserved(header.get("generator"), header.get("bound"), header.get("schema"), ids)
