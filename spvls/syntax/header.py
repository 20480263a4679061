"""What the comments at the top of a text say of the whole: the version, and the settings meant for spvls."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from spvls.grammar.environments import DEFAULT, Environment, environment, environments

_VERSION = re.compile(r"; Version: 1\.([0-6])(?![0-9])")
_TARGET = re.compile(r";\s*spvls:.*?\btarget-env\s*=\s*([^\s,;]+)")


class Header(NamedTuple):
    """`version` is the minor version of a `; Version: 1.N` line; `target` names an environment, and stands on
    line `target_line`, the version on line `version_line`; None where the text says nothing."""

    version: int | None = None
    target: str | None = None
    target_line: int = 0
    version_line: int = 0

    def environment(self, chosen: str | None = None) -> Environment:
        """The environment to read the text for: the one chosen, else the text's own, else its version's."""
        if chosen is not None:
            return environment(chosen)
        if self.target in environments():
            return environment(str(self.target))
        return environment(DEFAULT if self.version is None else f"spv1.{self.version}")


def read_header(lines: Iterable[str]) -> Header:
    """The header of a text: its leading comments and empty lines."""
    version: int | None = None
    version_line = 0
    target: tuple[str, int] | None = None
    for number, line in enumerate(lines):
        comment = line.lstrip(" \t\r\n")
        if comment and not comment.startswith(";"):
            break
        if version is None and (match := _VERSION.match(comment)):
            version, version_line = int(match[1]), number
        if target is None and (match := _TARGET.match(comment)):
            target = match[1], number
    name, target_line = target or (None, 0)
    return Header(version, name, target_line, version_line)
