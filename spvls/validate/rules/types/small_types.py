"""Numbers of 8 and 16 bits that may be stored, and not computed with (SPIR-V 2.16.2), and values that are undefined."""

from __future__ import annotations

from spvls.grammar import spv
from spvls.module.functions import Function
from spvls.module.module import Module
from spvls.syntax.instruction import TYPE, Instruction, shown
from spvls.validate.declare import capability_mends
from spvls.validate.finding import Finding
from spvls.validate.kinds import has_small_types
from spvls.validate.rule import Findings, Scene, function_rule, instruction_rule
from spvls.validate.wording import listed

#: What lets small numbers be stored, by the capabilities that allow arithmetic as well.
_STORING = {
    ("Int8",): (
        "StorageBuffer8BitAccess", "UniformAndStorageBuffer8BitAccess", "StoragePushConstant8",
        "WorkgroupMemoryExplicitLayout8BitAccessKHR",
    ),
    ("Int16", "Float16"): (
        "StorageBuffer16BitAccess", "UniformAndStorageBuffer16BitAccess", "StoragePushConstant16", "StorageInputOutput16",
        "WorkgroupMemoryExplicitLayout16BitAccessKHR",
    ),
}  # fmt: skip

#: What may be done with a number that is only stored.
_ALLOWED = frozenset(
    {spv.OpDecorate, spv.OpDecorateId, spv.OpName, spv.OpCopyObject, spv.OpStore, spv.OpFConvert, spv.OpUConvert, spv.OpSConvert}
)


@function_rule("capability/small-type-use", section="2.16.2")
def small_type_use(function: Function, scene: Scene) -> Findings:
    """Numbers of 8 or 16 bits that a storage capability alone allows are loaded, converted, copied and stored.

    `StorageBuffer16BitAccess` and its like bring small numbers to memory, where they save room. To compute with them takes
    `Int8`, `Int16` or `Float16`; without these they are converted to 32 bits first.

    Bad:  `%sum = OpFAdd %half %x %y` with `StorageBuffer16BitAccess` alone.
    Good: `%wide = OpFConvert %float %x` before the sum.
    """
    if _stores_only(scene.module):
        for record in function.records:
            if record.opcode.value not in _ALLOWED and record.opcode.class_ not in ("Conversion", "Composite"):
                yield from _small_use(record, scene.module)  # of the others, their own rules say more


@instruction_rule("capability/small-constant-use", spv.OpConstantComposite, spv.OpSpecConstantComposite, section="2.16.2")
def small_constant_use(inst: Instruction, scene: Scene) -> Findings:
    """Constants are not made of numbers of 8 or 16 bits that a storage capability alone allows.

    Bad:  `%c = OpConstantComposite %v2half %h %h` with `StorageBuffer16BitAccess` alone.
    Good: the same with `Float16`.
    """
    if _stores_only(scene.module):
        yield from _small_use(inst, scene.module)


def _small_use(inst: Instruction, module: Module) -> Findings:
    for place, operand in enumerate(inst.operands):
        type_ = module.type_of(operand)
        if type_ is not None and not type_.is_pointer and has_small_types(module, type_.id):
            needed = _needed(module, type_.id)
            message = (
                f"{shown(operand)} is {module.spell(type_)}, which may only be stored and converted without "
                f"the capability {listed(needed, 'and')}"
            )
            yield Finding(inst, place, message, mends=capability_mends(module, needed))
            return


def _stores_only(module: Module) -> bool:
    """Whether the module may have small numbers that it cannot compute with."""
    if not module.has_capability("Shader"):
        return False
    return any(
        any(module.has_capability(name) for name in storing) and not all(module.has_capability(name) for name in full)
        for full, storing in _STORING.items()
    )


def _needed(module: Module, name: str) -> tuple[str, ...]:
    contents = module.contents(name)
    return tuple(c for c in ("Int8", "Int16", "Float16") if c in contents and not module.has_capability(c))


@instruction_rule("opcode/OpUndef/result-type", spv.OpUndef, section="3.3.1")
def undef_result(inst: Instruction, scene: Scene) -> Findings:
    """An undefined value is a value: not void, and not of a small number type that can only be stored.

    Bad:  `%u = OpUndef %void`
    Good: `%u = OpUndef %float`
    """
    module = scene.module
    type_ = module.type(inst.type)
    if type_ is None:
        return
    if type_.kind == spv.OpTypeVoid:
        yield Finding(inst, TYPE, "there are no values of type void, undefined or not")
    elif not type_.is_pointer and module.has_capability("Shader") and has_small_types(module, type_.id):
        needed = _needed(module, type_.id)
        message = f"an undefined value of type {module.spell(type_)} needs the capability {listed(needed, 'and')}"
        yield Finding(inst, TYPE, message, mends=capability_mends(module, needed))
