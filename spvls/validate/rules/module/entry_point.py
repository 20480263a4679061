"""OpEntryPoint: its function, and which modes an entry point of a model has (SPIR-V 2.16, 3.3.5)."""

from __future__ import annotations

from typing import NamedTuple

from spvls.module.declarations import ExecutionMode
from spvls.module.module import Module
from spvls.syntax.instruction import OPCODE, TYPE, Instruction
from spvls.syntax.operand_decls import value
from spvls.validate.declare import takes
from spvls.validate.entry import model_name, vulkan
from spvls.validate.finding import HEADER, Delete, Finding, InsertAfter, Mend, Note
from spvls.validate.operand_at import id_at, word_at
from spvls.validate.rule import Findings, Scene, instruction_rule, module_rule
from spvls.validate.wording import listed

_KERNEL = value("ExecutionModel", "Kernel")
_FRAGMENT = value("ExecutionModel", "Fragment")
_COMPUTE = value("ExecutionModel", "GLCompute")
_TILE_SHADING = "TileShadingQCOM"


@module_rule("entry-point/at-least-one", section="2.16.1")
def at_least_one(scene: Scene) -> Findings:
    """A module has an entry point, unless it is to be linked with others and declares Linkage, or holds graphs.

    Bad:  a shader without `OpEntryPoint`.
    Good: `OpEntryPoint Fragment %main "main"`, or `OpCapability Linkage` for a library.
    """
    declared = scene.module.declarations
    if declared.entry_points or declared.records("OpEntryPoint") or declared.records("OpConditionalEntryPointINTEL"):
        return
    if declared.capabilities.isdisjoint(("Linkage", "GraphARM")) and declared.memory_model_record is not None:
        mends: tuple[Mend, ...] = ()
        capabilities = declared.records("OpCapability")
        if capabilities and takes(scene.module, "Linkage"):
            mends = (Mend("Declare the capability Linkage", (InsertAfter(capabilities[-1], "OpCapability Linkage"),), False),)
        message = "the module has no OpEntryPoint, which only modules with the capability Linkage may lack"
        yield Finding(declared.memory_model_record or HEADER, OPCODE, message, mends=mends)


@instruction_rule("entry-point/target-is-function", "OpEntryPoint", section="3.3.5")
def target_is_function(inst: Instruction, scene: Scene) -> Findings:
    """An entry point names a function of the module, which takes nothing and returns nothing; a kernel may take arguments.

    Nobody calls an entry point who could pass arguments or take a result: data comes in and goes out by interface variables.

    Bad:  `OpEntryPoint Vertex %main "main"` where `%main` returns a float.
    Good: `%main = OpFunction %void None %fn_void`
    """
    module = scene.module
    name = id_at(inst, 1)
    definition = module.definition(name) if name is not None else None
    if name is None or definition is None:
        return
    if definition.opcode.name != "OpFunction":
        note = Note(definition, OPCODE, f"%{name} is defined here")
        yield Finding(inst, 1, f"%{name} is no function, and an entry point is one", (note,))
        return
    vuid = vulkan(module, "VUID-StandaloneSpirv-None-04633")
    returned = module.type(definition.type)
    function_type = module.type(id_at(definition, 1))
    if function_type is None or function_type.kind != "Function":
        return
    parameters = len(function_type.member_ids)
    if parameters and word_at(inst, 0) != _KERNEL:
        note = Note(definition, 1, f"it is {module.spell(function_type)}")
        yield Finding(inst, 1, f"%{name} has parameters, and the function of an entry point has none", (note,), vuid=vuid)
    elif returned is not None and returned.kind != "Void":
        note = Note(definition, TYPE, f"it returns {module.spell(returned)}")
        message = f"%{name} returns {module.spell(returned)}, and the function of an entry point returns void"
        yield Finding(inst, 1, message, (note,), vuid=vuid)


