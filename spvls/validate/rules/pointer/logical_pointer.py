"""Where logical pointers may occur (SPIR-V 2.16.1)."""

from __future__ import annotations

from spvls.grammar import sections, spv
from spvls.grammar.enumerants import AddressingModel, Capability, StorageClass
from spvls.grammar.operand_index import OpVariable_StorageClass
from spvls.grammar.traits import VARIABLES
from spvls.module.context_dependent import EXTENDED
from spvls.module.module import Module
from spvls.module.operand_at import distinct_ids, word_at
from spvls.module.type_walks import parts
from spvls.module.types import Type
from spvls.module.variable import held_by, storage_name
from spvls.steps import PORTION, Steps, completed
from spvls.syntax.instruction import OPCODE, TYPE, Instruction, Operand
from spvls.syntax.operand_decls import capability_name
from spvls.validate.checks.operation import Operation
from spvls.validate.checks.pointers import LOGICAL_MODELS, root
from spvls.validate.checks.wording import operand as named
from spvls.validate.engine.finding import Finding, pausing
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule
from spvls.validate.rules.memory.initializer import initializer_is_constant

_PHYSICAL_STORAGE_BUFFER = StorageClass.PhysicalStorageBuffer
_STORAGE_BUFFER = StorageClass.StorageBuffer
_WORKGROUP = StorageClass.Workgroup

#: Instructions that go with variable pointers alone, and those that go with no logical pointer at all.
_TAKES_VARIABLE = (spv.OpPtrAccessChain, spv.OpUntypedPtrAccessChainKHR, spv.OpSelect, spv.OpPhi, spv.OpVariable)
_TAKES_NONE = (
    spv.OpBitcast, spv.OpConvertPtrToU, spv.OpPtrCastToGeneric, spv.OpGenericCastToPtr, spv.OpGenericCastToPtrExplicit,
    spv.OpGenericPtrMemSemantics, spv.OpCompositeConstruct, spv.OpCompositeInsert, spv.OpCompositeConstructReplicateEXT,
    spv.OpConstantComposite, spv.OpSpecConstantComposite, spv.OpInBoundsPtrAccessChain, spv.OpUntypedInBoundsPtrAccessChainKHR,
    spv.OpLifetimeStart, spv.OpLifetimeStop, spv.OpImageSampleFootprintNV, spv.OpFreezeKHR, spv.OpSpecConstantOp, spv.OpSizeOf,
    spv.OpPtrCastToCrossWorkgroupALTERA, spv.OpCrossWorkgroupCastToPtrALTERA, spv.OpConstantCompositeReplicateEXT,
    spv.OpSpecConstantCompositeReplicateEXT, spv.OpUntypedVariableKHR, spv.OpUntypedPrefetchKHR, spv.OpGroupAsyncCopy,
    spv.OpUntypedGroupAsyncCopyKHR, spv.OpGroupWaitEvents, spv.OpReadPipe, spv.OpWritePipe, spv.OpReservedReadPipe,
    spv.OpReservedWritePipe, spv.OpEnqueueKernel, spv.OpEnqueueMarker, spv.OpCaptureEventProfilingInfo,
    spv.OpConditionalCopyObjectINTEL, spv.OpGroupBroadcast, spv.OpAllocateNodePayloadsAMDX,
    spv.OpUntypedVariableLengthArrayINTEL, spv.OpAbortKHR, spv.OpCooperativeMatrixPerElementOpNV,
    spv.OpCooperativeMatrixPerElementOpEXT, spv.OpVectorInsertDynamic,
)  # fmt: skip
_GIVES_VARIABLE = (
    spv.OpSelect, spv.OpPhi, spv.OpPtrAccessChain, spv.OpUntypedPtrAccessChainKHR, spv.OpLoad, spv.OpConstantNull, spv.OpFunction,
)  # fmt: skip
_GIVES_NONE = (
    spv.OpBitcast, spv.OpConvertUToPtr, spv.OpCompositeExtract, spv.OpVectorExtractDynamic, spv.OpInBoundsPtrAccessChain,
    spv.OpUntypedInBoundsPtrAccessChainKHR, spv.OpPtrCastToGeneric, spv.OpGenericCastToPtr, spv.OpGenericCastToPtrExplicit,
    spv.OpFreezeKHR, spv.OpPoisonKHR, spv.OpSpecConstantOp, spv.OpPtrCastToCrossWorkgroupALTERA,
    spv.OpCrossWorkgroupCastToPtrALTERA, spv.OpPredicatedLoadINTEL, spv.OpConditionalCopyObjectINTEL,
    spv.OpEnqueueKernel, spv.OpEnqueueMarker, spv.OpFinishWritingNodePayloadAMDX, spv.OpGenericPtrMemSemantics,
    spv.OpImageSampleFootprintNV, spv.OpNodePayloadArrayLengthAMDX, spv.OpSaveMemoryINTEL, spv.OpSizeOf,
    spv.OpUntypedGroupAsyncCopyKHR, spv.OpVariableLengthArrayINTEL, spv.OpUntypedVariableLengthArrayINTEL, *EXTENDED,
)  # fmt: skip
_FUNCTION_OR_PRIVATE = frozenset({StorageClass.Function, StorageClass.Private})
_RANGES = (
    (293, 304), (325, 326), (4421, 4422), (4432, 4432), (4480, 4483), (4500, 4503), (5000, 5007), (5011, 5012), (5110, 5111),
    (5296, 5296), (5299, 5301), (5337, 5337), (5344, 5344), (5391, 5396), (5571, 5578), (5580, 5581), (5585, 5598), (5601, 5601),
    (5610, 5611), (5699, 5699), (5713, 5816), (5820, 5820), (5840, 5843), (5846, 5882), (5911, 5913), (5923, 5933), (5946, 5947),
    (5949, 5949), (6091, 6092), (6096, 6096), (6116, 6117), (6145, 6145), (6163, 6166), (6221, 6221), (6231, 6235), (6237, 6237),
    (6242, 6242), (6401, 6408), (6426, 6426), (6428, 6429), (6529, 6531),
)  # fmt: skip
"""The first and last opcodes of instructions that go with no logical pointer, and have no rules on the types of operands."""
_UNTYPED = tuple([opcode for first, last in _RANGES for opcode in range(first, last + 1)])


