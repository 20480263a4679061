"""What a module declares of itself as a whole (SPIR-V 2.4, sections 1 to 7)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from spvls.grammar import spv, tables
from spvls.grammar.enumerants import AddressingModel, BuiltIn, Decoration
from spvls.module.dependencies import GLOBALS
from spvls.module.derived import DerivedAnswers
from spvls.record import NamedTuple
from spvls.syntax.document import Chunk
from spvls.syntax.instruction import Instruction, Operand
from spvls.typed import Generic, TypeVar


class EntryPoint(NamedTuple):
    """`model` is an ExecutionModel value, the operand at `place`; `interface` are ids of global variables."""

    model: int
    function: str
    name: bytes
    interface: tuple[str, ...]
    record: Instruction
    place: int


class DeclaredMode(NamedTuple):
    """`target` is the function of the entry point, `value` the ExecutionMode, `params` what follows it."""

    target: str
    value: int
    params: tuple[Operand, ...]
    record: Instruction

    @property
    def name(self) -> str:
        """The mode's name in the grammar; empty for a value that the grammar does not know."""
        return mode_name(self.value)


def mode_name(value: int) -> str:
    """The name of an ExecutionMode; empty for a value that the grammar does not know."""
    enumerant = tables.kind("ExecutionMode").by_value(value)
    return enumerant.name if enumerant is not None else ""


Part = TypeVar("Part")


CAPABILITIES = "declared capabilities"
"""The name of the answer that `Declarations.capabilities` is."""

EXTENSIONS = "declared extensions"
"""The name of the answer that `Declarations.extensions` is."""

SET_MODES = "declared set_modes"
"""The name of the answer that `Declarations.set_modes` is."""

WORKGROUP_SIZES = "declared workgroup_sizes"
"""The name of the answer that `Declarations.workgroup_sizes` is."""


class _Part(Generic[Part]):
    """A part of the declarations, derived when it is first asked for."""

    def __init__(self, read: Callable[[Declarations], Part]) -> None:
        self._name = f"declared {read.__name__}"
        self._read = read
        self.__doc__ = read.__doc__

    def __get__(self, declarations: Declarations, owner: object) -> Part:
        answers = declarations.answers
        known = answers.known(self._name)
        return known if known is not None else answers.derive(self._name, lambda: self._read(declarations))


