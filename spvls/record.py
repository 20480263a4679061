"""Named tuples, enumerations and cached properties that cost little.

`typing.NamedTuple` compiles a constructor for every class and the annotation of every field, which takes longer than the rest of
the class, and a program that starts defines some eighty of them. Here annotations stay as they are written, and the constructors
of classes with the same number of fields have their code in common. A short run imports no `enum`. Before Python 3.12, the cached
properties of `functools` take a lock whenever one is computed.
"""

from __future__ import annotations

from spvls.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from enum import Enum as Enum
    from enum import IntEnum as IntEnum
    from functools import cached_property as cached_property
    from typing import NamedTuple as NamedTuple
else:
    from collections import _tuplegetter as field_getter
    from functools import cache
    from types import FunctionType, MappingProxyType

    class _Record(tuple):
        __slots__ = ()
        _fields = ()
        _field_defaults = MappingProxyType({})

        @classmethod
        def _make(cls, values):
            made = tuple.__new__(cls, values)
            if len(made) != len(cls._fields):
                raise TypeError(f"expected {len(cls._fields)} values, got {len(made)}")
            return made

        def _replace(self, **changed):
            made = self._make(map(changed.pop, self._fields, self))
            if changed:
                raise ValueError(f"no such field: {', '.join(changed)}")
            return made

        def _asdict(self):
            return dict(zip(self._fields, self, strict=True))

        def __repr__(self):
            return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self._asdict().items())})"

        def __getnewargs__(self):
            return tuple(self)

    _NAMES = {"__name__": __name__, "make": tuple.__new__}

    class _Meta(type):
        def __new__(cls, name, bases, namespace):
            fields = tuple(namespace.get("__annotations__", ()))
            defaults = {field: namespace[field] for field in fields if field in namespace}
            namespace.update({field: field_getter(at, None) for at, field in enumerate(fields)})
            called = f"{namespace['__qualname__']}.__new__"
            code = _constructor(len(fields)).replace(co_varnames=("_cls", *fields), co_qualname=called)
            namespace["__new__"] = FunctionType(code, _NAMES, "__new__", tuple(defaults.values()))
            namespace.update(__slots__=(), __match_args__=fields, _fields=fields, _field_defaults=defaults)
            return type.__new__(type, name, (_Record,), namespace)

    @cache
    def _constructor(count):
        """The code of the constructor of all classes with so many fields, whose names come later."""
        fields = "".join(f"_{at}, " for at in range(count))
        return eval(f"lambda _cls, {fields}: make(_cls, ({fields}))").__code__

    def NamedTuple():  # noqa: N802 a class to those who derive from it
        """As `typing.NamedTuple`, as the base of a class."""

    _BASES = (type.__new__(_Meta, "NamedTuple", (), {}),)
    NamedTuple.__mro_entries__ = lambda bases: _BASES

    class cached_property:  # noqa: N801 named as that of functools
        """As `functools.cached_property`, for classes whose instances one thread uses."""

        def __init__(self, compute):
            self._compute = compute
            self._name = compute.__name__
            self.__doc__ = compute.__doc__

        def __get__(self, instance, owner=None):
            if instance is None:
                return self
            value = self._compute(instance)
            setattr(instance, self._name, value)
            return value

    class _Enumeration(type):
        def __new__(cls, name, bases, namespace):
            made = type.__new__(cls, name, bases, namespace)
            made._members = {}
            for key, value in namespace.items():
                if isinstance(value, int | str) and not key.startswith("_"):
                    member = made._members[key] = made.__new__(made, value)
                    member.name, member.value = key, value
                    setattr(made, key, member)
            return made

        def __call__(cls, value):
            for member in cls:
                if member.value == value:
                    return member
            raise ValueError(f"{value!r} is not a valid {cls.__qualname__}")

        def __getitem__(cls, name):
            return cls._members[name]

        def __iter__(cls):
            return iter(cls._members.values())

        def __len__(cls):
            return len(cls._members)

    class Enum(metaclass=_Enumeration):
        def __new__(cls, _):
            return object.__new__(cls)

        def __repr__(self):
            return f"<{type(self).__name__}.{self.name}: {self.value!r}>"

        def __str__(self):
            return f"{type(self).__name__}.{self.name}"

        def __reduce_ex__(self, _):
            return type(self), (self.value,)

    class IntEnum(int, Enum):
        __new__ = int.__new__