@module_rule("entry-point/unique-name-per-model", section="3.3.5")
def unique_name(scene: Scene) -> Findings:
    """Two entry points of one execution model have different names.

    Clients choose an entry point by its model and name.

    Bad:  `OpEntryPoint GLCompute %a "main"` and `OpEntryPoint GLCompute %b "main"`
    Good: `"main"` and `"other"`
    """
    seen: dict[tuple[int, bytes], Instruction] = {}
    for entry in scene.module.declarations.entry_points:
        first = seen.setdefault((entry.model, entry.name), entry.record)
        if first is not entry.record:
            note = Note(first, 2, "the first of that name")
            name = entry.name.decode("utf-8", "replace")
            yield Finding(entry.record, 2, f'there is a {model_name(entry.model)} entry point "{name}" already', (note,))


@module_rule("entry-point/not-called", section="2.16.1")
def not_called(scene: Scene) -> Findings:
    """The function of an entry point is called by no other function.

    Bad:  `OpFunctionCall %void %main` where `%main` is an entry point.
    Good: both call a third function.
    """
    module = scene.module
    for name in dict.fromkeys(entry.function for entry in module.declarations.entry_points):
        definition = module.definition(name)
        callers = module.callgraph.callers(name)
        if callers and definition is not None and definition.opcode.name == "OpFunction":
            message = f"%{name} is an entry point, and %{min(callers)} calls it: an entry point is not called"
            yield Finding(definition, 0, message)


@module_rule("entry-point/no-recursion", section="2.16.1", vuid="VUID-StandaloneSpirv-None-04634", apis="vulkan")
def no_recursion(scene: Scene) -> Findings:
    """In Vulkan, no function that an entry point reaches calls itself, directly or through others.

    Bad:  `%f` calls `%g`, and `%g` calls `%f`.
    Good: a loop.
    """
    module = scene.module
    names = [function.name for function in module.functions()]
    for name in dict.fromkeys(entry.function for entry in module.declarations.entry_points):
        definition = module.definition(name)
        if definition is None or definition.opcode.name != "OpFunction" or module.callgraph.callers(name):
            continue
        way = module.callgraph.recursion(name, names)
        if way:
            shown = " → ".join(f"%{step}" for step in way)
            yield Finding(definition, 0, f"%{name} reaches functions that call each other in a circle: {shown}")


class Choice(NamedTuple):
    """Modes of which an entry point has `at_least` to one; `rule` describes them, `modes` are their names."""

    models: tuple[str, ...]
    at_least: int
    what: str
    modes: tuple[str, ...]


def _choice(models: str, at_least: int, what: str, modes: str) -> Choice:
    return Choice(tuple(models.split()), at_least, what, tuple(modes.split()))


_TESSELLATION = "TessellationControl TessellationEvaluation"

_CHOICES = (
    _choice("Fragment", 1, "origin", "OriginUpperLeft OriginLowerLeft"),
    _choice("Fragment", 0, "promise about depth", "DepthGreater DepthLess DepthUnchanged"),
    _choice(
        "Fragment",
        0,
        "interlock",
        "PixelInterlockOrderedEXT PixelInterlockUnorderedEXT SampleInterlockOrderedEXT SampleInterlockUnorderedEXT "
        "ShadingRateInterlockOrderedEXT ShadingRateInterlockUnorderedEXT",
    ),
    _choice(
        "Fragment",
        0,
        "promise about front stencil",
        "StencilRefUnchangedFrontAMD StencilRefLessFrontAMD StencilRefGreaterFrontAMD",
    ),
    _choice(
        "Fragment", 0, "promise about back stencil", "StencilRefUnchangedBackAMD StencilRefLessBackAMD StencilRefGreaterBackAMD"
    ),
    _choice(_TESSELLATION, 0, "spacing", "SpacingEqual SpacingFractionalOdd SpacingFractionalEven"),
    _choice(_TESSELLATION, 0, "primitive", "Triangles Quads Isolines"),
    _choice(_TESSELLATION, 0, "vertex order", "VertexOrderCw VertexOrderCcw"),
    _choice("Geometry", 1, "input primitive", "InputPoints InputLines InputLinesAdjacency Triangles InputTrianglesAdjacency"),
    _choice("Geometry", 1, "output primitive", "OutputPoints OutputLineStrip OutputTriangleStrip"),
    _choice("MeshEXT", 1, "output primitive", "OutputPoints OutputLinesEXT OutputTrianglesEXT"),
    _choice("MeshEXT", 1, "number of output vertices", "OutputVertices"),
    _choice("MeshEXT", 1, "number of output primitives", "OutputPrimitivesEXT"),
)


