"""Declarations that the name of an id implies: `%v4float` is `OpTypeVector %float 4`, `%int_n1` is `OpConstant %int -1`.

The inverse of `friendly_names`; the short names of shading languages (`f32`, `u32`) are read as well.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from spvls.grammar import tables
from spvls.module.module import Module
from spvls.syntax.scanner import scan
from spvls.text.pattern import pattern

_LONGEST = 200

_SCALARS = {
    "void": "OpTypeVoid",
    "bool": "OpTypeBool",
    "half": "OpTypeFloat 16",
    "float": "OpTypeFloat 32",
    "double": "OpTypeFloat 64",
    "char": "OpTypeInt 8 1",
    "uchar": "OpTypeInt 8 0",
    "short": "OpTypeInt 16 1",
    "ushort": "OpTypeInt 16 0",
    "int": "OpTypeInt 32 1",
    "uint": "OpTypeInt 32 0",
    "long": "OpTypeInt 64 1",
    "ulong": "OpTypeInt 64 0",
    **{f"f{width}": f"OpTypeFloat {width}" for width in (16, 32, 64)},
    **{f"{sign}{width}": f"OpTypeInt {width} {int(sign == 'i')}" for sign in "iu" for width in (8, 16, 32, 64)},
    "true": "OpConstantTrue %bool",
    "false": "OpConstantFalse %bool",
}

_TYPE_AT = {"OpTypePointer": 2}
"""By opcode: the word that is the id of a type; the first one after the other opcodes."""

_Reading = Callable[[re.Match[str]], str | None]


def _pointer(found: re.Match[str]) -> str | None:
    known = tables.kind("StorageClass").get(found[1])
    return f"OpTypePointer {found[1]} %{found[2]}" if known is not None else None


def _constant(found: re.Match[str]) -> str | None:
    scalar = _SCALARS.get(found[1], "")
    literal = found[2].replace("n", "-").replace("_", ".")
    is_integer = scalar.startswith("OpTypeInt") and "." not in literal
    return f"OpConstant %{found[1]} {literal}" if is_integer or scalar.startswith("OpTypeFloat") else None


_FORMS: tuple[tuple[re.Pattern[str], _Reading], ...] = (
    (pattern(r"mat([2-4])(v[2-4].+)"), lambda found: f"OpTypeMatrix %{found[2]} {found[1]}"),
    (pattern(r"v(2|3|4|8|16)([a-z]+\d{0,2})"), lambda found: f"OpTypeVector %{found[2]} {found[1]}"),
    (pattern(r"_ptr_([A-Z][A-Za-z]*)_(.+)"), _pointer),
    (pattern(r"_arr_(.+)_(uint_\d+|int_\d+)"), lambda found: f"OpTypeArray %{found[1]} %{found[2]}"),
    (pattern(r"_runtimearr_(.+)"), lambda found: f"OpTypeRuntimeArray %{found[1]}"),
    (pattern(r"([a-z]+\d{0,2})_(n?\d+(?:_\d+)?)"), _constant),
)


def implied_declarations(name: str, module: Module) -> tuple[str, ...]:
    """The lines that declare an undefined id by its name, after those that they need and the module lacks.

    None where the name implies no declaration, or where another id has the type: a module may declare it once (SPIR-V 2.8).
    """
    declared: dict[str, str] = {}
    return tuple(declared.values()) if _declare(name, module, declared) == name else ()


def implied_id(name: str, module: Module) -> str | None:
    """The id that the module has for the type that an undefined id names: `%f32` for `%float`."""
    declared: dict[str, str] = {}
    found = _declare(name, module, declared)
    return found if found != name and not declared else None


def _declare(name: str, module: Module, declared: dict[str, str]) -> str | None:
    """The id for what a name implies, declared if need be; None where it implies nothing."""
    if name in declared or module.definition(name) is not None:
        return name
    form = _form(name)
    if form is None:
        return None
    words = form.split(" ")
    for at, word in enumerate(words):
        if word.startswith("%"):
            used = _declare(word[1:], module, declared)
            if used is None or (at == _TYPE_AT.get(words[0], 1) and used not in declared and not module.is_type(used)):
                return None
            words[at] = f"%{used}"
    line = f"%{name} = {' '.join(words)}"
    _, record = next(scan([line]), (0, None))
    if record is None or record.faults:
        return None
    alike = module.first_alike(record) if record.opcode.is_type else None
    if alike is not None and alike.result is not None:
        return alike.result
    declared[name] = line
    return name


def _form(name: str) -> str | None:
    if len(name) > _LONGEST:
        return None
    if name in _SCALARS:
        return _SCALARS[name]
    for form, reading in _FORMS:
        found = form.fullmatch(name)
        if found is not None:
            return reading(found)
    return None
