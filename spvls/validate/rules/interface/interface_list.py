"""Which variables an entry point lists as its interface, and which it has to."""

from __future__ import annotations

from spvls.grammar import spv
from spvls.module.declarations import EntryPoint
from spvls.module.module import Module
from spvls.syntax.instruction import OPCODE, RESULT, Instruction
from spvls.syntax.operand_decls import value
from spvls.validate.entry import model_name
from spvls.validate.finding import Append, Delete, Finding, Mend, Note
from spvls.validate.interface import IN_OUT, decorated_within, listed, users
from spvls.validate.mends import decorate
from spvls.validate.operand_at import word_at
from spvls.validate.rule import Findings, Scene, instruction_rule, module_rule
from spvls.validate.storage_class import storage, storage_name
from spvls.validate.variable import VARIABLES, held_by

_FUNCTION = storage("Function")
_PUSH_CONSTANT = storage("PushConstant")
_WORKGROUP = storage("Workgroup")
_TASK_PAYLOAD = storage("TaskPayloadWorkgroupEXT")


@instruction_rule("entry-point/interface-global-variable", spv.OpEntryPoint, section="3.3.5")
def interface_variables(inst: Instruction, scene: Scene) -> Findings:
    """The interface of an entry point are global variables: those in Input and Output, from SPIR-V 1.4 on all, each once.

    Bad:  `OpEntryPoint Fragment %main "main" %float`
    Good: `OpEntryPoint Fragment %main "main" %color`
    """
    module = scene.module
    newer = module.version >= (1, 4)
    seen: set[str] = set()
    payload: str | None = None
    for place, name in enumerate(inst.operands):
        if place < 3 or not isinstance(name, str):
            continue
        record = module.definition(name)
        if record is None or record.faults:
            continue
        note = (Note(inst, place, "it is listed here"),)
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


@module_rule("entry-point/interface-covers-uses", section="3.3.5")
def used_variables(scene: Scene) -> Findings:
    """An entry point lists the variables that its functions use: those in Input and Output, from SPIR-V 1.4 on all.

    The functions are all that it calls, in any number of steps.

    Bad:  `OpEntryPoint Vertex %main "main"` where `%main` stores to `%position` in Output
    Good: `OpEntryPoint Vertex %main "main" %position`
    """
    module = scene.module
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
        mends = [Mend(f"List %{variable.result}", (Append(entry.record, f"%{variable.result}"),), len(every) == 1)]
        if len(every) > 1:
            mends.append(Mend(f"List all that is missing: {', '.join(every)}", (Append(entry.record, " ".join(every)),)))
        yield Finding(variable, RESULT, message, (note,), tuple(mends))


def _shown(entry: EntryPoint) -> str:
    return f"the {model_name(entry.model)} entry point %{entry.function}"


@module_rule("vulkan/one-push-constant", section="3.2.6", apis="vulkan")
def push_constants(scene: Scene) -> Findings:
    """In Vulkan an entry point uses one push constant block at most, and lists one at most.

    Bad:  a function that loads from two variables in PushConstant
    Good: one structure with the members of both.
    """
    module = scene.module
    if module.has_capability("PushConstantBanksNV"):
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
    storage("PushConstant"): "VUID-StandaloneSpirv-OpEntryPoint-06673",
    storage("IncomingRayPayloadKHR"): "VUID-StandaloneSpirv-IncomingRayPayloadKHR-04700",
    storage("HitAttributeKHR"): "VUID-StandaloneSpirv-HitAttributeKHR-04702",
    storage("IncomingCallableDataKHR"): "VUID-StandaloneSpirv-IncomingCallableDataKHR-04706",
}


@instruction_rule("vulkan/one-of-storage-class", spv.OpEntryPoint, section="3.2.6", apis="vulkan")
def once_per_interface(inst: Instruction, scene: Scene) -> Findings:
    """In Vulkan an interface lists one incoming payload, hit attribute and callable data at most, and one push constant block.

    Bad:  `OpEntryPoint ClosestHitKHR %main "main" %payload %other_payload`
    Good: `OpEntryPoint ClosestHitKHR %main "main" %payload`
    """
    module = scene.module
    seen: dict[int, str] = {}
    for variable in listed(inst, module):
        vuid = _ONCE.get(variable.storage)
        if vuid is None or (variable.storage == _PUSH_CONSTANT and module.has_capability("PushConstantBanksNV")):
            continue
        first = seen.setdefault(variable.storage, variable.name)
        if first != variable.name:
            where = storage_name(variable.storage)
            message = f"%{first} and %{variable.name} are both in {where}, of which an entry point has one variable"
            yield Finding(inst, variable.place, message, vuid=vuid)
            return


