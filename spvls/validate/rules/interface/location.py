"""Locations and components (SPIR-V 3.2.6, 3.2.19)."""

from __future__ import annotations

from collections.abc import Iterable

from spvls.grammar import sections, spv
from spvls.grammar.enumerants import Capability, Decoration, ExecutionModel, StorageClass
from spvls.grammar.operand_index import OpEntryPoint_EntryPoint, OpEntryPoint_ExecutionModel, OpVariable_StorageClass
from spvls.grammar.traits import VARIABLES
from spvls.module.decorations import AppliedDecoration, decoration_name, decoration_value
from spvls.module.interface import IN_OUT, OUTPUT, Variable, is_per_vertex
from spvls.module.module import Module
from spvls.module.operand_at import id_at, word_at
from spvls.module.recursion import Steps, evaluate
from spvls.module.types import Type
from spvls.module.variable import held_by, the_class
from spvls.syntax.instruction import OPCODE, RESULT, Instruction
from spvls.validate.checks.applied import ANNOTATING, Applied, applied
from spvls.validate.checks.entry import listed_variables, model_name
from spvls.validate.engine.finding import PAUSE, Delete, Finding, FindingFix, Note
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule
from spvls.validate.fixes.common import decorate

_IN_OUT = frozenset({StorageClass.Input, StorageClass.Output})
_MOST_LOCATIONS = 4096
_COMPONENTS = 4
_FEW = 64
_PHYSICAL, _TILE_IMAGE = StorageClass.PhysicalStorageBuffer, StorageClass.TileImageEXT


@instruction_rule("interface/built-in-has-no-location", *VARIABLES, section=sections.DECORATION, apis="vulkan")
def built_in_has_no_location(inst: Instruction, context: RuleContext) -> Findings:
    """In Vulkan, a built-in input or output must not have a Location or a Component.

    A driver finds a built-in by its BuiltIn, and connects other inputs and outputs by their locations. With both decorations it may
    connect the variable twice, or use the location for nothing and have fewer left for others. The rule includes variables of a
    structure with built-in members and, unlike in spirv-val, those that no entry point lists. As in spirv-val, arrays of such
    structures are not checked, nor the decorations of members.
    """
    module = context.module
    name = inst.result
    if name is None or word_at(inst, OpVariable_StorageClass) not in IN_OUT:
        return
    held = held_by(inst, module)
    placing = [found for found in module.decorations(name) if found.value in (Decoration.Location, Decoration.Component)]
    target = held.id if held is not None and held.is_struct else name
    if placing and any(found.value == Decoration.BuiltIn for found in module.decorations(target)):
        placed = module.in_order(placing)[0]
        what = "a built-in" if target == name else "a block of built-ins"
        message = f"%{name} is {what} and must not have a {placed.name}"
        note = Note(placed.record, OPCODE, f"{placed.name} is set here")
        fixes: tuple[FindingFix, ...] = ()
        if placed.group is None:
            fixes = (FindingFix(f"Remove the {placed.name}", (Delete(placed.record),)),)
        yield Finding(inst, RESULT, message, (note,), fixes, vuid="VUID-StandaloneSpirv-Location-04915")


@instruction_rule("interface/component-fits-location", *ANNOTATING, section=sections.DECORATION)
def component_fits_location(inst: Instruction, context: RuleContext) -> Findings:
    """Component must decorate an input or output that fits in the rest of its location.

    A location has four components of 32 bits. A value that starts too late extends into the next location, where another variable
    may be: one may get the value of the other.

    Outside of Vulkan, only the storage class of an OpVariable is checked: it must be Input or Output. In Vulkan, this rule checks
    the storage class only where a decoration group gives the Component; elsewhere `decoration/fits-vulkan-storage-class` does.

    In Vulkan, the type must be a scalar or vector of numbers or an array of these, but not a run-time array, and the Component must
    be 0 to 3. A 64-bit number requires two components, so it must start at component 0 or 2, a vector of two at 0, and a vector of
    more must not have a Component. A vector of 16- or 32-bit numbers must not extend beyond component 3.
    """
    value, module = decoration_value(inst), context.module
    if value not in (None, Decoration.Component) or not module.uses_decoration(Decoration.Component):
        return
    for item in applied(inst, module):
        definition = module.definition(item.target) if item.value == Decoration.Component else None
        if definition is None:
            continue
        found = _component_fault(item, definition, module, of_group=item.record is not inst)
        if found is not None:
            message, vuid = found
            note = Note(inst, OPCODE, "Component is set here")
            yield Finding(definition, RESULT, message, (note,), vuid=vuid)


