"""Where the verdict of this validator differs on purpose from that of spirv-val.

With the option `reference_verdicts` such findings are warnings. `tests/reference/differences.md` gives the section of the
specification that decides each, and the differences that no finding shows.
"""

from __future__ import annotations

from collections.abc import Callable

from spvls.grammar import spv, traits
from spvls.grammar.enumerants import BuiltIn, Capability, Decoration, ExecutionMode, ExecutionModel, ImageOperands, StorageClass
from spvls.grammar.traits import DERIVATIVES, VARIABLES
from spvls.module.built_ins import pointed_to, uses_of
from spvls.module.context_dependent import EXTENDED
from spvls.module.interface import IN_OUT, users
from spvls.module.module import Module
from spvls.module.operand_at import id_at, word_at
from spvls.module.type_walks import parts, parts_of
from spvls.syntax.instruction import Instruction
from spvls.validate.checks.cooperative import vector_difference
from spvls.validate.checks.kinds import dimension, width
from spvls.validate.checks.layout_rules import needs_layout
from spvls.validate.rules.computation.conversion import EXTRACTED
from spvls.validate.rules.image.image_type import SUBPASS, TILE, image_of
from spvls.validate.rules.image.operand_checks import INTS32
from spvls.validate.rules.interface.built_in_vulkan import use_fault

Where = Callable[[Instruction, Module], bool]

_UNSET = 0xFFFFFFFF
_LAYOUTS = frozenset({Decoration.Offset, Decoration.ArrayStride})
_32_BITS = 32
_GLOBAL_VARIABLE, _FLAGS = 18, 10
"""The number of DebugGlobalVariable in its sets, and the place of its Flags among the operands."""


def accepts(rule: str, record: Instruction, module: Module) -> bool:
    """Whether the reference accepts an instruction on which a rule found an error."""
    where = DIFFERENCES.get(rule)
    return where is not None and where(record, module)


def _always(record: Instruction, module: Module) -> bool:
    return True


def _sets_what_nothing_requires(record: Instruction, module: Module) -> bool:
    """The reference reads no decoration from the string form, and misses in Vulkan those that a variable or a type must have; the
    stride of an array it misses where that is a part of another type."""
    if module.environment.api != "vulkan":
        return True
    of_member = record.opcode.value != spv.OpDecorateString
    word = word_at(record, 1 + of_member)
    target = id_at(record, 0)
    if word == Decoration.Offset:
        return not of_member or not _is_laid_out(target, module)
    if word == Decoration.ArrayStride and target is not None and not _is_part(target, module):
        return True
    if word == Decoration.Block and _is_only_passed(target, module):
        return True
    if word == Decoration.PerPrimitiveEXT and not _has_somewhere(target, Decoration.BuiltIn, module):
        return True
    if word == Decoration.PerPrimitiveEXT and not module.has_capability(Capability.MeshShadingEXT):
        return True
    return word not in _REQUIRED_IN_VULKAN or (word in _REQUIRED_OF_STAGES and not _is_required_of_stage(word, target, module))


def _is_only_passed(name: str | None, module: Module) -> bool:
    """Whether all pointers to a type are to inputs and outputs."""
    users = [record for _, record in module.ids.uses(name or "") if record.opcode.value == spv.OpTypePointer]
    return bool(users) and all(word_at(record, 0) in IN_OUT for record in users)


def _is_required_of_stage(word: int | None, name: str | None, module: Module) -> bool:
    """Whether a variable must have Flat, BuiltIn or Location because of the entry points that list it, or a structure Location
    on its members because of those that list a variable with it."""
    models = {entry.model for entry in module.declarations.entry_points if name in entry.interface}
    if word == Decoration.Location:
        return any(
            entry.model in _WITH_LOCATIONS and any(_passes(variable, name, module) for variable in entry.interface)
            for entry in module.declarations.entry_points
        )
    if word == Decoration.BuiltIn:
        return not models.isdisjoint(_WITH_LOCATIONS)
    type_ = module.type_of(name)
    if ExecutionModel.Fragment not in models or type_ is None or type_.storage != StorageClass.Input:
        return False
    return not module.contents(type_.id).isdisjoint((spv.OpTypeInt, "Float64"))


