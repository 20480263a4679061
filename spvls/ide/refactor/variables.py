"""Adding a variable of a type: inputs, outputs, blocks in buffers, push constants, images and samplers.

One edit declares the pointer type, and the block around the type, if need be; decorates; names; and lists the variable in the
interface of entry points where the version of SPIR-V asks for it.
"""

from __future__ import annotations

from collections.abc import Iterator

from spvls.binary.implied_declaration import implied_declarations, implied_id
from spvls.diagnostic import Edit
from spvls.grammar import spv
from spvls.grammar.enumerants import Capability, Decoration, Dim, ExecutionModel, StorageClass
from spvls.ide.refactor.refactoring import EXTRACT, Refactoring, refusal
from spvls.ide.refactor.rewrite import Rewrite
from spvls.ide.refactor.site import Site
from spvls.module.declarations import EntryPoint
from spvls.module.interface import is_per_vertex
from spvls.module.module import Module
from spvls.module.next_number import next_descriptor, next_location
from spvls.module.per_vertex import vertex_count
from spvls.module.sections import Section
from spvls.module.types import Type
from spvls.module.variable import storage_name
from spvls.record import NamedTuple
from spvls.validate.checks.layout_rules import Layouts, Matrices, Mode, aligned
from spvls.validate.engine.finding import Append
from spvls.validate.engine.options import Options
from spvls.validate.fixes.common import declared, is_interpolated, pointer_type

_INPUTS = frozenset(
    {
        ExecutionModel.Vertex, ExecutionModel.TessellationControl, ExecutionModel.TessellationEvaluation, ExecutionModel.Geometry,
        ExecutionModel.Fragment,
    }
)  # fmt: skip
_OUTPUTS = _INPUTS | {ExecutionModel.MeshNV, ExecutionModel.MeshEXT}
"""Execution models whose inputs and outputs have a Location."""

_WHOLE_INTERFACE = (1, 4)
_STORAGE_BUFFER = (1, 3)
"""The version of SPIR-V that has the storage class StorageBuffer."""

_DEFAULT_TYPE = "v4float"
"""What a variable is made of where an entry point is at the cursor, and no type."""

_OPAQUE = {
    spv.OpTypeImage: "image", spv.OpTypeSampledImage: "texture", spv.OpTypeSampler: "sampler",
    spv.OpTypeAccelerationStructureKHR: "scene",
}  # fmt: skip
_BLOCKS = {
    StorageClass.Uniform: ("add-uniform", "a uniform block", "Uniforms", "uniforms"),
    StorageClass.StorageBuffer: ("add-storage-buffer", "a storage buffer", "Buffer", "buffer"),
    StorageClass.PushConstant: ("add-push-constants", "push constants", "PushConstants", "push_constants"),
}
"""By storage class: the key of the refactoring, what it adds, and the names of the structure and of the variable."""


class _Wanted(NamedTuple):
    """A type that the module has, or lines that declare it."""

    id: str
    type: Type | None
    lines: tuple[str, ...] = ()


def variable_refactorings(site: Site) -> Iterator[Refactoring]:
    """The variables that can be added for the type, or the entry point, at the cursor."""
    module = site.module
    if not site.is_global or site.record is None or not module.has_capability(Capability.Shader):
        return
    entries = [entry for entry in module.declarations.entry_points if entry.record is site.record]
    entries = entries or module.declarations.entry_points
    wanted = _wanted(site)
    if wanted is None or not entries:
        return
    if len(entries) == 1:
        yield from _interfaces(site, wanted, entries[0])
    yield from _resources(site, wanted)