def _component_fault(item: Applied, target: Instruction, module: Module, *, of_group: bool) -> tuple[str, str | None] | None:
    start = item.params[0] if item.params else None
    type_ = module.type(target.type)
    if item.member is not None:
        struct = module.type(item.target)
        members = struct.members if struct is not None else ()
        type_ = members[item.member] if item.member < len(members) else None
    elif target.opcode.value == spv.OpVariable and type_ is not None and type_.is_pointer:
        if type_.storage not in _IN_OUT:
            if module.environment.api == "vulkan" and not of_group:
                return None  # Vulkan has a rule of its own on storage classes
            where = f"{the_class(type_.storage)}"
            return f"%{item.target} is in {where}, but Component requires Input or Output", None
        type_ = type_.pointee
    elif type_ is not None and type_.kind == spv.OpTypePointer:
        type_ = type_.pointee
    if module.environment.api != "vulkan" or not isinstance(start, int):
        return None
    if type_ is not None and spv.OpTypeRuntimeArray not in module.contents(type_.id, behind_pointers=False):
        type_ = module.without_arrays(type_)
    if type_ is None:
        return None
    prefix = "VUID-StandaloneSpirv-Component-"
    name = f"%{item.target}" if item.member is None else f"member {item.member} of %{item.target}"
    spelled = module.spell(type_)
    scalar = type_.scalar
    if scalar is None or not scalar.is_numeric or type_.is_matrix or type_.is_cooperative_matrix:
        return f"{name} is {spelled}, but Component requires a scalar or vector of numbers, or an array of these", f"{prefix}10583"
    if start > 3:
        return f"{name} is decorated with Component {start}, expected 0 to 3", f"{prefix}04920"
    count = max(type_.length, 1)
    last = start + count * (2 if scalar.width == 64 else 1) - 1
    if scalar.width == 64 and count > 2:
        return f"{name} is {spelled}, which occupies two locations, and must not be decorated with Component", f"{prefix}07703"
    if scalar.width == 64 and start % 2:
        wanted = "0 or 2" if count == 1 else "0"
        return f"{name} ({spelled}) is decorated with Component {start}, expected {wanted}", f"{prefix}04923"
    if last > 3 and scalar.width in (16, 32, 64):
        vuid = "04922" if scalar.width == 64 else "04921"
        occupied = f"{name} ({spelled}) occupies components {start} to {last}"
        return f"{occupied}, but a location has only components 0 to 3", prefix + vuid
    return None


_FRAGMENT, _GEOMETRY = ExecutionModel.Fragment, ExecutionModel.Geometry
_CONTROL, _EVALUATION = ExecutionModel.TessellationControl, ExecutionModel.TessellationEvaluation
_PLACED = frozenset({ExecutionModel.Vertex, _CONTROL, _EVALUATION, _GEOMETRY, _FRAGMENT})

_LOCATION = "VUID-StandaloneSpirv-Location-"
_Slot = tuple[int, bool, bool, int, int]
"""Storage class, whether it is per patch, whether Index is 1, and Stream; four times the location, plus the component."""


@instruction_rule("interface/locations-are-distinct", spv.OpEntryPoint, section=sections.DECORATION, apis="vulkan")
def locations_are_distinct(inst: Instruction, context: RuleContext) -> Findings:
    """In Vulkan, inputs and outputs other than built-ins must have locations and share no component.

    Stages are connected by locations. If two variables share a component, one may get the value of the other. Without a location, a
    variable may not be connected to anything.

    The location is that of the variable or, in a Block without one, that of each member. Members inside of what has a location must
    not have one. A 64-bit vector with more than two components occupies two locations, a matrix one location or two for each
    column, and an array those of all elements. An array with an element for each vertex, such as an input of a geometry shader,
    occupies those of one element. Inputs, outputs, variables decorated with Patch, each stream of a geometry shader with
    GeometryStreams and fragment outputs with Index 1 have locations of their own.

    As in spirv-val, only the first element counts of some arrays, such as those whose length can be specialized and, in a Block
    without a Location, those whose elements are vectors of four floats.

    The rule checks what an OpEntryPoint of a vertex, tessellation, geometry or fragment shader lists. Index may only decorate
    fragment outputs. PerVertexKHR (SPV_KHR_fragment_shader_barycentric) requires a fragment shader and an array. A group must not
    give a member a Location or Component that differs from another one of the member.
    """
    model = word_at(inst, OpEntryPoint_ExecutionModel)
    if model not in _PLACED:
        return
    seen: set[str] = set()
    taken: dict[_Slot, Variable] = {}
    blamed: set[str] = context.chunk_state("locations", set)
    for at, variable in enumerate(listed_variables(inst, context)):
        if not at % _FEW:
            yield PAUSE
        if variable.storage not in IN_OUT or variable.name in seen or variable.type is None:
            continue
        seen.add(variable.name)
        finding = _Placing(inst, model, variable, variable.type, context.module, taken).run()
        if finding is not None:
            key = finding.record.result or ""
            if not key or key not in blamed:
                blamed.add(key)
                yield finding
            return