def _is_read_as_local(record: Instruction, module: Module) -> bool:
    """The reference reads the number of the Data Type of an untyped variable as its storage class, Private or Function."""
    return record.opcode.value == spv.OpUntypedVariableKHR and record.operands[1:2] in (("6",), ("7",))


def _passes(variable: str, name: str | None, module: Module) -> bool:
    """Whether an input or output has that name, or holds the structure with it."""
    pointer = module.type_of(variable)
    if pointer is None or pointer.storage not in IN_OUT:
        return False
    return name == variable or any(part.id == name for part in parts(pointer.pointee))


def _is_laid_out(name: str | None, module: Module) -> bool:
    """Whether what points to memory with offsets leads to a structure, be it as a part of another type."""
    waiting, seen = [name], {name}
    while waiting:
        for _, use in module.ids.uses(waiting.pop() or ""):
            points = use.opcode.value == spv.OpTypePointer and module.has_values(use.result or "")
            if points and needs_layout(word_at(use, 0) or 0, is_block=True, is_heap=False):
                return True
            if use.opcode.value in _AGGREGATES and use.result not in seen:
                seen.add(use.result)
                waiting.append(use.result)
    return False


def _holds_composites(record: Instruction, module: Module) -> bool:
    """An array of composites is cast or cut, whose elements the reference takes for what these are made of."""
    arrays = (module.type(record.type), module.type_of(id_at(record, 0)))
    return any(array is not None and array.element is not None and any(parts_of(array.element)) for array in arrays)


def _comes_after_elements(record: Instruction, module: Module) -> bool:
    """Whether a whole input or output of a graph is named where only elements of it are named before."""
    at = _INTERFACE.get(record.opcode.value)
    if at is None or len(record.operands) != at + 1:
        return False
    records = next(chunk.records for chunk in module.chunks if record in chunk.records)
    begin = records.index(record)
    while begin and records[begin].opcode.value != spv.OpGraphARM:
        begin -= 1
    before = records[begin : records.index(record)]
    known = [len(other.operands) for other in before if other.opcode is record.opcode and other.operands[at] == record.operands[at]]
    return bool(known) and at + 1 not in known


_INTERFACE = {spv.OpGraphInputARM: 0, spv.OpGraphSetOutputARM: 1}
"""The place of the index of an input or output of a graph."""


def _is_part(name: str, module: Module) -> bool:
    return any(use.opcode.value in _AGGREGATES for _, use in module.ids.uses(name))


def _is_not_32_bits(record: Instruction, module: Module) -> bool:
    return record.operands[:1] != (_32_BITS,)


def _has_unset_layout(record: Instruction, module: Module) -> bool:
    """An Offset or ArrayStride of a variable's structure, or of what that holds, is the number that stands for none."""
    names = [record.result] if record.opcode.is_type else [record.type, *record.operands]
    waiting, seen = [name for name in names if isinstance(name, str)], set()
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        if any(found.value in _LAYOUTS and found.params == (_UNSET,) for found in module.decorations(name)):
            return True
        type_ = module.type(name)
        if type_ is not None:
            waiting += [operand for operand in type_.record.operands if isinstance(operand, str)]
    return False


def _continues_at_entry(record: Instruction, module: Module) -> bool:
    """Whether the Continue Target of a loop is the first block of the function, which the reference takes for the back edge."""
    for function in module.functions():
        block = function.blocks.get(record.result or "")
        if block is not None and block.label is record:
            return block.merge is not None and function.entry is not None and id_at(block.merge, 1) == function.entry.name
    return False


def _lacks_derivative_extension(record: Instruction, module: Module) -> bool:
    """A function has derivatives, and no entry point but those with workgroups reaches it."""
    chunk = next((chunk for chunk in module.chunks if chunk.is_function and chunk.records[0] is record), None)
    if chunk is None or record.result is None or module.has_extension("SPV_KHR_compute_shader_derivatives"):
        return False
    if all(entry.model in _GROUP_MODELS for entry in module.kinds_reached_from(record.result)):
        return any(inst.opcode.value in DERIVATIVES for inst in chunk.records)
    return False


def _is_not_reached(record: Instruction, module: Module) -> bool:
    """No way leads to the block of an instruction, so that the reference does not look at where its operands are defined."""
    for function in module.functions():
        block = function.block_of.get(id(record))
        if block is not None:
            return not function.dominators.reaches(block.name)
    return False


