"""Which variables an interface lists, and what they hold (SPIR-V 2.16.2, 3.2.6, 3.3.5)."""

from __future__ import annotations

from spvls.grammar import sections, spv
from spvls.grammar.enumerants import Capability, Decoration, StorageClass
from spvls.grammar.operand_index import OpVariable_StorageClass
from spvls.grammar.traits import VARIABLES
from spvls.module.declarations import EntryPoint
from spvls.module.interface import IN_OUT, INTERFACES, decorated_within, users
from spvls.module.operand_at import id_at, word_at
from spvls.module.type_walks import parts
from spvls.module.types import Type
from spvls.module.variable import held_by, the_class
from spvls.syntax.instruction import OPCODE, RESULT, TYPE, Instruction
from spvls.validate.checks.entry import entry_shown, listed_variables
from spvls.validate.checks.wording import listed as in_row
from spvls.validate.checks.wording import made_by
from spvls.validate.engine.finding import MANY, PAUSE, Append, Finding, FindingFix, Note, Replace
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule, module_rule

_PHYSICAL = StorageClass.PhysicalStorageBuffer
_FUNCTION = StorageClass.Function
_PUSH_CONSTANT = StorageClass.PushConstant
_WORKGROUP = StorageClass.Workgroup
_NOT_PASSED = ("BFloat16", "Float4E", "Float6E", "Float8", "MXInt8")
_TASK_PAYLOAD = StorageClass.TaskPayloadWorkgroupEXT


def _passing_vuids() -> list[str]:
    return [f"VUID-StandaloneSpirv-OpTypeFloat-{number}" for number in ("10370", "10823")]


@instruction_rule(
    "interface/variables-hold-passable-types", spv.OpVariable, section=sections.STORAGE_CLASS, apis="vulkan", vuids=_passing_vuids
)
def variables_hold_passable_types(inst: Instruction, context: RuleContext) -> Findings:
    """In Vulkan, inputs and outputs must not hold buffer pointers, bfloat16 or 8-bit floats.

    Stages are connected by locations of 32-bit components. A driver need not be able to pass bfloat16 (SPV_KHR_bfloat16), floats of
    8 bits (SPV_EXT_float8), or pointers to PhysicalStorageBuffer (SPV_KHR_physical_storage_buffer) through them. Pass the number as
    a 32-bit float, and the address as a vector of two 32-bit integers, which requires Flat in an input of a fragment shader
    (`interface/interpolation-fits-stage`).

    As in spirv-val, the rule also reports the numbers of SPV_EXT_ocp_microscaling_types, with the VUID of 8-bit floats. Numbers
    only count in variables that an entry point lists. Structures and arrays are searched; untyped variables and untyped pointers
    are not checked.
    """
    module = context.module
    own = word_at(inst, OpVariable_StorageClass)
    held = held_by(inst, module)
    if own not in IN_OUT or held is None:
        return
    contents = module.contents(held.id, behind_pointers=False)
    small = sorted(name for name in contents if isinstance(name, str) and name.startswith(_NOT_PASSED))
    where = the_class(own)
    if small and any(inst.result in entry.interface for entry in module.declarations.entry_points):
        message = f"the type of %{inst.result} contains floats with the encoding {small[0]}, which must not be in {where}"
        number = "10370" if small[0].startswith("BFloat16") else "10823"
        yield Finding(inst, TYPE, message, vuid=f"VUID-StandaloneSpirv-OpTypeFloat-{number}")
    elif spv.OpTypePointer in contents and _holds_physical(held):
        message = f"%{inst.result} holds a pointer to PhysicalStorageBuffer, which must not be in {where}; "
        message += "pass the address as an integer"
        yield Finding(inst, TYPE, message, vuid="VUID-StandaloneSpirv-Input-09557")


def _holds_physical(outer: Type) -> bool:
    inside = parts(outer, lambda type_: type_.is_struct or type_.is_array)
    return any(type_.is_pointer and type_.storage == _PHYSICAL for type_ in inside)


