"""Size of workgroups, derivative groups (SPIR-V 2.16.1, 3.2.5)."""

from __future__ import annotations

from collections.abc import Iterator

from spvls.grammar import sections, spv
from spvls.grammar.enumerants import Capability, ExecutionMode, ExecutionModel, Scope
from spvls.grammar.operand_index import OpEntryPoint_EntryPoint, OpEntryPoint_ExecutionModel, OpTypeCooperativeMatrixKHR_Scope
from spvls.module.declarations import DeclaredMode, mode_name
from spvls.module.module import Module
from spvls.module.operand_at import id_at, word_at
from spvls.syntax.instruction import OPCODE, Instruction, shown
from spvls.validate.checks.entry import mode_of, vulkan
from spvls.validate.checks.wording import counted, listed
from spvls.validate.engine.finding import Finding, FindingFix, InsertAfter, Note
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule, module_rule

_SIZED_MODELS = frozenset(
    {
        ExecutionModel.GLCompute, ExecutionModel.TaskNV, ExecutionModel.MeshNV, ExecutionModel.TaskEXT, ExecutionModel.MeshEXT,
    }
)  # fmt: skip
_TILE_SHADING = Capability.TileShadingQCOM
_MODES = (spv.OpExecutionMode, spv.OpExecutionModeId)
_SIZES = frozenset({ExecutionMode.LocalSize, ExecutionMode.LocalSizeId})
_WORKGROUP = Scope.Workgroup
_DIMENSIONS = 3


@instruction_rule("entry-point/workgroup-size-is-set", spv.OpEntryPoint, section=sections.EXECUTION_MODE, apis="vulkan")
def workgroup_size_is_set(inst: Instruction, context: RuleContext) -> Findings:
    """In Vulkan, a compute, task or mesh shader must specify the size of its workgroups.

    A driver needs the size to create the pipeline. Without it, the driver may reject the pipeline, or run workgroups of another
    size than intended.

    The size is set by the mode LocalSize or LocalSizeId of the entry point, or by a constant with the built-in WorkgroupSize. As in
    spirv-val, the rule accepts a LocalSizeId of any entry point. With the capability TileShadingQCOM (SPV_QCOM_tile_shading), the
    mode TileShadingRateQCOM is permitted instead of LocalSize and LocalSizeId, and excludes them: the implementation then chooses
    the size. OpConditionalEntryPointINTEL is not checked.
    """
    module = context.module
    name = id_at(inst, OpEntryPoint_EntryPoint)
    if name is None or word_at(inst, OpEntryPoint_ExecutionModel) not in _SIZED_MODELS or module.opcode_of(name) != spv.OpFunction:
        return
    modes = module.declarations.modes_by_function.get(name, frozenset())
    tiles = module.has_capability(_TILE_SHADING)
    rate = tiles and ExecutionMode.TileShadingRateQCOM in modes
    if ExecutionMode.LocalSize not in modes and not _has_size(module) and not rate:
        ids = module.version >= (1, 2) and (module.environment.api_version >= (1, 3) or context.options.allow_localsizeid)
        ways = ["LocalSize", *(["LocalSizeId"] if ids else []), *(["TileShadingRateQCOM"] if tiles else [])]
        message = f"%{name} has no workgroup size; set the execution mode {listed(ways)}"
        if module.version < (1, 6):  # deprecated since then
            message += " or decorate a constant with BuiltIn WorkgroupSize"
        text = f"OpExecutionMode %{name} LocalSize 1 1 1"
        behind = (module.declarations.records(spv.OpEntryPoint) or [inst])[-1]
        fix = FindingFix("Set the mode LocalSize", (InsertAfter(behind, text),), False)
        yield Finding(inst, OpEntryPoint_EntryPoint, message, fixes=(fix,), vuid="VUID-StandaloneSpirv-None-10685")
    elif rate and not modes.isdisjoint(_SIZES):
        other = listed([mode_name(size) for size in sorted(modes & _SIZES)])
        message = f"%{name} must not have the execution mode {other} together with TileShadingRateQCOM"
        yield Finding(inst, OpEntryPoint_EntryPoint, message, vuid="VUID-StandaloneSpirv-TileShadingRateQCOM-10692")


