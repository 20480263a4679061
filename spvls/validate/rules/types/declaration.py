"""Scalar, vector and matrix types: widths, encodings and sizes (SPIR-V 2.16.1, 3.3.6)."""

from __future__ import annotations

from spvls.module.module import Module
from spvls.syntax.instruction import RESULT, Instruction
from spvls.syntax.operand_decls import value
from spvls.validate.finding import Finding, Mend, Note, Supplant
from spvls.validate.operand_at import id_at, word_at
from spvls.validate.rule import Findings, Scene, instruction_rule

_INT_CAPABILITIES = {
    4: ("Int4TypeINTEL",),
    8: (
        "Int8", "StorageBuffer8BitAccess", "UniformAndStorageBuffer8BitAccess", "StoragePushConstant8",
        "WorkgroupMemoryExplicitLayout8BitAccessKHR",
    ),
    16: (
        "Int16", "StorageBuffer16BitAccess", "UniformAndStorageBuffer16BitAccess", "StoragePushConstant16",
        "StorageInputOutput16", "WorkgroupMemoryExplicitLayout16BitAccessKHR",
    ),
    64: ("Int64",),
}  # fmt: skip

_FLOAT_CAPABILITIES = {
    16: (
        "Float16", "Float16Buffer", "StorageBuffer16BitAccess", "UniformAndStorageBuffer16BitAccess",
        "StoragePushConstant16", "StorageInputOutput16", "WorkgroupMemoryExplicitLayout16BitAccessKHR",
    ),
    64: ("Float64",),
}  # fmt: skip

_FLOAT16_EXTENSIONS = ("SPV_AMD_gpu_shader_half_float", "SPV_AMD_gpu_shader_half_float_fetch")

_ENCODING_WIDTHS = {
    "BFloat16KHR": 16,
    "Float8E4M3EXT": 8,
    "Float8E5M2EXT": 8,
    "Float8UnsignedE8M0EXT": 8,
    "Float6E2M3EXT": 6,
    "Float6E3M2EXT": 6,
    "Float4E2M1EXT": 4,
    "MXInt8EXT": 8,
}
_ENCODINGS = {value("FPEncoding", name): (name, width) for name, width in _ENCODING_WIDTHS.items()}
_ENCODED_WIDTHS = frozenset(_ENCODING_WIDTHS.values())

_ANY_WIDTH = "ArbitraryPrecisionIntegersALTERA"


def _has_any(module: Module, capabilities: tuple[str, ...]) -> bool:
    return any(module.has_capability(name) for name in capabilities)


@instruction_rule("type/int-width", "OpTypeInt", section="2.16.1")
def int_width(inst: Instruction, scene: Scene) -> Findings:
    """An integer is 32 bits wide, or has another width that a declared capability brings.

    8, 16 and 64 bits come with `Int8`, `Int16` and `Int64`; the storage capabilities (`StorageBuffer8BitAccess`,
    `StorageInputOutput16`, …) let 8- and 16-bit integers be declared for memory alone.

    Bad:  `%long = OpTypeInt 64 0` without `OpCapability Int64`
    Good: `OpCapability Int64` and `%long = OpTypeInt 64 0`
    """
    width = word_at(inst, 0)
    module = scene.module
    if width is None or width == 32:
        return
    capabilities = _INT_CAPABILITIES.get(width)
    if module.has_capability(_ANY_WIDTH):
        if width == 0:
            yield Finding(inst, 0, "an integer has at least one bit")
    elif capabilities is None:
        yield Finding(inst, 0, f"there are no integers of {width} bits; an integer has 8, 16, 32 or 64")
    elif not _has_any(module, capabilities):
        yield Finding(inst, 0, f"integers of {width} bits need the capability {capabilities[0]}")


@instruction_rule("opcode/OpTypeInt/signedness", "OpTypeInt", section="3.3.6")
def int_signedness(inst: Instruction, scene: Scene) -> Findings:
    """Signedness is 0 (unsigned, or no sign meant) or 1 (signed).

    Bad:  `%int = OpTypeInt 32 2`
    Good: `%int = OpTypeInt 32 1`
    """
    sign = word_at(inst, 1)
    if sign is not None and sign not in (0, 1):
        yield Finding(inst, 1, f"Signedness is 0 or 1, not {sign}")


