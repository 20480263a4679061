"""Entry points as rules see them: their models and their modes."""

from __future__ import annotations

from spvls.grammar import tables
from spvls.grammar.records import Enumerant
from spvls.module.module import Module
from spvls.syntax.instruction import Instruction, Operand


def mode_of(inst: Instruction) -> Enumerant | None:
    """The mode that an OpExecutionMode or OpExecutionModeId sets."""
    word = inst.operands[1] if len(inst.operands) > 1 else None
    return tables.kind("ExecutionMode").by_value(word) if isinstance(word, int) else None


def models_of(module: Module, function: Operand) -> list[str]:
    """The execution models that a function is an entry point of, by name."""
    return [model_name(model) for model in module.declarations.models_by_function.get(str(function), ())]


def model_name(model: int) -> str:
    """The name of an ExecutionModel value."""
    enumerant = tables.kind("ExecutionModel").by_value(model)
    return enumerant.name if enumerant is not None else str(model)


def vulkan(module: Module, vuid: str) -> str | None:
    """A rule of SPIR-V that Vulkan gives a number has it in Vulkan environments only."""
    return vuid if module.environment.api == "vulkan" else None
