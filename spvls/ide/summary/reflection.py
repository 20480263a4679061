"""Reads what a module is and offers off its declarations."""

from __future__ import annotations

from collections.abc import Iterator

from spvls.diagnostic import Range
from spvls.grammar import spv, tables
from spvls.grammar.enumerants import Capability, Decoration, ExecutionMode, StorageClass
from spvls.grammar.traits import VARIABLES
from spvls.grammar.vulkan import Enabler
from spvls.ide.documentation.id_markdown import operand_text, plain_decoration
from spvls.ide.documentation.value_text import plain_value
from spvls.ide.source.source_module import SourceModule
from spvls.ide.summary.block_members import BlockReader
from spvls.ide.summary.kernels import read_kernels
from spvls.ide.summary.summary import (
    CarriedSource,
    EntryPointSummary,
    InterfaceVariable,
    ModuleHeader,
    Named,
    PushConstants,
    Requirement,
    Resource,
    Sizes,
    SpecConstant,
    Summary,
    Workgroup,
)
from spvls.module.declarations import DeclaredMode, EntryPoint, mode_name
from spvls.module.decorations import AppliedDecoration
from spvls.module.interface import users
from spvls.module.module import Module
from spvls.module.specialization import spec_constants, spec_id
from spvls.module.types import Type
from spvls.module.variable import held_by
from spvls.syntax.instruction import Instruction
from spvls.syntax.operand_decls import capability_name, enumerants
from spvls.validate.requirements import needs, rank, title

_DEEPEST = 8
_PLACING = (
    Decoration.Location, Decoration.Component, Decoration.Index, Decoration.DescriptorSet, Decoration.Binding, Decoration.BuiltIn
)  # fmt: skip
_BOUND = frozenset({Decoration.DescriptorSet, Decoration.Binding})

_Place = tuple[int | None, int | None, int | None, str | None, int | None, int | None]
"""Location, component, index, built-in, descriptor set, binding."""


def summarize(source: SourceModule, header: ModuleHeader) -> Summary:
    """The summary of a module whose words are as `header` says."""
    return _Reader(source).summary(header)