@instruction_rule("interface/listed-variables-are-global", *INTERFACES, section=sections.MODE_SETTING_INSTRUCTIONS)
def listed_variables_are_global(inst: Instruction, context: RuleContext) -> Findings:
    """The interface of an entry point must only list global variables, and from SPIR-V 1.4 on each once.

    The interface says which global variables an entry point uses, or before SPIR-V 1.4 which inputs and outputs. A consumer may
    allocate or connect each of them, so an entry that is not a variable or that occurs twice may be connected wrongly.

    Before SPIR-V 1.4, the interface must only list variables in Input and Output. From SPIR-V 1.4 on, it may list variables of all
    storage classes except Function, but at most one in TaskPayloadWorkgroupEXT (SPV_EXT_mesh_shader).
    """
    module = context.module
    newer = module.version >= (1, 4)
    seen: set[str] = set()
    payload: str | None = None
    for operand_index, name in enumerate(inst.operands):
        if operand_index < INTERFACES[inst.opcode.value] or not isinstance(name, str):
            continue
        record = module.definition(name)
        if record is None or record.faults:
            continue
        if not operand_index % MANY:
            yield PAUSE
        at = RESULT if record.result is not None else OPCODE
        own = word_at(record, 0)
        if record.opcode.value not in VARIABLES:
            message = f"%{name} is {made_by(record)}, but an interface may only list variables"
            fix = _removal(inst, operand_index, name)._replace(preferred=False)
            yield Finding(record, at, message, _listed_here(inst, operand_index, name), (fix,))
        elif newer and own == _FUNCTION:
            message = f"%{name} is a variable in a function, but an interface may only list global variables"
            yield Finding(record, 0, message, _listed_here(inst, operand_index, name), (_removal(inst, operand_index, name),))
        elif newer and name in seen:
            whose = id_at(inst, INTERFACES[inst.opcode.value] - 2)
            message = f"%{name} is listed twice in the interface of %{whose}; since SPIR-V 1.4, it must be listed only once"
            yield Finding(record, at, message, _listed_here(inst, operand_index, name), (_removal(inst, operand_index, name),))
        elif newer and own == _TASK_PAYLOAD and payload not in (None, name):
            message = f"%{payload} and %{name} are both task payloads; an entry point may list at most one"
            yield Finding(record, at, message, _listed_here(inst, operand_index, name))
        elif not newer and own not in IN_OUT:
            where = f"%{name} is in {the_class(own)}"
            message = f"{where}; before SPIR-V 1.4, an interface may only list Input and Output variables"
            yield Finding(record, 0, message, _listed_here(inst, operand_index, name), (_removal(inst, operand_index, name),))
        seen.add(name)
        if own == _TASK_PAYLOAD:
            payload = name


def _listed_here(inst: Instruction, operand_index: int, name: str) -> tuple[Note, ...]:
    return (Note(inst, operand_index, f"%{name} is listed here"),)


def _removal(inst: Instruction, operand_index: int, name: str) -> FindingFix:
    return FindingFix(f"Remove %{name} from the interface", (Replace(inst, operand_index, ""),))


@module_rule("interface/used-variables-are-listed", section=sections.MODE_SETTING_INSTRUCTIONS)
def used_variables_are_listed(context: RuleContext) -> Findings:
    """An entry point must list the inputs and outputs (since 1.4, all global variables) that it uses.

    A consumer may read the interface without reading the functions. A variable that is used and not listed may then not be bound,
    not be connected to the next stage or not be initialized.

    The use may be in any function that the entry point calls, directly or through other functions. A use of another variable or
    constant that is made from this one counts too. A variable has one finding, for the first entry point that lacks it.
    """
    module = context.module
    newer = module.version >= (1, 4)
    interfaces = {id(entry.record): frozenset(entry.interface) for entry in module.declarations.entry_points}
    if not interfaces:
        return
    listed_by_all = frozenset.intersection(*interfaces.values())
    missing: list[tuple[Instruction, EntryPoint]] = []
    unlisted: dict[int, list[str]] = {}
    for at, variable in enumerate((record for opcode in VARIABLES for record in module.declarations.records(opcode)), 1):
        if not at % MANY:
            yield PAUSE
        own = word_at(variable, 0)
        name = variable.result
        if name is None or name in listed_by_all or own == _FUNCTION or not (newer or own in IN_OUT):
            continue
        for entry in users(name, module):
            if name not in interfaces[id(entry.record)]:
                missing.append((variable, entry))
                unlisted.setdefault(id(entry.record), []).append(f"%{name}")
                break
    for variable, entry in missing:
        message = f"{entry_shown(entry)} uses %{variable.result} but does not list it in its interface"
        note = Note(entry.record, OPCODE, f"the entry point %{entry.function} is declared here")
        every = unlisted[id(entry.record)]
        fixes = [FindingFix(f"List %{variable.result}", (Append(entry.record, f"%{variable.result}"),), len(every) == 1)]
        if 1 < len(every) <= MANY or (len(every) > MANY and every[0] == f"%{variable.result}"):
            title = ", ".join(every) if len(every) <= MANY else f"{len(every)} variables"
            fixes.append(FindingFix(f"List all that is missing: {title}", (Append(entry.record, " ".join(every)),)))
        yield Finding(variable, RESULT, message, (note,), tuple(fixes))


@module_rule("interface/push-constant-block-is-unique", section=sections.STORAGE_CLASS, apis="vulkan")
def push_constant_block_is_unique(context: RuleContext) -> Findings:
    """In Vulkan, an entry point must not use more than one push constant block.

    A shader has one block of memory for push constants, which two variables would share. A driver may provide only one of them, or
    read the members of one as those of the other. Uses in the functions that the entry point calls count. A module has one such
    finding. The rule does not apply with the capability PushConstantBanksNV (SPV_NV_push_constant_bank).
    """
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
                both = f"%{first.result} and %{variable.result}"
                message = f"{entry_shown(entry)} uses the push constant blocks {both}; it may use at most one"
                note = Note(first, RESULT, f"%{first.result} is declared here")
                yield Finding(variable, RESULT, message, (note,), vuid="VUID-StandaloneSpirv-OpEntryPoint-06674")


