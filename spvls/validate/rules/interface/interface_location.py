"""Locations and components of the inputs and outputs of an entry point (Vulkan "Location Assignment"), and its built-ins."""

from __future__ import annotations

from collections.abc import Iterable

from spvls.grammar import tables
from spvls.module.decorations import Decoration
from spvls.module.module import Module
from spvls.module.types import Type
from spvls.syntax.instruction import OPCODE, RESULT, Instruction, Operand
from spvls.syntax.operand_decls import value
from spvls.validate.entry import vulkan
from spvls.validate.finding import Finding, Mend, Note
from spvls.validate.interface import IN_OUT, OUTPUT, Variable, listed
from spvls.validate.mends import decorate
from spvls.validate.operand_at import word_at
from spvls.validate.rule import Findings, Scene, instruction_rule
from spvls.validate.storage_class import storage

_MOST_LOCATIONS = 4096
_COMPONENTS = 4
_PHYSICAL, _TILE_IMAGE = storage("PhysicalStorageBuffer"), storage("TileImageEXT")


def _model(name: str) -> int:
    return value("ExecutionModel", name)


_FRAGMENT, _GEOMETRY = _model("Fragment"), _model("Geometry")
_CONTROL, _EVALUATION = _model("TessellationControl"), _model("TessellationEvaluation")
_PLACED = frozenset({_model("Vertex"), _CONTROL, _EVALUATION, _GEOMETRY, _FRAGMENT})

_LOCATION = "VUID-StandaloneSpirv-Location-"
_Slot = tuple[int, bool, int, int, int]
"""Storage class, whether it is per patch, Index and Stream; four times the location, plus the component."""


