"""Regular expressions that are compiled when they are first used: a short run has use for few of those that its modules name."""

from __future__ import annotations

import re
from typing import Any, AnyStr, cast


class _Pattern:
    """Stands for a compiled expression, whose methods it takes over one by one."""

    def __init__(self, source: str | bytes, flags: int) -> None:
        self._source = source
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        value = getattr(re.compile(self._source, self._flags), name)
        setattr(self, name, value)
        return value


def pattern(source: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """What `re.compile` gives, to be compiled when it is first used; what is wrong with it is raised then."""
    return cast("re.Pattern[AnyStr]", _Pattern(source, flags))
