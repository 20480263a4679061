"""What Vulkan ignores, leaves undefined or asks of single extensions (Vulkan, "Vulkan Environment for SPIR-V")."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.module.constants import CONSTANT_OPCODES
from spvls.module.module import Module
from spvls.syntax.instruction import OPCODE, Instruction
from spvls.syntax.operand_decls import value
from spvls.validate.entry import model_name
from spvls.validate.finding import Finding, Note
from spvls.validate.interface import listed
from spvls.validate.operand_at import id_at, word_at
from spvls.validate.rule import Findings, Scene, instruction_rule, module_rule

_IGNORED = {value("MemorySemantics", name): name for name in ("SubgroupMemory", "CrossWorkgroupMemory", "AtomicCounterMemory")}


@instruction_rule(
    "vulkan/ignored-semantics", "OpMemoryBarrier", "OpControlBarrier", section="3.2.24", severity=Severity.INFORMATION,
    apis="vulkan",
)  # fmt: skip
def ignored_semantics(inst: Instruction, scene: Scene) -> Findings:
    """Vulkan ignores the memory semantics SubgroupMemory, CrossWorkgroupMemory and AtomicCounterMemory.

    Bad:  semantics of AcquireRelease and SubgroupMemory.
    Good: semantics of AcquireRelease and WorkgroupMemory.
    """
    place = len(inst.operands) - 1
    bits = scene.module.integer(id_at(inst, place))
    if bits is None:
        return
    names = [name for bit, name in _IGNORED.items() if bits & bit]
    if names:
        yield Finding(inst, place, f"Vulkan ignores {' and '.join(names)}")


@instruction_rule("vulkan/depth-ignored", "OpTypeImage", section="3.3.6", severity=Severity.INFORMATION, apis="vulkan")
def depth_ignored(inst: Instruction, scene: Scene) -> Findings:
    """Vulkan ignores what an image type says of Depth, except that it tells two types apart.

    Told only to those who want advice, as editors do: compilers write it for every shadow sampler.

    Bad:  `OpTypeImage %float 2D 1 0 0 1 Unknown`, along with the same type with Depth 0
    Good: one type, with Depth 0 or 2.
    """
    if scene.options.advice and word_at(inst, 2) == 1:
        yield Finding(inst, 2, "Vulkan ignores that the image is one of depths")


@instruction_rule(
    "vulkan/srem-smod-negative", "OpSRem", "OpSMod", section="3.3.13", severity=Severity.WARNING, apis="vulkan"
)
def negative_remainder(inst: Instruction, scene: Scene) -> Findings:
    """In Vulkan the remainder of a negative number, or by one, is undefined.

    The feature maintenance8 changes that.

    Bad:  `%r = OpSMod %int %x %minus_3`
    Good: `%r = OpSMod %int %x %three`
    """
    module = scene.module
    for place, operand in enumerate(inst.operands):
        definition = module.definition(operand) if isinstance(operand, str) else None
        if definition is None:
            continue
        parts = definition.operands if definition.opcode.name == "OpConstantComposite" else (operand,)
        if any((number := module.integer(part)) is not None and number < 0 for part in parts):
            yield Finding(inst, place, f"%{operand!s} is negative, which leaves the remainder undefined in Vulkan")
            return


_COMBINES = frozenset(
    {
        "OpPhi", "OpIAdd", "OpISub", "OpIMul", "OpUDiv", "OpSDiv", "OpUMod", "OpSRem", "OpSMod", "OpShiftLeftLogical",
        "OpShiftRightLogical", "OpShiftRightArithmetic", "OpBitwiseAnd", "OpBitwiseOr", "OpBitwiseXor", "OpNot", "OpSNegate",
        "OpBitcast", "OpCopyObject",
    }
)  # fmt: skip
_FARTHEST = 64


@instruction_rule(
    "vulkan/shuffle-xor-mask", "OpGroupNonUniformShuffleXor", section="3.3.24", severity=Severity.WARNING, apis="vulkan"
)
def shuffle_mask(inst: Instruction, scene: Scene) -> Findings:
    """In Vulkan the mask of OpGroupNonUniformShuffleXor is a constant, or computed from constants alone, as in a loop.

    Bad:  `%y = OpGroupNonUniformShuffleXor %uint %subgroup %x %loaded`
    Good: `%y = OpGroupNonUniformShuffleXor %uint %subgroup %x %uint_1`
    """
    module = scene.module
    seen: set[str] = set()
    waiting = [name for name in (id_at(inst, 2),) if name is not None]
    while waiting and len(seen) < _FARTHEST:
        name = waiting.pop()
        definition = module.definition(name) if name not in seen else None
        seen.add(name)
        if definition is None or definition.opcode.name in CONSTANT_OPCODES or definition.opcode.name == "OpUndef":
            continue
        if definition.opcode.name not in _COMBINES:
            note = Note(definition, OPCODE, f"%{name} is made by {definition.opcode.name}")
            yield Finding(inst, 2, f"the mask %{inst.operands[2]!s} is not computed from constants alone", (note,))
            return
        phi = definition.opcode.name == "OpPhi"
        waiting += [o for o in definition.operands[:: 2 if phi else 1] if isinstance(o, str)]


_RELATIVE_MODELS = frozenset(value("ExecutionModel", name) for name in ("Vertex", "TessellationEvaluation", "Geometry"))


@instruction_rule("vulkan/viewport-relative", "OpEntryPoint", section="3.2.19", severity=Severity.WARNING, apis="vulkan")
def viewport_relative(inst: Instruction, scene: Scene) -> Findings:
    """ViewportRelativeNV is for the built-in Layer of vertex, tessellation evaluation and geometry shaders, with a viewport.

    The same entry point has ViewportIndex or ViewportMaskNV, which the layer is relative to.

    Bad:  `OpDecorate %layer ViewportRelativeNV` and no viewport.
    Good: an output that is decorated `BuiltIn ViewportMaskNV` as well.
    """
    module = scene.module
    if not module.has_capability("ShaderViewportMaskNV") or not module.decorated_with("ViewportRelativeNV"):
        return
    names = _built_ins(inst, module)
    for variable in listed(inst, module):
        if not module.has_decoration(variable.name, "ViewportRelativeNV"):
            continue
        if "Layer" not in names.get(variable.name, ()) or word_at(inst, 0) not in _RELATIVE_MODELS:
            model = model_name(word_at(inst, 0) or 0)
            message = f"%{variable.name} is decorated ViewportRelativeNV, which is for the Layer, and not in {model}"
            if "Layer" not in names.get(variable.name, ()):
                message = f"%{variable.name} is decorated ViewportRelativeNV, which is for the built-in Layer"
            yield Finding(inst, variable.place, message)
        elif not any({"ViewportIndex", "ViewportMaskNV"} & built_ins for built_ins in names.values()):
            yield Finding(inst, variable.place, f"%{variable.name} is relative to a viewport, and no ViewportIndex is listed")


@module_rule("vulkan/viewport-mask-index", section="3.2.20", severity=Severity.WARNING, apis="vulkan")
def viewport_mask_and_index(scene: Scene) -> Findings:
    """ViewportMaskNV and ViewportIndex are not both outputs of the stages before rasterization.

    Bad:  outputs of a vertex shader that are decorated `BuiltIn ViewportMaskNV` and `BuiltIn ViewportIndex`.
    Good: one of them.
    """
    module = scene.module
    if not module.has_capability("ShaderViewportMaskNV"):
        return
    fragment = value("ExecutionModel", "Fragment")
    for entry in module.declarations.entry_points:
        names = set().union(*_built_ins(entry.record, module).values()) if entry.model != fragment else set()
        if {"ViewportMaskNV", "ViewportIndex"} <= names:
            yield Finding(entry.record, OPCODE, "the entry point lists both ViewportMaskNV and ViewportIndex")
            return


def _built_ins(entry: Instruction, module: Module) -> dict[str, set[str]]:
    """The built-ins of each variable that an entry point lists."""
    variables = module.built_in_variables()
    return {str(name): {use.name for use in variables.get(str(name), ())} for name in entry.operands[3:]}