@instruction_rule("entry-point/mode-choice", "OpEntryPoint", section="2.16.2")
def mode_choice(inst: Instruction, scene: Scene) -> Findings:
    """Of modes that exclude each other, an entry point of a shader has one, or none where there is a default.

    A fragment shader has one origin, and at most one promise about depth and about stencil, and one interlock; a tessellation
    shader at most one spacing, primitive and vertex order; a geometry shader one input and one output primitive; a mesh shader
    one output primitive and its numbers of vertices and primitives.

    Bad:  `OpEntryPoint Fragment %main "main"` without an execution mode.
    Good: `OpExecutionMode %main OriginUpperLeft`
    """
    module = scene.module
    name, model = id_at(inst, 1), word_at(inst, 0)
    if name is None or model is None or not module.has_capability("Shader"):
        return
    modes = module.execution_modes(name)
    for choice in _CHOICES:
        if model_name(model) not in choice.models:
            continue
        found = [mode for mode in modes if mode.name in choice.modes]
        distinct = dict.fromkeys(mode.name for mode in found)
        if len(distinct) > 1:
            notes = tuple(Note(mode.record, 1, f"{mode.name} is set here") for mode in found)
            message = f"%{name} has more than one {choice.what}: {listed(tuple(distinct), 'and')} exclude each other"
            yield Finding(inst, 1, message, notes)
            return
        if not found and choice.at_least:
            mode = choice.modes[0]
            message = f"a {model_name(model)} entry point needs its {choice.what}: set the mode {listed(choice.modes)}"
            numbers = mode in ("OutputVertices", "OutputPrimitivesEXT")
            yield Finding(inst, 1, message, mends=() if numbers else _add_mode(inst, scene, name, mode))
            return


def _add_mode(inst: Instruction, scene: Scene, name: str, mode: str) -> tuple[Mend, ...]:
    declared = scene.module.declarations
    modes = [*declared.records("OpExecutionMode"), *declared.records("OpExecutionModeId")]
    behind = (modes or declared.records("OpEntryPoint") or [inst])[-1]
    sure = mode == "OriginUpperLeft"
    return (Mend(f"Set the mode {mode}", (InsertAfter(behind, f"OpExecutionMode %{name} {mode}"),), sure),)


@instruction_rule("entry-point/workgroup-size", "OpEntryPoint", section="3.2.5", apis="vulkan")
def workgroup_size(inst: Instruction, scene: Scene) -> Findings:
    """In Vulkan, a compute shader says how large its workgroups are.

    It does so by the mode LocalSize or LocalSizeId, by an object with the built-in WorkgroupSize, or, with tile shading, by the
    mode TileShadingRateQCOM, which excludes the others.

    Bad:  `OpEntryPoint GLCompute %main "main"` alone.
    Good: `OpExecutionMode %main LocalSize 64 1 1`
    """
    module = scene.module
    name = id_at(inst, 1)
    if name is None or word_at(inst, 0) != _COMPUTE:
        return
    names = {mode.name for mode in module.execution_modes(name)}
    tiles = module.has_capability(_TILE_SHADING)
    if "LocalSize" not in names and not _has_size(module) and not (tiles and "TileShadingRateQCOM" in names):
        ways = ["LocalSize", "LocalSizeId", *(["TileShadingRateQCOM"] if tiles else [])]
        message = f"%{name} does not say how large its workgroups are: set the mode {listed(ways)}"
        text = f"OpExecutionMode %{name} LocalSize 1 1 1"
        behind = (module.declarations.records("OpEntryPoint") or [inst])[-1]
        mend = Mend("Set the mode LocalSize", (InsertAfter(behind, text),), False)
        yield Finding(inst, 1, message, mends=(mend,), vuid="VUID-StandaloneSpirv-None-10685")
    elif tiles and "TileShadingRateQCOM" in names and names & {"LocalSize", "LocalSizeId"}:
        message = "TileShadingRateQCOM determines the size of workgroups, and excludes LocalSize and LocalSizeId"
        yield Finding(inst, 1, message, vuid="VUID-StandaloneSpirv-TileShadingRateQCOM-10692")


