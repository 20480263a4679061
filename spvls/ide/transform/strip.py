"""What a module carries besides its meaning, and how it is removed (SPIR-V 2.15, 3.3.2, 3.3.4).

None of it changes what the module computes: names, lines and sources, the instructions of non-semantic sets, and the decorations
that only reflection reads.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum

from spvls.diagnostic import Edit
from spvls.grammar import spv
from spvls.grammar.enumerants import Decoration
from spvls.ide.source.source_module import SourceModule
from spvls.ide.transform.rewriting import removing
from spvls.module.context_dependent import EXTENDED
from spvls.module.decorations import ANNOTATIONS, GROUP_DECORATES, decoration_value
from spvls.module.module import Module
from spvls.syntax.instruction import Instruction


class Part(Enum):
    """What can be removed by itself."""

    DEBUG = "debug"
    NON_SEMANTIC = "nonsemantic"
    REFLECTION = "reflect"


ALL = frozenset(Part)

NAMES = frozenset({spv.OpName, spv.OpMemberName})
_DEBUG = NAMES | {
    spv.OpLine, spv.OpNoLine, spv.OpSource, spv.OpSourceContinued, spv.OpSourceExtension, spv.OpModuleProcessed
}  # fmt: skip
_REFLECTED = frozenset({Decoration.UserSemantic, Decoration.UserTypeGOOGLE, Decoration.CounterBuffer})
_DECORATED_STRINGS = frozenset({spv.OpDecorateString, spv.OpMemberDecorateString})

NON_SEMANTIC_PREFIX = "NonSemantic."
_REFLECTION_SETS = ("NonSemantic.ClspvReflection.", "NonSemantic.VkspReflection.")
_NON_SEMANTIC_EXTENSION, _FORWARD_EXTENSION = b"SPV_KHR_non_semantic_info", b"SPV_KHR_relaxed_extended_instruction"
_REFLECTION_EXTENSIONS = (b"SPV_GOOGLE_hlsl_functionality1", b"SPV_GOOGLE_user_type")
_STRING_EXTENSION = b"SPV_GOOGLE_decorate_string"


def parts_in(module: Module) -> frozenset[Part]:
    """Of which parts there is something before the first function, where at least a part of each stands."""
    declared = module.declarations
    found = {part for name in declared.imports.values() for part in _parts_of_set(name)}
    if any(declared.records(opcode) for opcode in (*NAMES, spv.OpString, spv.OpSource, spv.OpModuleProcessed)):
        found.add(Part.DEBUG)
    if module.uses_decoration(*_REFLECTED) or any(name.encode() in _REFLECTION_EXTENSIONS for name in declared.extensions):
        found.add(Part.REFLECTION)
    return frozenset(found)


def strip(source: SourceModule, parts: Iterable[Part] = ALL) -> list[Edit]:
    """The edits that remove some parts of a module, and with them the imports, extensions and strings that only these used.

    An instruction whose result something else uses stays, as does what it uses itself.
    """
    return removing(source, _Stripping(source.module, frozenset(parts)).gone())


def _parts_of_set(name: str) -> Iterator[Part]:
    """The parts that the instructions of an extended set belong to."""
    if "DebugInfo" in name:
        yield Part.DEBUG
    if name.startswith(NON_SEMANTIC_PREFIX):
        yield Part.NON_SEMANTIC
    if name.startswith(_REFLECTION_SETS):
        yield Part.REFLECTION


class _Stripping:
    def __init__(self, module: Module, parts: frozenset[Part]) -> None:
        self._module = module
        self._parts = parts
        imports = module.declarations.imports
        self._sets = {id_ for id_, name in imports.items() if not parts.isdisjoint(_parts_of_set(name))}
        self._gone: dict[int, Instruction] = {}

    def gone(self) -> list[Instruction]:
        """The instructions that are removed."""
        records = [record for chunk in self._module.chunks for record in chunk.records if not record.faults]
        self._gone = {id(record): record for record in records if self._is_stripped(record)}
        self._keep_what_is_used()
        self._remove_what_is_about()
        self._remove_strings(records)
        for name in self._sets:
            definition = self._module.ids.definition(name)
            if definition is not None and not self._is_used(name):
                self._gone[id(definition)] = definition
        self._remove_what_is_about()
        self._remove_extensions(records)
        return list(self._gone.values())

    def _is_stripped(self, record: Instruction) -> bool:
        opcode = record.opcode.value
        if opcode in EXTENDED:
            return record.operands[0] in self._sets
        if opcode in _DEBUG:
            return Part.DEBUG in self._parts
        return Part.REFLECTION in self._parts and opcode in ANNOTATIONS and decoration_value(record) in _REFLECTED

    def _is_used(self, name: str) -> bool:
        """Whether anything that stays uses an id, other than to name or decorate it."""
        uses = (use for _, use in self._module.ids.uses(name))
        return any(id(use) not in self._gone and not _is_about(use, name) for use in uses)

    def _keep_what_is_used(self) -> None:
        """Whatever something else needs, and what that needs in turn."""
        pending = [record for record in self._gone.values() if record.result is not None and self._is_used(record.result)]
        while pending:
            record = pending.pop()
            if self._gone.pop(id(record), None) is not None:
                needed = [self._module.ids.definition(name) for name in record.uses()]
                pending += [definition for definition in needed if definition is not None]

    def _remove_what_is_about(self) -> None:
        """Names and decorations of what is removed."""
        for record in list(self._gone.values()):
            if record.result is not None:
                for _, use in self._module.ids.uses(record.result):
                    self._gone[id(use)] = use

    def _remove_strings(self, records: list[Instruction]) -> None:
        """Those that nothing uses any more; without debug information, of those that something used."""
        for record in records:
            if record.opcode.value != spv.OpString or record.result is None or self._is_used(record.result):
                continue
            if Part.DEBUG in self._parts or self._module.ids.uses(record.result):
                self._gone[id(record)] = record

    def _remove_extensions(self, records: list[Instruction]) -> None:
        doomed = set(_REFLECTION_EXTENSIONS) if Part.REFLECTION in self._parts else set()
        left = {record.opcode.value for record in records if id(record) not in self._gone}
        if Part.REFLECTION in self._parts and not left & _DECORATED_STRINGS:
            doomed.add(_STRING_EXTENSION)
        imports = self._module.declarations.imports.items()
        others = [name for name, set_name in imports if set_name.startswith(NON_SEMANTIC_PREFIX) and not self._is_removed(name)]
        if not others and (self._sets or Part.NON_SEMANTIC in self._parts):
            doomed.add(_NON_SEMANTIC_EXTENSION)
        if spv.OpExtInstWithForwardRefsKHR not in left and (self._sets or Part.NON_SEMANTIC in self._parts):
            doomed.add(_FORWARD_EXTENSION)
        for record in records:
            if record.opcode.value == spv.OpExtension and record.operands[0] in doomed:
                self._gone[id(record)] = record

    def _is_removed(self, name: str) -> bool:
        return id(self._module.ids.definition(name)) in self._gone


def _is_about(use: Instruction, name: str) -> bool:
    """Whether an instruction only names or decorates an id."""
    opcode = use.opcode.value
    return opcode in NAMES or (opcode in ANNOTATIONS - GROUP_DECORATES and use.operands[:1] == (name,))
