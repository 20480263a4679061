"""What execution models, and what execution modes, the instructions of a function ask for (SPIR-V 2.16.1)."""

from __future__ import annotations

from spvls.grammar import sections, tables
from spvls.module.declarations import EntryPoint
from spvls.module.functions import Function
from spvls.module.module import Module
from spvls.steps import PORTION
from spvls.syntax.instruction import OPCODE, RESULT, Instruction
from spvls.validate.checks.entry import model_name
from spvls.validate.checks.limits import Limit, limits_on
from spvls.validate.engine.finding import PAUSE, Finding, Note
from spvls.validate.engine.rule import Findings, RuleContext, function_rule


@function_rule("execution-model/supports-reached-instructions", section=sections.ENTRY_POINT_AND_EXECUTION_MODEL)
def supports_reached_instructions(function: Function, context: RuleContext) -> Findings:
    """An entry point must only reach instructions that its execution model and execution modes permit.

    Some instructions need state that only some shader stages have: derivatives need quads of invocations, for example. In another
    stage a driver may have no code for them and reject the pipeline or fail.

    The rule has limits for, among others, derivatives, implicit levels of detail, interpolation (InterpolateAt…), discards,
    emission of vertices, mesh shading, ray tracing, and accesses to some storage classes. Some limits apply only in Vulkan, such as
    those of the storage classes Output and Workgroup, or only before SPIR-V 1.3. The finding says which limit it is.

    It also applies to functions that an entry point calls, directly or through other functions; in the example, %main reaches
    %derives by calls that are not shown. Functions that no entry point reaches are not checked, nor opcodes whose capability is not
    declared. In each function, a limit is reported only once, and of each instruction one limit.
    """
    module = context.module
    if not any(map(limits_on, function.opcodes)):
        return
    said: set[str] = set()
    for at, record in enumerate(function.records, 1):
        if not at % PORTION:
            yield PAUSE
        makers = limits_on(record.opcode.value)
        if not makers or record.faults or not _is_available(module, record):
            continue
        broken = [
            (limit, entry)
            for maker in makers
            for limit in maker(record, module)
            if (entry := first_refused(limit, function, module)) is not None
        ]
        if broken:
            limit, entry = next((pair for pair in broken if pair[0].vuid is not None), broken[0])
            if limit.why not in said:
                said.add(limit.why)
                yield refusal(function, record, entry, limit, module)


def _is_available(module: Module, record: Instruction) -> bool:
    """Whether the module declares what the opcode takes; else that is what is wrong with it."""
    capabilities = record.opcode.capabilities
    return not capabilities or any(map(module.has_capability, tables.capability_values(capabilities)))


def first_refused(limit: Limit, function: Function, module: Module) -> EntryPoint | None:
    """The first entry point that must not reach a function because of the limit."""
    entries = module.reached_from(function.name) if limit.each else module.kinds_reached_from(function.name)
    return next((entry for entry in entries if not limit.holds(entry, module)), None)


def refusal(function: Function, record: Instruction, entry: EntryPoint, limit: Limit, module: Module) -> Finding:
    """That an entry point reaches an instruction of a function which it must not reach."""
    model = model_name(entry.model)
    whose = f'the {model} entry point "{entry.name.decode("utf-8", "replace")}"'
    notes = (
        Note(record, OPCODE, f"{record.opcode.name} is here"),
        Note(entry.record, OPCODE, f"the entry point is declared here as {model}"),
    )
    what = f"{whose} reaches the {record.opcode.name} in %{function.name}"
    message = f"{what}, but {limit.why}{limit.found(entry, module)}"
    return Finding(function.record, RESULT, message, notes, (), limit.vuid)
