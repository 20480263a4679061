"""Types and constants that refactorings need."""

from __future__ import annotations

from spvls.grammar import spv, tables
from spvls.ide.refactor.rewrite import Rewrite
from spvls.module.sections import Section
from spvls.validate.fixes.common import declared


def boolean_type(rewrite: Rewrite) -> str:
    """The boolean type, which is declared if need be."""
    return rewrite.once("bool", lambda: _boolean_type(rewrite))


def _boolean_type(rewrite: Rewrite) -> str:
    type_ = declared(rewrite.module, spv.OpTypeBool)
    if type_ is not None:
        return type_.id
    name = rewrite.fresh("bool")
    rewrite.declare(Section.TYPES, f"%{name} = OpTypeBool")
    return name


def boolean(rewrite: Rewrite, opcode: int) -> str:
    """A constant that is true or false, by its opcode, which is declared if need be."""
    word = "true" if opcode == spv.OpConstantTrue else "false"
    return rewrite.once(word, lambda: _constant(rewrite, opcode, boolean_type(rewrite), word))


def null(rewrite: Rewrite, type_: str) -> str:
    """The null of a type, which is declared if need be."""
    return rewrite.once(f"null of {type_}", lambda: _constant(rewrite, spv.OpConstantNull, type_, f"{type_}_null"))


def _constant(rewrite: Rewrite, opcode: int, type_: str, wanted: str) -> str:
    for _, use in rewrite.module.ids.uses(type_):
        if use.opcode.value == opcode and use.result is not None and rewrite.module.is_global(use.result):
            return use.result
    name = rewrite.fresh(wanted)
    rewrite.declare(Section.TYPES, f"%{name} = {tables.opcode_name(opcode)} %{type_}")
    return name


def zero(rewrite: Rewrite) -> str:
    """The constant zero of an integer type of 32 bits, which is declared if need be."""
    return rewrite.once("zero", lambda: _zero(rewrite))


def _zero(rewrite: Rewrite) -> str:
    types = [found for signed in (0, 1) if (found := declared(rewrite.module, spv.OpTypeInt, 32, signed)) is not None]
    for type_ in types:
        known = rewrite.module.integer_constant(type_.id, 0)
        if known is not None:
            return known
    integer = types[0].id if types else rewrite.fresh("uint")
    if not types:
        rewrite.declare(Section.TYPES, f"%{integer} = OpTypeInt 32 0")
    name = rewrite.fresh(f"{integer}_0")
    rewrite.declare(Section.TYPES, f"%{name} = OpConstant %{integer} 0")
    return name