def _is_listed_nowhere(record: Instruction, module: Module) -> bool:
    """No entry point lists a variable, so that the reference does not look at its locations."""
    return all(record.result not in entry.interface for entry in module.declarations.entry_points)


def _is_used_nowhere(record: Instruction, module: Module) -> bool:
    """No function uses a variable, so that the reference never looks at what it is a built-in of."""
    main = module.chunks[0]
    if record.opcode.value not in VARIABLES or record.result is None:
        return False
    return all(chunk is main for chunk in module.ids.using_chunks(record.result))


def _is_lax_about_primitives(record: Instruction, module: Module) -> bool:
    """No entry point uses the variable or structure, or another member of the structure has PerPrimitiveEXT."""
    name = record.result or ""
    in_part = record.opcode.value == spv.OpTypeStruct and _has_somewhere(name, Decoration.PerPrimitiveEXT, module)
    return in_part or not users(name, module)


def _has_somewhere(name: str | None, decoration: int, module: Module) -> bool:
    """Whether an id or a member of it has a decoration."""
    return any(found.value == decoration for found in module.decorations(name or ""))


def _is_of_views(record: Instruction, module: Module) -> bool:
    """The object or a member of the structure is a built-in of the mesh shaders or views of NVIDIA's extensions, or of AMD's
    barycentric coordinates."""
    given = module.decorations(record.result) if record.result is not None else ()
    return any(found.value == Decoration.BuiltIn and found.params[:1] and found.params[0] in _OF_VIEWS for found in given)


def _is_not_looked_at(record: Instruction, module: Module) -> bool:
    return _is_of_views(record, module) or _is_used_nowhere(record, module)


def _is_lax_about_class(record: Instruction, module: Module) -> bool:
    """The reference looks at some built-ins of untyped variables where functions use them, and at arrays not at all."""
    if record.opcode.value == spv.OpTypePointer:
        return all(use.value in _OF_VIEWS for use in pointed_to(record, module))
    if record.opcode.value != spv.OpUntypedVariableKHR:
        return _is_of_views(record, module)
    lax = _OF_STAGES if _is_used_nowhere(record, module) else frozenset[int]()
    return all(use.value in lax or (use.member is None and use.value in _OF_ARRAYS) for use in uses_of(record, module))


def _is_lax_at_use(record: Instruction, module: Module) -> bool:
    """Nothing is wrong but with built-ins that the reference does not look at, and with one that is an array, which it takes for
    that of mesh shaders in each model."""
    function = next(chunk.records[0].result for chunk in module.chunks if record in chunk.records)
    entries = module.kinds_reached_from(function or "")
    variables = module.built_in_variables()
    uses = [use for name in record.operands if isinstance(name, str) for use in variables.get(name, ())]
    wrong = [use for use in uses if use.value not in _OF_VIEWS and use_fault(record, 0, use, entries, module) is not None]
    return all(use.value in _NUMBERS and use_fault(record, 0, use, entries, module, arrays=False) is None for use in wrong)


def _computes_address(record: Instruction, module: Module) -> bool:
    return bool(record.operands) and record.operands[0] in _ADDRESSES


def _takes_variable(record: Instruction, module: Module) -> bool:
    return any(module.opcode_of(name) == spv.OpVariable for name in record.operands if isinstance(name, str))


def _takes_import(record: Instruction, module: Module) -> bool:
    names = [name for name in record.operands if isinstance(name, str) and record.opcode.value not in EXTENDED]
    return any(module.opcode_of(name) in _NO_VALUES for name in names)


def _imports_unused_reflection(record: Instruction, module: Module) -> bool:
    if not (module.import_name(record.result or "") or "").startswith("NonSemantic.ClspvReflection."):
        return False
    return not any(use.opcode.value in EXTENDED for _, use in module.ids.uses(record.result or ""))


def _stores_or_is_sparse(record: Instruction, module: Module) -> bool:
    return record.opcode.value == spv.OpImageWrite or record.opcode.value in traits.SPARSE


def _has_offsets_alone(record: Instruction, module: Module) -> bool:
    """The reference does not look at Offsets."""
    return ImageOperands.Offsets in record.operands


def _has_integer_coordinate(record: Instruction, module: Module) -> bool:
    type_ = module.type_of(id_at(record, 1)) if record.opcode.value in _WITH_LOD else None
    return type_ is not None and type_.scalar is not None and type_.scalar.is_int and not module.has_capability(Capability.Kernel)


