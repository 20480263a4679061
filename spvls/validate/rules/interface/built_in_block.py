"""Blocks of built-ins (SPIR-V 2.16.1)."""

from __future__ import annotations

from spvls.grammar import sections, spv
from spvls.grammar.enumerants import BuiltIn, Decoration
from spvls.module.interface import IN_OUT, INTERFACES, OUTPUT
from spvls.module.module import Module
from spvls.module.operand_at import distinct_ids, id_at
from spvls.steps import PORTION
from spvls.syntax.instruction import RESULT, Instruction, Operand
from spvls.syntax.operand_decls import enumerant_name
from spvls.validate.checks.entry import listed_variables, vulkan
from spvls.validate.engine.finding import PAUSE, Finding, Note
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule

_LOCATION = "VUID-StandaloneSpirv-Location-"
_HEAPS = frozenset({BuiltIn.ResourceHeapEXT, BuiltIn.SamplerHeapEXT})


@instruction_rule("interface/built-in-block-is-unique", *INTERFACES, section=sections.UNIVERSAL_VALIDATION_RULES)
def built_in_block_is_unique(inst: Instruction, context: RuleContext) -> Findings:
    """An entry point must not list two blocks of built-ins in Input, or two in Output.

    A driver matches the built-ins of an entry point with fixed-function stages. With two blocks, or one built-in in two variables,
    it may be unable to decide which of them is meant.

    SPIR-V says this of each storage class; the rule counts only blocks in Input and Output, as spirv-val does. Also as in
    spirv-val, a listed structure with built-in members must be decorated with Block, whatever its storage class; in Vulkan, the
    finding has the number of a valid usage on locations. In Vulkan, each built-in must also occur only once among the inputs and
    once among the outputs of an entry point. Arrays of structures, such as the inputs of geometry shaders, are not checked. Before
    SPIR-V 1.4, a variable that is listed twice counts twice, as in spirv-val; since then `interface/listed-variables-are-global`
    reports it.
    """
    module = context.module
    function = module.definition(id_at(inst, INTERFACES[inst.opcode.value] - 2) or "")
    seen: dict[tuple[int, Operand], str] = {}
    blocks: dict[int, str] = {}
    listed_once: set[str] = set()
    blamed: set[str] = context.chunk_state("built-in blocks", set)
    for at, variable in enumerate(listed_variables(inst, context)):
        if not (at + 1) % PORTION:
            yield PAUSE
        held = variable.type
        again = variable.name in listed_once
        if held is None or (again and module.version >= (1, 4)):
            continue
        listed_once.add(variable.name)
        note = Note(inst, variable.operand_index, f"%{variable.name} is listed here")
        own = held.id if held.is_struct else variable.name
        found = module.in_order(d for d in module.decorations(own) if d.value == Decoration.BuiltIn and d.params)
        if not found:
            continue
        for decoration in found if module.environment.api == "vulkan" and variable.storage in IN_OUT else ():
            key = variable.storage, decoration.params[0]
            first = seen.get(key)
            seen[key] = variable.name
            if first is not None:
                name = _built_in(decoration.params[0])
                what = "output" if variable.storage == OUTPUT else "input"
                message = f"the {what}s %{first} and %{variable.name} both have BuiltIn {name}; "
                message += f"an entry point may list at most one such {what}"
                if again:
                    message = f"%{first}, which is decorated with BuiltIn {name}, must not be listed twice by an entry point"
                elif first == variable.name:
                    who = f"members of %{own}" if held.is_struct else f"%{own}"
                    message = f"BuiltIn {name} decorates {who} twice, expected at most once"
                vuid = f"VUID-StandaloneSpirv-OpEntryPoint-0965{9 if variable.storage == OUTPUT else 8}"
                yield Finding(variable.record, RESULT, message, (note,), vuid=vuid)
                return
        if held.is_struct and not module.has_decoration(held.id, Decoration.Block):
            if held.id not in blamed:
                blamed.add(held.id)
                message = f"%{held.id} has built-in members and must be decorated with Block"
                yield Finding(held.record, RESULT, message, (note,), vuid=vulkan(module, f"{_LOCATION}04919"))
            return
        if held.is_struct and function is not None and variable.storage in IN_OUT:
            other = blocks.setdefault(variable.storage, variable.name)
            if other != variable.name or again:
                what = f"{'output' if variable.storage == OUTPUT else 'input'} blocks of built-ins"
                message = f"%{other} and %{variable.name} are both {what}; %{function.result} may list at most one"
                if again:
                    message = f"%{other} is a block of built-ins and must not be listed twice by %{function.result}"
                yield Finding(function, RESULT, message, (note,))
                return


def _built_in(number: Operand) -> str:
    return enumerant_name("BuiltIn", number) if isinstance(number, int) else str(number)


@instruction_rule("interface/built-in-members-stand-alone", spv.OpTypeStruct, section=sections.UNIVERSAL_VALIDATION_RULES)
def built_in_members_stand_alone(inst: Instruction, context: RuleContext) -> Findings:
    """If one member of a structure is decorated with BuiltIn, all members must be.

    Such a structure is a block of built-ins, which a driver connects to fixed-function stages. The driver may leave a member
    without the decoration unconnected, and not find built-ins in a nested structure. The structure must therefore not be a member
    of another one; a member that is an array of such structures is not reported. As in spirv-val, members with ResourceHeapEXT or
    SamplerHeapEXT do not count.
    """
    module = context.module
    for operand_index, name in distinct_ids(inst):
        if module.opcode_of(name) == spv.OpTypeStruct and _builtins(module, name):
            message = f"%{name} has members decorated with BuiltIn and must not be a member of the structure %{inst.result}"
            yield Finding(inst, operand_index, message)
            return
    if inst.result is not None:
        built_in = _builtins(module, inst.result)
        if built_in and len(built_in) != len(inst.operands):
            plain = next((at for at in range(len(inst.operands)) if at not in built_in), None)
            if plain is None:
                return
            message = f"all or none of the members of %{inst.result} must be decorated with BuiltIn; member {plain} is not"
            yield Finding(inst, plain, message)


def _builtins(module: Module, name: str) -> set[int]:
    return {
        found.member
        for found in module.decorations(name)
        if found.value == Decoration.BuiltIn and found.member is not None and not _HEAPS.intersection(found.params[:1])
    }
