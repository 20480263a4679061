"""Operands of modes (SPIR-V 3.2.5, 3.2.6)."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv
from spvls.grammar.enumerants import ExecutionMode, FPFastMathMode
from spvls.grammar.records import Enumerant
from spvls.module.module import Module
from spvls.module.operand_at import id_at, word_at
from spvls.syntax.instruction import TYPE, Instruction, shown
from spvls.validate.checks.entry import mode_of
from spvls.validate.checks.kinds import BOOL, INT32
from spvls.validate.checks.wording import listed, made_by
from spvls.validate.engine.finding import Finding, Note
from spvls.validate.engine.rule import AVAILABILITY, Findings, RuleContext, instruction_rule
from spvls.validate.rules.entry_point.execution_mode import takes_ids
from spvls.validate.rules.entry_point.mode_choice import OPPOSITE_MODES

BELOW_TRANSFORM = {"AllowContract": FPFastMathMode.AllowContract, "AllowReassoc": FPFastMathMode.AllowReassoc}
"""The fast math modes that AllowTransform requires (SPV_KHR_float_controls2)."""

_FAST_MATH_MASK = 0x7FFFF
_OF_WIDTH = frozenset({*OPPOSITE_MODES, ExecutionMode.SignedZeroInfNanPreserve})
_WIDTHS = (16, 32, 64)
_INTEGER_IDS = frozenset({ExecutionMode.LocalSizeId, ExecutionMode.LocalSizeHintId, ExecutionMode.SubgroupsPerWorkgroupId})
_VECTOR_HINT_TYPES = 6
_VECTOR_HINT_COUNTS = frozenset({0, 1, 2, 3, 4, 8, 16})


@instruction_rule(
    "entry-point/mode-ids-are-constant", spv.OpExecutionModeId, section=sections.EXECUTION_MODE, after=AVAILABILITY
)
def mode_ids_are_constant(inst: Instruction, context: RuleContext) -> Findings:
    """The ids in an execution mode must be constants, except the type in FPFastMathDefault.

    The client sets up the entry point before any instruction runs, so other values do not exist yet. Specialization constants are
    permitted; an undefined value is not a constant. MaximumRegistersIdINTEL is not checked.

    FPFastMathDefault (SPV_KHR_float_controls2) requires a scalar floating-point type and a 32-bit integer constant that is not a
    specialization constant. The constant must not have Fast, nor a bit above AllowTransform (0x40000); undefined bits below that
    are not reported. AllowTransform requires AllowContract and AllowReassoc. Of each instruction, only the first fault is reported.
    """
    mode = mode_of(inst)
    if mode is None or not takes_ids(mode) or mode.value == ExecutionMode.MaximumRegistersIdINTEL:
        return
    if mode.value == ExecutionMode.FPFastMathDefault:
        yield from _fast_math_default(inst, mode, context.module)
        return
    for operand_index in range(2, len(inst.operands)):
        name = id_at(inst, operand_index)
        maker = context.module.defining_instruction(name) if name is not None else None
        if maker is not None and not maker.opcode.is_constant:
            subject = _operand(inst, mode, operand_index)
            message = f"{subject} of {mode.name} is {made_by(maker)}, expected a constant"
            yield Finding(inst, operand_index, message)
            return


def _operand(inst: Instruction, mode: Enumerant, at: int) -> str:
    return f"operand {mode.parameters[min(at, len(mode.parameters) + 1) - 2].name} ({shown(inst.operands[at])})"


def _fast_math_default(inst: Instruction, mode: Enumerant, module: Module) -> Findings:
    target, mask = id_at(inst, 2), id_at(inst, 3)
    maker, mask_maker = (module.definition(name) if name is not None else None for name in (target, mask))
    if target is None or mask is None or maker is None or mask_maker is None:
        return
    type_ = module.type(target)
    if type_ is None or not type_.is_float:
        what = module.spell(type_) if type_ is not None else made_by(maker)
        yield Finding(inst, 2, f"{_operand(inst, mode, 2)} is {what}, expected a scalar floating-point type")
        return
    subject = _operand(inst, mode, 3)
    mask_type = module.type_of(mask)
    if mask_type is not None and not INT32.holds(mask_type):
        yield Finding(inst, 3, f"{subject} is {module.spell(mask_type)}, expected a 32-bit integer")
    elif (bits := module.integer(mask)) is None:
        yield Finding(inst, 3, f"{subject} is {made_by(mask_maker)}, expected that of OpConstant")
    elif bits & ~_FAST_MATH_MASK:
        yield Finding(inst, 3, f"{subject} is {bits:#x}, expected only bits of FPFastMathMode (up to AllowTransform, 0x40000)")
    elif bits & FPFastMathMode.Fast:
        yield Finding(inst, 3, f"{subject} has the bit Fast, which FPFastMathDefault must not have")
    elif bits & FPFastMathMode.AllowTransform:
        lacking = [name for name, bit in BELOW_TRANSFORM.items() if not bits & bit]
        if lacking:
            yield Finding(inst, 3, f"{subject} has the bit AllowTransform, which also requires {listed(lacking, 'and')}")


@instruction_rule(
    "entry-point/mode-operands-are-in-range",
    spv.OpExecutionMode,
    spv.OpExecutionModeId,
    section=sections.EXECUTION_MODE,
    severity=Severity.WARNING,
)
def mode_operands_are_in_range(inst: Instruction, context: RuleContext) -> Findings:
    """Sizes and counts in execution modes must be integers; widths and vector types must be in range.

    A driver may use an operand outside of the range without a check, or ignore the mode. The constants of LocalSizeId,
    LocalSizeHintId and SubgroupsPerWorkgroupId must be scalar integers. VecTypeHint must have a type from 0 to 6 in its low 16
    bits.

    Two ranges are of this rule, and not of the specification. As the width in DenormPreserve, DenormFlushToZero,
    SignedZeroInfNanPreserve, RoundingModeRTE and RoundingModeRTZ, other numbers than 16, 32 and 64 are reported; as the number of
    components in the high 16 bits of VecTypeHint, other numbers than 0 to 4, 8 and 16. Other modes are not checked here;
    `entry-point/workgroup-size-is-nonzero` is about sizes of 0 in LocalSize and LocalSizeId. Of each instruction, only the first
    fault is reported.
    """
    mode = mode_of(inst)
    if mode is None:
        return
    module = context.module
    if mode.value in _INTEGER_IDS:
        for operand_index, operand in enumerate(inst.operands[2:], 2):
            type_ = module.type_of(operand)
            if type_ is not None and not type_.is_int and module.constant(operand) is not None:
                subject = _operand(inst, mode, operand_index)
                yield Finding(inst, operand_index, f"{subject} of {mode.name} is {module.spell(type_)}, expected an integer")
                return
        return
    word = word_at(inst, 2)
    if word is None:
        return
    if mode.value in _OF_WIDTH and word not in _WIDTHS:
        yield Finding(inst, 2, f"operand Target Width of {mode.name} is {word}, expected 16, 32 or 64")
    elif mode.value == ExecutionMode.VecTypeHint:
        if word & 0xFFFF > _VECTOR_HINT_TYPES:
            message = f"has the data type {word & 0xFFFF} (low 16 bits), expected 0 to {_VECTOR_HINT_TYPES}"
            yield Finding(inst, 2, f"operand Vector type of VecTypeHint {message}")
        elif word >> 16 not in _VECTOR_HINT_COUNTS:
            message = f"has the component count {word >> 16} (high 16 bits), expected 0 to 4, 8 or 16"
            yield Finding(inst, 2, f"operand Vector type of VecTypeHint {message}")


@instruction_rule("entry-point/opacity-micromap-is-bool", spv.OpExecutionModeId, section=sections.EXECUTION_MODE)
def opacity_micromap_is_bool(inst: Instruction, context: RuleContext) -> Findings:
    """The operand of the execution mode OpacityMicromapIdKHR must be of type OpTypeBool.

    The constant says whether the shader can use opacity micromaps. A driver that finds a value of another type may read it as true
    or as false. `entry-point/mode-ids-are-constant` checks that the operand is a constant.
    """
    mode = mode_of(inst)
    name = id_at(inst, 2)
    if mode is None or mode.value != ExecutionMode.OpacityMicromapIdKHR:
        return
    definition = context.module.definition(name) if name is not None else None
    type_ = context.module.type_of(name) if name is not None else None
    if definition is not None and type_ is not None and not BOOL.holds(type_):
        note = Note(inst, 2, f"{mode.name} uses %{name} here")
        message = f"%{name} is {context.module.spell(type_)}, expected bool for the execution mode {mode.name}"
        yield Finding(definition, TYPE, message, (note,))