def _is_lax_in_images(record: Instruction, module: Module) -> bool:
    return _has_offsets_alone(record, module) or _has_integer_coordinate(record, module)


def _is_spec_data(record: Instruction, module: Module) -> bool:
    return record.opcode.value == spv.OpSpecConstantDataKHR


def _has_location_of_its_own(record: Instruction, module: Module) -> bool:
    """The reference compares the first location of an array of tile images alone."""
    every = [other for opcode in VARIABLES for other in module.declarations.records(opcode)]
    named = [str(other.result) for other in every if word_at(other, 0) == StorageClass.TileImageEXT]
    places = [found.params for name in named if (found := module.decoration(name, Decoration.Location)) is not None]
    return len(places) == len(set(places))


def _stores_tensor(record: Instruction, module: Module) -> bool:
    type_ = module.type_of(id_at(record, 1))
    return type_ is not None and _DESCRIPTORS.isdisjoint(module.contents(type_.id))


def _stores_untyped(record: Instruction, module: Module) -> bool:
    type_ = module.type_of(record.operands[0]) if record.operands else None
    return record.opcode.value == spv.OpStore and type_ is not None and type_.kind == spv.OpTypeUntypedPointerKHR


def _is_typed_texel_pointer(record: Instruction, module: Module) -> bool:
    """The result is a typed pointer to a number or void in Image, for which the reference checks the rest."""
    type_ = module.type(record.type)
    pointee = type_.pointee if type_ is not None and type_.storage == StorageClass.Image else None
    return pointee is not None and pointee.kind in (spv.OpTypeInt, spv.OpTypeFloat, spv.OpTypeVoid)


def _has_coordinate_to_spare(record: Instruction, module: Module) -> bool:
    """An untyped texel pointer has a coordinate with a component for each dimension and one for the layer, and maybe more."""
    result, pointer, coordinate = module.type(record.type), module.type_of(id_at(record, 1)), module.type_of(id_at(record, 2))
    image = image_of(module.type(id_at(record, 0)))
    if result is None or pointer is None or coordinate is None or image is None or image.dim in (SUBPASS, TILE):
        return False
    if (result.storage, pointer.kind) != (StorageClass.Image, spv.OpTypeUntypedPointerKHR) or not INTS32.holds(coordinate):
        return False
    return dimension(module, coordinate) >= image.plane + image.arrayed


def _is_lax_at_texels(record: Instruction, module: Module) -> bool:
    return _is_typed_texel_pointer(record, module) or _has_coordinate_to_spare(record, module)


def _makes_pipe(record: Instruction, module: Module) -> bool:
    """The reference does not look at what a pipe is made from."""
    type_ = module.type(record.type)
    return record.opcode.value == spv.OpCreatePipeFromPipeStorage and type_ is not None and type_.kind == spv.OpTypePipe


def _has_other_flags(record: Instruction, module: Module) -> bool:
    """The reference does not look at the Flags of a DebugGlobalVariable."""
    operands = module.resolved(record).operands
    flags = str(operands[_FLAGS]) if operands[1:2] == (_GLOBAL_VARIABLE,) else None
    type_ = module.type_of(flags)
    is_number = type_ is not None and type_.is_int and type_.width == _32_BITS and not type_.signed
    return flags is not None and (module.opcode_of(flags) != spv.OpConstant or not is_number)


def _selects_beyond_parts(record: Instruction, module: Module) -> bool:
    """The Index of a DebugTensor is a number, which the reference does not compare with the number of parts."""
    operands = module.resolved(record).operands
    composite = module.type_of(str(operands[2]))
    index = str(operands[4]) if len(operands) > 4 else None
    type_ = module.type_of(index)
    if composite is None or not (composite.is_struct or composite.is_array) or module.opcode_of(index) != spv.OpConstant:
        return False
    return type_ is not None and type_.is_int and type_.width == 32 and not type_.signed


def _holds_vector_outside_vulkan(record: Instruction, module: Module) -> bool:
    """The reference looks for cooperative vectors in Vulkan alone, and for cooperative matrices everywhere."""
    type_ = module.type(record.type)
    held = type_.pointee if type_ is not None else None
    if held is None or module.environment.api == "vulkan":
        return False
    return spv.OpTypeVectorIdEXT in module.contents(held.id)