def _has_size(module: Module) -> bool:
    declared = module.declarations
    return bool(declared.workgroup_sizes) or ExecutionMode.LocalSizeId in declared.set_modes


_DERIVATIVES = {
    ExecutionMode.DerivativeGroupQuadsKHR: "VUID-StandaloneSpirv-DerivativeGroupQuadsKHR-10151",
    ExecutionMode.DerivativeGroupLinearKHR: "VUID-StandaloneSpirv-DerivativeGroupLinearKHR-10152",
}


@module_rule("entry-point/derivative-groups-divide-workgroup", section=sections.EXECUTION_MODE)
def derivative_groups_divide_workgroup(context: RuleContext) -> Findings:
    """The size of a workgroup must be divisible into the groups of four that derivatives need.

    A derivative is the difference between neighbors in a group of four invocations. In a group that is not complete a neighbor does
    not exist, so a device may have no value to subtract.

    DerivativeGroupQuadsKHR (SPV_KHR_compute_shader_derivatives) forms groups of two by two invocations, so the first two dimensions
    must be even. DerivativeGroupLinearKHR forms groups of four with consecutive LocalInvocationIndex, so the number of invocations
    must be a multiple of four. Vulkan requires this; as in spirv-val, modules for other environments are checked too. The size is
    that of constants with the built-in WorkgroupSize, else of the last LocalSize or LocalSizeId. A size that is a specialization
    constant, or has a dimension that is 0 or can be specialized, is not checked. If an entry point has both modes, which
    `entry-point/modes-do-not-conflict` reports, only DerivativeGroupQuadsKHR is checked.
    """
    module = context.module
    for name, modes in module.declarations.execution_modes.items():
        wanted = next((mode for value in _DERIVATIVES for mode in modes if mode.value == value), None)
        if wanted is None:
            continue
        note = Note(wanted.record, 1, f"{wanted.name} is set here")
        vuid = vulkan(module, _DERIVATIVES[wanted.value])
        for blamed, (x, y, z) in _sizes(module, name):
            if x * y * z == 0:
                continue
            size = f"{x} × {y} × {z}"
            if wanted.value == ExecutionMode.DerivativeGroupQuadsKHR and (x % 2 or y % 2):
                message = f"the workgroup size of %{name} is {size}, but {wanted.name} requires the first two dimensions to be even"
                yield Finding(blamed, _place(blamed), message, (note,), vuid=vuid)
            elif wanted.value == ExecutionMode.DerivativeGroupLinearKHR and x * y * z % 4:
                found = f"the workgroup size of %{name} is {size} ({counted(x * y * z, 'invocation')})"
                message = f"{found}, but {wanted.name} requires a multiple of four invocations"
                yield Finding(blamed, _place(blamed), message, (note,), vuid=vuid)


def _place(blamed: Instruction) -> int:
    return 2 if blamed.opcode.value in (spv.OpExecutionMode, spv.OpExecutionModeId) else 0


def _sizes(module: Module, target: str) -> Iterator[tuple[Instruction, tuple[int, int, int]]]:
    """The sizes of an entry point's workgroups that are known, and the instruction that says each."""
    found: list[tuple[Instruction, list[object]]] = []
    if names := module.declarations.workgroup_sizes:
        for constant in map(module.constant, names):
            if constant is not None and not constant.specialized and isinstance(constant.value, tuple):
                found.append((constant.record, list(constant.value)))
    elif mode := module.derive("sizes of workgroups", lambda: _last_sizes(module)).get(target):
        found.append((mode.record, [module.integer(o) if isinstance(o, str) else o for o in mode.params]))
    for blamed, sizes in found:
        whole = [size for size in sizes if isinstance(size, int)]
        if len(sizes) == len(whole) == _DIMENSIONS:
            yield blamed, (whole[0], whole[1], whole[2])


def _last_sizes(module: Module) -> dict[str, DeclaredMode]:
    """The last mode of each entry point, by its function, that sets the size of workgroups."""
    found: dict[str, DeclaredMode] = {}
    for target, modes in module.declarations.execution_modes.items():
        last_of = {mode.record.opcode.value: mode for mode in modes if mode.value in _SIZES}
        for mode in last_of.values():
            if target not in found or module.precedes(found[target].record, mode.record):
                found[target] = mode
    return found