@instruction_rule("entry-point/workgroup-blocks", spv.OpEntryPoint, section="3.2.6")
def workgroup_blocks(inst: Instruction, scene: Scene) -> Findings:
    """Variables of an interface in Workgroup are blocks all of them or none, and several blocks are Aliased.

    Blocks there need the capability WorkgroupMemoryExplicitLayoutKHR; with UntypedPointersKHR they may be mixed and need not
    be Aliased. Untyped variables in Workgroup are always blocks in shaders.

    Bad:  `OpDecorate %struct Block` without the capability, with `%x` in Workgroup holding a `%struct`
    Good: `OpCapability WorkgroupMemoryExplicitLayoutKHR`
    """
    module = scene.module
    function = module.definition(str(inst.operands[1])) if len(inst.operands) > 1 else None
    shared = [variable for variable in listed(inst, module) if variable.storage == _WORKGROUP]
    blocks = []
    aliased = 0
    for variable in shared:
        held = variable.type
        if held is None:
            continue
        if held.is_struct and decorated_within(held, "Block", module):
            blocks.append(variable)
            aliased += module.has_decoration(variable.name, "Aliased")
        elif variable.record.opcode.value == spv.OpUntypedVariableKHR and module.has_capability("Shader"):
            message = f"%{variable.name} is untyped and in Workgroup, and holds no structure decorated Block"
            yield Finding(variable.record, RESULT, message, (Note(inst, variable.place, "it is listed here"),))
            return
    if not blocks or function is None:
        return
    names = ", ".join(f"%{variable.name}" for variable in blocks)
    if not module.has_capability("WorkgroupMemoryExplicitLayoutKHR"):
        message = f"blocks in Workgroup need the capability WorkgroupMemoryExplicitLayoutKHR: {names}"
    elif module.has_capability("UntypedPointersKHR"):
        return
    elif len(blocks) != len(shared):
        message = f"of the variables in Workgroup that %{function.result} uses, some are blocks and some are not: {names}"
    elif len(blocks) > 1 and aliased != len(blocks):
        message = f"several blocks in Workgroup are Aliased all of them: {names}"
    else:
        return
    yield Finding(function, RESULT, message, (Note(inst, blocks[0].place, "a block is listed here"),))


_INTERPOLATED = frozenset({"Flat", "NoPerspective", "Sample", "Centroid"})
_VERTEX, _FRAGMENT = value("ExecutionModel", "Vertex"), value("ExecutionModel", "Fragment")


@instruction_rule("vulkan/interpolation", spv.OpEntryPoint, section="3.2.19", apis="vulkan")
def interpolation(inst: Instruction, scene: Scene) -> Findings:
    """In Vulkan inputs of vertex shaders and outputs of fragment shaders have no interpolation, integer inputs of these Flat.

    Nothing is interpolated before the vertex shader or after the fragment shader; integers and 64-bit floats never are.

    Bad:  `OpEntryPoint Fragment %main "main" %index` with `%index` a u32 in Input
    Good: `OpDecorate %index Flat`
    """
    module = scene.module
    function = inst.operands[1] if len(inst.operands) > 1 else None
    models = {entry.model for entry in module.declarations.entry_points if entry.function == function}
    blamed: set[str] = scene.shared("interpolation", set)
    for variable in listed(inst, module):
        name = variable.name
        if variable.storage not in IN_OUT or name in blamed:
            continue
        note = (Note(inst, variable.place, "it is listed here"),)
        own = [d for d in module.decorations(name) if d.name in _INTERPOLATED and d.member is None]
        found = module.in_order(own)[0] if own else None
        is_input = variable.storage == storage("Input")
        refusing = _VERTEX if is_input else _FRAGMENT
        if found is not None and (len(models) > 1 or refusing in models):
            what = "an input of a vertex shader" if is_input else "an output of a fragment shader"
            vuid = "VUID-StandaloneSpirv-Flat-06202" if is_input else "VUID-StandaloneSpirv-Flat-06201"
            message = f"%{name} is decorated {found.name}, and is {what}, which is not interpolated"
            notes = (Note(found.record, OPCODE, "it is decorated here"), *note)
            mends: tuple[Mend, ...] = ()
            if found.group is None:
                mends = (Mend(f"Remove the {found.name}", (Delete(found.record),)),)
            yield Finding(variable.record, RESULT, message, notes, mends, vuid=vuid)
        elif is_input and _FRAGMENT in models and not _is_flat(name, module) and _wants_flat(variable.record, module):
            held = module.spell(variable.type)
            message = f"%{name} is {held}, which is not interpolated: as an input of a fragment shader it is decorated Flat"
            mends = decorate(name, "Flat", module)
            yield Finding(variable.record, RESULT, message, note, mends, vuid="VUID-StandaloneSpirv-Flat-04744")
        else:
            continue
        blamed.add(name)


def _is_flat(name: str, module: Module) -> bool:
    return any(found.name == "Flat" for found in module.decorations(name))


def _wants_flat(variable: Instruction, module: Module) -> bool:
    held = held_by(variable, module)
    if held is None:
        return False
    scalar = held.element if held.is_vector else held
    return (held.is_float and held.width == 64) or (scalar is not None and scalar.is_int)