def _has_size(module: Module) -> bool:
    declared = module.declarations
    return declared.workgroup_size is not None or any(
        mode.name == "LocalSizeId" for modes in declared.execution_modes.values() for mode in modes
    )


@instruction_rule("entry-point/tile-shading", "OpEntryPoint", section="3.2.5", apis="vulkan")
def tile_shading(inst: Instruction, scene: Scene) -> Findings:
    """Tile shading is for compute and fragment shaders, and its modes for one of them each.

    Bad:  `OpEntryPoint Vertex %main "main"` with `OpCapability TileShadingQCOM`
    Good: `OpEntryPoint GLCompute %main "main"` with it.
    """
    module = scene.module
    name, model = id_at(inst, 1), word_at(inst, 0)
    if name is None or model is None:
        return
    names = {mode.name for mode in module.execution_modes(name)}
    tiles = module.has_capability(_TILE_SHADING)
    vuid = "VUID-StandaloneSpirv-"
    if "TileShadingRateQCOM" in names and model != _COMPUTE:
        yield Finding(inst, 0, "TileShadingRateQCOM is for compute shaders", vuid=f"{vuid}Execution-10688")
    elif "NonCoherentTileAttachmentReadQCOM" in names and model != _FRAGMENT:
        yield Finding(inst, 0, "NonCoherentTileAttachmentReadQCOM is for fragment shaders", vuid=f"{vuid}Execution-10687")
    elif tiles and model not in (_COMPUTE, _FRAGMENT):
        message = f"the capability {_TILE_SHADING} is for compute and fragment shaders, and this is a {model_name(model)} one"
        yield Finding(inst, 0, message, vuid=f"{vuid}TileShadingQCOM-10686")


_DERIVATIVES = {
    "DerivativeGroupQuadsKHR": "VUID-StandaloneSpirv-DerivativeGroupQuadsKHR-10151",
    "DerivativeGroupLinearKHR": "VUID-StandaloneSpirv-DerivativeGroupLinearKHR-10152",
}


@module_rule("entry-point/derivative-groups", section="3.2.5")
def derivative_groups(scene: Scene) -> Findings:
    """Workgroups that form derivative groups of four can be divided into these.

    DerivativeGroupQuadsKHR groups two by two invocations, so both first dimensions are even; DerivativeGroupLinearKHR groups
    four in a row, so there are a multiple of four.

    Bad:  `LocalSize 3 3 1` with `DerivativeGroupQuadsKHR`
    Good: `LocalSize 4 4 1` with `DerivativeGroupQuadsKHR`
    """
    module = scene.module
    for name, modes in module.declarations.execution_modes.items():
        wanted = next((mode for mode in modes if mode.name in _DERIVATIVES), None)
        if wanted is None:
            continue
        blamed, (x, y, z) = _sizes(module, modes)
        if blamed is None:
            continue
        shown = f"{x} × {y} × {z}"
        note = Note(wanted.record, 1, f"{wanted.name} is set here")
        vuid = vulkan(module, _DERIVATIVES[wanted.name])
        if wanted.name == "DerivativeGroupQuadsKHR" and (x % 2 or y % 2):
            message = f"the workgroups of %{name} are {shown}, and {wanted.name} wants both first dimensions even"
            yield Finding(blamed, _place(blamed), message, (note,), vuid=vuid)
        elif wanted.name == "DerivativeGroupLinearKHR" and x * y * z % 4:
            message = f"the workgroups of %{name} are {shown}, and {wanted.name} wants a multiple of four invocations"
            yield Finding(blamed, _place(blamed), message, (note,), vuid=vuid)