@instruction_rule("entry-point/locations", "OpEntryPoint", section="3.2.19", apis="vulkan")
def locations(inst: Instruction, scene: Scene) -> Findings:
    """In Vulkan each input and output has a location, and no two of one entry point share a component of one.

    The location is that of the variable, or, in a Block without one, of each member. Vectors of 64 bits and more than two
    components take two locations, matrices one a column and arrays those of all their elements. Patch variables, the streams
    of geometry shaders and the two Indexes of fragment outputs are apart. Built-in variables have none.

    Bad:  `OpDecorate %a Location 0` and `OpDecorate %b Location 0`, both in Output
    Good: `OpDecorate %b Location 1`
    """
    model = word_at(inst, 0)
    if model not in _PLACED:
        return
    seen: set[str] = set()
    taken: dict[_Slot, Variable] = {}
    blamed: set[str] = scene.shared("locations", set)
    for variable in listed(inst, scene.module):
        if variable.storage not in IN_OUT or variable.name in seen or variable.type is None:
            continue
        seen.add(variable.name)
        finding = _Placing(inst, model, variable, variable.type, scene.module, taken).run()
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
        self._own: dict[str, int] = {}
        own: dict[str, list[Decoration]] = {}
        for found in module.decorations(variable.name):
            own.setdefault(found.name, []).append(found)
        self._names = frozenset(own)
        for name, decorations in own.items():
            params = module.in_order(decorations)[0].params
            if params and isinstance(params[0], int):
                self._own[name] = params[0]

    def run(self) -> Finding | None:
        variable, module = self._variable, self._module
        name, record = variable.name, variable.record
        if "BuiltIn" in self._names:
            return None
        if "Index" in self._names and not (self._output and self._model == _FRAGMENT):
            return self._on(record, f"%{name} has an Index, which is for outputs of fragment shaders")
        if "PerVertexKHR" in self._names:
            if self._model != _FRAGMENT:
                message = f"%{name} is decorated PerVertexKHR, which is for fragment shaders"
                return self._on(record, message, "VUID-StandaloneSpirv-PerVertexKHR-06777")
            if not self._held.is_array:
                message = f"%{name} is decorated PerVertexKHR and {module.spell(self._held)}, expected an array"
                return self._on(record, message, "VUID-StandaloneSpirv-Input-06778")
        held: Type | None = self._held
        if self._held.is_array and self._arrayed():
            held = self._held.element
        if held is None or (held.is_struct and any(d.name == "BuiltIn" for d in module.decorations(held.id))):
            return None
        if "Location" in self._own:
            return self._whole(held, self._own["Location"])
        if not module.has_decoration(held.id, "Block"):
            vuid = f"{_LOCATION}0491{7 if held.is_struct else 6}"
            mends = self._located(held) if not held.is_struct else ()
            return self._on(record, f"%{name} is {module.spell(held)}, and has no Location", vuid)._replace(mends=mends)
        return self._members(held)

    def _arrayed(self) -> bool:
        """Whether the variable has an element for each vertex."""
        if self._model == _CONTROL:
            return "Patch" not in self._names
        if self._model == _EVALUATION:
            return not self._output and "Patch" not in self._names
        return not self._output and (self._model == _GEOMETRY or "PerVertexKHR" in self._names)

    def _on(self, record: Instruction, message: str, vuid: str | None = None) -> Finding:
        notes = (Note(self._entry, self._variable.place, "it is listed here"),)
        return Finding(record, RESULT, message, notes, vuid=vuid)

    def _located(self, held: Type) -> tuple[Mend, ...]:
        """The quick fix that puts the variable behind all others of its storage class."""
        free = 0
        for other in listed(self._entry, self._module):
            found = self._module.decoration(other.name, "Location")
            location = found.params[0] if found is not None and found.params else None
            if other.storage == self._variable.storage and isinstance(location, int) and other.type is not None:
                count = self._locations(other.type)
                free = max(free, location + (count if isinstance(count, int) else 1))
        if isinstance(self._locations(held), Finding):
            return ()
        return decorate(self._variable.name, f"Location {free}", self._module, preferred=False)

    def _whole(self, held: Type, location: int) -> Finding | None:
        """Takes the places of a variable that has a location itself."""
        element, length = held, 1
        if held.kind == "Array":
            inner = held.element
            if inner is None:
                return None
            element, length = inner, self._length(held, 1)
        count = self._locations(element)
        if isinstance(count, Finding):
            return count
        components = self._components(element)
        stream = self._own.get("Stream", 0)
        component = self._own.get("Component", 0)
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
        own: dict[tuple[str, int], int] = {}
        placing = [d for d in self._module.decorations(block.id) if d.name in ("Location", "Component", "Stream")]
        for found in self._module.in_order(placing):
            if found.member is not None and found.params and isinstance(found.params[0], int):
                own.setdefault((found.name, found.member), found.params[0])
        for index, member in enumerate(block.members):
            location = own.get(("Location", index))
            if location is None:
                message = f"member {index} of %{block.id} has no Location, nor has %{self._variable.name}"
                return self._on(block.record, message, f"{_LOCATION}04919")._replace(place=index)
            if member is None:
                return None
            count = self._locations(member)
            if isinstance(count, Finding):
                return count
            if location >= _MOST_LOCATIONS:
                continue
            components = self._components(member)
            component = own.get(("Component", index), 0)
            stream = own.get(("Stream", index), self._own.get("Stream", 0))
            if member.kind == "Array" and 1 <= components < _COMPONENTS:
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
        streamed = self._output and self._model == _GEOMETRY and self._module.has_capability("GeometryStreams")
        for slot in slots:
            patch = "Patch" in self._names
            index = self._own.get("Index", 0) if self._output else 0
            key = self._variable.storage, patch, index, stream if streamed else 0, slot
            other = self._taken.setdefault(key, self._variable)
            if other is self._variable and key not in self._mine:
                self._mine.add(key)
                continue
            location, component = divmod(slot, _COMPONENTS)
            name = self._variable.name
            also = "itself" if other.name == name else f"%{other.name}"
            message = f"%{name} and {also} are both at component {component} of location {location}"
            vuid = f"VUID-StandaloneSpirv-OpEntryPoint-0872{2 if self._output else 1}"
            notes = (Note(self._variable.record, RESULT, "one is here"), Note(other.record, RESULT, "one is here"))
            return Finding(self._entry, self._variable.place, message, notes, vuid=vuid)
        return None

    def _length(self, array: Type, otherwise: int) -> int:
        length = self._module.integer(array.length_id)
        return otherwise if length is None else min(length, _MOST_LOCATIONS)

    def _locations(self, type_: Type, depth: int = 0) -> int | Finding:
        """How many locations a type takes; a finding where it, or a part of it, can have none."""
        if type_.is_numeric or (type_.is_pointer and type_.storage == _PHYSICAL):
            return 1
        if type_.is_vector:
            wide = type_.element is not None and type_.element.width == 64
            return 2 if wide and type_.count > 2 else 1
        if depth < 256 and (type_.is_matrix or type_.kind == "Array") and type_.element is not None:
            inner = self._locations(type_.element, depth + 1)
            if isinstance(inner, Finding):
                return inner
            return inner * (type_.count if type_.is_matrix else self._length(type_, 1))
        if depth < 256 and type_.is_struct:
            own = [found for found in self._module.decorations(type_.id) if found.name == "Location"]
            if own:
                placed = self._module.in_order(own)[0]
                message = f"%{type_.id} has a Location, and lies where %{self._variable.name} has one already"
                finding = self._on(type_.record, message, f"{_LOCATION}04918")
                return finding._replace(notes=(Note(placed.record, OPCODE, "it is decorated here"), *finding.notes))
            total = 0
            for member in type_.members:
                inner = self._locations(member, depth + 1) if member is not None else 0
                if isinstance(inner, Finding):
                    return inner
                total += inner
            return total
        if type_.is_bool:
            return 1  # said of the variable
        return self._on(type_.record, f"%{type_.id} is {self._module.spell(type_)}, which lies at no location")

    def _components(self, type_: Type, depth: int = 0) -> int:
        """How many components scalars, vectors and arrays of these take; 0 for others, which take whole locations."""
        if type_.is_numeric:
            return 2 if type_.width == 64 else 1
        if type_.is_pointer:
            return 2 if type_.storage == _PHYSICAL else 0
        if depth < 256 and type_.element is not None and (type_.is_vector or type_.kind == "Array"):
            return self._components(type_.element, depth + 1) * (type_.count if type_.is_vector else 1)
        return 0


