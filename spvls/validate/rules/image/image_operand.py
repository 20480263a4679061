"""Image operands (SPIR-V 2.14, 3.2.13)."""

from __future__ import annotations

from functools import cache

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv, traits
from spvls.grammar.enumerants import Decoration, ImageOperands
from spvls.grammar.records import Opcode
from spvls.module.module import Module
from spvls.module.operand_at import id_at
from spvls.syntax.instruction import OPCODE, Instruction
from spvls.validate.checks.pointers import root
from spvls.validate.engine.finding import Finding, Note
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule
from spvls.validate.rules.image.image_type import READS, image_of


@cache
def _mask_place(opcode: Opcode) -> int | None:
    for operand_index, operand in enumerate(opcode.arguments):
        if operand.kind == "ImageOperands":
            return operand_index
    return None


def _mask(inst: Instruction) -> tuple[int, int] | None:
    """The place of the mask of image operands, and the mask; None where there is none."""
    operand_index = _mask_place(inst.opcode)
    word = inst.operands[operand_index] if operand_index is not None and operand_index < len(inst.operands) else None
    return (operand_index, word) if operand_index is not None and isinstance(word, int) else None


@instruction_rule(
    "image/image-operands-are-not-empty",
    section=sections.IMAGE_OPERANDS,
    severity=Severity.HINT,
    where=lambda op: _mask_place(op) is not None,
)
def image_operands_are_not_empty(inst: Instruction, context: RuleContext) -> Findings:
    """The Image Operands of an instruction must not be the mask None.

    SPIR-V requires at least one bit in the mask. Leave out the mask. For an explicit level of detail, which requires Lod or Grad,
    see `image/explicit-lod-names-level`, and for multisampled images, which require Sample, `image/access-fits-image`. A function
    has one such finding, at the first None.

    A hint, because spirv-val has no rule against the mask None, and compilers may write it.
    """
    mask = _mask(inst)
    if mask is not None and mask[1] == 0 and inst.opcode.value not in traits.EXPLICIT_LOD:
        image = image_of(context.module.type_of(id_at(inst, 0)))
        if image is not None and image.multisampled == 1:
            return  # it must have Sample, an error of another rule
        earlier = context.chunk_state("image.empty-masks", list[Instruction])
        if not earlier:
            yield Finding(inst, mask[0], "the image operands are None and can be omitted")
        earlier.append(inst)


_SIGN, _ZERO = ImageOperands.SignExtend, ImageOperands.ZeroExtend


@instruction_rule(
    "image/extended-texel-is-integer",
    section=sections.IMAGE_OPERANDS,
    where=lambda op: _mask_place(op) is not None,
)
def extended_texel_is_integer(inst: Instruction, context: RuleContext) -> Findings:
    """SignExtend may only be used with integer texels, ZeroExtend with unsigned ones, and never both.

    They say how an integer texel is extended when it is read or written. For a float there is nothing to extend, and a signed
    integer would lose its sign if it were extended by zeros. The texel is the result, the second member of a sparse result, or what
    OpImageWrite writes; a vector is checked by its components.
    """
    mask = _mask(inst)
    if mask is None or not mask[1] & (_SIGN | _ZERO):
        return
    operand_index, bits = mask
    if bits & _SIGN and bits & _ZERO:
        yield Finding(inst, operand_index, "the image operands SignExtend and ZeroExtend are given; only one is permitted")
        return
    module = context.module
    type_ = module.type(inst.type) if inst.type is not None else module.type_of(id_at(inst, 2))
    if inst.opcode.value in traits.SPARSE and type_ is not None:
        type_ = type_.members[1] if len(type_.member_ids) > 1 else None
    scalar = type_.scalar if type_ is not None else None
    if scalar is None or (scalar.is_int and (bits & _SIGN or not scalar.signed)):
        return
    name, wanted = ("SignExtend", "an integer") if bits & _SIGN else ("ZeroExtend", "an unsigned integer")
    yield Finding(inst, operand_index, f"the image operand {name} requires {wanted} texel; the texel is {module.spell(type_)}")


_OFFSETS = {ImageOperands.ConstOffset: "ConstOffset", ImageOperands.Offset: "Offset", ImageOperands.ConstOffsets: "ConstOffsets"}
_LEAST, _MOST = -8, 7


