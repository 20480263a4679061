"""Snippets: what is typed of an instruction, with a hole for each operand that must be there.

A hole is empty, so that the suggestions for what belongs there come up; or it offers the few words that can stand there; or it
has the one that nearly always does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from spvls.grammar import spv, tables
from spvls.grammar.enumerants import Capability
from spvls.grammar.records import Opcode
from spvls.grammar.records import Operand as Declared
from spvls.module.module import Module

_MOST_CHOICES = 24


def begins_open(snippet: str | None) -> bool:
    """Whether the first hole of a snippet is one that suggestions are to come up for: an empty one, but not for a new id."""
    at = snippet.find("$") if snippet is not None else -1
    return snippet is not None and at > 1 and snippet[at + 1 : at + 2] != "{"


class Snippets:
    """The snippets that suit a module. Made for one answer: choices are looked up once."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._choices: dict[str, str] = {}

    def instruction(self, opcode: Opcode, *, with_result: bool) -> str | None:
        """An instruction, with its result id where it makes one and `with_result` wants it; None where there are no holes."""
        usual = _USUAL.get(opcode.value)
        if usual is not None:
            text = usual(self._module)
            return text if with_result or " = " not in text else text.partition(" = ")[2]
        head, first = opcode.name, 1
        if opcode.has_result and with_result:
            head, first = f"%$1 = {head}", 2
        types = _VALUE_TYPE if opcode.class_ in _WITHOUT_POINTERS else _RESULT_TYPE
        holes = [(hole, types if kind == _RESULT_TYPE else kind) for hole, kind in _holes(opcode.operands)]
        return self._with_holes(head, holes, first)

    def call(self, name: str, operands: Sequence[Declared]) -> str | None:
        """A name with the operands that follow it; None where there are none."""
        return self._with_holes(name, _holes(tuple(operands)), 1)

    def _with_holes(self, head: str, holes: Sequence[tuple[str, str]], first: int) -> str | None:
        if not holes and first == 1:
            return None
        filled = [self._filled(hole, kind, number) for number, (hole, kind) in enumerate(holes, first)]
        return " ".join([head, *filled])

    def _filled(self, hole: str, kind: str, number: int) -> str:
        words = self._words(kind) if kind else ""
        return f"${{{number}{words}}}" if words else hole.replace("$", f"${number}")

    def _words(self, kind: str) -> str:
        """What can be chosen from for an operand of a kind."""
        known = self._choices.get(kind)
        if known is None:
            choices = self._types(kind) if kind in (_RESULT_TYPE, _VALUE_TYPE) else self._enumerants(kind)
            known = self._choices[kind] = _choices(choices)
        return known

    def _types(self, kind: str) -> list[str]:
        """The types of values that the module declares, pointers last, if they are wanted."""
        declared = [record for record in self._module.chunks[0].records if record.opcode.is_type and record.result is not None]
        declared.sort(key=lambda record: record.opcode.value == spv.OpTypePointer)
        left_out = _NO_VALUES if kind == _RESULT_TYPE else _NO_VALUES | {spv.OpTypePointer}
        return [f"%{record.result}" for record in declared if record.opcode.value not in left_out]

    def _enumerants(self, kind: str) -> list[str]:
        """The enumerants that the module can use as it stands."""
        return [one.name for one in tables.kind(kind).all if self._module.availability.of(one) is None]


_RESULT_TYPE = "IdResultType"
_VALUE_TYPE = "a result type that is no pointer"

_WITHOUT_POINTERS = frozenset({"Arithmetic", "Bit", "Relational_and_Logical", "Derivative", "Image", "Atomic"})
"""Classes of instructions whose results are no pointers."""


@cache
def _holes(operands: tuple[Declared, ...]) -> tuple[tuple[str, str], ...]:
    """For each operand that must be there: the empty hole, and the kind that it may be chosen by."""
    required = (operand for operand in operands if not operand.quantifier and operand.kind != "IdResult")
    return tuple(map(_hole, required))


def _hole(operand: Declared) -> tuple[str, str]:
    if operand.kind == _RESULT_TYPE:
        return "%$", _RESULT_TYPE
    if operand.kind == "LiteralString":
        return '"$"', ""
    try:
        category = tables.kind(operand.kind).category
    except KeyError:  # a kind that only an extended set has
        return "$", ""
    return ("%$" if category == "id" else "$"), (operand.kind if category == "value" else "")