class _Reader:
    def __init__(self, source: SourceModule) -> None:
        self._source = source
        self._module: Module = source.module
        chunk = source.document.chunks[0]
        self._records = [record for record in chunk.records if not record.faults]
        self._lines = source.document.lines_of(chunk)
        self._blocks = BlockReader(self._module)

    def summary(self, header: ModuleHeader) -> Summary:
        declared = self._module.declarations
        resources = sorted(self._resources(), key=lambda found: (_last(found.set), _last(found.binding)))
        constants = sorted(self._spec_constants(), key=lambda found: _last(found.spec_id))
        return Summary(
            f"{header.version[0]}.{header.version[1]}",
            self._source.header.generator or generator_name(header.generator),
            header.bound,
            header.schema,
            self._source.environment.name,
            tuple(
                Named(capability_name(capability), "", self._range(record))
                for capability, record in declared.declared_capabilities.items()
            ),
            tuple(Named(name, "", self._range(record)) for name, record in declared.extensions.items()),
            tuple(self._import(name, imported) for name, imported in declared.imports.items()),
            _enumerant("AddressingModel", declared.addressing_model),
            _enumerant("MemoryModel", declared.memory_model),
            tuple(self._entry_point(point) for point in declared.entry_points),
            tuple(resources),
            tuple(self._push_constants()),
            tuple(constants),
            tuple(self._sources()),
            tuple(self._requirements()),
            self._sizes(header.words),
            read_kernels(self._source),
        )

    def _sizes(self, words: int) -> Sizes:
        chunks = self._module.chunks
        functions = [self._module.function(chunk) for chunk in chunks if chunk.is_function]
        declarations = sum(function.is_declaration for function in functions)
        return Sizes(
            sum(len(chunk.records) for chunk in chunks),
            words,
            len(functions) - declarations,
            declarations,
            sum(len(function.blocks) for function in functions),
        )

    def _sources(self) -> Iterator[CarriedSource]:
        known = self._module.source_files
        for record in self._module.declarations.records(spv.OpString):
            name = record.result or ""
            if any(use.opcode.value == spv.OpLine for _, use in self._module.ids.uses(name)):
                known.of(name)  # a file of lines alone is among the files from now on
        for file in known.files:
            size = len(file.text) if file.text is not None else None
            yield CarriedSource(file.name.decode("utf-8", "replace"), file.language, size)

    def _requirements(self) -> Iterator[Requirement]:
        """What a Vulkan device has to have for the module; nothing for a kernel."""
        if self._module.has_capability(Capability.Kernel):
            return
        asked: dict[tuple[Enabler, ...], list[Named]] = {}
        for need in needs(self._module):
            asked.setdefault(need.enablers, []).append(Named(need.subject.rstrip(","), "", self._range(need.record)))
        for enablers in sorted(asked, key=rank):
            yield Requirement(title(enablers), tuple(asked[enablers]))

    def _range(self, record: Instruction | None) -> Range | None:
        line = self._lines.get(id(record))
        if record is None or line is None:
            return None
        return self._source.range_of(record, None, line)

    def _import(self, name: str, imported: str) -> Named:
        return Named(imported, name, self._range(self._module.definition(name)))

    def _called(self, name: str) -> str:
        return self._module.declarations.names.get(name, "")

    # Entry points

    def _entry_point(self, point: EntryPoint) -> EntryPointSummary:
        modes = self._module.execution_modes(point.function)
        found = [self._module.definition(name) for name in point.interface]
        records = [record for record in found if record is not None and record.opcode.value in VARIABLES and not record.faults]
        return EntryPointSummary(
            point.name.decode("utf-8", "replace"),
            point.function,
            _enumerant("ExecutionModel", point.model) or str(point.model),
            tuple(_mode_text(mode) for mode in modes),
            self._workgroup(point, modes),
            tuple(self._variable(record) for record in records),
            tuple(self._parameters(point)),
            self._range(point.record),
        )

    def _workgroup(self, point: EntryPoint, modes: list[DeclaredMode]) -> Workgroup | None:
        constants = map(self._module.constant, self._module.declarations.workgroup_sizes)
        constant = next((found for found in constants if found is not None), None)
        if constant is not None and isinstance(constant.value, tuple) and _is_compute(point):
            sizes = [part if isinstance(part, int) else None for part in constant.value]
            return Workgroup(tuple(sizes), "WorkgroupSize", constant.specialized)
        for mode in modes:
            if mode.value == ExecutionMode.LocalSize:
                return Workgroup(tuple(part if isinstance(part, int) else None for part in mode.params), mode.name, False)
            if mode.value == ExecutionMode.LocalSizeId:
                parts = [self._module.constant(part) for part in mode.params]
                sizes = [part.value if part is not None and isinstance(part.value, int) else None for part in parts]
                return Workgroup(tuple(sizes), mode.name, any(part is not None and part.specialized for part in parts))
        return None

    def _parameters(self, point: EntryPoint) -> Iterator[InterfaceVariable]:
        function = self._module.function_named(point.function)
        for record in function.parameters if function is not None else []:
            name, type_ = record.result or "", self._module.type(record.type)
            flags = tuple(plain_decoration(found) for found in self._module.decorations(name))
            storage = _enumerant("StorageClass", type_.storage) if type_ is not None and type_.is_pointer else None
            spelled = self._module.spell(type_)
            yield InterfaceVariable(name, self._called(name), storage or "", *(None,) * 6, spelled, flags, (), None)

    def _variable(self, record: Instruction) -> InterfaceVariable:
        name, type_ = record.result or "", held_by(record, self._module)
        storage = _enumerant("StorageClass", _storage(record)) or ""
        decorations = [found for found in self._module.decorations(name) if found.member is None]
        members = self._block_members(type_, storage) if storage in ("Input", "Output") else ()
        place, flags = self._described(decorations)
        spelled, where = self._module.spell(type_), self._range(record)
        return InterfaceVariable(name, self._called(name), storage, *place, spelled, flags, members, where)

    def _block_members(self, type_: Type | None, storage: str) -> tuple[InterfaceVariable, ...]:
        """The members of an interface block, or of an array of them, that have a place of their own."""
        for _ in range(_DEEPEST):
            if type_ is None or not type_.is_array:
                break
            type_ = type_.element
        if type_ is None or not type_.is_struct:
            return ()
        names = self._module.declarations.member_names
        found: dict[int, list[AppliedDecoration]] = {}
        for decoration in self._module.decorations(type_.id):
            if decoration.member is not None:
                found.setdefault(decoration.member, []).append(decoration)
        members = []
        for at, member in enumerate(type_.members):
            place, flags = self._described(found.get(at, []))
            name = names.get((type_.id, at), "")
            spelled = self._module.spell(member)
            members.append(InterfaceVariable("", name, storage, *place, spelled, flags, (), None))
        return tuple(members)

    def _described(self, decorations: list[AppliedDecoration]) -> tuple[_Place, tuple[str, ...]]:
        """Where a variable or a member lies, and what else is said of it."""
        numbers: dict[int, int | None] = {}
        flags = []
        for found in decorations:
            given = found.params[0] if found.params else None
            if found.value in _PLACING:
                numbers.setdefault(found.value, given if isinstance(given, int) else None)
            else:
                flags.append(plain_decoration(found))
        built_in = numbers.get(Decoration.BuiltIn)
        name = _enumerant("BuiltIn", built_in) if built_in is not None else None
        location, component, index, set_, binding = (numbers.get(value) for value in _PLACING[:-1])
        return (location, component, index, name, set_, binding), tuple(flags)

    # Resources

    def _resources(self) -> Iterator[Resource]:
        for record in self._records:
            if record.opcode.value not in VARIABLES or record.result is None:
                continue
            name = record.result
            decorations = [found for found in self._module.decorations(name) if found.member is None]
            numbers = {
                found.value: found.params[0]
                for found in reversed(decorations)
                if found.value in _BOUND and found.params and isinstance(found.params[0], int)
            }
            if not numbers:
                continue
            type_ = held_by(record, self._module)
            inner, count = self._counted(type_)
            storage = _enumerant("StorageClass", _storage(record)) or ""
            flags = tuple(plain_decoration(found) for found in decorations if found.value not in _BOUND)
            yield Resource(
                name,
                self._called(name),
                numbers.get(Decoration.DescriptorSet),
                numbers.get(Decoration.Binding),
                _kind(self._module, inner, storage),
                self._module.spell(type_),
                count,
                flags,
                self._users(name),
                self._blocks.block(inner) if inner is not None and inner.is_struct else None,
                self._range(record),
            )

    def _counted(self, type_: Type | None) -> tuple[Type | None, int | None]:
        """What an array of descriptors is of, and how many they are."""
        count: int | None = 1
        for _ in range(_DEEPEST):
            if type_ is None or not type_.is_array:
                break
            length = 0 if type_.kind == spv.OpTypeRuntimeArray else self._module.integer(type_.length_id)
            count = length * count if length is not None and count is not None else None
            type_ = type_.element
        return type_, count

    def _users(self, name: str) -> tuple[str, ...]:
        return tuple(point.name.decode("utf-8", "replace") for point in users(name, self._module))

    def _push_constants(self) -> Iterator[PushConstants]:
        for record in self._records:
            if record.opcode.value in VARIABLES and record.result and _storage(record) == StorageClass.PushConstant:
                block = self._blocks.block(held_by(record, self._module))
                name = record.result
                yield PushConstants(name, self._called(name), self._users(name), block, self._range(record))

    def _spec_constants(self) -> Iterator[SpecConstant]:
        for record in spec_constants(self._module):
            name = record.result or ""
            constant = self._module.constant(name)
            type_ = self._module.type(record.type)
            yield SpecConstant(
                spec_id(self._module, name),
                name,
                self._called(name),
                self._module.spell(type_),
                plain_value(constant.value, constant.type) if constant is not None else "?",
                values_of(type_),
                tuple(dict.fromkeys(self._users_of_constant(name))),
                self._range(record),
            )

    def _users_of_constant(self, name: str) -> Iterator[str]:
        for chunk, use in self._module.ids.uses(name):
            if chunk.is_function:
                yield f"%{chunk.records[0].result}"
            elif use.result is not None:
                yield f"%{use.result}"
            elif use.opcode.value == spv.OpExecutionModeId:
                mode = use.operands[1:2]
                yield mode_name(mode[0]) if mode and isinstance(mode[0], int) else ""