@instruction_rule("type/kernel-signedness-zero", "OpTypeInt", section="2.16.3")
def kernel_signedness(inst: Instruction, scene: Scene) -> Findings:
    """In a module with the capability Kernel all integers have Signedness 0.

    Kernels take the sign from the instruction (OpSDiv, OpUDiv), never from the type.

    Bad:  `OpCapability Kernel` and `%int = OpTypeInt 32 1`
    Good: `OpCapability Kernel` and `%int = OpTypeInt 32 0`
    """
    if word_at(inst, 1) == 1 and scene.module.has_capability("Kernel"):
        yield Finding(inst, 1, "with the capability Kernel, Signedness is 0")


@instruction_rule("type/float-width", "OpTypeFloat", section="2.16.1")
def float_width(inst: Instruction, scene: Scene) -> Findings:
    """A float is 32 bits wide, or has a width that a capability brings, or the width of its encoding.

    16 bits come with `Float16`, `Float16Buffer` or a 16-bit storage capability, 64 bits with `Float64`. A type with an
    FP Encoding has the width of that encoding and no other.

    Bad:  `%double = OpTypeFloat 64` without `OpCapability Float64`; `OpTypeFloat 8 BFloat16KHR`
    Good: `OpCapability Float64` and `%double = OpTypeFloat 64`; `OpTypeFloat 16 BFloat16KHR`
    """
    width = word_at(inst, 0)
    encoding = word_at(inst, 1)
    if width is None:
        return
    if encoding is not None:
        name, wanted = _ENCODINGS.get(encoding, ("", width))
        if width != wanted:
            yield Finding(inst, 0, f"{name} is an encoding of {wanted} bits, not of {width}")
        return
    if width == 32:
        return
    capabilities = _FLOAT_CAPABILITIES.get(width)
    if capabilities is None:
        hint = "; name the encoding of this width after it" if width in _ENCODED_WIDTHS else ""
        yield Finding(inst, 0, f"there are no floats of {width} bits; a float has 16, 32 or 64{hint}")
    elif not _has_any(scene.module, capabilities):
        if width == 16 and any(scene.module.has_extension(name) for name in _FLOAT16_EXTENSIONS):
            return
        yield Finding(inst, 0, f"floats of {width} bits need the capability {capabilities[0]}")


@instruction_rule("opcode/OpTypeVector/component-scalar", "OpTypeVector", "OpTypeVectorIdEXT", section="3.3.6")
def vector_component(inst: Instruction, scene: Scene) -> Findings:
    """The components of a vector are scalars: Booleans, integers or floats; pointers with MaskedGatherScatterINTEL.

    Bad:  `%v = OpTypeVector %v2float 2`
    Good: `%v = OpTypeVector %float 4`
    """
    component = scene.module.type(id_at(inst, 0))
    if component is not None and not component.is_scalar:
        if component.is_pointer and scene.module.has_capability("MaskedGatherScatterINTEL"):
            return
        yield Finding(inst, 0, f"a vector is made of scalars, and %{component.id} is {scene.module.spell(component)}")


@instruction_rule("type/vector-size", "OpTypeVector", section="2.16.1")
def vector_size(inst: Instruction, scene: Scene) -> Findings:
    """A vector has 2, 3 or 4 components, 8 or 16 with `Vector16`, any number with `LongVectorEXT`.

    Bad:  `%v8 = OpTypeVector %float 8` without `OpCapability Vector16`
    Good: `%v4 = OpTypeVector %float 4`
    """
    count = word_at(inst, 1)
    module = scene.module
    if count is None or count in (2, 3, 4):
        return
    if module.has_capability("LongVectorEXT") and count >= 1:
        return
    if count not in (8, 16):
        vuid = "VUID-StandaloneSpirv-None-12295" if module.environment.api == "vulkan" else None
        yield Finding(inst, 1, f"a vector has 2, 3, 4, 8 or 16 components, not {count}", vuid=vuid)
    elif not module.has_capability("Vector16"):
        yield Finding(inst, 1, f"vectors of {count} components need the capability Vector16 or LongVectorEXT")


