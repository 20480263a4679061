"""Integers and floats (SPIR-V 2.16.1, 2.16.3, 3.3.6)."""

from __future__ import annotations

from spvls.grammar import sections, spv
from spvls.grammar.enumerants import Capability, FPEncoding
from spvls.grammar.operand_index import OpTypeFloat_FloatingPointEncoding, OpTypeFloat_Width, OpTypeInt_Signedness, OpTypeInt_Width
from spvls.module.module import Module
from spvls.module.operand_at import word_at
from spvls.syntax.instruction import Instruction
from spvls.syntax.operand_decls import capability_name
from spvls.validate.engine.finding import Finding
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule

_INT_CAPABILITIES = {
    4: (Capability.Int4TypeINTEL,),
    8: (
        Capability.Int8, Capability.StorageBuffer8BitAccess, Capability.UniformAndStorageBuffer8BitAccess,
        Capability.StoragePushConstant8, Capability.WorkgroupMemoryExplicitLayout8BitAccessKHR,
    ),
    16: (
        Capability.Int16, Capability.StorageBuffer16BitAccess, Capability.UniformAndStorageBuffer16BitAccess,
        Capability.StoragePushConstant16, Capability.StorageInputOutput16,
        Capability.WorkgroupMemoryExplicitLayout16BitAccessKHR,
    ),
    64: (Capability.Int64,),
}  # fmt: skip

_FLOAT_CAPABILITIES = {
    16: (
        Capability.Float16, Capability.Float16Buffer, Capability.StorageBuffer16BitAccess,
        Capability.UniformAndStorageBuffer16BitAccess, Capability.StoragePushConstant16,
        Capability.StorageInputOutput16, Capability.WorkgroupMemoryExplicitLayout16BitAccessKHR,
    ),
    64: (Capability.Float64,),
}  # fmt: skip

_FLOAT16_EXTENSIONS = ("SPV_AMD_gpu_shader_half_float", "SPV_AMD_gpu_shader_half_float_fetch")

_ENCODINGS = {
    FPEncoding.BFloat16KHR: ("BFloat16KHR", 16),
    FPEncoding.Float8E4M3EXT: ("Float8E4M3EXT", 8),
    FPEncoding.Float8E5M2EXT: ("Float8E5M2EXT", 8),
    FPEncoding.Float8UnsignedE8M0EXT: ("Float8UnsignedE8M0EXT", 8),
    FPEncoding.Float6E2M3EXT: ("Float6E2M3EXT", 6),
    FPEncoding.Float6E3M2EXT: ("Float6E3M2EXT", 6),
    FPEncoding.Float4E2M1EXT: ("Float4E2M1EXT", 4),
    FPEncoding.MXInt8EXT: ("MXInt8EXT", 8),
}
_ENCODED_WIDTHS = frozenset(width for _, width in _ENCODINGS.values())

_ANY_WIDTH = Capability.ArbitraryPrecisionIntegersALTERA


def _has_any(module: Module, capabilities: tuple[int, ...]) -> bool:
    return any(map(module.has_capability, capabilities))


@instruction_rule("type/integer-width-is-enabled", spv.OpTypeInt, section=sections.UNIVERSAL_VALIDATION_RULES)
def integer_width_is_enabled(inst: Instruction, context: RuleContext) -> Findings:
    """An integer is 32 bits wide, or has another width that a declared capability brings.

    8, 16 and 64 bits come with `Int8`, `Int16` and `Int64`; the storage capabilities (`StorageBuffer8BitAccess`,
    `StorageInputOutput16`, …) let 8- and 16-bit integers be declared for memory alone.
    """
    width = word_at(inst, OpTypeInt_Width)
    module = context.module
    if width is None or width == 32:
        return
    capabilities = _INT_CAPABILITIES.get(width)
    if module.has_capability(_ANY_WIDTH):
        if width == 0:
            yield Finding(inst, OpTypeInt_Width, "an integer has at least one bit")
    elif capabilities is None:
        yield Finding(inst, OpTypeInt_Width, f"there are no integers of {width} bits; an integer has 8, 16, 32 or 64")
    elif not _has_any(module, capabilities):
        yield Finding(inst, OpTypeInt_Width, f"integers of {width} bits need the capability {capability_name(capabilities[0])}")


@instruction_rule("type/signedness-is-0-or-1", spv.OpTypeInt, section=sections.TYPE_DECLARATION_INSTRUCTIONS)
def signedness_is_0_or_1(inst: Instruction, context: RuleContext) -> Findings:
    """Signedness is 0 (unsigned, or no sign meant) or 1 (signed)."""
    sign = word_at(inst, OpTypeInt_Signedness)
    if sign is not None and sign not in (0, 1):
        yield Finding(inst, OpTypeInt_Signedness, f"Signedness is 0 or 1, not {sign}")


@instruction_rule("type/kernel-signedness-is-zero", spv.OpTypeInt, section=sections.KERNEL_VALIDATION_RULES)
def kernel_signedness_is_zero(inst: Instruction, context: RuleContext) -> Findings:
    """In a module with the capability Kernel all integers have Signedness 0.

    Kernels take the sign from the instruction (OpSDiv, OpUDiv), never from the type.
    """
    if word_at(inst, OpTypeInt_Signedness) == 1 and context.module.has_capability(Capability.Kernel):
        yield Finding(inst, OpTypeInt_Signedness, "with the capability Kernel, Signedness is 0")


@instruction_rule("type/float-width-is-enabled", spv.OpTypeFloat, section=sections.UNIVERSAL_VALIDATION_RULES)
def float_width_is_enabled(inst: Instruction, context: RuleContext) -> Findings:
    """A float is 32 bits wide, or has a width that a capability brings, or the width of its encoding.

    16 bits come with `Float16`, `Float16Buffer` or a 16-bit storage capability, 64 bits with `Float64`. A type with an
    FP Encoding has the width of that encoding and no other.
    """
    width = word_at(inst, OpTypeFloat_Width)
    encoding = word_at(inst, OpTypeFloat_FloatingPointEncoding)
    if width is None:
        return
    if encoding is not None:
        name, wanted = _ENCODINGS.get(encoding, ("", width))
        if width != wanted:
            yield Finding(inst, OpTypeFloat_Width, f"{name} is an encoding of {wanted} bits, not of {width}")
        return
    if width == 32:
        return
    capabilities = _FLOAT_CAPABILITIES.get(width)
    if capabilities is None:
        hint = "; name the encoding of this width after it" if width in _ENCODED_WIDTHS else ""
        yield Finding(inst, OpTypeFloat_Width, f"there are no floats of {width} bits; a float has 16, 32 or 64{hint}")
    elif not _has_any(context.module, capabilities):
        if width == 16 and any(context.module.has_extension(name) for name in _FLOAT16_EXTENSIONS):
            return
        yield Finding(inst, OpTypeFloat_Width, f"floats of {width} bits need the capability {capability_name(capabilities[0])}")
