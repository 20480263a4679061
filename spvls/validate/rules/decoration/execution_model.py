"""Decorations by execution model (SPIR-V 3.2.19)."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv
from spvls.grammar.enumerants import Capability, Decoration, ExecutionModel
from spvls.grammar.operand_index import OpEntryPoint_ExecutionModel
from spvls.module.interface import IN_OUT, OUTPUT
from spvls.module.operand_at import word_at
from spvls.steps import PORTION
from spvls.syntax.instruction import OPCODE, Instruction, shown
from spvls.validate.checks.entry import listed_variables, model_name
from spvls.validate.checks.wording import listed as in_a_row
from spvls.validate.engine.finding import PAUSE, Finding, Note
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule

_VERTEX_PROCESSING = frozenset(
    {
        ExecutionModel.Vertex, ExecutionModel.TessellationControl, ExecutionModel.TessellationEvaluation,
        ExecutionModel.Geometry,
    }
)  # fmt: skip
_MESH_SHADERS = (ExecutionModel.MeshNV, ExecutionModel.MeshEXT)

#: The models whose interfaces have a decoration.
_MODELS: dict[int, frozenset[int]] = {
    Decoration.Patch: frozenset({ExecutionModel.TessellationControl, ExecutionModel.TessellationEvaluation}),
    Decoration.Stream: frozenset({ExecutionModel.Geometry}),
    Decoration.Index: frozenset({ExecutionModel.Fragment}),
    Decoration.XfbBuffer: _VERTEX_PROCESSING,
    Decoration.XfbStride: _VERTEX_PROCESSING,
}
_MESH = frozenset(
    {
        ExecutionModel.MeshNV, ExecutionModel.MeshEXT, ExecutionModel.TaskNV, ExecutionModel.TaskEXT,
        ExecutionModel.Fragment,
    }
)  # fmt: skip


@instruction_rule("decoration/fits-execution-model", spv.OpEntryPoint, section=sections.DECORATION, severity=Severity.WARNING)
def fits_execution_model(inst: Instruction, context: RuleContext) -> Findings:
    """The interface of an entry point must not have decorations that belong to another execution model.

    Another stage has nothing that the decoration controls, so a driver may ignore it or reject the pipeline.

    Patch requires tessellation, Stream requires Geometry, Index requires Fragment, and XfbBuffer and XfbStride require Vertex,
    tessellation or Geometry; mesh shaders are not checked for these two. Only variables in Input and Output that OpEntryPoint lists
    are checked, not members, and Index only in Output. With the capability MeshShadingNV, task, mesh and fragment shaders are not
    checked. OpConditionalEntryPointINTEL is not checked either. Of each OpEntryPoint, only the first fault is reported.

    A warning, because spirv-val does not check this, except for Index in some stages in Vulkan, where
    `interface/locations-are-distinct` reports an error too.
    """
    module = context.module
    model = word_at(inst, OpEntryPoint_ExecutionModel)
    for at, variable in enumerate(listed_variables(inst, context)):
        if not (at + 1) % PORTION:
            yield PAUSE
        if variable.storage not in IN_OUT:
            continue
        for found in module.decorations(variable.name):
            models = _MODELS.get(found.value)
            if models is None or model in models or (model in _MESH and module.has_capability(Capability.MeshShadingNV)):
                continue
            if found.value == Decoration.Index and variable.storage != OUTPUT:
                continue  # said of the storage class
            if models is _VERTEX_PROCESSING and model in _MESH_SHADERS:
                continue
            note = Note(found.record, OPCODE, f"{found.name} is set here")
            wanted = in_a_row([*map(model_name, sorted(models))])
            message = (
                f"%{variable.name} is decorated with {found.name}, which requires the execution model {wanted}, "
                f"but the entry point {shown(inst.operands[1])} has {model_name(model or 0)}"
            )
            yield Finding(inst, variable.operand_index, message, (note,))
            return
