"""Capabilities of the use of built-ins (SPIR-V 3.2.30)."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv
from spvls.grammar.enumerants import BuiltIn, Capability, ExecutionModel, StorageClass
from spvls.module.built_ins import BuiltInUse
from spvls.module.functions import Function
from spvls.module.module import Module
from spvls.module.operand_at import id_at
from spvls.syntax.instruction import Instruction
from spvls.syntax.operand_decls import capability_names
from spvls.validate.checks.entry import model_name
from spvls.validate.checks.wording import listed
from spvls.validate.engine.finding import Finding
from spvls.validate.engine.rule import Findings, RuleContext, function_rule

_INPUT, _OUTPUT = StorageClass.Input, StorageClass.Output
_CONTROL, _EVALUATION = ExecutionModel.TessellationControl, ExecutionModel.TessellationEvaluation
_VERTEX = ExecutionModel.Vertex

#: The capabilities, one of which the use of a built-in takes, where its mere mention takes none; by model, or for any.
_CAPABILITIES: dict[tuple[int, int | None], tuple[int, ...]] = {
    (BuiltIn.ClipDistance, None): (Capability.ClipDistance,),
    (BuiltIn.CullDistance, None): (Capability.CullDistance,),
    (BuiltIn.PointSize, _CONTROL): (Capability.TessellationPointSize,),
    (BuiltIn.PointSize, _EVALUATION): (Capability.TessellationPointSize,),
    (BuiltIn.PointSize, ExecutionModel.Geometry): (Capability.GeometryPointSize,),
    (BuiltIn.Layer, _VERTEX): (Capability.ShaderLayer, Capability.ShaderViewportIndexLayerEXT),
    (BuiltIn.Layer, _EVALUATION): (Capability.ShaderLayer, Capability.ShaderViewportIndexLayerEXT),
    (BuiltIn.ViewportIndex, _VERTEX): (Capability.ShaderViewportIndex, Capability.ShaderViewportIndexLayerEXT),
    (BuiltIn.ViewportIndex, _EVALUATION): (Capability.ShaderViewportIndex, Capability.ShaderViewportIndexLayerEXT),
}
_VULKAN_ASKS = frozenset({BuiltIn.Layer, BuiltIn.ViewportIndex})
_NEEDING = frozenset(value for value, _ in _CAPABILITIES)
_CHAINS = frozenset({spv.OpAccessChain, spv.OpInBoundsAccessChain})


@function_rule("capability/built-in-use-is-enabled", section=sections.CAPABILITY, severity=Severity.WARNING)
def built_in_use_is_enabled(function: Function, context: RuleContext) -> Findings:
    """Uses of clip or cull distances and writes of PointSize, Layer or ViewportIndex must be enabled.

    Without the capability, clip and cull distances, or a point size, layer or viewport index that is written, may have no effect.

    A load, store or access chain of ClipDistance or CullDistance requires the capability of the same name. A write of PointSize
    requires TessellationPointSize in tessellation shaders and GeometryPointSize in geometry shaders. A write of Layer or
    ViewportIndex in a vertex or tessellation evaluation shader requires ShaderLayer and ShaderViewportIndex respectively, or for
    either ShaderViewportIndexLayerEXT (SPV_EXT_shader_viewport_index_layer).

    The rule checks OpLoad, OpStore, OpAccessChain and OpInBoundsAccessChain with an OpVariable as their Pointer or Base. An access
    chain to a built-in in Output counts as a write. Other instructions, loads and stores of a whole block, untyped variables,
    pointers passed to functions, and functions that no entry point reaches are not checked. In each function, only the first such
    use of each of these built-ins is reported.

    A warning, because spirv-val checks this only for Layer and ViewportIndex, and only in Vulkan. There,
    `interface/built-in-fits-vulkan-model` reports these two as errors.
    """
    module = context.module
    variables = {
        name: uses for name, uses in module.built_in_variables().items() if any(use.value in _NEEDING for use in uses)
    }
    entries = module.kinds_reached_from(function.name) if variables else ()
    if not entries:
        return
    reported: set[int] = set()
    for record in function.records:
        opcode = record.opcode.value
        if opcode not in _CHAINS and opcode not in (spv.OpStore, spv.OpLoad):
            continue
        name = id_at(record, 0)
        for use in _used(record, module) if name in variables else ():
            for entry in entries:
                wanted, where = _CAPABILITIES.get((use.value, None)), ""
                if wanted is None and (opcode == spv.OpStore or _is_stored(record, module)):
                    wanted = _CAPABILITIES.get((use.value, entry.model))
                    where = f" in the execution model {model_name(entry.model)}"
                if wanted is None or use.value in reported or any(map(module.has_capability, wanted)):
                    continue
                if use.value in _VULKAN_ASKS and module.environment.api == "vulkan":
                    continue  # an error there, of another rule
                reported.add(use.value)
                names = listed(capability_names(wanted))
                yield Finding(record, 0, f"the use of the built-in {use.name}{where} requires the capability {names}")


def _used(record: Instruction, module: Module) -> list[BuiltInUse]:
    """The built-ins among these that an instruction on a variable goes to: the variable, or the member that a chain leads to."""
    name = id_at(record, 0)
    found = module.built_in_variables().get(name or "", ())
    if record.opcode.value not in _CHAINS:
        return [use for use in found if use.member is None and use.value in _NEEDING]
    pointer = module.type_of(name)
    operand_index = 2 if pointer is not None and pointer.pointee is not None and pointer.pointee.is_array else 1
    member = module.integer(id_at(record, operand_index))
    return [use for use in found if use.value in _NEEDING and use.member in (None, member)]


def _is_stored(chain: Instruction, module: Module) -> bool:
    """Whether a chain leads to an output, which is there to be written."""
    type_ = module.type(chain.type)
    return type_ is not None and type_.storage == _OUTPUT
