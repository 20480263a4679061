"""Execution modes that exclude each other, and what their operands are (SPIR-V 2.16.1, 3.2.5)."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.syntax.instruction import OPCODE, Instruction
from spvls.syntax.operand_decls import value
from spvls.validate.entry import mode_of
from spvls.validate.finding import Finding, Note
from spvls.validate.interface import OUTPUT
from spvls.validate.operand_at import word_at
from spvls.validate.rule import Findings, Scene, instruction_rule, module_rule

_SIZES = frozenset({"LocalSize", "LocalSizeId", "LocalSizeHint", "LocalSizeHintId"})

#: Modes that exclude each other for one width of floats.
_OPPOSITES = {
    "DenormFlushToZero": "DenormPreserve",
    "DenormPreserve": "DenormFlushToZero",
    "RoundingModeRTE": "RoundingModeRTZ",
    "RoundingModeRTZ": "RoundingModeRTE",
}
_OF_WIDTH = frozenset({*_OPPOSITES, "SignedZeroInfNanPreserve"})
_WIDTHS = (16, 32, 64)
_INTEGER_IDS = frozenset({"LocalSizeId", "LocalSizeHintId", "SubgroupsPerWorkgroupId"})
_VECTOR_HINT_TYPES = 6
_VECTOR_HINT_COUNTS = frozenset({0, 1, 2, 3, 4, 8, 16})
_FRAGMENT = value("ExecutionModel", "Fragment")
_GROUP_MODELS = frozenset(value("ExecutionModel", name) for name in ("GLCompute", "Kernel"))


@instruction_rule(
    "execution-mode/exclusive", "OpExecutionMode", "OpExecutionModeId", section="2.16.1", severity=Severity.WARNING
)
def exclusive(inst: Instruction, scene: Scene) -> Findings:
    """An entry point is not given two modes that contradict each other.

    For one width of floats denormals are preserved or flushed, and rounding goes to the nearest even number or towards zero;
    of LocalSize, LocalSizeId and their hints one is set at most. The reference validator takes both.

    Bad:  `OpExecutionMode %main DenormPreserve 32` and `OpExecutionMode %main DenormFlushToZero 32`
    Good: one of them.
    """
    mode = mode_of(inst)
    if mode is None or not inst.operands or (mode.name not in _SIZES and mode.name not in _OPPOSITES):
        return
    for other in scene.module.execution_modes(str(inst.operands[0])):
        if other.record is inst or other.record.operands == inst.operands:
            continue
        if mode.name in _SIZES:
            contradicts = other.name in _SIZES and other.name != mode.name
        else:
            contradicts = other.name == _OPPOSITES[mode.name] and other.params == inst.operands[2:]
        if contradicts and scene.module.precedes(other.record, inst):
            note = Note(other.record, OPCODE, f"{other.name} is set here")
            yield Finding(inst, 1, f"{mode.name} contradicts {other.name}, which is set for %{inst.operands[0]!s} too", (note,))
            return


@instruction_rule(
    "execution-mode/operands", "OpExecutionMode", "OpExecutionModeId", section="3.2.5", severity=Severity.WARNING
)
def operands(inst: Instruction, scene: Scene) -> Findings:
    """The operands of a mode are what the mode can be set by.

    Sizes and numbers of subgroups that are ids are integers; float controls are for widths of 16, 32 and 64 bits; VecTypeHint
    has one of seven types in its low half, and a number of components in its high half.

    Bad:  `OpExecutionModeId %main LocalSizeId %float_1 %uint_1 %uint_1`
    Good: `OpExecutionModeId %main LocalSizeId %uint_1 %uint_1 %uint_1`
    """
    mode = mode_of(inst)
    if mode is None:
        return
    module = scene.module
    if mode.name in _INTEGER_IDS:
        for place, operand in enumerate(inst.operands[2:], 2):
            type_ = module.type_of(operand)
            if type_ is not None and not type_.is_int and module.constant(operand) is not None:
                yield Finding(inst, place, f"%{operand!s} is {module.spell(type_)}, and {mode.name} takes integers")
                return
        return
    word = word_at(inst, 2)
    if word is None:
        return
    if mode.name in _OF_WIDTH and word not in _WIDTHS:
        yield Finding(inst, 2, f"there are floats of 16, 32 and 64 bits that {mode.name} speaks of, and none of {word}")
    elif mode.name == "VecTypeHint":
        if word & 0xFFFF > _VECTOR_HINT_TYPES:
            yield Finding(inst, 2, f"the type in the low half of VecTypeHint is 0 to {_VECTOR_HINT_TYPES}, not {word & 0xFFFF}")
        elif word >> 16 not in _VECTOR_HINT_COUNTS:
            yield Finding(inst, 2, f"the count in the high half of VecTypeHint is 2, 3, 4, 8 or 16, not {word >> 16}")


@instruction_rule("execution-mode/depth-replacing", "OpEntryPoint", section="3.2.5", severity=Severity.WARNING)
def depth_replacing(inst: Instruction, scene: Scene) -> Findings:
    """A fragment shader has the mode DepthReplacing just where it has FragDepth as an output.

    With one of them alone the depth is undefined. That an output without the mode is written is an error of its own in Vulkan.

    Bad:  `OpExecutionMode %main DepthReplacing` and no FragDepth.
    Good: both of them.
    """
    if word_at(inst, 0) != _FRAGMENT or len(inst.operands) < 2:
        return
    module = scene.module
    mode = next((m for m in module.execution_modes(str(inst.operands[1])) if m.name == "DepthReplacing"), None)
    built_ins = module.built_in_variables()
    place = next(
        (
            place
            for place, name in enumerate(inst.operands)
            if place >= 3 and any(u.name == "FragDepth" and u.storage == OUTPUT for u in built_ins.get(str(name), ()))
        ),
        None,
    )
    if mode is not None and place is None:
        yield Finding(mode.record, 1, "DepthReplacing promises a depth, and the entry point lists no output FragDepth")
    elif mode is None and place is not None and module.environment.api != "vulkan":
        message = f"%{inst.operands[place]!s} is FragDepth, and without the mode DepthReplacing it leaves the depth undefined"
        yield Finding(inst, place, message)


@module_rule("entry-point/workgroup-size-constant", section="2.16.1", severity=Severity.WARNING)
def workgroup_size_constant(scene: Scene) -> Findings:
    """No component of a constant that is decorated WorkgroupSize is zero.

    It overrides the sizes of execution modes, for which the same holds. Constants that can be specialized count by the others.

    Bad:  `%size = OpConstantComposite %uvec3 %uint_8 %uint_0 %uint_1`
    Good: `%size = OpConstantComposite %uvec3 %uint_8 %uint_1 %uint_1`
    """
    module = scene.module
    name = module.declarations.workgroup_size
    definition = module.definition(name) if name is not None else None
    if definition is None or definition.opcode.name not in ("OpConstantComposite", "OpSpecConstantComposite"):
        return
    for place, part in enumerate(definition.operands):
        if module.integer(part) == 0 and any(entry.model in _GROUP_MODELS for entry in module.declarations.entry_points):
            yield Finding(definition, place, f"component {place} of the workgroup's size is zero")
            return