def _has_unread_components(record: Instruction, module: Module) -> bool:
    """The reference reads the size of workgroups from an OpConstantComposite of three OpConstant alone."""
    if record.opcode.value != spv.OpConstantComposite:
        return True
    return any(isinstance(name, str) and module.opcode_of(name) != spv.OpConstant for name in record.operands)


def _is_of_hit_object(record: Instruction, module: Module) -> bool:
    """The reference looks at the bits of Ray Flags in two instructions alone."""
    return record.opcode.value not in (spv.OpTraceRayKHR, spv.OpRayQueryInitializeKHR)


def _takes_unread_id(record: Instruction, module: Module) -> bool:
    """The reference misses two modes with ids where it looks for them in OpExecutionMode."""
    return record.opcode.value == spv.OpExecutionMode and word_at(record, 1) in _UNREAD_IDS


def _gives_other_floats(record: Instruction, module: Module) -> bool:
    """The reference does not look at the width of the floats that say where the ends of a swept sphere are, and how large."""
    result = module.type(record.type)
    element = result.element if result is not None and record.opcode.value in _SWEPT else None
    if result is None or element is None or module.integer(result.length_id) != _ENDS:
        return False
    scalar = element.scalar if element.is_vector and element.count == _AXES else element
    return scalar is not None and scalar.is_float and _SWEPT[record.opcode.value] == element.is_vector


def _is_of_later_revision(record: Instruction, module: Module) -> bool:
    """The reference does not look at NormalizedSamplerMaskPushConstant and WorkgroupVariableSize."""
    return not _LATER_REFLECTION.isdisjoint(module.resolved(record).operands[1:2])


def _is_by_string(record: Instruction, module: Module) -> bool:
    """The reference does not look at what the String forms decorate."""
    return record.opcode.value == spv.OpMemberDecorateString


def _is_replicated(record: Instruction, module: Module) -> bool:
    return record.opcode.value == spv.OpConstantCompositeReplicateEXT


def _is_judged_by_result(record: Instruction, module: Module) -> bool:
    """Of operands that are long vectors or cooperative matrices, the reference compares the shape at most, and the width in signed
    arithmetic; the kind of number it asks of the result alone."""
    result, code, name = module.type(record.type), record.opcode.value, record.opcode.name
    types = [type_ for operand in record.operands if (type_ := module.type_of(operand)) is not None]
    if result is None or result.scalar is None or result.scalar.is_int is (name[2] == "F") or name.endswith(("Rem", "Mod")):
        return False
    if result.kind == spv.OpTypeVectorIdEXT:
        if code == spv.OpUDiv and result.scalar.signed:
            return False
        if any(type_.kind != result.kind or vector_difference(module, result, type_) is not None for type_ in types):
            return False
        sizes = {(dimension(module, type_), width(type_)) for type_ in (result, *types)}
        return code not in _OF_WIDTH or len(sizes) == 1
    if code not in _OF_WIDTH or result.kind != _MATRICES[code != spv.OpIMul]:
        return False
    return all(type_.kind in _MATRICES and width(type_) == width(result) for type_ in types)


def _selects_of_long_vector(record: Instruction, module: Module) -> bool:
    """The reference reads the id of a length as the length, so that no literal of OpVectorShuffle is likely to be beyond it."""
    result, types = module.type(record.type), [module.type_of(id_at(record, at)) for at in (0, 1)]
    if result is None or record.opcode.value != spv.OpVectorShuffle:
        return False
    parts = {type_.element_id for type_ in types if type_ is not None}
    return parts == {result.element_id} and any(type_ is not None and type_.kind == spv.OpTypeVectorIdEXT for type_ in types)


def _gives_vector(record: Instruction, module: Module) -> bool:
    """The reference accepts vectors of small floats as well."""
    result, base = module.type(record.type), module.type_of(id_at(record, 0))
    if result is None or base is None or not result.is_vector or module.contents(result.id).isdisjoint(EXTRACTED):
        return False
    return dimension(module, base) == dimension(module, result) and width(base) > width(result)


def _is_scalar_of_vector(record: Instruction, module: Module) -> bool:
    """The reference compares the number of components of pointers and integers where the result is a vector."""
    result, operand = module.type(record.type), module.type_of(id_at(record, 0))
    return result is not None and operand is not None and operand.is_vector and not result.is_vector


