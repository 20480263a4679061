"""Image operands: which instruction may have which, and what their ids are (SPIR-V 3.2.14)."""

from __future__ import annotations

from collections.abc import Callable

from spvls.grammar import spv, traits
from spvls.grammar.enumerants import Capability, ImageOperands
from spvls.syntax.operand_decls import enumerants
from spvls.validate.checks.kinds import FLOAT32, INT32, SCALARS_AND_VECTORS, AnyKind, Kind, dimension
from spvls.validate.checks.operation import Operation, counted, is_constant_id
from spvls.validate.checks.scopes import memory_scope_fault
from spvls.validate.checks.wording import listed
from spvls.validate.engine.finding import Finding
from spvls.validate.rules.image.image_type import ACCESSES, CUBE, FETCHES, MIPMAPPED, READS, Image

FLOATS32 = Kind("a 32-bit float scalar or vector", "Float", SCALARS_AND_VECTORS, width=32)
INTS32 = Kind("a 32-bit integer scalar or vector", "Int", SCALARS_AND_VECTORS, width=32)
_VECTORS_OF: dict[AnyKind, str] = {FLOATS32: "a vector of 32-bit floats", INTS32: "a vector of 32-bit integers"}
OFFSETS = frozenset({ImageOperands.ConstOffset, ImageOperands.Offset, ImageOperands.ConstOffsets, ImageOperands.Offsets})


def vectors_of(kind: AnyKind) -> str:
    """How messages call coordinates and offsets where a scalar has too few components."""
    return _VECTORS_OF.get(kind, "a vector of 32-bit integers or floats")


class _Use:
    """One image operand of an instruction: its value and name, all bits of the mask, the places of mask and first id, the image."""

    __slots__ = ("at", "bits", "image", "mask", "name", "op", "value")

    def __init__(self, op: Operation, image: Image, bits: int, mask: int) -> None:
        self.op = op
        self.image = image
        self.bits = bits
        self.mask = mask
        self.at = mask + 1
        self.value = 0
        self.name = ""

    def not_here(self, why: str, vuid: str | None = None) -> Finding:
        return self.op.fault(self.mask, f"the image operand {self.name} {why}", vuid=vuid)

    def not_a(self, kind: AnyKind, at: int | None = None) -> Finding | None:
        at = self.at if at is None else at
        type_ = self.op.type(at)
        if type_ is None or kind.holds(type_):
            return None
        expected = vectors_of(kind) if kind in _VECTORS_OF and self.image.plane > 1 else kind.name
        return self.op.fault(at, f"{self.subject(at)} is {self.op.spell(type_)}, expected {expected}")

    def subject(self, at: int) -> str:
        return f"the image operand {self.name} (%{self.op.id(at)})"

    def wrong_count(self, at: int | None = None) -> Finding | None:
        at = self.at if at is None else at
        type_ = self.op.type(at)
        if type_ is None or dimension(self.op.module, type_) == self.image.plane:
            return None
        have = f"{self.op.spell(type_)} ({counted(dimension(self.op.module, type_))})"
        expected = f"{counted(self.image.plane)} for an image of Dim {self.image.dim_name}"
        return self.op.fault(at, f"{self.subject(at)} is {have}, expected {expected}")

    def level_fault(self) -> Finding | None:
        if self.image.dim not in MIPMAPPED:
            return self.not_here(f"requires an image of Dim 1D, 2D, 3D or Cube; the image has Dim {self.image.dim_name}")
        return self.not_here("must not be used with a multisampled image") if self.image.multisampled else None


def image_operands_fault(op: Operation, image: Image, mask_at: int) -> Finding | None:
    """The first thing wrong with the image operands of an instruction, whose mask stands at `mask_at`."""
    mask = op.word(mask_at) or 0
    given = enumerants("ImageOperands", mask) if mask else ()
    if image.multisampled == 1 and not mask & ImageOperands.Sample:
        message = f"{op.name} of a multisampled image requires the image operand Sample"
        return op.fault(min(mask_at, len(op.operands) - 1), message)
    chosen = [enumerant.name for enumerant in given if enumerant.value in OFFSETS]
    if len(chosen) > 1:
        return op.fault(mask_at, f"the image operands {listed(chosen, 'and')} are given; only one offset is permitted")
    use = _Use(op, image, mask, mask_at)
    for enumerant in given:
        use.value, use.name = enumerant.value, enumerant.name
        check = _CHECKS.get(enumerant.value)
        finding = check(use) if check is not None else None
        if finding is not None:
            return finding
        use.at += len(enumerant.parameters)
    return None


_LOD_GATHERS = (spv.OpImageGather, spv.OpImageSparseGather)


def _gathers_with_lod(op: Operation) -> bool:
    """AMD's gathers with a level of detail."""
    return op.code in _LOD_GATHERS and op.module.has_capability(Capability.ImageGatherBiasLodAMD)


def _bias(use: _Use) -> Finding | None:
    if use.op.code not in traits.IMPLICIT_LOD and not _gathers_with_lod(use.op):
        amd = f"; in {use.op.name}, it requires the capability ImageGatherBiasLodAMD" if use.op.code in _LOD_GATHERS else ""
        return use.not_here(f"requires sampling with an implicit level of detail{amd}")
    return use.not_a(FLOAT32) or use.level_fault()


