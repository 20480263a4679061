"""The values that people give specialization constants: which constant is meant, and what its type makes of the text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from spvls.module.constants import Value, number
from spvls.module.module import Module
from spvls.module.specialization import spec_constants, spec_id
from spvls.module.types import Type
from spvls.record import NamedTuple
from spvls.syntax.instruction import Operand
from spvls.syntax.number import NumberError, words_of_number

TRUTH = {"true": True, "false": False}


class SpecializationError(ValueError):
    """A specialization that a module does not take; the text says what it takes."""


class Given(NamedTuple):
    """The value of a constant: as literals have it, and as a number or truth value."""

    literal: Operand | bool
    value: Value


def pair_of(text: str) -> tuple[str, str]:
    """The constant and the value that `KEY=VALUE` names. Raises SpecializationError."""
    key, equals, value = text.partition("=")
    if not equals or not key.strip() or not value.strip():
        raise SpecializationError(f"`{_shown(text)}` is not of the form SPECID=VALUE or NAME=VALUE")
    return key.strip(), value.strip()


def given_values(module: Module, pairs: Iterable[tuple[str, str]]) -> dict[str, Given]:
    """Values by the ids of their constants. A constant is named by its SpecId, by its OpName, or by its id, as in `%size`; a
    SpecId that several constants have gives all of them the value.

    Raises SpecializationError for a constant that is not known, or is given twice, and for a value that its type does not hold.
    """
    known = _by_key(module)
    found: dict[str, Given] = {}
    for key, text in pairs:
        names = known.get(_canonical(key), [])
        if not names:
            raise SpecializationError(f"there is no specialization constant {_shown(key)}; {_choices(module)}")
        if len(names) > 1 and not key.isdecimal():
            shown = " and ".join(f"%{name}" for name in names)
            raise SpecializationError(f"{_shown(key)} is the name of {shown}; give the SpecId or the id")
        for name in names:
            if name in found:
                raise SpecializationError(f"%{name} is given two values; the second is {_shown(key)}={_shown(text)}")
            found[name] = _given(module, name, key, text)
    return found


def known_values(module: Module, pairs: Mapping[str, str]) -> dict[str, Given]:
    """As `given_values`, without what the module does not take."""
    found: dict[str, Given] = {}
    for pair in pairs.items():
        try:
            found |= given_values(module, [pair])
        except SpecializationError:
            continue
    return found


def _by_key(module: Module) -> dict[str, list[str]]:
    """The constants by everything that may name them."""
    found: dict[str, list[str]] = {}
    for record in spec_constants(module):
        name = record.result or ""
        for key in _keys(module, name):
            found.setdefault(key, []).append(name)
    return found


def _keys(module: Module, name: str) -> Iterator[str]:
    number_ = spec_id(module, name)
    if number_ is not None:
        yield str(number_)
    called = module.declarations.names.get(name)
    if called is not None and not called.isdecimal():
        yield called
    yield f"%{name}"


def _canonical(key: str) -> str:
    """A key without the zeros that a number may begin with."""
    return key.lstrip("0") or "0" if key.isascii() and key.isdecimal() else key


_MOST_CHOICES = 8


def _choices(module: Module) -> str:
    known = []
    for record in spec_constants(module):
        first, *others = _keys(module, record.result or "")
        known.append(f"{first} ({others[0]})" if others else first)
    more = f" and {len(known) - _MOST_CHOICES} more" if len(known) > _MOST_CHOICES else ""
    return f"the module has {', '.join(known[:_MOST_CHOICES])}{more}" if known else "the module has none"


def _given(module: Module, name: str, key: str, text: str) -> Given:
    record = module.definition(name)
    type_ = module.type(record.type) if record is not None else None
    if type_ is not None and type_.is_bool:
        truth = _truth(text)
        if truth is None:
            raise SpecializationError(f"{_shown(key)}: `{_shown(text)}` is not a truth value; write true, false or a number")
        return Given(truth, truth)
    numeric = module.numeric_type(type_.id) if type_ is not None else None
    if numeric is None:
        raise SpecializationError(f"{_shown(key)}: %{name} is not of a type that takes a number")
    try:
        literal = words_of_number(text, numeric)
    except NumberError as error:
        raise SpecializationError(f"{_shown(key)}: {error}") from None
    return Given(literal, _value(literal, type_))


_LONGEST = 40


def _shown(text: str) -> str:
    """A text of any length as messages show it."""
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def _truth(text: str) -> bool | None:
    """Truth as words say it, or as a number does: all but zero is true (SPIR-V 2.12)."""
    digits = text.removeprefix("-")
    if digits.isascii() and digits.isdecimal():
        return bool(digits.strip("0"))
    return TRUTH.get(text.lower())


def _value(literal: Operand, type_: Type | None) -> Value:
    value = number(literal, type_)
    return float("nan") if value is None else value