class Declarations:
    """Read off the instructions before the first function; each part when it is first asked for, kept among `answers`."""

    def __init__(self, answers: DerivedAnswers, chunks: Sequence[Chunk]) -> None:
        self.answers = answers
        self._chunks = chunks

    def records(self, opcode: int) -> list[Instruction]:
        """The declarations of one opcode, in order."""
        self.answers.reads.module.add(opcode)
        return self.answers.derive("declarations", self._by_opcode, note=False).get(opcode, [])

    def _by_opcode(self) -> dict[int, list[Instruction]]:
        self.answers.reads.module.add(GLOBALS)
        found: dict[int, list[Instruction]] = {}
        for record in self._chunks[0].records:
            if record.opcode.value in _DECLARING and not record.faults:
                found.setdefault(record.opcode.value, []).append(record)
        return found

    @_Part
    def opcodes(self) -> frozenset[int]:
        """The opcodes of all instructions before the first function, those with faults too."""
        self.answers.reads.module.add(GLOBALS)
        return frozenset(record.opcode.value for record in self._chunks[0].records)

    @_Part
    def declared_capabilities(self) -> dict[int, Instruction]:
        """The capabilities that the module names, if only on a condition, each with the instruction that does."""
        found: dict[int, Instruction] = {}
        for at, opcode in enumerate((spv.OpCapability, spv.OpConditionalCapabilityINTEL)):
            for record in self.records(opcode):
                enumerant = tables.kind("Capability").by_value(_word(record, at))
                if enumerant is not None:
                    found.setdefault(enumerant.value, record)
        return found

    @_Part
    def capabilities(self) -> frozenset[int]:
        """The capabilities that the module names, and all that these imply."""
        declared = self.declared_capabilities
        return frozenset(declared).union(*map(tables.implied_capabilities, declared))

    @_Part
    def extensions(self) -> dict[str, Instruction]:
        """The extensions that the module names, if only on a condition."""
        conditional = {_text(record, 1): record for record in reversed(self.records(spv.OpConditionalExtensionINTEL))}
        return conditional | {_text(record, 0): record for record in reversed(self.records(spv.OpExtension))}

    @_Part
    def imports(self) -> dict[str, str]:
        """The extended instruction sets that the module imports, by id."""
        return {record.result: _text(record, 0) for record in self.records(spv.OpExtInstImport) if record.result}

    @property
    def memory_model_record(self) -> Instruction | None:
        return next(iter(self.records(spv.OpMemoryModel)), None)

    @property
    def addressing_model(self) -> int:
        """An AddressingModel value; -1 without OpMemoryModel."""
        record = self.memory_model_record
        return _word(record, 0) if record is not None else -1

    @property
    def memory_model(self) -> int:
        """A MemoryModel value; -1 without OpMemoryModel."""
        record = self.memory_model_record
        return _word(record, 1) if record is not None else -1

    @property
    def is_logical(self) -> bool:
        """Whether pointers are logical ones."""
        return self.addressing_model == AddressingModel.Logical

    @_Part
    def entry_points(self) -> list[EntryPoint]:
        """The entry points, those on a condition too, in the order of the text."""
        records = self.records(spv.OpEntryPoint)
        if self.records(spv.OpConditionalEntryPointINTEL):
            both = (spv.OpEntryPoint, spv.OpConditionalEntryPointINTEL)
            records = [record for record in self._chunks[0].records if record.opcode.value in both and not record.faults]
        return [entry for record in records if (entry := _entry_point(record)) is not None]

    @_Part
    def execution_modes(self) -> dict[str, list[DeclaredMode]]:
        """The execution modes by the id of the entry point's function."""
        found: dict[str, list[DeclaredMode]] = {}
        for opcode in (spv.OpExecutionMode, spv.OpExecutionModeId):
            for record in self.records(opcode):
                if len(record.operands) < 2:
                    continue
                mode = DeclaredMode(str(record.operands[0]), _word(record, 1), record.operands[2:], record)
                found.setdefault(mode.target, []).append(mode)
        return found

    @_Part
    def modes_by_function(self) -> dict[str, frozenset[int]]:
        """The ExecutionMode values by the id of the entry point's function."""
        return {target: frozenset(mode.value for mode in modes) for target, modes in self.execution_modes.items()}

    @_Part
    def set_modes(self) -> frozenset[int]:
        """The values of all execution modes that are set."""
        return frozenset().union(*self.modes_by_function.values())

    @_Part
    def first_modes(self) -> dict[tuple[str, int, tuple[Operand, ...] | None], list[DeclaredMode]]:
        """The first execution mode of a target and value with these parameters, or with any (None); where both opcodes set it,
        the first of each."""
        found: dict[tuple[str, int, tuple[Operand, ...] | None], list[DeclaredMode]] = {}
        for target, modes in self.execution_modes.items():
            for mode in modes:
                for params in (None, mode.params):
                    known = found.setdefault((target, mode.value, params), [])
                    if not known or known[-1].record.opcode is not mode.record.opcode:
                        known.append(mode)
        return found

    @_Part
    def models(self) -> frozenset[int]:
        """The ExecutionModel values of all entry points."""
        return frozenset(entry.model for entry in self.entry_points)

    @_Part
    def models_by_function(self) -> dict[str, dict[int, None]]:
        """The ExecutionModel values of the entry points of each function, each once, in the order of the text."""
        found: dict[str, dict[int, None]] = {}
        for entry in self.entry_points:
            found.setdefault(entry.function, {})[entry.model] = None
        return found

    @_Part
    def forward_pointers(self) -> dict[str, Instruction]:
        """The OpTypeForwardPointer instructions by the id that they announce."""
        return {str(record.operands[0]): record for record in reversed(self.records(spv.OpTypeForwardPointer))}

    def decorated(self) -> dict[int, set[str]]:
        """What has each decoration, by its value: ids that OpDecorate names, or that it decorates through a group.

        Not a part: whoever asks for one decoration depends on that one alone, see `Module.decorated_with`.
        """
        found: dict[int, set[str]] = {}
        for record in self.records(spv.OpDecorate):
            if record.operands:
                found.setdefault(_word(record, 1), set()).add(str(record.operands[0]))
        for record in self.records(spv.OpGroupDecorate):
            for names in found.values():
                if record.operands[0] in names:
                    names.update(str(target) for target in record.operands[1:])
        return found

    @_Part
    def workgroup_sizes(self) -> tuple[str, ...]:
        """The ids that the built-in WorkgroupSize decorates: groups, and what they decorate, are among them."""
        wanted = Decoration.BuiltIn, BuiltIn.WorkgroupSize
        found = [str(record.operands[0]) for record in self.records(spv.OpDecorate) if record.operands[1:3] == wanted]
        groups = [record.operands for record in self.records(spv.OpGroupDecorate) if record.operands[0] in found] if found else []
        return tuple(dict.fromkeys(found + [str(target) for _, *targets in groups for target in targets]))

    @_Part
    def made_of_workgroup_sizes(self) -> dict[str, str]:
        """What has a constant of `workgroup_sizes` as an operand, or something that has it, with the constant."""
        found = {name: name for name in self.workgroup_sizes}
        self.answers.reads.module.add(GLOBALS)
        for record in self._chunks[0].records if found else ():
            name = next((name for name in (record.type, *record.operands) if name.__class__ is str and name in found), None)
            if name is not None and record.result is not None:
                found.setdefault(record.result, found[str(name)])
        return found

    @_Part
    def names(self) -> dict[str, str]:
        """What OpName calls ids; the first of several."""
        found: dict[str, str] = {}
        for record in self.records(spv.OpName):
            if len(record.operands) == 2 and _text(record, 1):
                found.setdefault(str(record.operands[0]), _text(record, 1))
        return found

    @_Part
    def member_names(self) -> dict[tuple[str, int], str]:
        """What OpMemberName calls members of structures."""
        return {
            (str(record.operands[0]), _word(record, 1)): _text(record, 2)
            for record in self.records(spv.OpMemberName)
            if len(record.operands) == 3
        }