class _Placing:
    """Where one variable of an entry point lies."""

    def __init__(
        self, inst: Instruction, model: int, variable: Variable, held: Type, module: Module, taken: dict[_Slot, Variable]
    ) -> None:
        self._entry = inst
        self._model = model
        self._variable = variable
        self._held = held
        self._module = module
        self._taken = taken
        self._output = variable.storage == OUTPUT
        self._mine: set[_Slot] = set()
        self._own: dict[int, int] = {}
        own: dict[int, list[AppliedDecoration]] = {}
        for found in module.decorations(variable.name):
            own.setdefault(found.value, []).append(found)
        self._values = frozenset(own)
        for value, decorations in own.items():
            params = module.in_order(decorations)[0].params
            if params and isinstance(params[0], int):
                self._own[value] = params[0]

    def run(self) -> Finding | None:
        variable, module = self._variable, self._module
        name, record = variable.name, variable.record
        if Decoration.BuiltIn in self._values:
            return None
        if Decoration.Index in self._values and not (self._output and self._model == _FRAGMENT):
            wanted = f"the {'storage class Output' if self._model == _FRAGMENT else 'execution model Fragment'}"
            return self._on(record, f"%{name} is decorated with Index, which requires {wanted}; {self._listed()}")
        if Decoration.PerVertexKHR in self._values:
            if self._model != _FRAGMENT:
                message = f"%{name} is decorated with PerVertexKHR, which requires the execution model Fragment; {self._listed()}"
                return self._on(record, message, "VUID-StandaloneSpirv-PerVertexKHR-06777")
            if not self._held.is_array:
                message = f"%{name} is decorated with PerVertexKHR but is {module.spell(self._held)}, expected an array"
                return self._on(record, message, "VUID-StandaloneSpirv-Input-06778")
        held: Type | None = self._held
        if self._held.is_array and is_per_vertex(self._model, variable.storage, self._values):
            held = self._held.element
        if held is None or (held.is_struct and any(d.value == Decoration.BuiltIn for d in module.decorations(held.id))):
            return None
        if Decoration.Location in self._own:
            return self._whole(held, self._own[Decoration.Location])
        if not module.has_decoration(held.id, Decoration.Block):
            vuid = f"{_LOCATION}0491{7 if held.is_struct else 6}"
            fixes = self._located(held) if not held.is_struct else ()
            what = f"%{name} ({module.spell(held)}) is an {'output' if self._output else 'input'}"
            return self._on(record, f"{what} and must have a Location", vuid)._replace(fixes=fixes)
        return self._members(held)

    def _listed(self) -> str:
        kind, entry = "an output" if self._output else "an input", id_at(self._entry, OpEntryPoint_EntryPoint)
        return f"%{self._variable.name} is {kind} of the {model_name(self._model)} entry point %{entry}"

    def _on(self, record: Instruction, message: str, vuid: str | None = None) -> Finding:
        notes = (Note(self._entry, self._variable.operand_index, f"%{self._variable.name} is listed here"),)
        return Finding(record, RESULT, message, notes, vuid=vuid)

    def _located(self, held: Type) -> tuple[FindingFix, ...]:
        """The quick fix that puts the variable after all others of its storage class."""
        from spvls.module.next_number import next_number

        free = next_number(self._module, self._variable.name, Decoration.Location)
        if isinstance(self._locations(held), Finding):
            return ()
        return decorate(self._variable.name, f"Location {free}", self._module, preferred=False)

    def _whole(self, held: Type, location: int) -> Finding | None:
        """Takes the places of a variable that has a location itself."""
        element, length = held, 1
        if held.kind == spv.OpTypeArray:
            inner = held.element
            if inner is None:
                return None
            element, length = inner, self._length(held, 1)
        count = self._locations(element)
        if isinstance(count, Finding):
            return count
        components = _components(element)
        stream = self._own.get(Decoration.Stream, 0)
        component = self._own.get(Decoration.Component, 0)
        for index in range(length):
            at = location + count * index
            if at >= _MOST_LOCATIONS:
                break
            finding = self._take(_range(at, count, component, components), stream)
            if finding is not None:
                return finding
        return None

    def _members(self, block: Type) -> Finding | None:
        """Takes the places of a block whose members have locations."""
        own: dict[tuple[int, int], int] = {}
        of_group: dict[tuple[int, int], bool] = {}
        placing = [
            d
            for d in self._module.decorations(block.id)
            if d.value in (Decoration.Location, Decoration.Component, Decoration.Stream)
        ]
        for found in self._module.in_order(placing):
            if found.member is None or not found.params or not isinstance(found.params[0], int):
                continue
            key = found.value, found.member
            first = own.setdefault(key, found.params[0])
            grouped = of_group.setdefault(key, found.group is not None) or found.group is not None
            if first != found.params[0] and grouped and found.value != Decoration.Stream:
                name = decoration_name(found.value)
                both = f"two {name} decorations ({first} and {found.params[0]})"
                message = f"member {found.member} of %{block.id} has {both}; it may have at most one"
                return self._on(block.record, message)
        for index, member in enumerate(block.members):
            location = own.get((Decoration.Location, index))
            if location is None:
                message = f"either member {index} of %{block.id} or the variable %{self._variable.name} must have a Location"
                return self._on(block.record, message, f"{_LOCATION}04919")._replace(operand_index=index)
            if member is None:
                return None
            count = self._locations(member)
            if isinstance(count, Finding):
                return count
            if location >= _MOST_LOCATIONS:
                continue
            components = _components(member)
            component = own.get((Decoration.Component, index), 0)
            stream = own.get((Decoration.Stream, index), self._own.get(Decoration.Stream, 0))
            if member.kind == spv.OpTypeArray and 1 <= components < _COMPONENTS:
                slots = [
                    at * _COMPONENTS + part
                    for at in range(location, min(location + count, _MOST_LOCATIONS))
                    for part in range(component, component + components)
                ]
                finding = self._take(slots, stream)
            else:
                finding = self._take(_range(location, count, component, components), stream)
            if finding is not None:
                return finding
        return None

    def _take(self, slots: Iterable[int], stream: int) -> Finding | None:
        streamed = self._output and self._model == _GEOMETRY and self._module.has_capability(Capability.GeometryStreams)
        for slot in slots:
            patch = Decoration.Patch in self._values
            second = self._output and self._own.get(Decoration.Index) == 1
            key = self._variable.storage, patch, second, stream if streamed else 0, slot
            other = self._taken.setdefault(key, self._variable)
            if other is self._variable and key not in self._mine:
                self._mine.add(key)
                continue
            location, component = divmod(slot, _COMPONENTS)
            name = self._variable.name
            where = f"component {component} of location {location}"
            message = f"%{name} and %{other.name} must not both be at {where}"
            if other.name == name:
                message = f"two members or elements of %{name} must not both be at {where}"
            vuid = f"VUID-StandaloneSpirv-OpEntryPoint-0872{2 if self._output else 1}"
            notes = tuple(Note(one.record, RESULT, f"%{one.name} is declared here") for one in (self._variable, other))
            return Finding(self._entry, self._variable.operand_index, message, notes, vuid=vuid)
        return None

    def _length(self, array: Type, otherwise: int) -> int:
        length = self._module.integer(array.length_id)
        return otherwise if length is None else min(length, _MOST_LOCATIONS)

    def _locations(self, type_: Type) -> int | Finding:
        """How many locations a type takes; a finding where it, or a part of it, can have none."""
        known: dict[Type, int | Finding] = {}
        return evaluate(self._located_parts, type_, known, 0)

    def _located_parts(self, type_: Type) -> Steps[Type, int | Finding]:
        if type_.is_numeric or (type_.is_pointer and type_.storage == _PHYSICAL):
            return 1
        if type_.is_vector:
            wide = type_.element is not None and type_.element.width == 64
            return 2 if wide and type_.length > 2 else 1
        if (type_.is_matrix or type_.kind == spv.OpTypeArray) and type_.element is not None:
            inner = yield type_.element
            if isinstance(inner, Finding):
                return inner
            return inner * (type_.count if type_.is_matrix else self._length(type_, 1))
        if type_.is_struct:
            own = [found for found in self._module.decorations(type_.id) if found.value == Decoration.Location]
            if own:
                placed = self._module.in_order(own)[0]
                outer = self._module.without_arrays(self._held)
                name, is_nested = self._variable.name, outer is None or outer.id != type_.id
                inside = f"members of %{type_.id}, which {f'is nested in %{name}' if is_nested else f'%{name} holds'},"
                whole = Decoration.Location in self._own
                holder = f"%{self._variable.name}" if whole else f"the block member that contains %{type_.id}"
                message = f"{inside} must not have a Location, because {holder} has one"
                finding = self._on(type_.record, message, f"{_LOCATION}04918")
                return finding._replace(notes=(Note(placed.record, OPCODE, "Location is set here"), *finding.notes))
            total = 0
            for member in type_.members:
                inner = (yield member) if member is not None else 0
                if isinstance(inner, Finding):
                    return inner
                total += inner
            return total
        if type_.is_bool:
            return 1  # said of the variable
        what = f"the {'output' if self._output else 'input'} %{self._variable.name}"
        return self._on(type_.record, f"{what} holds {self._module.spell(type_)}, which cannot have a location")


