"""Outputs that are captured by transform feedback: buffers, strides and offsets (SPIR-V 2.16.1, 3.2.19)."""

from __future__ import annotations

from collections.abc import Iterator

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv
from spvls.grammar.enumerants import Capability, Decoration, ExecutionModel
from spvls.grammar.operand_index import OpEntryPoint_ExecutionModel
from spvls.module.decorations import AppliedDecoration, decoration_name
from spvls.module.interface import OUTPUT, Variable, listed
from spvls.module.module import Module
from spvls.module.operand_at import word_at
from spvls.module.recursion import Steps, evaluate
from spvls.module.types import Type
from spvls.record import NamedTuple
from spvls.syntax.instruction import OPCODE, Instruction
from spvls.validate.engine.finding import Finding, Note
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule

_OF_A_BUFFER = {
    Decoration.XfbStride: "VUID-StandaloneSpirv-XfbBuffer-04693",
    Decoration.Stream: "VUID-StandaloneSpirv-Stream-04694",
}
_CAPTURED_MODELS = frozenset({ExecutionModel.Vertex, ExecutionModel.TessellationEvaluation, ExecutionModel.Geometry})


class _Captured(NamedTuple):
    """An output, or a member of one, that goes into a buffer; its decorations by their values."""

    variable: Variable
    member: int | None
    type: Type | None
    decorations: dict[int, AppliedDecoration]

    def word(self, decoration: int) -> int | None:
        found = self.decorations.get(decoration)
        word = found.params[0] if found is not None and found.params else None
        return word if isinstance(word, int) else None

    def shown(self) -> str:
        return f"%{self.variable.name}" if self.member is None else f"member {self.member} of %{self.variable.name}"


@instruction_rule(
    "interface/captured-outputs-fit-buffer",
    spv.OpEntryPoint,
    section=sections.UNIVERSAL_VALIDATION_RULES,
    severity=Severity.WARNING,
)
def captured_outputs_fit_buffer(inst: Instruction, context: RuleContext) -> Findings:
    """Outputs captured to one transform feedback buffer must agree on its stride and must not overlap.

    In each buffer, a device reserves XfbStride bytes for each vertex. If outputs overlap or extend beyond them, one value may
    overwrite another or the next vertex.

    In modules with the capability TransformFeedback, each output that an OpEntryPoint of Vertex, TessellationEvaluation or Geometry
    lists and that is decorated with XfbBuffer must have an XfbStride. The outputs in one buffer must have the same XfbStride and
    Stream: in SPIR-V of the whole module, here as in Vulkan of one entry point. The stride must be a multiple of 4, or of 8 if
    64-bit floats are captured. The members of a structure that have an Offset are outputs of their own. The extent of outputs is
    compared if they have an Offset and are scalars, vectors, matrices or arrays of these, unless a length can be specialized. Only
    the first fault of an entry point is reported.
    """
    if not context.module.has_capability(Capability.TransformFeedback):
        return
    if word_at(inst, OpEntryPoint_ExecutionModel) not in _CAPTURED_MODELS:
        return
    buffers: dict[int, list[_Captured]] = {}
    for captured in _captured(inst, context.module):
        number = captured.word(Decoration.XfbBuffer)
        if number is None:
            continue
        fault = _fault(captured, buffers.get(number, []), context.module)
        if fault is not None:
            note = Note(fault.decoration.record, OPCODE, f"{fault.decoration.name} is set here")
            vuid = fault.vuid if context.module.environment.api == "vulkan" else None
            yield Finding(inst, captured.variable.operand_index, f"{captured.shown()} {fault.clause}", (note,), vuid=vuid)
            return
        buffers.setdefault(number, []).append(captured)


def _captured(inst: Instruction, module: Module) -> Iterator[_Captured]:
    """The outputs that an entry point lists and their members, each once, with what decorates them."""
    seen: set[str] = set()
    for variable in listed(inst, module):
        if variable.storage != OUTPUT or variable.name in seen:
            continue
        seen.add(variable.name)
        own = {found.value: found for found in module.decorations(variable.name)}
        struct = variable.type
        of_struct = module.decorations(struct.id) if struct is not None and struct.is_struct else []
        members = {found.member for found in of_struct if found.member is not None and found.value == Decoration.Offset}
        if struct is None or not members:
            if Decoration.XfbBuffer in own:
                yield _Captured(variable, None, struct, own)
            continue
        for member in sorted(members):
            decorations = own | {found.value: found for found in of_struct if found.member == member}
            if Decoration.XfbBuffer in decorations and member < len(struct.member_ids):
                yield _Captured(variable, member, struct.member(member), decorations)


class _Fault(NamedTuple):
    """What is wrong with a captured output, after its name; the decoration at fault; and the valid usage of Vulkan that says so."""

    clause: str
    decoration: AppliedDecoration
    vuid: str | None = None


def _fault(captured: _Captured, others: list[_Captured], module: Module) -> _Fault | None:
    buffer = captured.decorations[Decoration.XfbBuffer]
    stride, offset = captured.word(Decoration.XfbStride), captured.word(Decoration.Offset)
    if stride is None:
        return _Fault("is decorated with XfbBuffer and must be decorated with XfbStride as well", buffer)
    size = _size(captured.type, module)
    unit = 8 if _has_doubles(captured.type, module) else 4
    if stride % unit:
        wanted = "a multiple of 8, because 64-bit floats are captured" if unit == 8 else "a multiple of 4"
        return _Fault(f"is decorated with XfbStride {stride}, expected {wanted}", captured.decorations[Decoration.XfbStride])
    for other in others:
        for decoration, vuid in _OF_A_BUFFER.items():
            if (captured.word(decoration) or 0) != (other.word(decoration) or 0):
                name = decoration_name(decoration)
                theirs = f"{name} {other.word(decoration) or 0} to match {other.shown()}"
                word = captured.word(decoration)
                have = f"has no {name}" if word is None else f"is decorated with {name} {word}"
                return _Fault(f"{have}, expected {theirs}, which is captured to the same buffer", buffer, vuid)
    if offset is None or size is None:
        return None
    end = offset + size
    if end > stride:
        clause = f"is captured to bytes {offset} to {end - 1}, but the XfbStride is {stride}; an output must end within the stride"
        return _Fault(clause, captured.decorations[Decoration.Offset])
    for other in others:
        start, length = other.word(Decoration.Offset), _size(other.type, module)
        if start is not None and length is not None and start < end and offset < start + length:
            byte = f"byte {max(start, offset)} of the transform feedback buffer"
            clause = f"must not overlap {other.shown()}; both are captured to {byte}"
            return _Fault(clause, buffer, "VUID-StandaloneSpirv-XfbBuffer-04696")
    return None


def _size(type_: Type | None, module: Module) -> int | None:
    """Bytes of a captured scalar, vector, matrix or array of these, which lie close together; None for what has no size."""

    def size(type_: Type | None) -> Steps[Type | None, int | None]:
        if type_ is None:
            return None
        if type_.is_numeric:
            return type_.width // 8
        part = (yield type_.element) if type_.is_vector or type_.is_matrix or type_.kind == spv.OpTypeArray else None
        count = module.integer(type_.length_id) if type_.length_id is not None else type_.count
        return part * count if part is not None and count is not None else None

    return evaluate(size, type_, {}, None)


def _has_doubles(type_: Type | None, module: Module) -> bool:
    return type_ is not None and "Float64" in module.contents(type_.id, behind_pointers=False)