def _wanted(site: Site) -> _Wanted | None:
    module = site.module
    type_ = module.type(site.name)
    if type_ is not None and module.is_global(type_.id):
        return _Wanted(type_.id, type_)
    if site.record is None or site.record.opcode.value != spv.OpEntryPoint:
        return None
    known = implied_id(_DEFAULT_TYPE, module) or (_DEFAULT_TYPE if module.type(_DEFAULT_TYPE) is not None else None)
    if known is not None:
        type_ = module.type(known)
        return _Wanted(known, type_) if type_ is not None and type_.count == 4 and _is_float32(type_.scalar) else None
    lines = implied_declarations(_DEFAULT_TYPE, module)
    return _Wanted(_DEFAULT_TYPE, None, lines) if lines else None


def _is_float32(type_: Type | None) -> bool:
    return type_ is not None and type_.is_float and type_.width == 32


# Inputs and outputs


_DIRECTIONS = {
    StorageClass.Input: ("add-input", "an input variable", _INPUTS),
    StorageClass.Output: ("add-output", "an output variable", _OUTPUTS),
}


def _interfaces(site: Site, wanted: _Wanted, entry: EntryPoint) -> Iterator[Refactoring]:
    for storage, (key, what, models) in _DIRECTIONS.items():
        if entry.model not in models or not _passes(wanted.type, entry.model, storage):
            continue
        title = f"Add {what} of %{wanted.id}"
        if not is_per_vertex(entry.model, storage):
            yield Refactoring(key, title, EXTRACT, lambda storage=storage: _interface(site, wanted, entry, storage, None))  # type: ignore[misc]
            continue
        count = vertex_count(entry, storage, site.module)
        if count is None:
            yield refusal(key, title, EXTRACT, _unknown_count(entry, storage))
            continue
        title += f" for each of {count} vertices" if count > 1 else " for each vertex"
        yield Refactoring(
            key, title, EXTRACT, lambda storage=storage, count=count: _interface(site, wanted, entry, storage, count)  # type: ignore[misc]
        )


def _unknown_count(entry: EntryPoint, storage: int) -> str:
    modes = "that names its input primitive, such as Triangles" if storage == StorageClass.Input else "OutputVertices"
    return f"It must be an array with an element for each vertex, and %{entry.function} has no execution mode {modes}."


def _passes(type_: Type | None, model: int, storage: int) -> bool:
    """Whether values of a type go in or out of an execution model; None stands for the default type, which does."""
    if type_ is None:
        return True
    scalar = type_.scalar
    if scalar is None or not scalar.is_numeric or not (type_.is_scalar or type_.kind in (spv.OpTypeVector, spv.OpTypeMatrix)):
        return False
    if (type_.count if type_.is_vector else 0) > 4 or scalar.encoding is not None:
        return False
    if scalar.width == 32:
        return not type_.is_matrix or model != ExecutionModel.Fragment or storage != StorageClass.Output
    return scalar.width == 64 and model != ExecutionModel.Fragment


def _interface(site: Site, wanted: _Wanted, entry: EntryPoint, storage: int, count: int | None) -> list[Edit]:
    """Declares a variable of the interface, an array where there is a `count` of vertices."""
    rewrite = Rewrite(site.source)
    name = rewrite.fresh("input" if storage == StorageClass.Input else "output")
    decorations = [f"Location {next_location(site.module, storage)}"]
    if storage == StorageClass.Input and entry.model == ExecutionModel.Fragment:
        decorations += [] if wanted.type is None or is_interpolated(wanted.type) else ["Flat"]
    _declare(rewrite, name, wanted if count is None else _array(rewrite, wanted, count), storage, decorations)
    rewrite.do(Append(entry.record, f"%{name}"))
    return rewrite.edits()


