"""Capabilities of the use of built-ins (SPIR-V 3.2.30)."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv
from spvls.module.functions import Function
from spvls.module.module import Module
from spvls.module.operand_at import id_at
from spvls.module.storage_class import storage
from spvls.syntax.instruction import Instruction
from spvls.validate.checks.entry import model_name
from spvls.validate.checks.wording import listed
from spvls.validate.engine.finding import Finding
from spvls.validate.engine.rule import Findings, RuleContext, function_rule

_INPUT, _OUTPUT = storage("Input"), storage("Output")
_CONTROL, _EVALUATION = "TessellationControl", "TessellationEvaluation"
#: The capabilities, one of which the use of a built-in takes, where its mere mention takes none; by model, or for any.
_CAPABILITIES = {
    ("ClipDistance", ""): ("ClipDistance",),
    ("CullDistance", ""): ("CullDistance",),
    ("PointSize", _CONTROL): ("TessellationPointSize",),
    ("PointSize", _EVALUATION): ("TessellationPointSize",),
    ("PointSize", "Geometry"): ("GeometryPointSize",),
    **{("Layer", model_): ("ShaderLayer", "ShaderViewportIndexLayerEXT") for model_ in ("Vertex", _EVALUATION)},
    **{("ViewportIndex", model_): ("ShaderViewportIndex", "ShaderViewportIndexLayerEXT") for model_ in ("Vertex", _EVALUATION)},
}
_VULKAN_ASKS = frozenset({"Layer", "ViewportIndex"})
_NEEDING = frozenset(name for name, _ in _CAPABILITIES)
_CHAINS = frozenset({spv.OpAccessChain, spv.OpInBoundsAccessChain})


@function_rule("capability/built-in-use-is-enabled", section=sections.CAPABILITY, severity=Severity.WARNING)
def built_in_use_is_enabled(function: Function, context: RuleContext) -> Findings:
    """Who uses ClipDistance or CullDistance, or writes PointSize, Layer or ViewportIndex where that is special, may do so.

    PointSize takes a capability in tessellation and geometry shaders, Layer and ViewportIndex before these. Blocks may
    mention these built-ins without; so the reference validator does not ask.
    """
    module = context.module
    variables = {
        name: uses for name, uses in module.built_in_variables().items() if any(use.name in _NEEDING for use in uses)
    }
    entries = module.kinds_reached_from(function.name) if variables else ()
    if not entries:
        return
    reported: set[str] = set()
    for record in function.records:
        opcode = record.opcode.value
        if opcode not in _CHAINS and opcode not in (spv.OpStore, spv.OpLoad):
            continue
        name = id_at(record, 0)
        for used in _used(record, module) if name in variables else ():
            for entry in entries:
                names = _CAPABILITIES.get((used, ""))
                if names is None and (opcode == spv.OpStore or _is_stored(record, module)):
                    names = _CAPABILITIES.get((used, model_name(entry.model)))
                if names is None or used in reported or any(module.has_capability(capability) for capability in names):
                    continue
                if used in _VULKAN_ASKS and module.environment.api == "vulkan":
                    continue  # an error there, of another rule
                reported.add(used)
                yield Finding(record, 0, f"{used} is used here, which takes the capability {listed(names)}")


def _used(record: Instruction, module: Module) -> list[str]:
    """The built-ins among these that an instruction on a variable goes to: the variable, or the member that a chain leads to."""
    name = id_at(record, 0)
    found = module.built_in_variables().get(name or "", ())
    if record.opcode.value not in _CHAINS:
        return [use.name for use in found if use.member is None and use.name in _NEEDING]
    pointer = module.type_of(name)
    operand_index = 2 if pointer is not None and pointer.pointee is not None and pointer.pointee.is_array else 1
    member = module.integer(id_at(record, operand_index))
    return [use.name for use in found if use.name in _NEEDING and use.member in (None, member)]


def _is_stored(chain: Instruction, module: Module) -> bool:
    """Whether a chain leads to an output, which is there to be written."""
    type_ = module.type(chain.type)
    return type_ is not None and type_.storage == _OUTPUT
