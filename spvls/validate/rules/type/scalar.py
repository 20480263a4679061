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
from spvls.validate.fixes.declare import capability_fixes

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


def _needed(module: Module, width: int, capabilities: tuple[int, ...]) -> str:
    storage = f" or, for storage only, a capability such as StorageBuffer{width}BitAccess" if len(capabilities) > 1 else ""
    if module.has_capability(Capability.Kernel) and not module.has_capability(Capability.Shader):
        storage = " or, for storage only, Float16Buffer" if Capability.Float16Buffer in capabilities else ""
    return f"the capability {capability_name(capabilities[0])}{storage}"


@instruction_rule("type/integer-width-is-enabled", spv.OpTypeInt, section=sections.UNIVERSAL_VALIDATION_RULES)
def integer_width_is_enabled(inst: Instruction, context: RuleContext) -> Findings:
    """The Width of an integer type must be 32, or a width that a declared capability permits.

    A device need not have instructions for other widths; by the capability it can reject the module.

    Widths of 8, 16 and 64 bits require Int8, Int16 and Int64. The storage capabilities, such as StorageBuffer8BitAccess and
    StorageInputOutput16, permit 8 or 16 bits too, for integers that are only loaded, stored, copied and converted; how they are
    used is not checked here. Int4TypeINTEL (SPV_INTEL_int4) permits 4 bits, and ArbitraryPrecisionIntegersALTERA
    (SPV_ALTERA_arbitrary_precision_integers) any width of at least 1. Without the latter, any other width is an error.
    """
    width = word_at(inst, OpTypeInt_Width)
    module = context.module
    if width is None or width == 32:
        return
    capabilities = _INT_CAPABILITIES.get(width)
    if module.has_capability(_ANY_WIDTH):
        if width == 0:
            yield Finding(inst, OpTypeInt_Width, "operand Width is 0, expected at least 1")
    elif capabilities is None:
        other = "; other widths require the capability ArbitraryPrecisionIntegersALTERA" if width else ""
        other = other if module.has_capability(Capability.Kernel) else ""
        yield Finding(inst, OpTypeInt_Width, f"operand Width is {width}, expected 8, 16, 32 or 64{other}")
    elif not _has_any(module, capabilities):
        message = f"operand Width is {width}, which requires {_needed(module, width, capabilities)}"
        yield Finding(inst, OpTypeInt_Width, message, fixes=capability_fixes(module, capabilities[:1]))


@instruction_rule("type/signedness-is-0-or-1", spv.OpTypeInt, section=sections.TYPE_DECLARATION_INSTRUCTIONS)
def signedness_is_0_or_1(inst: Instruction, context: RuleContext) -> Findings:
    """The Signedness of an integer type must be 0 or 1.

    0 means unsigned or without a sign, 1 means signed. A consumer may test the lowest bit of another value or compare it with 1, so
    the sign of the type may differ between drivers. With the capability Kernel, see also `type/kernel-signedness-is-zero`.
    spirv-val checks only integers of 32 bits.
    """
    sign = word_at(inst, OpTypeInt_Signedness)
    if sign is not None and sign not in (0, 1):
        yield Finding(inst, OpTypeInt_Signedness, f"operand Signedness is {sign}, expected 0 or 1")


@instruction_rule("type/kernel-signedness-is-zero", spv.OpTypeInt, section=sections.KERNEL_VALIDATION_RULES)
def kernel_signedness_is_zero(inst: Instruction, context: RuleContext) -> Findings:
    """With the capability Kernel, the Signedness of an integer type must be 0.

    In a kernel the instruction determines the sign, as OpSDiv and OpUDiv do. A consumer for kernels may map each width to one type
    and reject a second type of that width. A module that also has the capability Shader is not exempt. spirv-val checks only
    integers of 32 bits. For a Signedness other than 0 and 1 see `type/signedness-is-0-or-1`.
    """
    if word_at(inst, OpTypeInt_Signedness) == 1 and context.module.has_capability(Capability.Kernel):
        yield Finding(inst, OpTypeInt_Signedness, "operand Signedness is 1, but the capability Kernel requires 0")


@instruction_rule("type/float-width-is-enabled", spv.OpTypeFloat, section=sections.UNIVERSAL_VALIDATION_RULES)
def float_width_is_enabled(inst: Instruction, context: RuleContext) -> Findings:
    """The Width of a float type must be that of its encoding or, without one, 32 or an enabled width.

    With another width, the encoding does not say what the bits mean. A device need not support 16 or 64 bits; by the capability it
    can reject the module.

    Without an FP Encoding, 16 bits require Float16, Float16Buffer, a 16-bit storage capability, SPV_AMD_gpu_shader_half_float or
    SPV_AMD_gpu_shader_half_float_fetch, and 64 bits require Float64. Any other width is an error. A type with an FP Encoding must
    have the width of that encoding, which is the first number in its name: 16 for BFloat16KHR (SPV_KHR_bfloat16), and 8, 6 or 4 for
    the others (SPV_EXT_float8, SPV_EXT_ocp_microscaling_types). For the capabilities of encodings, see
    `capability/uses-are-enabled`.
    """
    width = word_at(inst, OpTypeFloat_Width)
    encoding = word_at(inst, OpTypeFloat_FloatingPointEncoding)
    if width is None:
        return
    if encoding is not None:
        name, wanted = _ENCODINGS.get(encoding, ("", width))
        if width != wanted:
            yield Finding(inst, OpTypeFloat_Width, f"operand Width is {width}, expected {wanted} to match the encoding {name}")
        return
    if width == 32:
        return
    capabilities = _FLOAT_CAPABILITIES.get(width)
    if capabilities is None:
        hint = "; without an FP Encoding" if width in _ENCODED_WIDTHS else ""
        yield Finding(inst, OpTypeFloat_Width, f"operand Width is {width}{hint}, expected 16, 32 or 64")
    elif not _has_any(context.module, capabilities):
        if width == 16 and any(context.module.has_extension(name) for name in _FLOAT16_EXTENSIONS):
            return
        message = f"operand Width is {width}, which requires {_needed(context.module, width, capabilities)}"
        yield Finding(inst, OpTypeFloat_Width, message, fixes=capability_fixes(context.module, capabilities[:1]))