def _array(rewrite: Rewrite, wanted: _Wanted, count: int) -> _Wanted:
    """The type of an array of so many elements, which is declared if need be, as is the constant of its length."""
    module, lines = rewrite.module, [*wanted.lines]
    integers = [found.id for signed in (0, 1) if (found := declared(module, spv.OpTypeInt, 32, signed)) is not None]
    lengths = [length for integer in integers if (length := module.integer_constant(integer, count)) is not None]
    known = [array for length in lengths if (array := declared(module, spv.OpTypeArray, wanted.id, length)) is not None]
    plain = next((array for array in known if not module.decorations(array.id)), None)
    if plain is not None:
        return _Wanted(plain.id, plain)
    if not integers:
        integers = [rewrite.fresh("uint")]
        lines.append(f"%{integers[0]} = OpTypeInt 32 0")
    if not lengths:
        lengths = [rewrite.fresh(f"{integers[0]}_{count}")]
        lines.append(f"%{lengths[0]} = OpConstant %{integers[0]} {count}")
    array_id = rewrite.fresh(f"_arr_{wanted.id}_{lengths[0]}")
    return _Wanted(array_id, None, (*lines, f"%{array_id} = OpTypeArray %{wanted.id} %{lengths[0]}"))


def _declare(rewrite: Rewrite, name: str, wanted: _Wanted, storage: int, decorations: list[str]) -> None:
    """Names, decorates and declares a variable, after the lines that declare its type."""
    pointer, line = pointer_type(wanted.id, storage, rewrite.module)
    rewrite.name(name, name)
    rewrite.declare(Section.ANNOTATIONS, *[f"OpDecorate %{name} {decoration}" for decoration in decorations])
    lines = [*wanted.lines, *filter(None, [line]), f"%{name} = OpVariable %{pointer} {storage_name(storage)}"]
    rewrite.declare(Section.TYPES, *lines)


# Resources


def _resources(site: Site, wanted: _Wanted) -> Iterator[Refactoring]:
    module, type_ = site.module, wanted.type
    if type_ is not None and type_.kind in _OPAQUE:
        if _is_bound(type_):
            title = f"Add a uniform variable of %{wanted.id}"
            yield Refactoring("add-uniform", title, EXTRACT, lambda: _opaque(site, wanted))
        return
    for storage, (key, what, _, _) in _BLOCKS.items():
        if storage == StorageClass.PushConstant and (module.environment.api == "opengl" or _has_push_constants(module)):
            continue
        if not _is_laid_out(type_, storage, module):
            continue
        title = f"Add {what} of %{wanted.id}"
        yield Refactoring(key, title, EXTRACT, lambda storage=storage: _block(site, wanted, storage))  # type: ignore[misc]


def _is_bound(type_: Type) -> bool:
    """Whether variables of an opaque type are found by their binding alone."""
    image = type_.element if type_.kind == spv.OpTypeSampledImage else type_
    return image is not None and (image.kind != spv.OpTypeImage or image.word(1) not in (Dim.SubpassData, Dim.TileImageDataEXT))


def _has_push_constants(module: Module) -> bool:
    return any(record.operands[:1] == (StorageClass.PushConstant,) for record in module.declarations.records(spv.OpVariable))


def _opaque(site: Site, wanted: _Wanted) -> list[Edit]:
    rewrite = Rewrite(site.source)
    assert wanted.type is not None
    name = rewrite.fresh(_OPAQUE[wanted.type.kind])
    _declare(rewrite, name, wanted, StorageClass.UniformConstant, _bound(site.module))
    _list(rewrite, name)
    return rewrite.edits()


def _bound(module: Module) -> list[str]:
    number, binding = next_descriptor(module)
    if module.environment.api == "opengl":
        return [f"Binding {binding}"]
    return [f"DescriptorSet {number}", f"Binding {binding}"]


def _list(rewrite: Rewrite, name: str) -> None:
    """Lists a resource in the interfaces, which have all variables that are used since SPIR-V 1.4 (SPIR-V 3.3.5)."""
    if rewrite.module.version >= _WHOLE_INTERFACE:
        rewrite.do(*[Append(entry.record, f"%{name}") for entry in rewrite.module.declarations.entry_points])