_NO_VALUES = frozenset({spv.OpTypeVoid, spv.OpTypeFunction, spv.OpTypeForwardPointer})


def _choices(words: Sequence[str]) -> str:
    """Words to choose from in a hole; empty where there are none or too many."""
    return f"|{','.join(words)}|" if 0 < len(words) <= _MOST_CHOICES else ""


def _choice(number: int, words: Sequence[str]) -> str:
    """A hole with words to choose from, or an empty one."""
    chosen = _choices(words)
    return f"${{{number}{chosen}}}" if chosen else f"${number}"


# What nearly always stands there


def _memory_model(module: Module) -> str:
    if module.has_capability(Capability.Kernel):
        return "OpMemoryModel ${1|Physical64,Physical32|} OpenCL"
    addressing = "PhysicalStorageBuffer64" if module.has_capability(Capability.PhysicalStorageBufferAddresses) else "Logical"
    model = "Vulkan" if module.has_capability(Capability.VulkanMemoryModel) else "GLSL450"
    return f"OpMemoryModel {addressing} {model}"


def _import(module: Module) -> str:
    set_, name = ("OpenCL.std", "ext") if module.has_capability(Capability.Kernel) else ("GLSL.std.450", "glsl")
    return f'%${{1:{name}}} = OpExtInstImport "${{2:{set_}}}"'


def _entry_point(module: Module) -> str:
    usable = [one.name for one in tables.kind("ExecutionModel").all if module.availability.of(one) is None]
    usual = sorted(usable, key=_MODELS_FIRST.__contains__, reverse=True)
    return f'OpEntryPoint {_choice(1, usual)} %${{2:main}} "${{3:main}}" $0'


_MODELS_FIRST = frozenset({"Fragment", "Kernel"})


def _execution_mode(module: Module) -> str:
    points = module.declarations.entry_points
    target = points[-1].function if points else "main"
    return f"OpExecutionMode %{target} $1"


def _function(module: Module) -> str:
    """The function of the first entry point that has none yet."""
    name = next((one.function for one in module.declarations.entry_points if module.definition(one.function) is None), None)
    head = f"%{name}" if name is not None else "%${1:function}"
    return f"{head} = OpFunction {_declared(module, spv.OpTypeVoid, 2)} None {_declared(module, spv.OpTypeFunction, 3)}"


def _declared(module: Module, opcode: int, number: int) -> str:
    """The id of a declaration of an opcode; a hole where there is none, or where there are several."""
    records = module.chunks[0].records
    found = [f"%{record.result}" for record in records if record.opcode.value == opcode and record.result is not None]
    if len(found) == 1:
        return found[0]
    return _choice(number, found) if found else f"%${number}"


def _function_type(module: Module) -> str:
    return f"%${{1:fn}} = OpTypeFunction {_declared(module, spv.OpTypeVoid, 2)}"


_USUAL: dict[int, Callable[[Module], str]] = {
    spv.OpMemoryModel: _memory_model,
    spv.OpExtInstImport: _import,
    spv.OpEntryPoint: _entry_point,
    spv.OpExecutionMode: _execution_mode,
    spv.OpFunction: _function,
    spv.OpTypeFunction: _function_type,
    spv.OpTypeVoid: lambda _: "%${1:void} = OpTypeVoid",
    spv.OpTypeBool: lambda _: "%${1:bool} = OpTypeBool",
    spv.OpTypeInt: lambda _: "%${1:int} = OpTypeInt ${2|32,64,16,8|} ${3|1,0|}",
    spv.OpTypeFloat: lambda _: "%${1:float} = OpTypeFloat ${2|32,64,16|}",
    spv.OpTypeVector: lambda _: "%$1 = OpTypeVector %$2 ${3|4,3,2|}",
    spv.OpTypeMatrix: lambda _: "%$1 = OpTypeMatrix %$2 ${3|4,3,2|}",
    spv.OpLabel: lambda _: "%${1:entry} = OpLabel",
}
"""By opcode: the snippet for a module."""