@instruction_rule("opcode/OpTypeVectorIdEXT/count-constant", "OpTypeVectorIdEXT", section="3.3.6")
def vector_count_constant(inst: Instruction, scene: Scene) -> Findings:
    """The component count of an OpTypeVectorIdEXT is a 32-bit integer constant of 1 or more.

    Bad:  `%v = OpTypeVectorIdEXT %float %float_4`
    Good: `%v = OpTypeVectorIdEXT %float %uint_4`
    """
    name = id_at(inst, 1)
    module = scene.module
    constant = module.constant(name)
    if name is None or not module.opcode_of(name):
        return
    if constant is None or constant.type is None or not constant.type.is_int:
        yield Finding(inst, 1, f"the component count is an integer constant, and %{name} is none")
    elif (count := module.integer(name)) is not None and count < 1:
        yield Finding(inst, 1, f"a vector has at least one component, and %{name} is {count}")


@instruction_rule("opcode/OpTypeMatrix/column-vector", "OpTypeMatrix", section="3.3.6")
def matrix_column(inst: Instruction, scene: Scene) -> Findings:
    """The columns of a matrix are vectors of floats.

    Bad:  `%m = OpTypeMatrix %float 4`; `%m = OpTypeMatrix %v4int 4`
    Good: `%m = OpTypeMatrix %v4float 4`
    """
    column = scene.module.type(id_at(inst, 0))
    if column is None:
        return
    shown = scene.module.spell(column)
    if column.kind != "Vector":
        yield Finding(inst, 0, f"the columns of a matrix are vectors, and %{column.id} is {shown}")
    elif column.element is not None and not column.element.is_float:
        yield Finding(inst, 0, f"the columns of a matrix are vectors of floats, and %{column.id} is {shown}")


@instruction_rule("type/matrix-columns", "OpTypeMatrix", section="2.16.1")
def matrix_columns(inst: Instruction, scene: Scene) -> Findings:
    """A matrix has 2, 3 or 4 columns.

    Bad:  `%m = OpTypeMatrix %v4float 5`
    Good: `%m = OpTypeMatrix %v4float 4`
    """
    count = word_at(inst, 1)
    if count is not None and count not in (2, 3, 4):
        yield Finding(inst, 1, f"a matrix has 2, 3 or 4 columns, not {count}")


_UNIQUE = (
    "OpTypeVoid", "OpTypeBool", "OpTypeInt", "OpTypeFloat", "OpTypeVector", "OpTypeVectorIdEXT", "OpTypeMatrix",
    "OpTypeImage", "OpTypeSampler", "OpTypeSampledImage", "OpTypeOpaque", "OpTypeFunction", "OpTypeEvent",
    "OpTypeDeviceEvent", "OpTypeReserveId", "OpTypeQueue", "OpTypePipe", "OpTypePipeStorage", "OpTypeNamedBarrier",
    "OpTypeAccelerationStructureKHR", "OpTypeRayQueryKHR", "OpTypeHitObjectNV", "OpTypeHitObjectEXT",
    "OpTypeCooperativeMatrixNV", "OpTypeCooperativeMatrixKHR", "OpTypeTensorLayoutNV", "OpTypeTensorViewNV",
    "OpTypeTensorARM", "OpTypeGraphARM", "OpTypeBufferEXT",
)  # fmt: skip


@instruction_rule("type/unique-non-aggregate", *_UNIQUE, section="2.8")
def unique_type(inst: Instruction, scene: Scene) -> Findings:
    """A type that is neither an aggregate nor a pointer is declared once.

    Types are the same when their ids are: two declarations of `vec4<f32>` would be two types that do not match each other.
    Arrays, structures and pointers may be declared more than once, to be decorated in different ways.

    Bad:  `%a = OpTypeInt 32 0` and `%b = OpTypeInt 32 0`
    Good: one `%uint = OpTypeInt 32 0`
    """
    module = scene.module
    if module.has_extension("SPV_VALIDATOR_ignore_type_decl_unique"):
        return
    first = module.first_alike(inst)
    if first is not None and first is not scene.record and first.result != inst.result:
        shown = module.spell(module.type(inst.result))
        note = Note(first, RESULT, f"%{first.result} is declared here")
        mend = Mend(f"Use %{first.result} instead", (Supplant(inst, str(first.result)),))
        yield Finding(inst, RESULT, f"%{inst.result} is {shown} again, which %{first.result} is already", (note,), (mend,))
