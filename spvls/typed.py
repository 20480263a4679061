"""Names of `typing` for annotations, without what importing it costs at the start.

A type checker sees those of `typing`. To a program they stand for nothing, since its annotations are not evaluated: what is
subscripted is what it was, and what a type variable is bound to is not kept.
"""

from __future__ import annotations

TYPE_CHECKING = False
"""What type checkers take to be true, as that of `typing`."""

if TYPE_CHECKING:
    from typing import Any as Any
    from typing import AnyStr as AnyStr
    from typing import Final as Final
    from typing import Generic as Generic
    from typing import Literal as Literal
    from typing import NoReturn as NoReturn
    from typing import Protocol as Protocol
    from typing import TextIO as TextIO
    from typing import TypeVar as TypeVar
    from typing import cast as cast
else:

    class Any:
        __slots__ = ()

        def __class_getitem__(cls, _):
            return cls

    AnyStr = Final = Generic = Literal = NoReturn = Protocol = TextIO = Any

    def TypeVar(*_, **__):  # noqa: N802 a class to those who call it
        return Any

    def cast(_, value):
        return value
