"""Mesh and task shaders (SPV_EXT_mesh_shader; SPIR-V 3.3.26)."""

from __future__ import annotations

from collections.abc import Iterator

from spvls.grammar import sections, spv
from spvls.grammar.enumerants import Capability, Decoration, ExecutionMode, ExecutionModel, StorageClass
from spvls.grammar.operand_index import OpSetMeshOutputsEXT_PrimitiveCount, OpSetMeshOutputsEXT_VertexCount, OpVariable_StorageClass
from spvls.module.declarations import EntryPoint, mode_name
from spvls.module.module import Module
from spvls.module.operand_at import word_at
from spvls.module.variable import the_class
from spvls.syntax.instruction import RESULT, TYPE, Instruction
from spvls.validate.checks.kinds import UINT32
from spvls.validate.checks.limits import Limit, limits, only
from spvls.validate.checks.operation import Check, Operation, first_fault, operand_is
from spvls.validate.checks.scopes import word
from spvls.validate.engine.finding import Finding
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule
from spvls.validate.rules.execution_model.ray_operand import is_variable

_MESH = ExecutionModel.MeshEXT
_FRAGMENT = ExecutionModel.Fragment
_INPUT = StorageClass.Input
_OUTPUT = StorageClass.Output
_PAYLOAD = is_variable(3, (StorageClass.TaskPayloadWorkgroupEXT,))


def _payload(op: Operation) -> Finding | None:
    return _PAYLOAD(op) if len(op.operands) > 3 else None


_COUNTS: dict[int, tuple[Check, ...]] = {
    spv.OpEmitMeshTasksEXT: (*(operand_is(at, UINT32) for at in range(3)), _payload),
    spv.OpSetMeshOutputsEXT: (
        operand_is(OpSetMeshOutputsEXT_VertexCount, UINT32),
        operand_is(OpSetMeshOutputsEXT_PrimitiveCount, UINT32),
    ),
}


@instruction_rule("execution-model/mesh-output-types-match", *_COUNTS, section=sections.RESERVED_INSTRUCTIONS)
def mesh_output_types_match(inst: Instruction, context: RuleContext) -> Findings:
    """Counts of a mesh or task shader must be u32, and a payload in TaskPayloadWorkgroupEXT.

    The device reads the numbers of workgroups of OpEmitMeshTasksEXT, and of vertices and primitives of OpSetMeshOutputsEXT, as
    unsigned 32-bit values, without conversion. The Payload of OpEmitMeshTasksEXT must be an OpVariable in the storage class
    TaskPayloadWorkgroupEXT, by which the task passes data to its mesh shaders. Of each instruction, only the first fault is
    reported.
    """
    return first_fault(Operation(inst, context), _COUNTS[inst.opcode.value])


def _at_most(operand_index: int, mode: int, inst: Instruction, module: Module) -> Iterator[Limit]:
    """The count does not exceed what the entry point declares by an execution mode."""
    number = word(module, inst.operands[operand_index]).number
    if number is None:
        return

    name = inst.opcode.arguments[operand_index].name

    def declared(entry: EntryPoint, of: Module) -> int | None:
        most = next((m.params[0] for m in of.execution_modes(entry.function) if m.value == mode and m.params), None)
        return most if isinstance(most, int) else None

    def holds(entry: EntryPoint, of: Module) -> bool:
        most = declared(entry, of)
        return most is None or number <= most

    def found(entry: EntryPoint, of: Module) -> str:
        return f"; {name} is {number} and {mode_name(mode)} is {declared(entry, of)}"

    why = f"the {name} of {inst.opcode.name} must not exceed the {mode_name(mode)} of the entry point"
    yield Limit(holds, why, found=found, each=True)


_TASK_ONLY = only((ExecutionModel.TaskEXT,), "OpEmitMeshTasksEXT requires the execution model TaskEXT")
_MESH_ONLY = only((ExecutionModel.MeshEXT,), "OpSetMeshOutputsEXT requires the execution model MeshEXT")


@limits(spv.OpEmitMeshTasksEXT, spv.OpSetMeshOutputsEXT)
def _models(inst: Instruction, module: Module) -> Iterator[Limit]:
    match inst.opcode.value:
        case spv.OpEmitMeshTasksEXT:
            yield _TASK_ONLY
        case spv.OpSetMeshOutputsEXT:
            yield _MESH_ONLY
            yield from _at_most(0, ExecutionMode.OutputVertices, inst, module)
            yield from _at_most(1, ExecutionMode.OutputPrimitivesEXT, inst, module)


def _is_interface_of(module: Module, name: str, model: int) -> bool:
    """Whether all entry points are of an execution model, and one of them has the variable in its interface."""
    entries = module.declarations.entry_points
    return all(entry.model == model for entry in entries) and any(name in entry.interface for entry in entries)


@instruction_rule("execution-model/mesh-outputs-are-arrays", spv.OpVariable, section=sections.DECORATION)
def mesh_outputs_are_arrays(inst: Instruction, context: RuleContext) -> Findings:
    """An output of a mesh shader that is not decorated with BuiltIn must be an array with a length.

    In SPV_EXT_mesh_shader, a mesh shader writes the outputs of all its vertices and primitives, with one element for each. An
    output that is not an array would belong to none of them. Blocks with built-in members must be in arrays too.

    A variable decorated with PerPrimitiveEXT must be in Output in mesh shaders, and in Input in fragment shaders: the value of the
    primitive is passed on without interpolation.

    Only modules with the capability MeshShadingEXT whose entry points are all MeshEXT or all Fragment are checked, and only
    variables of OpVariable in the interface of one of these, as in spirv-val. PerPrimitiveEXT on members is not checked.
    """
    module = context.module
    if not module.has_capability(Capability.MeshShadingEXT) or context.is_in_function:
        return
    name = inst.result
    if name is None:
        return
    storage = inst.operands[OpVariable_StorageClass]
    if module.has_decoration(name, Decoration.PerPrimitiveEXT):
        per_primitive = f"%{name} is in {the_class(word_at(inst, OpVariable_StorageClass))}, but in"
        if storage != _INPUT and _is_interface_of(module, name, _FRAGMENT):
            yield Finding(inst, RESULT, f"{per_primitive} fragment shaders the decoration PerPrimitiveEXT requires Input")
            return
        if storage != _OUTPUT and _is_interface_of(module, name, _MESH):
            yield Finding(inst, RESULT, f"{per_primitive} mesh shaders the decoration PerPrimitiveEXT requires Output")
            return
    if storage != _OUTPUT or module.has_decoration(name, Decoration.BuiltIn) or not _is_interface_of(module, name, _MESH):
        return
    pointer = module.type(inst.type)
    pointee = pointer.pointee if pointer is not None else None
    if pointee is not None and pointee.kind != spv.OpTypeArray:
        spelled = module.spell(pointee)
        yield Finding(inst, TYPE, f"the mesh shader output %{name} is {spelled}, expected an array with a length")
