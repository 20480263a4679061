"""What the specification asks of accesses to images, and the reference validator lets pass (SPIR-V 3.3.8, 3.3.10)."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.module.constants import CONSTANT_OPCODES
from spvls.syntax.instruction import OPCODE, Instruction
from spvls.syntax.operand_decls import enumerants
from spvls.validate.finding import Finding, Note
from spvls.validate.images import ACCESSES, BUFFER, EXPLICIT_LOD, IMPLICIT_LOD, RESERVED, SUBPASS, TILE, UNKNOWN_FORMAT, image_of
from spvls.validate.operand_at import id_at, word_at
from spvls.validate.operation import Operation
from spvls.validate.rule import Findings, Scene, instruction_rule
from spvls.validate.rules.images.access import access
from spvls.validate.rules.images.query import query
from spvls.validate.uses import uses_within

_LEVELS = frozenset({"Lod", "Grad"})
_SAMPLING = tuple(sorted(EXPLICIT_LOD - RESERVED))
_SAMPLES = tuple(sorted((IMPLICIT_LOD | EXPLICIT_LOD) - RESERVED))
_ACCESSES = tuple(sorted(ACCESSES))


@instruction_rule("opcode/image-explicit-lod/lod-or-grad", *_SAMPLING, section="3.3.10", severity=Severity.WARNING)
def level(inst: Instruction, scene: Scene) -> Findings:
    """Sampling with an explicit level of detail says which: by the image operand Lod or Grad.

    Bad:  `%c = OpImageSampleExplicitLod %vec4 %sampled %uv ConstOffset %o`
    Good: `%c = OpImageSampleExplicitLod %vec4 %sampled %uv Lod|ConstOffset %zero %o`
    """
    at = 3 if "Dref" in inst.opcode.name else 2
    mask = word_at(inst, at)
    if mask is not None and not any(bit.name in _LEVELS for bit in enumerants("ImageOperands", mask)):
        yield Finding(inst, at, f"{inst.opcode.name} takes a level of detail, by the image operand Lod or Grad")


@instruction_rule("opcode/image-sample/dim-not-buffer", *_SAMPLES, section="3.3.10", severity=Severity.WARNING)
def sampled_buffer(inst: Instruction, scene: Scene) -> Findings:
    """Texel buffers are fetched, not sampled. Since SPIR-V 1.6 there are no sampled images of them at all.

    Bad:  `%c = OpImageSampleImplicitLod %vec4 %sampled_buffer %x`
    Good: `%c = OpImageFetch %vec4 %buffer %i`
    """
    op = Operation(inst, scene)
    image = image_of(op.type(0))
    if image is not None and image.dim == BUFFER and scene.module.version < (1, 6) and not any(access(inst, scene)):
        yield op.operand_fault(0, "an image of another Dim than Buffer: texel buffers are fetched")


@instruction_rule("opcode/image-access/storage", *_ACCESSES, section="3.3.10", severity=Severity.WARNING)
def storage_access(inst: Instruction, scene: Scene) -> Findings:
    """An image that is read or written without a sampler has a format, or the module a capability to do without.

    That is StorageImageReadWithoutFormat or StorageImageWriteWithoutFormat, or Kernel. Sparse reads take an image that is
    known to be used without a sampler (Sampled 2).

    Bad:  `%c = OpImageRead %vec4 %image %xy` from an image with the format Unknown in a shader.
    Good: `%c = OpImageRead %vec4 %image %xy` with `OpCapability StorageImageReadWithoutFormat`
    """
    op = Operation(inst, scene)
    image = image_of(op.type(0))
    if image is None or op.type(0) is not image.type:
        return
    module = scene.module
    said = f"{op.subject(0)} is {op.spell(image.type)}"
    if module.environment.api != "vulkan" and image.format == UNKNOWN_FORMAT and image.dim not in (SUBPASS, TILE):
        capability = f"StorageImage{'Write' if op.name == 'OpImageWrite' else 'Read'}WithoutFormat"
        if image.sampled != 1 and not module.has_capability(capability) and not module.has_capability("Kernel"):
            yield op.fault(0, f"{said}, whose format is Unknown: access to it takes a format or the capability {capability}")
            return
    if "Sparse" in op.name and image.sampled == 0:
        yield op.fault(0, f"{said}, expected one that is known to be used without a sampler (Sampled 2)")


@instruction_rule(
    "opcode/image-query/single-sampled", "OpImageQueryLod", "OpImageQueryLevels", section="3.3.10", severity=Severity.WARNING
)
def levels_of_one_sample(inst: Instruction, scene: Scene) -> Findings:
    """Levels of detail are asked of images that are not multisampled: those have one level.

    Bad:  `%n = OpImageQueryLevels %uint %multisampled_image`
    Good: `%n = OpImageQueryLevels %uint %image`
    """
    op = Operation(inst, scene)
    image = image_of(op.type(0))
    if image is not None and image.multisampled == 1:
        yield op.operand_fault(0, "an image that is not multisampled, and so has levels of detail")


@instruction_rule(
    "opcode/OpImageSparseTexelsResident/resident-code",
    "OpImageSparseTexelsResident",
    section="3.3.10",
    severity=Severity.WARNING,
)
def resident_code(inst: Instruction, scene: Scene) -> Findings:
    """The code that tells whether texels are resident comes from a sparse access; it is no constant.

    Bad:  `%r = OpImageSparseTexelsResident %bool %uint_0`
    Good: `%r = OpImageSparseTexelsResident %bool %code` with `%code = OpCompositeExtract %uint %sparse_result 0`
    """
    name = id_at(inst, 0)
    opcode = scene.module.opcode_of(name) if name is not None else ""
    if opcode in CONSTANT_OPCODES and not any(query(inst, scene)):
        yield Finding(inst, 0, f"%{name} is made by {opcode}, expected what a sparse access to an image gave")


@instruction_rule("opcode/OpImageTexelPointer/atomic-only", "OpImageTexelPointer", section="3.3.8", severity=Severity.WARNING)
def texel_pointer_use(inst: Instruction, scene: Scene) -> Findings:
    """A pointer to a texel is used by atomic instructions only.

    Bad:  `%x = OpLoad %uint %texel`
    Good: `%x = OpAtomicLoad %uint %texel %device %relaxed`
    """
    function = scene.function
    if inst.result is None or function is None:
        return
    for use in uses_within(function, inst.result, scene.module):
        name = use.opcode.name
        if name and not name.startswith("OpAtomic"):
            note = Note(use, OPCODE, f"{name} stands here")
            yield Finding(inst, OPCODE, f"%{inst.result} is used by {name}, and pointers to texels are for atomics", (note,))
            return
