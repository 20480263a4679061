"""Quick fixes that rules of several families offer: decorations, conversions, pointer types, indexes."""

from __future__ import annotations

from spvls.grammar import spv, tables
from spvls.grammar.enumerants import Capability
from spvls.module.module import Module
from spvls.module.types import Type
from spvls.module.variable import storage_name
from spvls.syntax.instruction import TYPE, Instruction, Operand
from spvls.validate.engine.finding import (
    AFTER_ANNOTATIONS,
    AFTER_DECLARATIONS,
    FindingFix,
    InsertAfter,
    InsertBefore,
    Replace,
    Step,
)


def unused_id(wanted: str, module: Module) -> str:
    """A name that no id has: the wanted one, or with a number after it."""
    name, count = wanted, 0
    while module.defining_instruction(name) is not None:
        count += 1
        name = f"{wanted}_{count}"
    return name


def decorating(target: str, lines: list[str], module: Module) -> tuple[Step, ...]:
    """Puts annotations of an id after those that it has, or those of others, or where the annotations of a module stand."""
    text = "\n".join(lines)
    own = [found.group or found.record for found in module.in_order(module.decorations(target))]
    others = module.declarations.records(spv.OpDecorate)
    if own or others:
        return (InsertAfter((own or others)[-1], text),)
    return (InsertBefore(AFTER_ANNOTATIONS, text),)


def decorate(target: str, decoration: str, module: Module, *, preferred: bool = True) -> tuple[FindingFix, ...]:
    """The quick fix that decorates an id."""
    steps = decorating(target, [f"OpDecorate %{target} {decoration}"], module)
    return (FindingFix(f"Decorate %{target} {decoration}", steps, preferred),) if steps else ()


# Conversions


def converted(inst: Instruction, operand_index: int, wanted: Type | None, module: Module) -> tuple[FindingFix, ...]:
    """The quick fixes that convert an operand of an instruction in a function to a type, by value and by bits; none where there
    is no such way.

    Only a change of signedness keeps all bits and values within reach, and is preferred.
    """
    name = inst.operands[operand_index]
    given = module.type_of(name)
    if wanted is None or given is None or not isinstance(name, str):
        return ()
    by_value = conversion(given, wanted, module)
    opcodes = [by_value] if by_value is not None else []
    if by_value != spv.OpBitcast and _has_bits_of(given, wanted):
        opcodes.append(spv.OpBitcast)
    result = unused_id(f"{name}_as_{wanted.id}", module)
    fixes = []
    for opcode in opcodes:
        instruction = tables.opcode_name(opcode)
        steps = InsertBefore(inst, f"%{result} = {instruction} %{wanted.id} %{name}"), Replace(inst, operand_index, f"%{result}")
        title = f"Convert %{name} by {instruction}" if opcode == by_value else f"Take the bits of %{name} by {instruction}"
        fixes.append(FindingFix(title, steps, by_value == spv.OpBitcast))
    return tuple(fixes)


def _has_bits_of(given: Type, wanted: Type) -> bool:
    """Whether numbers of one type, or vectors of them, have as many bits as those of the other."""
    return 0 < _bits(given) == _bits(wanted)


def _bits(type_: Type) -> int:
    scalar = type_.scalar
    if scalar is None or not scalar.is_numeric or not (type_.is_scalar or type_.kind == spv.OpTypeVector):
        return 0
    return scalar.width * (type_.count or 1)


def conversion(given: Type, wanted: Type, module: Module) -> int | None:
    """The opcode that converts numbers of one type to those of another, component by component; None without a sure one."""
    if (given.is_vector, given.count) != (wanted.is_vector, wanted.count):
        return None
    one, other = given.scalar, wanted.scalar
    if one is None or other is None or not (one.is_numeric and other.is_numeric):
        return None
    if one.encoding is not None or other.encoding is not None or not (given.is_scalar or given.kind == spv.OpTypeVector):
        return None
    if one.is_int and other.is_int:
        if one.width == other.width:
            return spv.OpBitcast if one.signed != other.signed else None
        if one.signed:
            return spv.OpSConvert
        return None if other.signed else spv.OpUConvert
    if one.is_float and other.is_float:
        return spv.OpFConvert if one.width != other.width else None
    if module.has_capability(Capability.Kernel):
        return None  # there integers have no sign of their own
    if one.is_int:
        return spv.OpConvertSToF if one.signed else spv.OpConvertUToF
    return spv.OpConvertFToS if other.signed else spv.OpConvertFToU


# Types that there are


def declared(module: Module, opcode: int, *operands: Operand) -> Type | None:
    """The first type that is declared by an opcode with these operands."""
    known = tables.opcode_by_value(opcode)
    found = module.first_alike(Instruction(known, None, None, operands)) if known is not None else None
    return module.type(found.result) if found is not None else None


# Pointer types


def pointing_to(inst: Instruction, pointee: Type, storage: int, module: Module) -> tuple[FindingFix, ...]:
    """The quick fix that makes the type of a result the pointer to a type in a storage class, which is declared if need be."""
    name, line = pointer_type(pointee.id, storage, module)
    use = Replace(inst, TYPE, f"%{name}")
    if line is None:
        return (FindingFix(f"Make it %{name}", (use,)),)
    if not module.is_global(pointee.id):
        return ()
    title = f"Make it a pointer to %{pointee.id} in {storage_name(storage)}"
    return (FindingFix(title, (InsertAfter(pointee.record, line), use)),)


def pointer_type(pointee: str, storage: int, module: Module) -> tuple[str, str | None]:
    """The id of the pointer type to a type in a storage class, and the line that declares it; None where the module has it."""
    known = module.pointer_to(pointee, storage)
    if known is not None:
        return known, None
    class_ = storage_name(storage)
    name = unused_id(f"_ptr_{class_}_{pointee}", module)
    return name, f"%{name} = OpTypePointer {class_} %{pointee}"


# Interfaces


def is_interpolated(type_: Type) -> bool:
    """Whether a fragment shader may have values of a type interpolated (Vulkan, Interpolation Decorations)."""
    return type_.scalar is not None and type_.scalar.is_float and type_.scalar.width < _WIDE


_WIDE = 64


# Bounds


def last_index(inst: Instruction, operand_index: int, count: int) -> tuple[FindingFix, ...]:
    """Puts the last index there is in the place of a literal one."""
    if count < 1:
        return ()
    return (FindingFix(_title(count), (Replace(inst, operand_index, str(count - 1)),), preferred=False),)


def last_constant_index(inst: Instruction, operand_index: int, count: int, module: Module) -> tuple[FindingFix, ...]:
    """Puts a constant of the last index there is, which is declared if need be, in the place of another constant."""
    name = inst.operands[operand_index]
    type_ = module.type_of(name)
    if count < 1 or type_ is None or not type_.is_int:
        return ()
    known = module.integer_constant(type_.id, count - 1)
    steps: tuple[Step, ...] = ()
    if known is None:
        known = unused_id(f"{type_.id}_{count - 1}", module)
        steps = (InsertBefore(AFTER_DECLARATIONS, f"%{known} = OpConstant %{type_.id} {count - 1}"),)
    return (FindingFix(_title(count), (*steps, Replace(inst, operand_index, f"%{known}")), preferred=False),)


def _title(count: int) -> str:
    return f"Change to {count - 1}, the last index"
