"""Named tuples that cost little to define.

`typing.NamedTuple` compiles the annotation of every field, which takes longer than the rest of the class, and a program that starts
defines some eighty of them. Here annotations stay as they are written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple
else:
    from collections import namedtuple

    class _Meta(type):
        def __new__(cls, name, bases, namespace):
            fields = namespace.get("__annotations__", {})
            defaults = [namespace.pop(field) for field in fields if field in namespace]
            made = namedtuple(name, fields, defaults=defaults, module=namespace["__module__"])
            for key, value in namespace.items():
                if key != "__module__":
                    setattr(made, key, value)
            return made

    def NamedTuple():  # noqa: N802 a class to those who derive from it
        """As `typing.NamedTuple`, as the base of a class."""

    NamedTuple.__mro_entries__ = lambda bases: (type.__new__(_Meta, "NamedTuple", (), {}),)