def generator_name(word: int) -> str:
    """The tool that a generator word names, and its version."""
    tool, revision = word >> 16, word & 0xFFFF
    return f"{tables.generator(tool) or f'unknown tool {tool}'}, version {revision}"


def values_of(type_: Type | None) -> str:
    """The values that a scalar type has."""
    if type_ is not None and type_.is_int and type_.width:
        low = -(1 << type_.width - 1) if type_.signed else 0
        return f"{low} to {low + (1 << type_.width) - 1}"
    if type_ is not None and type_.is_bool:
        return "true or false"
    return f"{type_.width}-bit float" if type_ is not None and type_.is_float else "?"


def _kind(module: Module, type_: Type | None, storage: str) -> str:
    """The kind of a descriptor in the terms of Vulkan (Vulkan 15.5.2)."""
    kind = type_.kind if type_ is not None else ""
    match kind:
        case spv.OpTypeSampler:
            return "sampler"
        case spv.OpTypeSampledImage:
            image = type_.element if type_ is not None else None
            return "uniform texel buffer" if _dim(image) == "Buffer" else "combined image sampler"
        case spv.OpTypeAccelerationStructureKHR:
            return "acceleration structure"
        case spv.OpTypeImage:
            return _image_kind(type_)
    if storage == "Uniform":
        buffer_block = type_ is not None and module.has_decoration(type_.id, Decoration.BufferBlock)
        return "storage buffer" if buffer_block else "uniform buffer"
    return {"StorageBuffer": "storage buffer", "UniformConstant": "uniform constant"}.get(storage, storage)