@instruction_rule("entry-point/workgroup-size-is-nonzero", *_MODES, section=sections.UNIVERSAL_VALIDATION_RULES)
def workgroup_size_is_nonzero(inst: Instruction, context: RuleContext) -> Findings:
    """Each dimension of a workgroup must be at least 1.

    A workgroup with a dimension of 0 has no invocations that could run the shader, and a driver that divides by the size may fail.
    The last LocalSize or LocalSizeId of an entry point is checked, unless a size can be specialized or the module decorates a
    constant or a variable with the built-in WorkgroupSize. `entry-point/workgroup-size-constant-is-nonzero` checks such constants.
    """
    mode, module = mode_of(inst), context.module
    if mode is None or mode.value not in _SIZES or module.declarations.workgroup_sizes:
        return
    last = module.derive("sizes of workgroups", lambda: _last_sizes(module)).get(str(inst.operands[0]))
    if last is not None and last.record is not inst:
        return
    sizes = [module.integer(o) if isinstance(o, str) else o for o in inst.operands[2:5]]
    if 0 in sizes and None not in sizes:
        operand_index = 2 + sizes.index(0)
        size = " × ".join(map(str, sizes))
        message = f"the workgroup size of {shown(inst.operands[0])} is {size}; each dimension must be at least 1"
        yield Finding(inst, operand_index, message)


@module_rule("entry-point/workgroup-size-constant-is-nonzero", section=sections.UNIVERSAL_VALIDATION_RULES)
def workgroup_size_constant_is_nonzero(context: RuleContext) -> Findings:
    """A component of the constant that is decorated with WorkgroupSize must not be 0.

    The constant replaces the sizes in execution modes. With a component of 0 a workgroup has no invocations that could run the
    shader, and a driver that divides by the size may fail. The rule checks only the components of an OpConstantComposite or
    OpSpecConstantComposite that are results of OpConstant or OpConstantNull; spirv-val checks only an OpConstantComposite whose
    components are all results of OpConstant.
    """
    module = context.module
    for name in module.declarations.workgroup_sizes:
        definition = module.definition(name)
        if definition is None or definition.opcode.value not in (spv.OpConstantComposite, spv.OpSpecConstantComposite):
            continue
        zero = next((at for at, part in enumerate(definition.operands) if module.integer(part) == 0), None)
        if zero is not None:
            component = f"component {zero} ({shown(definition.operands[zero])})"
            yield Finding(definition, zero, f"{component} of the workgroup size %{name} is 0, expected at least 1")


@instruction_rule(
    "entry-point/local-size-ids-precede-matrices",
    spv.OpTypeCooperativeMatrixKHR,
    spv.OpTypeCooperativeMatrixNV,
    section=sections.UNIVERSAL_VALIDATION_RULES,
)
def local_size_ids_precede_matrices(inst: Instruction, context: RuleContext) -> Findings:
    """The constants of LocalSizeId must be defined before cooperative matrix types of workgroup scope.

    The components of such a matrix are distributed over the invocations of a workgroup, so the number that each holds follows from
    the size of the workgroup. A consumer that reads the module once cannot lay out the type before it knows the size.
    SPV_NV_cooperative_matrix2 requires this of OpTypeCooperativeMatrixKHR; as in spirv-val, the rule also checks
    OpTypeCooperativeMatrixNV, and the LocalSizeId of each entry point. A constant decorated with WorkgroupSize and a scope that
    can be specialized are not checked.
    """
    module = context.module
    if len(inst.operands) < 2 or module.integer(inst.operands[OpTypeCooperativeMatrixKHR_Scope]) != _WORKGROUP:
        return
    for modes in module.declarations.execution_modes.values():
        for mode in modes:
            if mode.value != ExecutionMode.LocalSizeId:
                continue
            for name in mode.params:
                definition = module.definition(name) if isinstance(name, str) and name not in context.defined_ids else None
                if definition is not None:
                    note = Note(definition, OPCODE, f"{shown(name)} is defined here")
                    matrix = f"the cooperative matrix type %{inst.result}, whose scope is Workgroup"
                    message = f"{shown(name)}, an operand of LocalSizeId, must be defined before {matrix}"
                    yield Finding(inst, OpTypeCooperativeMatrixKHR_Scope, message, (note,))
                    return
