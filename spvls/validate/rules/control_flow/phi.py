"""OpPhi: values by the block that control comes from (SPIR-V 3.3.17)."""

from __future__ import annotations

from spvls.grammar import sections, spv
from spvls.grammar.enumerants import Capability
from spvls.grammar.tables import NO_OPCODE
from spvls.steps import PORTION
from spvls.syntax.instruction import OPCODE, TYPE, Instruction, shown
from spvls.validate.checks.dominance import dominates_block
from spvls.validate.checks.pointers import chosen_requirement
from spvls.validate.checks.wording import made_by
from spvls.validate.engine.finding import PAUSE, Finding, FindingFix, Note
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule


@instruction_rule("control-flow/phi-type-is-permitted", spv.OpPhi, section=sections.CONTROL_FLOW_INSTRUCTIONS)
def phi_type_is_permitted(inst: Instruction, context: RuleContext) -> Findings:
    """OpPhi must not give void or, with exceptions, images, samplers, sampled images or logical pointers.

    A value of type void does not exist. Images, samplers and sampled images stand for descriptors, and logical pointers for
    variables that a driver may have to know when it compiles: a device may have no register that could hold the choice.

    Images, samplers and sampled images are permitted with BindlessTextureNV (SPV_NV_bindless_texture), though
    `image/sampled-image-stays-in-block` still reports the result of OpSampledImage. Like spirv-val, the rule reports images and
    samplers only with the capability Shader. With the addressing model Logical, pointers require VariablePointersStorageBuffer or
    VariablePointers; `pointer/logical-operand-is-permitted` checks their storage classes, and checks logical pointers with
    PhysicalStorageBuffer64. With the option `before-hlsl-legalization`, images, samplers and sampled images are not checked. What
    arrays and structures contain is not checked.
    """
    module = context.module
    type_ = module.type(inst.type)
    if type_ is None:
        return
    if type_.kind == spv.OpTypeVoid:
        yield Finding(inst, TYPE, "the result type of OpPhi must not be void")
    elif (
        type_.is_pointer and module.declarations.is_logical and not module.has_capability(Capability.VariablePointersStorageBuffer)
    ):
        needed = chosen_requirement(type_.storage, "this", "OpPhi may only choose among")
        yield Finding(inst, TYPE, f"the result type of OpPhi is {module.spell(type_)}; with logical addressing, {needed}")
    elif not context.options.before_hlsl_legalization and not module.has_capability(Capability.BindlessTextureNV):
        shader = module.has_capability(Capability.Shader)
        if type_.kind == spv.OpTypeSampledImage or (shader and type_.kind in (spv.OpTypeImage, spv.OpTypeSampler)):
            article = "a " if type_.kind == spv.OpTypeSampler else ""
            yield Finding(inst, TYPE, f"the result type of OpPhi must not be {article}{module.spell(type_)}")


@instruction_rule("control-flow/phi-names-each-predecessor-once", spv.OpPhi, section=sections.CONTROL_FLOW_INSTRUCTIONS)
def phi_names_each_predecessor_once(inst: Instruction, context: RuleContext) -> Findings:
    """OpPhi must name each predecessor of its block exactly once, and no other block.

    The value of an OpPhi is the one listed with the block that control comes from. A predecessor that is missing has no value, and
    one that is listed twice has two. A driver may then read an uninitialized register. A block with several branches to the
    block of the OpPhi, as with OpSwitch, is one predecessor. Unreachable predecessors count. A Variable without a Parent after it
    is an error too.
    """
    operands = inst.operands
    if len(operands) % 2:
        message = f"operand Variable ({shown(operands[-1])}) has no Parent; each Variable requires a Parent"
        yield Finding(inst, len(operands) - 1, message)
        return
    function, block = context.function, context.block
    if function is None or block is None:
        return
    before = dict.fromkeys(function.predecessors[block.name])
    parents = set(operands[1::2])
    if before.keys() == parents and 2 * len(parents) == len(operands):
        return
    from spvls.validate.fixes.phi import with_pairs, without_pair  # for faulty modules alone

    missing = [name for name in before if name not in parents]
    named: set[str] = set()
    firsts: dict[str, int] = {}
    faults = 0
    for operand_index in range(1, len(operands), 2):
        if operand_index % PORTION == PORTION - 1:
            yield PAUSE
        parent = operands[operand_index]
        if not isinstance(parent, str):
            continue
        first = firsts.setdefault(parent, operand_index)
        opcode = context.module.opcode_of(parent)
        fixes: tuple[FindingFix, ...] = ()
        if opcode not in (spv.OpLabel, NO_OPCODE):
            made = made_by(definition) if (definition := context.module.definition(parent)) is not None else "not a label"
            message = f"operand Parent (%{parent}) is {made}, expected the label of the block from which the value comes"
        elif parent in named:
            message = f"operand Parent (%{parent}) is listed twice; this OpPhi must list each predecessor once"
            fixes = without_pair(inst, operand_index, first, missing)
        elif opcode != NO_OPCODE and parent not in before:
            message = f"operand Parent (%{parent}) is not a predecessor of block %{block.name} and must not be listed"
            fixes = without_pair(inst, operand_index, first, missing)
        else:
            named.add(parent)
            continue
        faults += 1
        yield Finding(inst, operand_index, message, fixes=fixes)
    if missing and not faults:
        notes = tuple(Note(function.blocks[name].label, OPCODE, f"%{name} branches to the block of the OpPhi") for name in missing)
        listed = ", ".join(f"%{name}" for name in missing)
        values = [value for value in dict.fromkeys(operands[::2]) if isinstance(value, str)]
        usable = [value for value in values if all(dominates_block(function, value, parent) for parent in missing)]
        fixes = with_pairs(inst, missing, usable, context.module)
        message = f"this OpPhi must list each predecessor of its block, but does not list {listed}"
        yield Finding(inst, OPCODE, message, notes, fixes)


@instruction_rule("control-flow/phi-values-match-result", spv.OpPhi, section=sections.CONTROL_FLOW_INSTRUCTIONS)
def phi_values_match_result(inst: Instruction, context: RuleContext) -> Findings:
    """Each value of an OpPhi must have the result type of the OpPhi.

    The result is a copy of one of the values, without conversion. Bits of another type are another value, and a value of another
    size may not fit in the register of the result. Two structure types with the same members are different types.
    """
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
            is_what = f"is {module.spell(type_)}" if type_ is not None else "is not a value"
            message = f"operand Variable (%{name}) {is_what}, expected {module.spell(wanted)} to match the result type"
            yield Finding(inst, operand_index, message)