def _components(type_: Type) -> int:
    """How many components scalars, vectors and arrays of these take; 0 for others, which take whole locations."""

    def components(type_: Type) -> Steps[Type, int]:
        if type_.is_numeric:
            return 2 if type_.width == 64 else 1
        if type_.is_pointer:
            return 2 if type_.storage == _PHYSICAL else 0
        if type_.element is not None and (type_.is_vector or type_.kind == spv.OpTypeArray):
            return (yield type_.element) * (type_.length if type_.is_vector else 1)
        return 0

    return min(evaluate(components, type_, {}, 0), _MOST_LOCATIONS * _COMPONENTS)


def _range(location: int, count: int, component: int, components: int) -> range:
    first = location * _COMPONENTS
    if components:
        return range(first + component, first + component + components)
    return range(first, first + min(count, _MOST_LOCATIONS) * _COMPONENTS)


@instruction_rule(
    "interface/tile-image-has-location",
    *VARIABLES,
    section=sections.STORAGE_CLASS,
    vuid="VUID-StandaloneSpirv-TileImageEXT-08723",
    apis="vulkan",
)
def tile_image_has_location(inst: Instruction, context: RuleContext) -> Findings:
    """In Vulkan, a variable in TileImageEXT must be decorated with Location.

    The location selects the color attachment that the tile image reads. Without it a driver does not know which attachment is
    meant. All variables of this storage class are checked, as in spirv-val; Vulkan does not say in words that each must have a
    Location, only that one with a Location is matched to a color attachment.
    """
    own = word_at(inst, 0)
    if own != _TILE_IMAGE or inst.result is None or context.module.has_decoration(inst.result, Decoration.Location):
        return
    yield Finding(inst, RESULT, f"%{inst.result} is in the storage class TileImageEXT and must be decorated with Location")


