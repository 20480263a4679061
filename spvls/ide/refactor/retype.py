"""Another type for a variable, which converts where it is loaded and stored, and for a constant whose users take either."""

from __future__ import annotations

from collections.abc import Iterator

from spvls.diagnostic import Edit
from spvls.grammar import spv, tables
from spvls.grammar.enumerants import Capability, StorageClass
from spvls.ide.refactor.refactoring import REWRITE, Refactoring
from spvls.ide.refactor.rewrite import Rewrite
from spvls.ide.refactor.site import Site
from spvls.module.decorations import ANNOTATIONS
from spvls.module.module import Module
from spvls.module.types import Type
from spvls.module.variable import held_by
from spvls.syntax.instruction import TYPE, Instruction
from spvls.validate.checks.kinds import has_small_types
from spvls.validate.engine.finding import InsertAfter, InsertBefore, Replace
from spvls.validate.fixes.common import conversion, declared, pointer_type

_MOST = 4
"""Types that are offered for a variable."""

_NAMES = ANNOTATIONS | {spv.OpName, spv.OpEntryPoint}


def retype_refactorings(site: Site) -> Iterator[Refactoring]:
    """Of the variable or the constant that the cursor's line declares."""
    record = site.record
    if record is None or record.result is None:
        return
    if record.opcode.value == spv.OpVariable:
        for type_ in _types_for(record, site.module):
            title = f"Change %{record.result} to %{type_.id}, and convert where it is loaded and stored"
            key = f"retype-variable:{type_.id}"
            yield Refactoring(key, title, REWRITE, lambda type_=type_: _with_type(site, record, type_))  # type: ignore[misc]
    elif record.opcode.value == spv.OpConstant and site.is_global:
        wanted = _other_sign(record, site.module)
        if wanted is not None:
            title = f"Make %{record.result} a constant of %{wanted.id}"
            yield Refactoring("retype-constant", title, REWRITE, lambda: _constant_of(site, record, wanted))


# Variables


def _types_for(variable: Instruction, module: Module) -> list[Type]:
    """The types that the values of a variable can be converted to and from."""
    held = held_by(variable, module)
    if held is None or variable.operands not in ((StorageClass.Function,), (StorageClass.Private,)) or not _is_simple(held):
        return []
    if not all(_is_access(use, variable) for _, use in module.ids.uses(variable.result or "")):
        return []
    found: list[Type] = []
    for record in module.chunks[0].records:
        type_ = module.type(record.result) if record.opcode.value in _NUMBERS else None
        if type_ is not None and type_.id != held.id and _is_simple(type_) and _converts(held, type_, module):
            pointer = module.pointer_to(type_.id, variable.operands[0]) if isinstance(variable.operands[0], int) else None
            declaration = module.definition(pointer) if pointer is not None else type_.record
            if declaration is not None and module.precedes(declaration, variable):
                found.append(type_)
    return found[:_MOST]


_NUMBERS = (spv.OpTypeInt, spv.OpTypeFloat, spv.OpTypeVector)


def _is_simple(type_: Type) -> bool:
    """Whether a type is a number, or a vector of numbers."""
    scalar = type_.scalar
    if scalar is None or not scalar.is_numeric or scalar.encoding is not None:
        return False
    return type_.is_scalar or type_.kind == spv.OpTypeVector


def _is_access(use: Instruction, variable: Instruction) -> bool:
    """Whether a use loads or stores a variable as a whole, or only names it."""
    match use.opcode.value:
        case spv.OpLoad:
            return len(use.operands) == 1
        case spv.OpStore:
            return len(use.operands) == 2 and use.operands[1] != variable.result
        case opcode:
            return opcode in _NAMES


def _converts(held: Type, wanted: Type, module: Module) -> bool:
    if has_small_types(module, wanted.id) or has_small_types(module, held.id):
        return False
    if _grows(held, wanted):
        return True
    return conversion(held, wanted, module) is not None and conversion(wanted, held, module) is not None


def _grows(held: Type, wanted: Type) -> bool:
    """Whether one type is a vector with more of the same components."""
    return held.is_vector and wanted.is_vector and held.element_id == wanted.element_id and held.count < wanted.count