_DECLARING = frozenset(
    {
        spv.OpCapability, spv.OpConditionalCapabilityINTEL, spv.OpExtension, spv.OpConditionalExtensionINTEL,
        spv.OpExtInstImport, spv.OpMemoryModel, spv.OpEntryPoint, spv.OpConditionalEntryPointINTEL,
        spv.OpExecutionMode, spv.OpExecutionModeId, spv.OpName, spv.OpMemberName, spv.OpTypeForwardPointer,
        spv.OpString, spv.OpSource, spv.OpSourceContinued, spv.OpSourceExtension, spv.OpModuleProcessed,
        spv.OpSamplerImageAddressingModeNV, spv.OpDecorate, spv.OpDecorationGroup, spv.OpGroupDecorate,
        spv.OpVariable, spv.OpUntypedVariableKHR, spv.OpTypeImage, spv.OpTypeSampler, spv.OpTypeSampledImage,
        spv.OpTypePointer, spv.OpTypeUntypedPointerKHR,
    }
)  # fmt: skip


def _word(record: Instruction, at: int) -> int:
    operand = record.operands[at] if at < len(record.operands) else None
    return operand if isinstance(operand, int) else -1


def _text(record: Instruction, at: int) -> str:
    operand = record.operands[at] if at < len(record.operands) else b""
    return operand.decode("utf-8", "replace") if isinstance(operand, bytes) else ""


def _entry_point(record: Instruction) -> EntryPoint | None:
    """The entry point that an instruction declares, if it has a name."""
    operands = record.operands
    at = int(record.opcode.value == spv.OpConditionalEntryPointINTEL)
    if len(operands) < at + 3:
        return None
    model, function, name = operands[at : at + 3]
    interface = tuple([operand for operand in operands[at + 3 :] if isinstance(operand, str)]) if len(operands) > at + 3 else ()
    return EntryPoint(
        model if isinstance(model, int) else -1, str(function), name if isinstance(name, bytes) else b"", interface, record, at
    )