def _place(blamed: Instruction) -> int:
    return 2 if blamed.opcode.name.startswith("OpExecutionMode") else 0


def _sizes(module: Module, modes: list[ExecutionMode]) -> tuple[Instruction | None, tuple[int, int, int]]:
    """The size of an entry point's workgroups, and the instruction that says so; None where it is not known."""
    declared = module.declarations
    if declared.workgroup_size is not None:
        constant = module.constant(declared.workgroup_size)
        found = constant.value if constant is not None and not constant.specialized else None
        sizes: list[object] = list(found) if isinstance(found, tuple) else []
        blamed = constant.record if constant is not None else None
    else:
        mode = next((mode for mode in modes if mode.name in ("LocalSize", "LocalSizeId")), None)
        sizes = [module.integer(o) if isinstance(o, str) else o for o in mode.params] if mode is not None else []
        blamed = mode.record if mode is not None else None
    whole = [size for size in sizes if isinstance(size, int)]
    if blamed is None or len(sizes) != 3 or len(whole) != 3:
        return None, (0, 0, 0)
    return blamed, (whole[0], whole[1], whole[2])


@module_rule("entry-point/fast-math-default", section="3.2.5")
def fast_math_default(scene: Scene) -> Findings:
    """Where an entry point has FPFastMathDefault, no instruction that it reaches is decorated NoContraction or Fast.

    These two are the older way to say the same, and could contradict the default.

    Bad:  `OpDecorate %sum NoContraction` along with the mode `FPFastMathDefault`
    Good: `OpDecorate %sum FPFastMathMode None`
    """
    module = scene.module
    declared = module.declarations
    entries = {name for name, modes in declared.execution_modes.items() if any(m.name == "FPFastMathDefault" for m in modes)}
    if not entries:
        return
    for record in declared.records("OpDecorate"):
        word = word_at(record, 1)
        if word == _NO_CONTRACTION:
            what = "NoContraction"
        elif word == _FAST_MATH_MODE and (word_at(record, 2) or 0) & _FAST:
            what = "FPFastMathMode Fast"
        else:
            continue
        user = _reaching(module, record.operands[0], entries)
        if user is not None:
            note = Note(record, 1, "it is decorated here")
            mend = Mend("Remove the decoration", (Delete(record),), preferred=False)
            message = f"{what} does not go with FPFastMathDefault, which an entry point that reaches this has"
            yield Finding(user, OPCODE, message, (note,), (mend,))
            return


_NO_CONTRACTION = value("Decoration", "NoContraction")
_FAST_MATH_MODE = value("Decoration", "FPFastMathMode")
_FAST = value("FPFastMathMode", "Fast")


def _reaching(module: Module, name: object, entries: set[str]) -> Instruction | None:
    """The instruction of that id, or one that uses it, which one of the entry points reaches."""
    waiting = [name]
    seen: set[object] = set()
    while waiting:
        at = waiting.pop()
        definition = module.definition(at) if isinstance(at, str) and at not in seen else None
        seen.add(at)
        if definition is None or not isinstance(at, str):
            continue
        owner = module.owner_of(at)
        if owner is None:
            waiting.extend(use.result for _, use in module.ids.uses(at) if use.result is not None)
        elif any(entry.function in entries for entry in module.reached_from(owner)):
            return definition
    return None