def _with_type(site: Site, variable: Instruction, type_: Type) -> list[Edit]:
    module, rewrite = site.module, Rewrite(site.source, site.chunk)
    held, storage = held_by(variable, module), variable.operands[0]
    assert held is not None and isinstance(storage, int)
    pointer, line = pointer_type(type_.id, storage, module)
    if line is not None:
        rewrite.do(InsertAfter(type_.record, line))
    rewrite.do(Replace(variable, TYPE, f"%{pointer}"))
    for use in dict.fromkeys(use for _, use in module.ids.uses(variable.result or "")):
        if use.opcode.value == spv.OpLoad:
            loaded = rewrite.fresh(str(use.result))
            back = _converted(rewrite, loaded, type_, held)
            rewrite.replace(use, f"%{loaded} = OpLoad %{type_.id} %{variable.result}\n%{use.result} = {back}")
        elif use.opcode.value == spv.OpStore:
            given = str(use.operands[1])
            stored = rewrite.fresh(given)
            rewrite.do(InsertBefore(use, f"%{stored} = {_converted(rewrite, given, held, type_)}"), Replace(use, 1, f"%{stored}"))
    return rewrite.edits()


def _converted(rewrite: Rewrite, name: str, given: Type, wanted: Type) -> str:
    """The instruction that converts a value."""
    if _grows(given, wanted):
        zero = _zero(rewrite, given)
        return " ".join([f"OpCompositeConstruct %{wanted.id} %{name}", *[f"%{zero}"] * (wanted.count - given.count)])
    if _grows(wanted, given):
        return " ".join([f"OpVectorShuffle %{wanted.id} %{name} %{name}", *map(str, range(wanted.count))])
    opcode = conversion(given, wanted, rewrite.module)
    return f"{tables.opcode_name(opcode or spv.OpBitcast)} %{wanted.id} %{name}"


def _zero(rewrite: Rewrite, vector: Type) -> str:
    """A constant that is the zero of the components of a vector, declared after their type if need be."""
    element = vector.element
    assert element is not None
    return rewrite.once(f"zero of {element.id}", lambda: _declared_zero(rewrite, element))


def _declared_zero(rewrite: Rewrite, type_: Type) -> str:
    for _, use in rewrite.module.ids.uses(type_.id):
        if use.opcode.value == spv.OpConstantNull and use.result is not None:
            return use.result
    name = rewrite.fresh(f"{type_.id}_zero")
    rewrite.do(InsertAfter(type_.record, f"%{name} = OpConstantNull %{type_.id}"))
    return name


# Constants

_ANY_SIGN = {
    spv.OpTypeArray: (1,), spv.OpAccessChain: range(1, 256), spv.OpInBoundsAccessChain: range(1, 256),
    spv.OpVectorExtractDynamic: (1,), spv.OpVectorInsertDynamic: (2,),
    spv.OpShiftLeftLogical: (1,), spv.OpShiftRightLogical: (1,), spv.OpShiftRightArithmetic: (1,),
    spv.OpIAdd: (0, 1), spv.OpISub: (0, 1), spv.OpIMul: (0, 1), spv.OpIEqual: (0, 1), spv.OpINotEqual: (0, 1),
}  # fmt: skip
"""By opcode: the operands that may be integers with or without sign, whatever the others are."""


def _other_sign(constant: Instruction, module: Module) -> Type | None:
    """The integer type of the other sign, where all that uses a constant takes either."""
    type_, value = module.type(constant.type), module.integer(constant.result)
    if type_ is None or not type_.is_int or value is None or not 0 <= value < 1 << type_.width - 1:
        return None
    wanted = declared(module, spv.OpTypeInt, type_.width, int(not type_.signed))
    if wanted is None or module.has_capability(Capability.Kernel) or not module.precedes(wanted.record, constant):
        return None
    name = constant.result or ""
    return wanted if all(_takes_either(use, name) for _, use in module.ids.uses(name)) else None


def _takes_either(use: Instruction, name: str) -> bool:
    places = _ANY_SIGN.get(use.opcode.value, ())
    return use.opcode.value == spv.OpName or all(operand != name or at in places for at, operand in enumerate(use.operands))


def _constant_of(site: Site, constant: Instruction, wanted: Type) -> list[Edit]:
    rewrite = Rewrite(site.source, site.chunk)
    rewrite.do(Replace(constant, TYPE, f"%{wanted.id}"))
    return rewrite.edits()