def _is_laid_out(type_: Type | None, storage: int, module: Module) -> bool:
    """Whether a type can be a member of a block in a storage class, or is one that such a class can hold."""
    if type_ is None:
        return True
    if type_.is_struct:
        return _is_block(type_, module) and storage in _classes_of(type_, module)
    scalar = type_.scalar
    if scalar is None or not scalar.is_numeric or scalar.width not in (32, 64) or scalar.encoding is not None:
        return False
    return type_.is_scalar or type_.kind == spv.OpTypeMatrix or (type_.kind == spv.OpTypeVector and type_.count <= 4)


def _is_block(type_: Type, module: Module) -> bool:
    return module.has_decoration(type_.id, Decoration.Block) and module.decoration(type_.id, Decoration.Offset, 0) is not None


def _classes_of(type_: Type, module: Module) -> frozenset[int]:
    """The storage classes that a block is laid out for: those of its pointers, and where it is a uniform block, looser ones."""
    pointers = [record for _, record in module.ids.uses(type_.id) if record.opcode.value == spv.OpTypePointer]
    found = {record.operands[0] for record in pointers if isinstance(record.operands[0], int)}
    if StorageClass.Uniform in found and module.version >= _STORAGE_BUFFER:
        found.add(StorageClass.StorageBuffer)
    return frozenset(found)


def _block(site: Site, wanted: _Wanted, storage: int) -> list[Edit]:
    module, rewrite = site.module, Rewrite(site.source)
    _, _, struct, variable = _BLOCKS[storage]
    name = rewrite.fresh(variable)
    decorations = [] if storage == StorageClass.PushConstant else _bound(module)
    if wanted.type is None or not wanted.type.is_struct:
        has_class = module.version >= _STORAGE_BUFFER or module.has_extension("SPV_KHR_storage_buffer_storage_class")
        is_old = storage == StorageClass.StorageBuffer and (not has_class or module.uses_decoration(Decoration.BufferBlock))
        wanted = _wrapped(rewrite, wanted, rewrite.fresh(struct), storage, "BufferBlock" if is_old else "Block")
        storage = StorageClass.Uniform if is_old else storage
    _declare(rewrite, name, wanted, storage, decorations)
    _list(rewrite, name)
    return rewrite.edits()


def _wrapped(rewrite: Rewrite, wanted: _Wanted, struct: str, storage: int, decoration: str) -> _Wanted:
    """A block with a member of a type; in a storage buffer, with a run-time array of it."""
    layouts, matrices = Layouts(rewrite.module, Options()).strict(), Matrices()
    decorations = [f"OpDecorate %{struct} {decoration}", f"OpMemberDecorate %{struct} 0 Offset 0"]
    lines, type_, member = [*wanted.lines], wanted.type, wanted.id
    mode = Mode.STANDARD if storage == StorageClass.StorageBuffer else Mode.EXTENDED
    if type_ is not None and type_.is_matrix:
        matrices = Matrices(aligned(layouts.align(type_.element, Mode.STANDARD), layouts.align(type_, mode)))
        decorations += [f"OpMemberDecorate %{struct} 0 ColMajor", f"OpMemberDecorate %{struct} 0 MatrixStride {matrices.stride}"]
    if storage == StorageClass.StorageBuffer:
        size, align = (layouts.size(type_, matrices), layouts.align(type_, mode, matrices)) if type_ is not None else (16, 16)
        member = rewrite.fresh(f"_runtimearr_{wanted.id}")
        lines.append(f"%{member} = OpTypeRuntimeArray %{wanted.id}")
        decorations.append(f"OpDecorate %{member} ArrayStride {aligned(size, align)}")
    rewrite.name(struct, struct)
    rewrite.declare(Section.NAMES, f'OpMemberName %{struct} 0 "{"values" if member != wanted.id else "value"}"')
    rewrite.declare(Section.ANNOTATIONS, *decorations)
    return _Wanted(struct, None, (*lines, f"%{struct} = OpTypeStruct %{member}"))