def has_logical_pointers(context: RuleContext) -> bool:
    """Whether the module's pointers are logical ones, and held to the rules for them."""
    return not context.options.relax_logical_pointer and context.module.addressing_model in LOGICAL_MODELS


def logical_pointer(module: Module, name: Operand | None) -> Type | None:
    """The type of an operand, where that is a logical pointer."""
    type_ = module.type_of(name)
    return type_ if type_ is not None and is_logical_pointer(type_) else None


def is_logical_pointer(type_: Type) -> bool:
    return type_.is_pointer and type_.storage != _PHYSICAL_STORAGE_BUFFER


def _pointer_within(type_: Type | None) -> Steps[Type | None]:
    """In short steps, the first logical pointer that a type is or holds."""
    if type_ is None or not (type_.is_pointer or type_.is_composite):
        return None
    for at, found in enumerate(parts(type_, lambda found: found.is_composite), 1):
        if is_logical_pointer(found):
            return found
        if not at % PORTION:
            yield
    return None


def _lacking(module: Module, pointer: Type) -> str | None:
    """What a pointer lacks to be a variable pointer."""
    if pointer.storage == _STORAGE_BUFFER:
        needed = Capability.VariablePointersStorageBuffer
    elif pointer.storage == _WORKGROUP:
        needed = Capability.VariablePointers
    else:
        return f"a variable pointer must point to the storage class StorageBuffer or Workgroup, not {storage_name(pointer.storage)}"
    return None if module.has_capability(needed) else f"this requires the capability {capability_name(needed)}"


