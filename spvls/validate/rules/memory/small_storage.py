"""Numbers of 8 and 16 bits in memory and in constants (SPIR-V 2.16.1)."""

from __future__ import annotations

from collections.abc import Iterator

from spvls.grammar import spv
from spvls.module.constants import CONSTANT_OPCODES
from spvls.module.module import Module
from spvls.syntax.instruction import TYPE, Instruction
from spvls.validate.finding import Finding
from spvls.validate.kinds import has_small_types
from spvls.validate.operand_at import word_at
from spvls.validate.rule import Findings, Scene, instruction_rule
from spvls.validate.storage_class import storage, storage_name, storages
from spvls.validate.variable import VARIABLES, held_by

_UNIFORM = storage("Uniform")
_WORKGROUP = storage("Workgroup")

#: What lets a variable in a storage class hold small numbers; for Uniform see `_uniform_allows`.
_ALLOWED = {
    8: {
        storage("StorageBuffer"): "StorageBuffer8BitAccess",
        storage("PhysicalStorageBuffer"): "StorageBuffer8BitAccess",
        _UNIFORM: "UniformAndStorageBuffer8BitAccess",
        storage("PushConstant"): "StoragePushConstant8",
        _WORKGROUP: "WorkgroupMemoryExplicitLayout8BitAccessKHR",
    },
    16: {
        storage("StorageBuffer"): "StorageBuffer16BitAccess",
        storage("PhysicalStorageBuffer"): "StorageBuffer16BitAccess",
        _UNIFORM: "UniformAndStorageBuffer16BitAccess",
        storage("PushConstant"): "StoragePushConstant16",
        storage("Input"): "StorageInputOutput16",
        storage("Output"): "StorageInputOutput16",
        _WORKGROUP: "WorkgroupMemoryExplicitLayout16BitAccessKHR",
    },
}


def _small_widths(module: Module, name: str) -> Iterator[int]:
    """The widths of small numbers in a type that the module may not compute with."""
    found = module.contents(name)
    if any(small in found and not module.has_capability(small) for small in ("Int16", "Float16")):
        yield 16
    if "Int8" in found and not module.has_capability("Int8"):
        yield 8


@instruction_rule("type/small-variables", *VARIABLES, section="2.16.1")
def small_variable(inst: Instruction, scene: Scene) -> Findings:
    """In a shader a variable holds 8- or 16-bit numbers where a storage capability, or the type's own, allows it.

    Each capability is for some storage classes: `StorageBuffer16BitAccess` for StorageBuffer, `StorageInputOutput16` for
    Input and Output. `Int8`, `Int16` and `Float16` allow small numbers everywhere.

    Bad:  `%x = OpVariable %ptr_private_half Private` with `StorageBuffer16BitAccess` alone.
    Good: `OpCapability Float16`
    """
    module = scene.module
    held = held_by(inst, module)
    own = word_at(inst, 0)
    if held is None or own is None or not module.has_capability("Shader"):
        return
    for width in _small_widths(module, held.id):
        while held is not None and held.kind == spv.OpTypePointer:
            own, held = held.storage, held.pointee
        needed = _ALLOWED[width].get(own)
        if needed is None:
            yield Finding(inst, 0, f"a variable in {storage_name(own)} cannot hold {width}-bit numbers here")
            return
        allowed = module.has_capability(needed)
        if own == _UNIFORM and not allowed:
            base = held.element if held is not None and held.is_array else held
            blocks = base is not None and module.has_decoration(base.id, "BufferBlock")
            allowed = blocks and module.has_capability(f"StorageBuffer{width}BitAccess")
        if not allowed:
            class_ = storage_name(own)
            yield Finding(inst, 0, f"to hold {width}-bit numbers in {class_}, the variable needs the capability {needed}")
            return


_TINY = {"Float4E2M1EXT": "4", "Float6E2M3EXT": "6", "Float6E3M2EXT": "6"}
_HOLD_TINY = storages("Function Private")


@instruction_rule("type/microscaling-variables", *VARIABLES, section="2.16.1")
def microscaling_variable(inst: Instruction, scene: Scene) -> Findings:
    """Floats of 4 and 6 bits are held by variables in Function and Private alone.

    Bad:  `%x = OpVariable %ptr_workgroup_float6 Workgroup`
    Good: `%x = OpVariable %ptr_function_float6 Function`
    """
    module = scene.module
    held = held_by(inst, module)
    own = word_at(inst, 0)
    if held is None or own is None or own in _HOLD_TINY:
        return
    for name in _TINY.keys() & module.contents(held.id, behind_pointers=False):
        message = f"the variable holds {_TINY[name]}-bit floats, which are in Function or Private, not {storage_name(own)}"
        yield Finding(inst, 0, message)
        return


_LOADABLE = frozenset({spv.OpTypeInt, spv.OpTypeFloat, spv.OpTypeVector, spv.OpTypeMatrix})


@instruction_rule("type/storage16-load", spv.OpLoad, section="2.16.1")
def small_load(inst: Instruction, scene: Scene) -> Findings:
    """In a shader, 8- and 16-bit numbers that are only stored are loaded as scalars, vectors and matrices, not in structures.

    Bad:  `%s = OpLoad %struct_of_halves %p` with `StorageBuffer16BitAccess` alone.
    Good: `%h = OpLoad %half %member`
    """
    module = scene.module
    type_ = module.type(inst.type)
    if type_ is None or type_.kind in _LOADABLE or type_.is_pointer or not module.has_capability("Shader"):
        return
    if has_small_types(module, type_.id):
        message = f"{module.spell(type_)} holds 8- or 16-bit numbers, which the module may load one by one only"
        yield Finding(inst, TYPE, message)


#: What has a rule of its own, or is told of by what is wrong with its constituents.
_OTHERS = frozenset({spv.OpUndef, spv.OpConstantComposite, spv.OpSpecConstantComposite})


@instruction_rule("type/storage16-constant", *sorted(CONSTANT_OPCODES - _OTHERS), section="2.16.1")
def small_constant(inst: Instruction, scene: Scene) -> Findings:
    """In a shader there are no constants of 8- or 16-bit numbers that are only stored.

    Bad:  `%one = OpConstant %half 1` with `StorageBuffer16BitAccess` alone.
    Good: `OpCapability Float16`, or a constant of 32 bits that is converted.
    """
    module = scene.module
    type_ = module.type(inst.type)
    if type_ is None or type_.is_pointer or not module.has_capability("Shader"):
        return
    if has_small_types(module, type_.id):
        message = f"{module.spell(type_)} holds 8- or 16-bit numbers, of which the module may have no constants"
        yield Finding(inst, TYPE, message)