def _holds_elements(record: Instruction, module: Module) -> bool:
    """The reference compares the component type of an OutOfBoundsValueARM."""
    tensor, value = (module.type_of(id_at(record, at)) for at in (0, 3))
    if tensor is None or value is None or record.opcode.value != spv.OpTensorReadARM:
        return False
    return (value.is_array or value.is_vector) and value.element_id == tensor.element_id


def _has_length_of_other_width(record: Instruction, module: Module) -> bool:
    """The reference does not read lengths of arrays that are not of 32 bits."""
    result = module.type(record.type)
    length = module.type_of(result.length_id) if result is not None and result.is_array else None
    return length is not None and length.width != _32_BITS


_NUMBERS = frozenset({BuiltIn.Layer, BuiltIn.PrimitiveId, BuiltIn.ViewportIndex})
_LATER_REFLECTION = frozenset({41, 42})
_UNREAD_IDS = frozenset({ExecutionMode.OpacityMicromapIdKHR, ExecutionMode.MaximumRegistersIdINTEL})
_SWEPT = {
    spv.OpHitObjectGetLSSPositionsNV: True, spv.OpHitObjectGetLSSRadiiNV: False,
    spv.OpRayQueryGetIntersectionLSSPositionsNV: True, spv.OpRayQueryGetIntersectionLSSRadiiNV: False,
}  # fmt: skip
"""The instructions that say where the ends of a swept sphere are, or how large: whether they give vectors."""
_ENDS, _AXES = 2, 3
_GROUP_MODELS = frozenset({ExecutionModel.GLCompute, ExecutionModel.MeshEXT, ExecutionModel.TaskEXT})
_REQUIRED_IN_VULKAN = frozenset(
    {
        Decoration.ArrayStride, Decoration.MatrixStride, Decoration.Binding, Decoration.Block, Decoration.BufferBlock,
        Decoration.BuiltIn, Decoration.Component, Decoration.DescriptorSet, Decoration.Flat, Decoration.Location, Decoration.Patch,
        Decoration.PerPrimitiveEXT,
    }
)  # fmt: skip
_REQUIRED_OF_STAGES = frozenset({Decoration.BuiltIn, Decoration.Flat, Decoration.Location})
_WITH_LOCATIONS = frozenset(
    {
        ExecutionModel.Vertex, ExecutionModel.TessellationControl, ExecutionModel.TessellationEvaluation, ExecutionModel.Geometry,
        ExecutionModel.Fragment,
    }
)  # fmt: skip
_WITH_LOD = frozenset({spv.OpImageSampleExplicitLod, spv.OpImageSparseSampleExplicitLod})
_MATRICES = (spv.OpTypeCooperativeMatrixKHR, spv.OpTypeCooperativeMatrixNV)
_OF_WIDTH = frozenset({spv.OpSNegate, spv.OpIAdd, spv.OpISub, spv.OpIMul, spv.OpSDiv})
_OF_VIEWS = frozenset(
    {
        BuiltIn.ClipDistancePerViewNV, BuiltIn.CullDistancePerViewNV, BuiltIn.LayerPerViewNV, BuiltIn.PositionPerViewNV,
        BuiltIn.ViewportMaskPerViewNV, BuiltIn.MeshViewCountNV, BuiltIn.MeshViewIndicesNV, BuiltIn.PrimitiveCountNV,
        BuiltIn.PrimitiveIndicesNV, BuiltIn.TaskCountNV, BuiltIn.ViewportMaskNV, BuiltIn.SecondaryPositionNV,
        BuiltIn.SecondaryViewportMaskNV, BuiltIn.BaryCoordNoPerspAMD, BuiltIn.BaryCoordNoPerspCentroidAMD,
        BuiltIn.BaryCoordNoPerspSampleAMD, BuiltIn.BaryCoordSmoothAMD, BuiltIn.BaryCoordSmoothCentroidAMD,
        BuiltIn.BaryCoordSmoothSampleAMD, BuiltIn.BaryCoordPullModelAMD,
    }
)  # fmt: skip
_OF_STAGES = frozenset(
    {
        BuiltIn.Position, BuiltIn.PointSize, BuiltIn.ClipDistance, BuiltIn.CullDistance, BuiltIn.PrimitiveId, BuiltIn.Layer,
        BuiltIn.ViewportIndex, BuiltIn.PrimitiveShadingRateKHR, BuiltIn.CullPrimitiveEXT,
    }
)  # fmt: skip
_OF_ARRAYS = frozenset(
    {
        BuiltIn.TessLevelOuter, BuiltIn.TessLevelInner, BuiltIn.SampleMask, BuiltIn.PrimitivePointIndicesEXT,
        BuiltIn.PrimitiveLineIndicesEXT, BuiltIn.PrimitiveTriangleIndicesEXT,
    }
)  # fmt: skip
_ADDRESSES = traits.ACCESS_CHAINS | traits.UNTYPED_ACCESS_CHAINS
_DESCRIPTORS = frozenset({spv.OpTypeImage, spv.OpTypeSampler, spv.OpTypeSampledImage, spv.OpTypeAccelerationStructureKHR})
_AGGREGATES = frozenset({spv.OpTypeStruct, spv.OpTypeArray, spv.OpTypeRuntimeArray})
_NO_VALUES = frozenset({spv.OpExtInstImport, spv.OpString})