@instruction_rule(
    "pointer/variable-holds-permitted-pointer",
    *VARIABLES,
    section=sections.UNIVERSAL_VALIDATION_RULES,
    after=(initializer_is_constant,),
)
def variable_holds_permitted_pointer(inst: Instruction, context: RuleContext) -> Findings:
    """With logical addressing, a variable must not hold a pointer unless variable pointers permit it.

    A logical pointer need not have a representation in memory. A compiler that resolves each use to its object at compile time may
    not be able to do so after the pointer has been stored and loaded. A pointer in a structure or array counts as well, but of
    several in one variable only the first is checked.

    Logical addressing is the addressing model Logical or PhysicalStorageBuffer64. With VariablePointersStorageBuffer
    (SPV_KHR_variable_pointers), a variable in Function or Private may hold a pointer to StorageBuffer; with VariablePointers, also
    one to Workgroup. Pointers to PhysicalStorageBuffer are not checked here. With the option `relax-logical-pointer` or
    `before-hlsl-legalization` the rule is off.
    """
    module = context.module
    own = word_at(inst, OpVariable_StorageClass)
    held = yield from pausing(_pointer_within(held_by(inst, module)))
    if held is None:
        return
    if context.options.relax_logical_pointer or module.addressing_model not in LOGICAL_MODELS:
        return
    shown = f"variable %{inst.result} holds {module.spell(held)}"
    if held.storage not in (_STORAGE_BUFFER, _WORKGROUP):
        wanted = "with logical addressing, expected a pointer to the storage class "
        physical = module.addressing_model == AddressingModel.PhysicalStorageBuffer64
        wanted += "StorageBuffer, Workgroup or PhysicalStorageBuffer" if physical else "StorageBuffer or Workgroup"
        yield Finding(inst, TYPE, f"{shown}; {wanted}")
        return
    needed = Capability.VariablePointersStorageBuffer if held.storage == _STORAGE_BUFFER else Capability.VariablePointers
    if not module.has_capability(needed):
        message = f"{shown}; with logical addressing, this requires the capability {capability_name(needed)}"
        if own not in _FUNCTION_OR_PRIVATE:
            message += f", and the variable must be in Function or Private, not in {storage_name(own)}"
        yield Finding(inst, TYPE, message)
    elif own not in _FUNCTION_OR_PRIVATE:
        message = f"{shown}; with logical addressing, the variable must be in Function or Private, not in {storage_name(own)}"
        yield Finding(inst, OpVariable_StorageClass, message)


@instruction_rule(
    "pointer/logical-operand-is-permitted",
    *_TAKES_VARIABLE,
    *_TAKES_NONE,
    *_UNTYPED,
    section=sections.UNIVERSAL_VALIDATION_RULES,
    after=(variable_holds_permitted_pointer, "memory/lifetime-is-of-local-variable", "memory/initializer-type-matches-variable"),
)
def logical_operand_is_permitted(inst: Instruction, context: RuleContext) -> Findings:
    """A logical pointer may only be an operand of instructions that SPIR-V permits for it.

    A logical pointer need not be an address, so a device may have no bits for a cast or for a composite to hold. Logical pointers
    are those with the addressing models Logical and PhysicalStorageBuffer64, except pointers to PhysicalStorageBuffer. With the
    option `relax-logical-pointer`, the rule is off.

    SPIR-V and its extensions say which instructions may have a logical pointer as an operand. Others must not, for example
    OpBitcast, OpConvertPtrToU, OpPtrCastToGeneric, OpSizeOf, OpInBoundsPtrAccessChain, OpLifetimeStart and OpCompositeConstruct.
    Where another rule checks the types of operands, that rule may report the pointer instead.

    OpSelect, OpPhi and OpPtrAccessChain make a variable pointer (SPV_KHR_variable_pointers), as does OpUntypedPtrAccessChainKHR
    (SPV_KHR_untyped_pointers): they require a pointer to StorageBuffer and the capability VariablePointersStorageBuffer, or one to
    Workgroup and VariablePointers. For OpPtrAccessChain in Vulkan see `pointer/element-step-fits-storage-class`, for comparisons
    `pointer/comparison-fits-storage-class`, and for returned pointers `function/returned-pointers-are-permitted` and
    `function/returned-value-matches-function`.
    """
    module = context.module
    opcode = inst.opcode.value
    if not has_logical_pointers(context) or _is_vulkan_chain(inst, module):
        return
    for operand_index, operand in distinct_ids(inst):
        pointer = logical_pointer(module, operand)
        if pointer is None:
            continue
        if opcode not in _TAKES_VARIABLE:
            within = opcode == spv.OpSpecConstantOp
            subject = Operation(inst, context).subject(operand_index - 1) if within else named(inst, operand_index)
            subject = f"{subject} of {inst.opcode.name}"
            message = f"{subject} must not be a logical pointer ({module.spell(pointer)})"
            if opcode == spv.OpFunctionPointerCallINTEL:
                use = f"{inst.opcode.name} must not use %{operand}, a logical pointer ({module.spell(pointer)})"
                message = f"with logical addressing, {use}"
            yield Finding(inst, operand_index, message)
            return
        lack = _lacking(module, pointer)
        if lack is not None:
            message = f"{inst.opcode.name} makes a variable pointer from %{operand} ({module.spell(pointer)}); {lack}"
            if opcode == spv.OpVariable:
                message = f"{named(inst, operand_index)} is used as a variable pointer ({module.spell(pointer)}); {lack}"
            yield Finding(inst, operand_index, message)
        return