@instruction_rule(
    "interface/tile-image-locations-are-distinct",
    spv.OpEntryPoint,
    section=sections.STORAGE_CLASS,
    vuid="VUID-StandaloneSpirv-TileImageEXT-08723",
    apis="vulkan",
)
def tile_image_locations_are_distinct(inst: Instruction, context: RuleContext) -> Findings:
    """In Vulkan, two tile images of an entry point must not have the same location.

    The location of a tile image selects the color attachment that it reads. A driver that gets two variables for one attachment may
    connect only one of them. An array of tile images occupies consecutive locations; if its length can be specialized, only the
    first is compared, and of an array of arrays, only as many as the outer array has elements. Only variables that an OpEntryPoint
    lists are compared.
    """
    module = context.module
    taken: dict[int, str] = {}
    seen: set[str] = set()
    for variable in listed_variables(inst, context):
        if variable.storage != _TILE_IMAGE or variable.name in seen:
            continue
        seen.add(variable.name)
        placed = module.in_order(d for d in module.decorations(variable.name) if d.value == Decoration.Location)
        location = placed[0].params[0] if placed and placed[0].params else None
        if not isinstance(location, int):
            continue
        held = variable.type
        length = module.integer(held.length_id) if held is not None and held.kind == spv.OpTypeArray else 1
        for at in range(location, location + min(length or 1, _MOST_LOCATIONS)):
            other = taken.setdefault(at, variable.name)
            if other != variable.name:
                message = f"%{other} and %{variable.name} are both tile images at location {at}, expected different locations"
                note = Note(inst, variable.operand_index, f"%{variable.name} is listed here")
                yield Finding(variable.record, RESULT, message, (note,))
                return