DIFFERENCES: dict[str, Where] = {
    "block-layout/layout-follows-storage-class": _has_unset_layout,
    "control-flow/loop-has-one-back-edge": _continues_at_entry,
    "computation/bitcast-extract-types-match": _gives_vector,
    "computation/float-operands-match-result": _is_judged_by_result,
    "computation/integer-operands-match-result": _is_judged_by_result,
    "computation/vector-operands-match": _selects_of_long_vector,
    "constant/constituent-count-matches-type": _has_length_of_other_width,
    "constant/data-has-integer-array-type": _is_spec_data,
    "constant/spec-operands-are-constant": _takes_variable,
    "constant/spec-operation-is-valid": _computes_address,
    "decoration/member-exists-and-fits": _is_by_string,
    "decoration/fits-target-object": _is_read_as_local,
    "decoration/string-form-matches-decoration": _sets_what_nothing_requires,
    "entry-point/derivative-groups-divide-workgroup": _is_replicated,
    "entry-point/mode-form-matches-operands": _takes_unread_id,
    "entry-point/workgroup-size-constant-is-nonzero": _has_unread_components,
    "execution-model/hit-object-types-match": _gives_other_floats,
    "execution-model/ray-query-types-match": _gives_other_floats,
    "execution-model/ray-flags-are-enabled": _is_of_hit_object,
    "execution-model/supports-reached-instructions": _lacks_derivative_extension,
    "execution-model/pipe-storage-types-match": _makes_pipe,
    **dict.fromkeys(
        ("ext-inst/clspv-instruction-fits-revision", "ext-inst/clspv-operands-have-required-kind"), _is_of_later_revision
    ),
    "ext-inst/debug-operands-have-required-kind": _has_other_flags,
    "ext-inst/graph-debug-index-selects-part": _selects_beyond_parts,
    "ext-inst/imported-revision-is-known": _imports_unused_reflection,
    "id/operand-is-value": _takes_import,
    "id/stays-in-its-function": _is_not_reached,
    "image/access-fits-image": _is_lax_in_images,
    "image/extended-texel-is-integer": _stores_or_is_sparse,
    "image/untyped-texel-pointer-fits-image": _is_lax_at_texels,
    "interface/built-in-has-no-location": _is_listed_nowhere,
    "interface/built-in-fits-storage-class": _is_lax_about_class,
    "interface/built-in-fits-vulkan-model": _is_lax_at_use,
    "interface/built-in-has-required-type": _is_not_looked_at,
    "interface/primitive-built-in-is-decorated": _is_lax_about_primitives,
    "interface/tile-image-locations-are-distinct": _has_location_of_its_own,
    "memory/alignment-fits-access": _stores_untyped,
    "memory/cooperative-variable-is-local": _holds_vector_outside_vulkan,
    "memory/opaque-object-is-not-stored": _stores_tensor,
    "pointer/conversion-types-match": _is_scalar_of_vector,
    "synchronization/vote-takes-boolean": _always,
    "tensor/graph-body-matches-interface": _comes_after_elements,
    "tensor/matrix-array-types-match": _holds_composites,
    "tensor/tensor-operands-fit-access": _holds_elements,
    "type/kernel-signedness-is-zero": _is_not_32_bits,
    "type/signedness-is-0-or-1": _is_not_32_bits,
}
"""By rule: which of the instructions that it finds errors on the reference accepts nonetheless."""
