"""Initializers (SPIR-V 3.2.6, 3.3.8)."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv
from spvls.grammar.enumerants import Capability, StorageClass
from spvls.grammar.operand_index import OpVariable_Initializer, OpVariable_StorageClass
from spvls.grammar.tables import NO_OPCODE
from spvls.grammar.traits import VARIABLES
from spvls.module.constants import CONSTANT_OPCODES
from spvls.module.operand_at import word_at
from spvls.module.variable import held_by, initializer, initializer_place, the_class
from spvls.syntax.instruction import Instruction
from spvls.validate.checks.wording import made_by
from spvls.validate.engine.finding import Finding
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule
from spvls.validate.rules.function.declaration import spelled_apart

_UNINITIALIZED = frozenset({StorageClass.UniformConstant, StorageClass.PushConstant})
_FUNCTION = StorageClass.Function
_WORKGROUP = StorageClass.Workgroup
_INITIALIZED = frozenset({StorageClass.Output, StorageClass.Private, StorageClass.Function})


@instruction_rule(
    "memory/external-variable-has-no-initializer",
    spv.OpVariable,
    section=sections.STORAGE_CLASS,
    severity=Severity.WARNING,
    apis="!vulkan",
)
def external_variable_has_no_initializer(inst: Instruction, context: RuleContext) -> Findings:
    """A variable in PushConstant or UniformConstant must not have an initializer in a shader.

    The application provides the contents of these variables before the shader runs, so a driver may ignore the initializer or
    reject the module. SPIR-V forbids initializers in PushConstant, and leaves those in UniformConstant to the client API. In
    OpenGL, those in UniformConstant are the default values of uniforms, and are not reported.

    The rule applies to modules that declare the capability Shader and not Kernel, and to OpVariable, not to OpUntypedVariableKHR.
    In OpenCL, UniformConstant holds constants of the program, which are initialized. In Vulkan,
    `memory/initializer-fits-vulkan-class` reports such initializers as errors.

    A warning, because spirv-val checks this only in Vulkan.
    """
    module = context.module
    word = word_at(inst, OpVariable_StorageClass)
    if len(inst.operands) < 2 or word not in _UNINITIALIZED:
        return
    if word == StorageClass.UniformConstant and module.environment.api == "opengl":
        return
    if module.has_capability(Capability.Shader) and not module.has_capability(Capability.Kernel):
        yield Finding(
            inst, OpVariable_Initializer, f"%{inst.result} is in {the_class(word)} and must not have an initializer"
        )


_INITIAL = CONSTANT_OPCODES - {spv.OpUndef} | {spv.OpGraphConstantARM, spv.OpAsmINTEL}


@instruction_rule("memory/initializer-is-constant", *VARIABLES, section=sections.MEMORY_INSTRUCTIONS)
def initializer_is_constant(inst: Instruction, context: RuleContext) -> Findings:
    """The initializer of a variable must be a constant or a global variable.

    A consumer may compute initial values before any function runs. A parameter or the result of an instruction in a function has no
    value at that time; write it with OpStore instead. Constants include specialization constants, but not OpUndef and OpPoisonKHR.
    As in spirv-val, OpGraphConstantARM and OpAsmINTEL count as constants. With logical addressing,
    `pointer/variable-holds-permitted-pointer` limits which variables can be initialized with another.
    """
    name = initializer(inst)
    definition = context.module.definition(name) if name is not None else None
    if definition is None or definition.type is None or definition.faults:
        return
    opcode = definition.opcode.value
    if opcode in VARIABLES:
        if word_at(definition, 0) != _FUNCTION:
            return
    elif opcode in _INITIAL:
        return
    message = f"operand Initializer (%{name}) is {made_by(definition)}, expected a constant or a global variable"
    yield Finding(inst, initializer_place(inst), message)


@instruction_rule(
    "memory/initializer-type-matches-variable", *VARIABLES, section=sections.MEMORY_INSTRUCTIONS, after=(initializer_is_constant,)
)
def initializer_type_matches_variable(inst: Instruction, context: RuleContext) -> Findings:
    """The initializer of a variable must have the type that the variable holds.

    The initial value is copied to the variable without conversion. With another type the variable may start with another value, or
    be initialized only in part. An untyped variable holds its Data Type.
    """
    module = context.module
    name = initializer(inst)
    held = held_by(inst, module)
    given = module.type_of(name)
    if held is not None and given is not None and held.id != given.id:
        operand_index = initializer_place(inst)
        have, need = spelled_apart(module, given.id, held.id)
        message = f"operand Initializer (%{name}) is {have}, expected {need}, the type that %{inst.result} holds"
        yield Finding(inst, operand_index, message)


_NOT_INITIALIZED = frozenset(
    {
        StorageClass.Input,
        StorageClass.TaskPayloadWorkgroupEXT,
        StorageClass.HitObjectAttributeNV,
        StorageClass.HitObjectAttributeEXT,
    }
)


@instruction_rule("memory/initializer-fits-storage-class", *VARIABLES, section=sections.STORAGE_CLASS, apis="!vulkan")
def initializer_fits_storage_class(inst: Instruction, context: RuleContext) -> Findings:
    """Inputs, task payloads and attributes of hit objects must not have an initializer.

    The contents of such a variable come from the device, the application or a shader, so an initial value may be overwritten or
    never written. The rule checks variables in Input, TaskPayloadWorkgroupEXT (SPV_EXT_mesh_shader), HitObjectAttributeNV
    (SPV_NV_shader_invocation_reorder) and HitObjectAttributeEXT (SPV_EXT_shader_invocation_reorder). As in spirv-val, other storage
    classes of extensions are not checked, even if initializers are forbidden there as well, as in RayPayloadKHR
    (SPV_KHR_ray_tracing). For PushConstant see `memory/external-variable-has-no-initializer`. In Vulkan, where this rule does not
    apply, `memory/initializer-fits-vulkan-class` checks initializers.
    """
    if word_at(inst, OpVariable_StorageClass) in _NOT_INITIALIZED and initializer(inst) is not None:
        where = the_class(word_at(inst, OpVariable_StorageClass))
        yield Finding(inst, initializer_place(inst), f"%{inst.result} is in {where} and must not have an initializer")


@instruction_rule(
    "memory/initializer-fits-vulkan-class",
    *VARIABLES,
    section=sections.MEMORY_INSTRUCTIONS,
    vuid="VUID-StandaloneSpirv-OpVariable-04651",
    apis="vulkan",
)
def initializer_fits_vulkan_class(inst: Instruction, context: RuleContext) -> Findings:
    """In Vulkan, initializers may only be given in Output, Private and Function, or as null in Workgroup.

    A driver need not initialize other variables: the contents of most come from the application, the device or other shaders. The
    initializer of a variable in Workgroup must be an OpConstantNull: a driver with the feature shaderZeroInitializeWorkgroupMemory
    can clear this memory, but need not be able to fill it with other values.
    """
    name = initializer(inst)
    own = word_at(inst, OpVariable_StorageClass)
    if name is None or own is None or own in _INITIALIZED:
        return
    if own != _WORKGROUP:
        message = f"%{inst.result} is in {the_class(own)} and must not have an initializer in Vulkan"
        yield Finding(inst, initializer_place(inst), message)
    elif context.module.opcode_of(name) not in (spv.OpConstantNull, NO_OPCODE):
        maker = context.module.opcode_name_of(name)
        message = f"operand Initializer (%{name}) is the result of {maker}, "
        message += "expected a null constant (OpConstantNull) for Workgroup in Vulkan"
        yield Finding(inst, initializer_place(inst), message, vuid="VUID-StandaloneSpirv-OpVariable-04734")