def _lod(use: _Use) -> Finding | None:
    op = use.op
    gathers = _gathers_with_lod(op)
    accesses = op.code in ACCESSES and op.module.has_capability(Capability.ImageReadWriteLodAMD)
    if op.code not in traits.EXPLICIT_LOD | FETCHES and not gathers and not accesses:
        amd = ""
        if op.code in _LOD_GATHERS or (op.code in ACCESSES and op.module.environment.api != "opencl"):
            amd = "ImageReadWriteLodAMD" if op.code in ACCESSES else "ImageGatherBiasLodAMD"
            amd = f"; in {op.name}, it requires the capability {amd}"
        return use.not_here(f"requires sampling with an explicit level of detail, or a fetch{amd}")
    if use.bits & ImageOperands.Grad:
        return op.fault(use.mask, "the image operands Lod and Grad must not be used together")
    return use.not_a(FLOAT32 if op.code in traits.EXPLICIT_LOD or gathers else INT32) or use.level_fault()


def _grad(use: _Use) -> Finding | None:
    if use.op.code not in traits.EXPLICIT_LOD:
        return use.not_here("requires sampling with an explicit level of detail")
    second = use.at + 1
    return use.not_a(FLOATS32) or use.not_a(FLOATS32, second) or use.wrong_count() or use.wrong_count(second)


def _cube(use: _Use) -> Finding | None:
    return use.not_here("must not be used with images of Dim Cube") if use.image.dim == CUBE else None


def _constant(use: _Use) -> Finding | None:
    name = use.op.id(use.at)
    if name is None or is_constant_id(use.op.module, name):
        return None
    return use.op.fault(use.at, f"{use.subject(use.at)} must be a constant")


def _const_offset(use: _Use) -> Finding | None:
    if use.op.module.environment.api == "opencl":
        return use.not_here("must not be used in OpenCL")
    return _cube(use) or use.not_a(INTS32) or _constant(use) or use.wrong_count()


def _offset(use: _Use) -> Finding | None:
    finding = _cube(use) or use.not_a(INTS32) or use.wrong_count()
    if finding is not None:
        return finding
    module = use.op.module
    if (
        module.environment.api == "vulkan"
        and not use.op.context.options.before_hlsl_legalization
        and not use.op.context.options.allow_offset_texture_operand
        and use.op.code not in traits.GATHERS
    ):
        why = "requires a gather instruction in Vulkan without the feature maintenance8; use ConstOffset for a constant offset"
        return use.not_here(why, "VUID-RuntimeSpirv-Offset-10213")
    return None


def _offsets(use: _Use) -> Finding | None:
    if use.op.code not in traits.GATHERS:
        return use.not_here("requires a gather instruction")
    finding = _cube(use)
    if finding is not None:
        return finding
    type_ = use.op.type(use.at)
    if type_ is None:
        return None
    element = type_.element
    four = type_.kind == spv.OpTypeArray and use.op.module.integer(type_.length_id) == 4
    pairs = element is not None and element.is_vector and element.length == 2 and INTS32.holds(element)
    if not four or not pairs:
        expected = "expected an array of four vectors of two 32-bit integers"
        return use.op.fault(use.at, f"{use.subject(use.at)} is {use.op.spell(type_)}, {expected}")
    return _constant(use) if use.value == ImageOperands.ConstOffsets else None


def _sample(use: _Use) -> Finding | None:
    if use.op.code not in FETCHES | ACCESSES:
        return use.not_here("requires a fetch, read or write")
    if use.image.multisampled == 0:
        return use.not_here("requires a multisampled image; the image has MS 0")
    return use.not_a(INT32)


def _min_lod(use: _Use) -> Finding | None:
    if use.op.code not in traits.IMPLICIT_LOD and not use.bits & ImageOperands.Grad:
        return use.not_here("requires sampling with an implicit level of detail, or the image operand Grad")
    return use.not_a(FLOAT32) or use.level_fault()


def _texel(opcodes: frozenset[int], what: str) -> Callable[[_Use], Finding | None]:
    def check(use: _Use) -> Finding | None:
        if use.op.code not in opcodes:
            return use.not_here(f"is permitted only in {what}, not in {use.op.name}")
        if not use.bits & ImageOperands.NonPrivateTexel:
            return use.not_here("requires the image operand NonPrivateTexel")
        return memory_scope_fault(use.op.module, use.op.inst, use.at)

    return check


_CHECKS: dict[int, Callable[[_Use], Finding | None]] = {
    ImageOperands.Bias: _bias,
    ImageOperands.Lod: _lod,
    ImageOperands.Grad: _grad,
    ImageOperands.ConstOffset: _const_offset,
    ImageOperands.Offset: _offset,
    ImageOperands.ConstOffsets: _offsets,
    ImageOperands.Offsets: _offsets,
    ImageOperands.Sample: _sample,
    ImageOperands.MinLod: _min_lod,
    ImageOperands.MakeTexelAvailable: _texel(frozenset({spv.OpImageWrite}), "OpImageWrite"),
    ImageOperands.MakeTexelVisible: _texel(READS, "OpImageRead or OpImageSparseRead"),
}
