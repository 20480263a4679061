"""Viewport-relative layers (SPIR-V 3.2.19, 3.2.20)."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv
from spvls.grammar.enumerants import BuiltIn, Capability, Decoration, ExecutionModel
from spvls.grammar.operand_index import OpEntryPoint_ExecutionModel
from spvls.module.module import Module
from spvls.module.operand_at import word_at
from spvls.syntax.instruction import OPCODE, Instruction
from spvls.validate.checks.entry import listed_variables, model_name
from spvls.validate.engine.finding import Finding
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule, module_rule

_RELATIVE_MODELS = frozenset({ExecutionModel.Vertex, ExecutionModel.TessellationEvaluation, ExecutionModel.Geometry})
_VIEWPORTS = frozenset({BuiltIn.ViewportIndex, BuiltIn.ViewportMaskNV})


@instruction_rule(
    "interface/viewport-relative-layer-has-viewport",
    spv.OpEntryPoint,
    section=sections.DECORATION,
    severity=Severity.WARNING,
    apis="vulkan",
)
def viewport_relative_layer_has_viewport(inst: Instruction, context: RuleContext) -> Findings:
    """In Vulkan, ViewportRelativeNV may only decorate the Layer of an entry point that lists a viewport.

    The device adds the number of the viewport to the layer. The entry point must use ViewportIndex or ViewportMaskNV, which give
    the number; the rule only requires that it lists one of them. Vulkan permits the decoration only in vertex, tessellation
    evaluation and geometry shaders, so a driver may ignore it elsewhere. The rule checks variables that entry points list in
    modules with the capability ShaderViewportMaskNV. It checks neither decorated members nor OpConditionalEntryPointINTEL.
    """
    module = context.module
    if not module.has_capability(Capability.ShaderViewportMaskNV) or not module.decorated_with(Decoration.ViewportRelativeNV):
        return
    built_ins = _built_ins(inst, module)
    for variable in listed_variables(inst, context):
        if not module.has_decoration(variable.name, Decoration.ViewportRelativeNV):
            continue
        if (
            BuiltIn.Layer not in built_ins.get(variable.name, ())
            or word_at(inst, OpEntryPoint_ExecutionModel) not in _RELATIVE_MODELS
        ):
            model = model_name(word_at(inst, OpEntryPoint_ExecutionModel) or 0)
            message = f"%{variable.name} is decorated with ViewportRelativeNV, which the execution model {model} does not permit"
            if BuiltIn.Layer not in built_ins.get(variable.name, ()):
                message = f"%{variable.name} is decorated with ViewportRelativeNV, which may only decorate the built-in Layer"
            yield Finding(inst, variable.operand_index, message, vuid="VUID-StandaloneSpirv-ViewportRelativeNV-04672")
        elif not any(_VIEWPORTS & found for found in built_ins.values()):
            message = f"%{variable.name} is decorated with ViewportRelativeNV; "
            message += "the entry point must list ViewportIndex or ViewportMaskNV"
            yield Finding(inst, variable.operand_index, message, vuid="VUID-StandaloneSpirv-ViewportRelativeNV-04673")


@module_rule(
    "interface/viewport-mask-excludes-index",
    section=sections.BUILTIN,
    severity=Severity.WARNING,
    vuid="VUID-StandaloneSpirv-ViewportMaskNV-04674",
    apis="vulkan",
)
def viewport_mask_excludes_index(context: RuleContext) -> Findings:
    """In Vulkan, an entry point must not list both ViewportMaskNV and ViewportIndex.

    Both say to which viewports a primitive is sent: the mask to several, the index to one. Drivers may differ in which of them they
    use. Vulkan forbids the use of both in the stages of one pipeline before rasterization; the rule takes what an entry point lists
    as used, and does not compare entry points. It applies to all execution models except Fragment. Modules with the capability
    MeshShadingNV but without ShaderViewportMaskNV are not checked. Members of listed blocks count, untyped variables do not. A
    module has one such finding.
    """
    module = context.module
    if not module.has_capability(Capability.ShaderViewportMaskNV):
        return
    fragment = ExecutionModel.Fragment
    for entry in module.declarations.entry_points:
        found = set().union(*_built_ins(entry.record, module).values()) if entry.model != fragment else set()
        if found >= _VIEWPORTS:
            yield Finding(
                entry.record, OPCODE, "the entry point lists ViewportMaskNV and ViewportIndex, which must not be used together"
            )
            return


def _built_ins(entry: Instruction, module: Module) -> dict[str, set[int]]:
    """The built-ins of each variable that an entry point lists."""
    variables = module.built_in_variables()
    return {str(name): {use.value for use in variables.get(str(name), ())} for name in entry.operands[3:]}