@instruction_rule(
    "pointer/logical-result-is-permitted",
    *_GIVES_VARIABLE,
    *_GIVES_NONE,
    *_UNTYPED,
    section=sections.UNIVERSAL_VALIDATION_RULES,
    after=(logical_operand_is_permitted,),
)
def logical_result_is_permitted(inst: Instruction, context: RuleContext) -> Findings:
    """A logical pointer may only be the result of instructions that SPIR-V permits for it.

    A compiler may resolve a logical pointer to its object at compile time. After a cast, a conversion from an integer or an
    extraction from a composite, the object may be unknown. Logical pointers are those with the addressing models Logical and
    PhysicalStorageBuffer64, except pointers to PhysicalStorageBuffer. With the option `relax-logical-pointer`, the rule is off.

    SPIR-V and its extensions say which instructions may have a logical pointer as their result. Others must not, for example
    OpBitcast, OpConvertUToPtr, OpGenericCastToPtr, OpCompositeExtract, OpSpecConstantOp and OpInBoundsPtrAccessChain. Another rule
    may report the instruction instead, such as `pointer/logical-operand-is-permitted` if an operand is a logical pointer too. As in
    spirv-val, OpUndef is not reported.

    OpLoad, OpSelect, OpPhi, OpPtrAccessChain, OpConstantNull and functions give variable pointers (SPV_KHR_variable_pointers), as
    does OpUntypedPtrAccessChainKHR (SPV_KHR_untyped_pointers): these pointers must be to StorageBuffer with the capability
    VariablePointersStorageBuffer, or to Workgroup with VariablePointers. For OpPtrAccessChain in Vulkan see
    `pointer/element-step-fits-storage-class`, for functions `function/returned-pointers-are-permitted` and
    `function/returned-value-matches-function`, and for loads from a variable that must not hold the pointer
    `pointer/variable-holds-permitted-pointer`.
    """
    module = context.module
    type_ = module.type(inst.type)
    if type_ is None or not is_logical_pointer(type_) or not has_logical_pointers(context):
        return
    opcode = inst.opcode.value
    if _is_vulkan_chain(inst, module) or (opcode in EXTENDED and not module.is_non_semantic(inst)):
        return
    shown = module.spell(type_)
    if opcode not in _GIVES_VARIABLE:
        yield Finding(inst, OPCODE, f"the result type of {inst.opcode.name} must not be a logical pointer ({shown})")
        return
    lack = _lacking(module, type_)
    if opcode == spv.OpFunction and _is_said_of_function(inst, module):
        return
    if lack is not None and not (opcode == spv.OpLoad and _is_said_of_variable(inst, module)):
        subject = f"the function %{inst.result} returns" if opcode == spv.OpFunction else f"the result of {inst.opcode.name} is"
        yield Finding(inst, TYPE, f"{subject} a variable pointer ({shown}); {lack}")


def _is_vulkan_chain(inst: Instruction, module: Module) -> bool:
    """Whether `pointer/element-step-fits-storage-class` speaks of the instruction."""
    return inst.opcode.value == spv.OpPtrAccessChain and module.environment.api == "vulkan"


def _is_said_of_function(inst: Instruction, module: Module) -> bool:
    """Whether calls of the function, or its returns, are where a logical pointer is reported."""
    function = module.function_named(inst.result)
    if function is None or module.callgraph.callers(function.name):
        return True
    if module.addressing_model != AddressingModel.Logical or module.has_capability(Capability.VariablePointersStorageBuffer):
        return False
    ends = (block.terminator for block in function.blocks.values())
    return any(end is not None and end.opcode.value == spv.OpReturnValue for end in ends)


def _is_said_of_variable(inst: Instruction, module: Module) -> bool:
    """Whether the pointer is loaded from a variable that `pointer/variable-holds-permitted-pointer` reports."""
    variable = root(module, inst.operands[0])
    if variable is None or variable.opcode.value not in VARIABLES:
        return False
    held = completed(_pointer_within(held_by(variable, module)))
    if held is None:
        return False
    return _lacking(module, held) is not None or word_at(variable, OpVariable_StorageClass) not in _FUNCTION_OR_PRIVATE