_ONCE = {
    StorageClass.PushConstant: "VUID-StandaloneSpirv-OpVariable-06673",
    StorageClass.IncomingRayPayloadKHR: "VUID-StandaloneSpirv-IncomingRayPayloadKHR-04700",
    StorageClass.HitAttributeKHR: "VUID-StandaloneSpirv-HitAttributeKHR-04702",
    StorageClass.IncomingCallableDataKHR: "VUID-StandaloneSpirv-IncomingCallableDataKHR-04706",
}


@instruction_rule("interface/storage-class-is-listed-once", spv.OpEntryPoint, section=sections.STORAGE_CLASS, apis="vulkan")
def storage_class_is_listed_once(inst: Instruction, context: RuleContext) -> Findings:
    """In Vulkan, an interface must not list two variables of a storage class that has one object.

    A shader invocation has at most one incoming payload, one hit attribute, one incoming callable data and, without push constant
    banks, one push constant block. A driver that gets two variables for the object may connect only one of them.

    The storage classes are IncomingRayPayloadKHR, HitAttributeKHR, IncomingCallableDataKHR and, without the capability
    PushConstantBanksNV (SPV_NV_push_constant_bank), PushConstant. Each OpEntryPoint has at most one such finding;
    OpConditionalEntryPointINTEL is not checked.
    """
    module = context.module
    seen: dict[int, str] = {}
    for variable in listed_variables(inst, context):
        vuid = _ONCE.get(variable.storage)
        if vuid is None or (variable.storage == _PUSH_CONSTANT and module.has_capability(Capability.PushConstantBanksNV)):
            continue
        first = seen.setdefault(variable.storage, variable.name)
        if first != variable.name:
            where = the_class(variable.storage)
            message = f"%{first} and %{variable.name} are both in {where}; an entry point may list at most one such variable"
            yield Finding(inst, variable.operand_index, message, vuid=vuid)
            return


@instruction_rule("interface/workgroup-blocks-are-aliased", *INTERFACES, section=sections.SHADER_VALIDATION_RULES)
def workgroup_blocks_are_aliased(inst: Instruction, context: RuleContext) -> Findings:
    """Without UntypedPointersKHR, Workgroup variables must be no blocks, one block, or Aliased blocks.

    Without the capability UntypedPointersKHR, all or none of the variables in Workgroup in the interface of an entry point must be
    blocks, and two or more blocks must all be Aliased. Such blocks (SPV_KHR_workgroup_memory_explicit_layout) share their memory,
    and the decoration Aliased says so. If it is missing, a compiler may reorder accesses to two blocks as if they did not overlap.
    Variables that are not blocks have memory of their own, which the device would have to place around the blocks.

    With UntypedPointersKHR (SPV_KHR_untyped_pointers), only Aliased blocks share memory, and blocks need not be Aliased; whether
    all variables are blocks is then not checked, as in spirv-val. With the capability Shader, the rule requires, as spirv-val does,
    that untyped variables hold blocks. Blocks always require the capability WorkgroupMemoryExplicitLayoutKHR. An array of blocks
    does not count as a block; as in spirv-val, a structure with a block as a member does.
    """
    module = context.module
    function = module.definition(id_at(inst, INTERFACES[inst.opcode.value] - 2) or "")
    shared = [variable for variable in listed_variables(inst, context) if variable.storage == _WORKGROUP]
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
            holds = f"holds {module.spell(held)}, expected a structure decorated with Block"
            message = f"the untyped variable %{variable.name} in {the_class(_WORKGROUP)} {holds}"
            note = Note(inst, variable.operand_index, f"%{variable.name} is listed here")
            yield Finding(variable.record, RESULT, message, (note,))
            return
    if not blocks or function is None:
        return
    names = in_row([f"%{variable.name}" for variable in blocks], "and")
    if not module.has_capability(Capability.WorkgroupMemoryExplicitLayoutKHR):
        what = "is a block" if len(blocks) == 1 else "are blocks"
        message = f"{names} {what}; a block in {the_class(_WORKGROUP)} requires the capability WorkgroupMemoryExplicitLayoutKHR"
    elif module.has_capability(Capability.UntypedPointersKHR):
        return
    elif len(blocks) != len(shared):
        only = f"only {names} {'is a block' if len(blocks) == 1 else 'are blocks'}"
        shown = f"{only} of the Workgroup variables in the interface of %{function.result}"
        message = f"{shown}; either all or none of them must be blocks"
    elif len(blocks) > 1 and aliased != len(blocks):
        every = "both" if len(blocks) == 2 else "all"
        message = f"{names} are blocks in {the_class(_WORKGROUP)} and must {every} be decorated with Aliased"
    else:
        return
    yield Finding(function, RESULT, message, (Note(inst, blocks[0].operand_index, f"%{blocks[0].name} is listed here"),))