def _range(location: int, count: int, component: int, components: int) -> range:
    first = location * _COMPONENTS
    if components:
        return range(first + component, first + component + components)
    return range(first, first + min(count, _MOST_LOCATIONS) * _COMPONENTS)


@instruction_rule("entry-point/built-ins", "OpEntryPoint", section="3.2.19")
def built_ins(inst: Instruction, scene: Scene) -> Findings:
    """An entry point has each built-in input and output once, and one block of them for each storage class.

    Structures with built-in members are Blocks. That no built-in comes twice is a rule of Vulkan.

    Bad:  `OpDecorate %a BuiltIn Position` and `OpDecorate %b BuiltIn Position` on two outputs of an entry point
    Good: one of them.
    """
    module = scene.module
    function = module.definition(str(inst.operands[1])) if len(inst.operands) > 1 else None
    seen: dict[tuple[int, Operand], str] = {}
    blocks: dict[int, str] = {}
    listed_once: set[str] = set()
    blamed: set[str] = scene.shared("built-in blocks", set)
    for variable in listed(inst, module):
        held = variable.type
        if variable.storage not in IN_OUT or held is None or variable.name in listed_once:
            continue
        listed_once.add(variable.name)
        note = Note(inst, variable.place, "it is listed here")
        own = held.id if held.is_struct else variable.name
        found = module.in_order(d for d in module.decorations(own) if d.name == "BuiltIn" and d.params)
        if not found:
            continue
        for decoration in found if module.environment.api == "vulkan" else ():
            first = seen.setdefault((variable.storage, decoration.params[0]), variable.name)
            if first != variable.name:
                what = f"{_built_in(decoration.params[0])} as an {'output' if variable.storage == OUTPUT else 'input'}"
                message = f"%{first} and %{variable.name} are both {what} of one entry point"
                vuid = f"VUID-StandaloneSpirv-OpEntryPoint-0965{9 if variable.storage == OUTPUT else 8}"
                yield Finding(variable.record, RESULT, message, (note,), vuid=vuid)
                return
        if held.is_struct and not module.has_decoration(held.id, "Block"):
            if held.id not in blamed:
                blamed.add(held.id)
                message = f"%{held.id} has built-in members, and is not decorated Block"
                yield Finding(held.record, RESULT, message, (note,), vuid=vulkan(module, f"{_LOCATION}04919"))
            return
        if held.is_struct and function is not None:
            other = blocks.setdefault(variable.storage, variable.name)
            if other != variable.name:
                message = f"%{other} and %{variable.name} are both blocks of built-ins of %{function.result}, which has one"
                yield Finding(function, RESULT, message, (note,))
                return


def _built_in(number: Operand) -> str:
    enumerant = tables.kind("BuiltIn").by_value(number) if isinstance(number, int) else None
    return enumerant.name if enumerant is not None else str(number)


@instruction_rule(
    "vulkan/tile-image-locations",
    "OpEntryPoint",
    section="3.2.6",
    vuid="VUID-StandaloneSpirv-TileImageEXT-08723",
    apis="vulkan",
)
def tile_images(inst: Instruction, scene: Scene) -> Findings:
    """In Vulkan the tile images of an entry point are at locations of their own; arrays take one for each element.

    The location is that of the colour attachment that is read.

    Bad:  `OpDecorate %a Location 1` and `OpDecorate %b Location 1`, both in TileImageEXT
    Good: `OpDecorate %b Location 2`
    """
    module = scene.module
    taken: dict[int, str] = {}
    for variable in listed(inst, module):
        if variable.storage != _TILE_IMAGE or variable.name in taken.values():
            continue
        placed = module.in_order(d for d in module.decorations(variable.name) if d.name == "Location")
        location = placed[0].params[0] if placed and placed[0].params else None
        if not isinstance(location, int):
            continue
        held = variable.type
        length = module.integer(held.length_id) if held is not None and held.kind == "Array" else 1
        for at in range(location, location + min(length or 1, _MOST_LOCATIONS)):
            other = taken.setdefault(at, variable.name)
            if other != variable.name:
                message = f"%{other} and %{variable.name} are both tile images at location {at}"
                note = Note(inst, variable.place, "it is listed here")
                yield Finding(variable.record, RESULT, message, (note,))
                return
