"""Which variables an interface lists, and what they hold (SPIR-V 3.2.6, 3.3.5)."""

from __future__ import annotations

from spvls.grammar import sections, spv
from spvls.grammar.enumerants import Capability, Decoration, StorageClass
from spvls.grammar.operand_index import OpEntryPoint_EntryPoint, OpVariable_StorageClass
from spvls.grammar.traits import VARIABLES
from spvls.module.declarations import EntryPoint
from spvls.module.interface import IN_OUT, decorated_within, listed, users
from spvls.module.operand_at import word_at
from spvls.module.storage_class import storage_name
from spvls.module.type_walks import parts
from spvls.module.types import Type
from spvls.module.variable import held_by
from spvls.syntax.instruction import OPCODE, RESULT, TYPE, Instruction
from spvls.validate.checks.entry import model_name
from spvls.validate.engine.finding import Append, Finding, FindingFix, Note
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule, module_rule

_PHYSICAL = StorageClass.PhysicalStorageBuffer
_FUNCTION = StorageClass.Function
_PUSH_CONSTANT = StorageClass.PushConstant
_WORKGROUP = StorageClass.Workgroup
_TASK_PAYLOAD = StorageClass.TaskPayloadWorkgroupEXT


@instruction_rule("interface/variables-hold-passable-types", spv.OpVariable, section=sections.STORAGE_CLASS, apis="vulkan")
def variables_hold_passable_types(inst: Instruction, context: RuleContext) -> Findings:
    """In Vulkan inputs and outputs hold no pointers into PhysicalStorageBuffer and no floats of 8 bits or less."""
    module = context.module
    own = word_at(inst, OpVariable_StorageClass)
    held = held_by(inst, module)
    if own not in IN_OUT or held is None:
        return
    contents = module.contents(held.id, behind_pointers=False)
    small = sorted(name for name in contents if isinstance(name, str) and name.startswith(("Float4E", "Float6E", "Float8E")))
    where = storage_name(own)
    if small:
        message = f"the variable holds {small[0]} numbers, which are not for {where}"
        yield Finding(inst, TYPE, message, vuid="VUID-StandaloneSpirv-OpTypeFloat-10823")
    elif spv.OpTypePointer in contents and _holds_physical(held):
        message = f"the variable holds a pointer into PhysicalStorageBuffer, which is passed in {where} as an integer"
        yield Finding(inst, TYPE, message, vuid="VUID-StandaloneSpirv-Input-09557")


def _holds_physical(outer: Type) -> bool:
    inside = parts(outer, lambda type_: type_.is_struct or type_.is_array)
    return any(type_.is_pointer and type_.storage == _PHYSICAL for type_ in inside)


@instruction_rule("interface/listed-variables-are-global", spv.OpEntryPoint, section=sections.MODE_SETTING_INSTRUCTIONS)
def listed_variables_are_global(inst: Instruction, context: RuleContext) -> Findings:
    """The interface of an entry point are global variables: those in Input and Output, from SPIR-V 1.4 on all, each once."""
    module = context.module
    newer = module.version >= (1, 4)
    seen: set[str] = set()
    payload: str | None = None
    for operand_index, name in enumerate(inst.operands):
        if operand_index < 3 or not isinstance(name, str):
            continue
        record = module.definition(name)
        if record is None or record.faults:
            continue
        note = (Note(inst, operand_index, "it is listed here"),)
        at = RESULT if record.result is not None else OPCODE
        own = word_at(record, 0)
        if record.opcode.value not in VARIABLES:
            yield Finding(record, at, f"%{name} is no variable, and stands in the interface of an entry point", note)
        elif newer and own == _FUNCTION:
            yield Finding(record, 0, f"%{name} is a local variable, and an interface lists global ones", note)
        elif newer and name in seen:
            message = f"%{name} is listed twice in the interface of one entry point, which SPIR-V 1.4 allows no more"
            yield Finding(record, at, message, note)
        elif newer and own == _TASK_PAYLOAD and payload not in (None, name):
            message = f"%{payload} and %{name} are both task payloads of one entry point, which has at most one"
            yield Finding(record, at, message, note)
        elif not newer and own not in IN_OUT:
            message = f"%{name} is in {storage_name(own)}, and before SPIR-V 1.4 an interface lists Input and Output only"
            yield Finding(record, 0, message, note)
        seen.add(name)
        if own == _TASK_PAYLOAD:
            payload = name


@module_rule("interface/used-variables-are-listed", section=sections.MODE_SETTING_INSTRUCTIONS)
def used_variables_are_listed(context: RuleContext) -> Findings:
    """An entry point lists the variables that its functions use: those in Input and Output, from SPIR-V 1.4 on all.

    The functions are all that it calls, in any number of steps.
    """
    module = context.module
    newer = module.version >= (1, 4)
    interfaces = {id(entry.record): frozenset(entry.interface) for entry in module.declarations.entry_points}
    if not interfaces:
        return
    listed_by_all = frozenset.intersection(*interfaces.values())
    missing: list[tuple[Instruction, EntryPoint]] = []
    for variable in module.declarations.records(spv.OpVariable):
        own = word_at(variable, 0)
        name = variable.result
        if name is None or name in listed_by_all or own == _FUNCTION or not (newer or own in IN_OUT):
            continue
        for entry in users(name, module):
            if name not in interfaces[id(entry.record)]:
                missing.append((variable, entry))
                break
    for variable, entry in missing:
        message = f"{_shown(entry)} uses %{variable.result}, and does not list it in its interface"
        note = Note(entry.record, OPCODE, "the entry point is here")
        every = [f"%{other.result}" for other, of in missing if of.record is entry.record]
        fixes = [FindingFix(f"List %{variable.result}", (Append(entry.record, f"%{variable.result}"),), len(every) == 1)]
        if len(every) > 1:
            fixes.append(FindingFix(f"List all that is missing: {', '.join(every)}", (Append(entry.record, " ".join(every)),)))
        yield Finding(variable, RESULT, message, (note,), tuple(fixes))


