"""Regular expressions that are compiled when they are first used: a short run has use for few of those that its modules name."""

from __future__ import annotations

from collections.abc import Callable

from spvls.typed import TYPE_CHECKING, Any, AnyStr, cast

if TYPE_CHECKING:
    import re


class _Pattern:
    """Stands for a compiled expression, whose methods it takes over one by one."""

    def __init__(self, source: str | bytes | Callable[[], str], flags: int) -> None:
        self._source = source
        self._flags = flags
        self.is_compiled = False

    def __getattr__(self, name: str) -> Any:
        import re  # not at the start, and enum with it

        source = self._source() if callable(self._source) else self._source
        value = getattr(re.compile(source, self._flags), name)
        setattr(self, name, value)
        self.is_compiled = True
        return value


def is_compiled(expression: re.Pattern[AnyStr]) -> bool:
    """Whether something that `pattern` or `written_later` has given was used before."""
    return cast("_Pattern", expression).is_compiled


def pattern(source: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """What `re.compile` gives, to be compiled when it is first used; what is wrong with it is raised then."""
    return cast("re.Pattern[AnyStr]", _Pattern(source, flags))


def written_later(source: Callable[[], str]) -> re.Pattern[str]:
    """As `pattern`, of a source that is written when the expression is first used."""
    return cast("re.Pattern[str]", _Pattern(source, 0))