def _image_kind(type_: Type | None) -> str:
    dim = _dim(type_)
    stored = type_ is not None and type_.word(5) == 2
    if dim == "SubpassData":
        return "input attachment"
    if dim == "Buffer":
        return "storage texel buffer" if stored else "uniform texel buffer"
    return "storage image" if stored else "sampled image"


def _dim(type_: Type | None) -> str | None:
    return _enumerant("Dim", type_.word(1)) if type_ is not None and type_.kind == spv.OpTypeImage else None


def _storage(record: Instruction) -> int:
    operand = record.operands[0] if record.operands else None
    return operand if isinstance(operand, int) else -1


def _is_compute(point: EntryPoint) -> bool:
    return _enumerant("ExecutionModel", point.model) in ("GLCompute", "TaskEXT", "MeshEXT", "TaskNV", "MeshNV", "Kernel")


def _enumerant(kind: str, number: int) -> str | None:
    if number < 0:
        return None
    found = enumerants(kind, number)
    return found[0].name if found else str(number)


def _mode_text(mode: DeclaredMode) -> str:
    return " ".join([mode.name or "unknown mode", *(operand_text(operand, "") for operand in mode.params)])


def _last(number: int | None) -> tuple[bool, int]:
    """For sorting: what has no number comes last."""
    return number is None, number or 0