@instruction_rule(
    "image/offset-is-in-portable-range", section=sections.IMAGE_OPERANDS, severity=Severity.INFORMATION, apis="vulkan",
    where=lambda op: _mask_place(op) is not None and op.value not in READS and op.value != spv.OpImageWrite,
)  # fmt: skip
def offset_is_in_portable_range(inst: Instruction, context: RuleContext) -> Findings:
    """In Vulkan, constant texel offsets must be from -8 to 7 to be portable.

    The limits minTexelOffset and maxTexelOffset of sampling and fetches may be wider on a device, but need not be. Gathers have
    limits of their own, which may be 0 on a device without the feature shaderImageGatherExtended. ConstOffset, Offset and
    ConstOffsets with signed components are checked, but not those of reads and writes, for which Vulkan names no limit. Some
    constants are not checked either, such as those that can be specialized.

    Information only, because the offset may be valid on devices with wider limits.
    """
    mask = _mask(inst)
    if mask is None:
        return
    operand_index, bits = mask
    at = operand_index + 1
    for bit in (1, 2, 4, 8, 16, 32):
        if not bits & bit:
            continue
        if bit in _OFFSETS:
            part = next((p for p in _parts(id_at(inst, at), context.module) if not _LEAST <= p <= _MOST), None)
            if part is not None:
                has = f"the image operand {_OFFSETS[bit]} has the offset {part}"
                yield Finding(inst, at, f"{has}, expected {_LEAST} to {_MOST}; devices need not support others")
            return
        at += 2 if bit == _GRAD else 1


_GRAD = ImageOperands.Grad


def _parts(name: str | None, module: Module, levels: int = 2) -> list[int]:
    """The components of a constant signed integer, of a vector of such, or of an array of these, which is two levels."""
    definition = module.definition(name) if name is not None else None
    if definition is None:
        return []
    if definition.opcode.value == spv.OpConstantComposite:
        parts = [part for part in definition.operands if isinstance(part, str)] if levels else []
        return [number for part in parts for number in _parts(part, module, levels - 1)]
    type_ = module.type_of(name)
    scalar = type_.scalar if type_ is not None else None
    if scalar is None or not scalar.signed:
        return []
    number = module.integer(name)
    return [number] if number is not None else []


@instruction_rule(
    "image/relaxed-precision-matches-variable", section=sections.RELAXED_PRECISION, severity=Severity.HINT,
    where=lambda op: op.has_type and _mask_place(op) is not None,
)  # fmt: skip
def relaxed_precision_matches_variable(inst: Instruction, context: RuleContext) -> Findings:
    """A value read from an image must be RelaxedPrecision if, and only if, the variable of the image is.

    If only one of the two has the decoration, a driver may read as if both or neither had it, so precision may be lost, or time.
    For image-sampling operations, SPIR-V says that both should have it or neither; the rule also checks fetches and reads. The
    decoration is for 32-bit numbers; if the result has another width, remove the decoration from the variable. Not checked are,
    for example, sparse results, decorations of members, parameters, and an image that OpImage takes out of a sampled image.
    Reported only with advice, as in editors.

    A hint, because spirv-val accepts both.
    """
    name = id_at(inst, 0)
    if not context.options.advice or inst.result is None or name is None:
        return
    module = context.module
    type_ = module.type(inst.type)
    if type_ is None or type_.is_struct:
        return
    definition = module.definition(name)
    if definition is not None and definition.opcode.value == spv.OpSampledImage:
        definition = module.definition(id_at(definition, 0) or "")
    if definition is None or definition.opcode.value != spv.OpLoad:
        return
    variable = root(module, id_at(definition, 0))
    if variable is None or variable.result is None or variable.opcode.value != spv.OpVariable:
        return
    there, here = (module.has_decoration(which, Decoration.RelaxedPrecision) for which in (variable.result, inst.result))
    if there is not here:
        names = f"the variable %{variable.result}", f"the result %{inst.result} of {inst.opcode.name}"
        relaxed, other = names if there else names[::-1]
        note = Note(variable, OPCODE, f"%{variable.result} is defined here")
        message = f"{relaxed} is decorated with RelaxedPrecision, but {other} is not; decorate both or neither"
        yield Finding(inst, OPCODE, message, (note,))
