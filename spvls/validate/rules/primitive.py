"""Vertices and primitives of geometry shaders (SPIR-V 3.3.19)."""

from __future__ import annotations

from collections.abc import Iterator

from spvls.module.module import Module
from spvls.syntax.instruction import Instruction
from spvls.validate.kinds import INT
from spvls.validate.limits import Limit, limits, only
from spvls.validate.operation import Operation, first_fault, is_constant, operand_is
from spvls.validate.rule import Findings, Scene, instruction_rule

_STREAMS = ("OpEmitStreamVertex", "OpEndStreamPrimitive")
_CHECKS = (operand_is(0, INT), is_constant(0))
_GEOMETRY = only("Geometry", "vertices and primitives are emitted by Geometry shaders")


@instruction_rule("primitive/stream", *_STREAMS, section="3.3.19")
def stream(inst: Instruction, scene: Scene) -> Findings:
    """The stream that a vertex goes to is a constant integer.

    Bad:  `OpEmitStreamVertex %sum` where `%sum = OpIAdd …`
    Good: `OpEmitStreamVertex %one` where `%one = OpConstant %uint 1`
    """
    return first_fault(Operation(inst, scene), _CHECKS)


@limits("OpEmitVertex", "OpEndPrimitive", *_STREAMS)
def _models(inst: Instruction, module: Module) -> Iterator[Limit]:
    yield _GEOMETRY
