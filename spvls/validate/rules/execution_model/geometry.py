"""Vertices and primitives of geometry shaders (SPIR-V 3.3.19)."""

from __future__ import annotations

from collections.abc import Iterator

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv, tables
from spvls.grammar.enumerants import Decoration, ExecutionModel, StorageClass
from spvls.module.module import Module
from spvls.syntax.instruction import OPCODE, RESULT, Instruction
from spvls.validate.checks.kinds import Kind
from spvls.validate.checks.limits import Limit, limits, only
from spvls.validate.checks.operation import Operation, first_fault, is_constant, operand_is
from spvls.validate.checks.wording import listed
from spvls.validate.engine.finding import Finding, Note
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule

_SINGLE = {spv.OpEmitStreamVertex: spv.OpEmitVertex, spv.OpEndStreamPrimitive: spv.OpEndPrimitive}
"""Instructions on a stream that is named, and those that do the same on the only one."""

_STREAMS = tuple(_SINGLE)
_OUTPUT = StorageClass.Output
_CHECKS = (operand_is(0, Kind("a constant integer scalar", "Int")), is_constant(0))
_GEOMETRY = only((ExecutionModel.Geometry,), "emission of vertices and primitives requires the execution model Geometry")


@instruction_rule("execution-model/stream-is-constant-integer", *_STREAMS, section=sections.PRIMITIVE_INSTRUCTIONS)
def stream_is_constant_integer(inst: Instruction, context: RuleContext) -> Findings:
    """The Stream of OpEmitStreamVertex and OpEndStreamPrimitive must be a constant integer.

    A driver may select the output buffer of each emitted vertex when it compiles the shader. It cannot do this for a stream that is
    only known at run time. The constant may be a specialization constant, and the integer of any width. For a constant 0, see also
    `execution-model/emission-matches-output-streams`.
    """
    return first_fault(Operation(inst, context), _CHECKS)


@instruction_rule(
    "execution-model/emission-matches-output-streams",
    spv.OpEmitVertex,
    spv.OpEndPrimitive,
    *_STREAMS,
    section=sections.PRIMITIVE_INSTRUCTIONS,
    severity=Severity.WARNING,
)
def emission_matches_output_streams(inst: Instruction, context: RuleContext) -> Findings:
    """A geometry shader must name the stream when it emits vertices, if it has several, and only then.

    With several streams, OpEmitVertex and OpEndPrimitive do not say which receives the vertex, so a driver may write it to the
    wrong one: use OpEmitStreamVertex and OpEndStreamPrimitive. With one stream, a driver may reject OpEmitStreamVertex and
    OpEndStreamPrimitive: use OpEmitVertex and OpEndPrimitive. With one stream, the rule only reports a Stream that is a constant 0
    and cannot be specialized, and only where all outputs belong to stream 0.

    Each entry point that reaches the instruction is checked by itself, with the outputs in its interface. An output belongs to the
    streams that it or the members of its structure are decorated with, and to stream 0 if neither it nor any member is; in an array
    of structures, members are not regarded.
    """
    module, function = context.module, context.function
    if function is None:
        return
    given = module.integer(inst.operands[0]) if inst.operands else None
    for entry in module.reached_from(function.name):
        streams = {name: _streams_of(module, name) for name in entry.interface}
        present = {number for numbers in streams.values() for number in numbers}
        if inst.opcode.value in _STREAMS:
            if given == 0 and not present - {0}:
                message = f"the entry point %{entry.function} has no outputs in a stream other than 0"
                single = tables.opcode_name(_SINGLE[inst.opcode.value])
                yield Finding(inst, OPCODE, f"{message}; use {single}, not {inst.opcode.name}")
                return
        elif len(present) > 1:
            numbers = listed([str(number) for number in sorted(present)], "and")
            stream_form = tables.opcode_name(next(many for many, single in _SINGLE.items() if single == inst.opcode.value))
            message = f"the outputs of the entry point %{entry.function} belong to streams {numbers}; use {stream_form}"
            yield Finding(inst, OPCODE, f"{message}, not {inst.opcode.name}", _stream_notes(module, streams))
            return


def _stream_notes(module: Module, streams: dict[str, set[int]]) -> tuple[Note, ...]:
    return tuple(
        Note(definition, RESULT, f"%{name} belongs to stream {max(numbers)}")
        for name, numbers in streams.items()
        if numbers and (definition := module.definition(name)) is not None
    )


def _streams_of(module: Module, name: str) -> set[int]:
    """The streams of an output: its own or those of its members; 0 where none is said."""
    pointer = module.type_of(name)
    if pointer is None or pointer.storage != _OUTPUT:
        return set()
    held = pointer.pointee
    found = {*module.decorations(name), *(module.decorations(held.id) if held is not None else ())}
    numbers = {item.params[0] for item in found if item.value == Decoration.Stream and item.params}
    return {number for number in numbers if isinstance(number, int)} or {0}


@limits(spv.OpEmitVertex, spv.OpEndPrimitive, *_STREAMS)
def _models(inst: Instruction, module: Module) -> Iterator[Limit]:
    yield _GEOMETRY
