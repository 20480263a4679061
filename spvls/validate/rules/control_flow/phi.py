"""OpPhi: values by the block that control comes from (SPIR-V 3.3.17)."""

from __future__ import annotations

from spvls.grammar import sections, spv
from spvls.grammar.enumerants import Capability
from spvls.grammar.tables import NO_OPCODE
from spvls.syntax.instruction import OPCODE, TYPE, Instruction
from spvls.validate.engine.finding import Finding, Note
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule


@instruction_rule("control-flow/phi-type-is-permitted", spv.OpPhi, section=sections.CONTROL_FLOW_INSTRUCTIONS)
def phi_type_is_permitted(inst: Instruction, context: RuleContext) -> Findings:
    """What OpPhi chooses among is a value that can be chosen: not void, not an image or sampler, seldom a pointer.

    Logical pointers can be chosen only with variable pointers.
    """
    module = context.module
    type_ = module.type(inst.type)
    if type_ is None:
        return
    if type_.kind == spv.OpTypeVoid:
        yield Finding(inst, TYPE, "OpPhi makes a value, and void has none")
    elif (
        type_.is_pointer and module.declarations.is_logical and not module.has_capability(Capability.VariablePointersStorageBuffer)
    ):
        message = f"choosing among pointers ({module.spell(type_)}) takes VariablePointers or VariablePointersStorageBuffer"
        yield Finding(inst, TYPE, message)
    elif not context.options.before_hlsl_legalization and not module.has_capability(Capability.BindlessTextureNV):
        shader = module.has_capability(Capability.Shader)
        if type_.kind == spv.OpTypeSampledImage or (shader and type_.kind in (spv.OpTypeImage, spv.OpTypeSampler)):
            yield Finding(inst, TYPE, f"OpPhi cannot choose among values of type {module.spell(type_)}")


@instruction_rule("control-flow/phi-names-each-predecessor-once", spv.OpPhi, section=sections.CONTROL_FLOW_INSTRUCTIONS)
def phi_names_each_predecessor_once(inst: Instruction, context: RuleContext) -> Findings:
    """OpPhi names each predecessor of its block once, and no other block."""
    operands = inst.operands
    if len(operands) % 2:
        yield Finding(inst, len(operands) - 1, "each value of an OpPhi is followed by the block that it comes from")
        return
    function = context.function
    block = function.block_of.get(id(context.record)) if function is not None else None
    if function is None or block is None:
        return
    before = dict.fromkeys(function.predecessors[block.name])
    named: set[str] = set()
    faults = 0
    for operand_index in range(1, len(operands), 2):
        parent = operands[operand_index]
        if not isinstance(parent, str):
            continue
        opcode = context.module.opcode_of(parent)
        if opcode not in (spv.OpLabel, NO_OPCODE):
            message = f"%{parent} is no label; a value of an OpPhi comes from a block"
        elif parent in named:
            message = f"%{parent} is a parent of this OpPhi already"
        elif opcode != NO_OPCODE and parent not in before:
            message = f"%{parent} does not branch to %{block.name}, and so is no parent of its OpPhi"
        else:
            named.add(parent)
            continue
        faults += 1
        yield Finding(inst, operand_index, message)
    missing = [name for name in before if name not in named]
    if missing and not faults:
        notes = tuple(Note(function.blocks[name].label, OPCODE, "this block branches here as well") for name in missing)
        listed = ", ".join(f"%{name}" for name in missing)
        yield Finding(inst, OPCODE, f"this OpPhi lacks a value for {listed}", notes)


@instruction_rule("control-flow/phi-values-match-result", spv.OpPhi, section=sections.CONTROL_FLOW_INSTRUCTIONS)
def phi_values_match_result(inst: Instruction, context: RuleContext) -> Findings:
    """Each value of an OpPhi has its result type."""
    if len(inst.operands) % 2:
        return
    module = context.module
    wanted = module.type(inst.type)
    for operand_index in range(0, len(inst.operands), 2):
        name = inst.operands[operand_index]
        if not isinstance(name, str) or module.defining_instruction(name) is None:
            continue
        type_ = module.type_of(name)
        if wanted is not None and (type_ is None or type_.id != wanted.id):
            is_what = f"is {module.spell(type_)}" if type_ is not None else "is no value"
            yield Finding(inst, operand_index, f"%{name} {is_what}, and this OpPhi makes {module.spell(wanted)}")
