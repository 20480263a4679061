"""What a module shows: entry points, their models and modes, and the linkage of functions and variables (SPIR-V 2.13)."""

from __future__ import annotations

from spvls.grammar import tables
from spvls.grammar.enumerants import Decoration, LinkageType
from spvls.grammar.records import Enumerant
from spvls.module.declarations import EntryPoint
from spvls.module.decorations import AppliedDecoration
from spvls.module.interface import Variable, listed
from spvls.module.module import Module
from spvls.syntax.instruction import Instruction, Operand
from spvls.syntax.operand_decls import enumerant_name
from spvls.validate.engine.rule import RuleContext

_IMPORT = LinkageType.Import


def mode_of(inst: Instruction) -> Enumerant | None:
    """The mode that an OpExecutionMode or OpExecutionModeId sets."""
    word = inst.operands[1] if len(inst.operands) > 1 else None
    return tables.kind("ExecutionMode").by_value(word) if isinstance(word, int) else None


def models_of(module: Module, function: Operand) -> list[int]:
    """The ExecutionModel values that a function is an entry point of."""
    return list(module.declarations.models_by_function.get(str(function), ()))


def listed_variables(inst: Instruction, context: RuleContext) -> tuple[Variable, ...]:
    """The variables among the interface of an entry point, with those that it lists again; read once for all rules."""
    return context.memo("listed variables", lambda: tuple(listed(inst, context.module)))


def model_name(model: int) -> str:
    """The name of an ExecutionModel value."""
    return enumerant_name("ExecutionModel", model)


def entry_shown(entry: EntryPoint) -> str:
    """As messages name it: `the Vertex entry point %main`."""
    return f"the {model_name(entry.model)} entry point %{entry.function}"


def vulkan(module: Module, vuid: str) -> str | None:
    """A rule of SPIR-V that Vulkan gives a number has it in Vulkan environments only."""
    return vuid if module.environment.api == "vulkan" else None


def linkage(module: Module, name: str) -> AppliedDecoration | None:
    return module.decoration(name, Decoration.LinkageAttributes)


def is_imported(decoration: AppliedDecoration | None) -> bool:
    return decoration is not None and decoration.params[-1:] == (_IMPORT,)