def _shown(entry: EntryPoint) -> str:
    return f"the {model_name(entry.model)} entry point %{entry.function}"


@module_rule("interface/push-constant-block-is-unique", section=sections.STORAGE_CLASS, apis="vulkan")
def push_constant_block_is_unique(context: RuleContext) -> Findings:
    """In Vulkan an entry point uses one push constant block at most, and lists one at most."""
    module = context.module
    if module.has_capability(Capability.PushConstantBanksNV):
        return
    used: dict[int, Instruction] = {}
    blamed = False
    blocks = [
        variable
        for opcode in VARIABLES
        for variable in module.declarations.records(opcode)
        if word_at(variable, 0) == _PUSH_CONSTANT and variable.result is not None
    ]
    for variable in blocks if len(blocks) > 1 else ():
        for entry in users(str(variable.result), module):
            first = used.setdefault(id(entry.record), variable)
            if first is not variable and not blamed:
                blamed = True
                message = f"{_shown(entry)} uses the push constants %{first.result} and %{variable.result}, not one block"
                note = Note(first, RESULT, "the other block is here")
                yield Finding(variable, RESULT, message, (note,), vuid="VUID-StandaloneSpirv-OpEntryPoint-06674")


_ONCE = {
    StorageClass.PushConstant: "VUID-StandaloneSpirv-OpEntryPoint-06673",
    StorageClass.IncomingRayPayloadKHR: "VUID-StandaloneSpirv-IncomingRayPayloadKHR-04700",
    StorageClass.HitAttributeKHR: "VUID-StandaloneSpirv-HitAttributeKHR-04702",
    StorageClass.IncomingCallableDataKHR: "VUID-StandaloneSpirv-IncomingCallableDataKHR-04706",
}


@instruction_rule("interface/storage-class-is-listed-once", spv.OpEntryPoint, section=sections.STORAGE_CLASS, apis="vulkan")
def storage_class_is_listed_once(inst: Instruction, context: RuleContext) -> Findings:
    """In Vulkan an interface lists one incoming payload, hit attribute and callable data at most, and one push constant block."""
    module = context.module
    seen: dict[int, str] = {}
    for variable in listed(inst, module):
        vuid = _ONCE.get(variable.storage)
        if vuid is None or (variable.storage == _PUSH_CONSTANT and module.has_capability(Capability.PushConstantBanksNV)):
            continue
        first = seen.setdefault(variable.storage, variable.name)
        if first != variable.name:
            where = storage_name(variable.storage)
            message = f"%{first} and %{variable.name} are both in {where}, of which an entry point has one variable"
            yield Finding(inst, variable.operand_index, message, vuid=vuid)
            return


@instruction_rule("interface/workgroup-blocks-are-aliased", spv.OpEntryPoint, section=sections.STORAGE_CLASS)
def workgroup_blocks_are_aliased(inst: Instruction, context: RuleContext) -> Findings:
    """Variables of an interface in Workgroup are blocks all of them or none, and several blocks are Aliased.

    Blocks there need the capability WorkgroupMemoryExplicitLayoutKHR; with UntypedPointersKHR they may be mixed and need not
    be Aliased. Untyped variables in Workgroup are always blocks in shaders.
    """
    module = context.module
    function = module.definition(str(inst.operands[OpEntryPoint_EntryPoint])) if len(inst.operands) > 1 else None
    shared = [variable for variable in listed(inst, module) if variable.storage == _WORKGROUP]
    blocks = []
    aliased = 0
    for variable in shared:
        held = variable.type
        if held is None:
            continue
        if held.is_struct and decorated_within(held, Decoration.Block, module):
            blocks.append(variable)
            aliased += module.has_decoration(variable.name, Decoration.Aliased)
        elif variable.record.opcode.value == spv.OpUntypedVariableKHR and module.has_capability(Capability.Shader):
            message = f"%{variable.name} is untyped and in Workgroup, and holds no structure decorated Block"
            yield Finding(variable.record, RESULT, message, (Note(inst, variable.operand_index, "it is listed here"),))
            return
    if not blocks or function is None:
        return
    names = ", ".join(f"%{variable.name}" for variable in blocks)
    if not module.has_capability(Capability.WorkgroupMemoryExplicitLayoutKHR):
        message = f"blocks in Workgroup need the capability WorkgroupMemoryExplicitLayoutKHR: {names}"
    elif module.has_capability(Capability.UntypedPointersKHR):
        return
    elif len(blocks) != len(shared):
        message = f"of the variables in Workgroup that %{function.result} uses, some are blocks and some are not: {names}"
    elif len(blocks) > 1 and aliased != len(blocks):
        message = f"several blocks in Workgroup are Aliased all of them: {names}"
    else:
        return
    yield Finding(function, RESULT, message, (Note(inst, blocks[0].operand_index, "a block is listed here"),))
