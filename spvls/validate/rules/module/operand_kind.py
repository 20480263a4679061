"""What an id must stand for where it is used: a type, or a value (SPIR-V 2.16.1)."""

from __future__ import annotations

from spvls.grammar import tables
from spvls.syntax.instruction import RESULT, TYPE, Instruction
from spvls.validate.finding import Finding, Note
from spvls.validate.rule import Findings, Scene, instruction_rule

#: The operands that name types: the first one, and the one after the last.
TYPE_PLACES: dict[str, tuple[int, int]] = {
    "OpTypeVector": (0, 1),
    "OpTypeVectorIdEXT": (0, 1),
    "OpTypeMatrix": (0, 1),
    "OpTypeImage": (0, 1),
    "OpTypeSampledImage": (0, 1),
    "OpTypeArray": (0, 1),
    "OpTypeRuntimeArray": (0, 1),
    "OpTypeNodePayloadArrayAMDX": (0, 1),
    "OpTypeStruct": (0, 1 << 32),
    "OpTypeStructContinuedINTEL": (0, 1 << 32),
    "OpTypePointer": (1, 2),
    "OpTypeForwardPointer": (0, 1),
    "OpTypeFunction": (0, 1 << 32),
    "OpTypeCooperativeMatrixKHR": (0, 1),
    "OpTypeCooperativeMatrixNV": (0, 1),
    "OpTypeTensorARM": (0, 1),
    "OpTypeGraphARM": (1, 1 << 32),
    "OpFunction": (1, 2),
    "OpUntypedVariableKHR": (1, 2),
    "OpUntypedAccessChainKHR": (0, 1),
    "OpUntypedInBoundsAccessChainKHR": (0, 1),
    "OpUntypedPtrAccessChainKHR": (0, 1),
    "OpUntypedInBoundsPtrAccessChainKHR": (0, 1),
    "OpUntypedArrayLengthKHR": (0, 1),
    "OpUntypedImageTexelPointerEXT": (0, 1),
    "OpCooperativeMatrixLengthKHR": (0, 1),
    "OpCooperativeMatrixLengthNV": (0, 1),
    "OpConstantSizeOfEXT": (0, 1),
    "OpAbortKHR": (0, 1),
    "OpUntypedVariableLengthArrayINTEL": (0, 1),
    "OpTypeVmeImageINTEL": (0, 1),
}
_NOWHERE = (0, 0)

_INNER_TYPE_PLACES = {
    opcode.value: TYPE_PLACES[opcode.name]
    for name in TYPE_PLACES
    if not name.startswith("OpType") and (opcode := tables.opcode(name)) is not None
}


def _is_free(name: str) -> bool:
    """Whether an opcode may refer to anything: names, lines, decorations, labels, imported sets."""
    opcode = tables.opcode(name)
    return opcode is not None and (opcode.class_ in _FREE_CLASSES or name in _FREE)


_FREE_CLASSES = frozenset({"Debug", "Annotation"})
_FREE = frozenset(
    {
        "OpExtInst", "OpExtInstWithForwardRefsKHR", "OpPhi", "OpSelectionMerge", "OpLoopMerge", "OpBranch",
        "OpBranchConditional", "OpSwitch", "OpAsmINTEL", "OpAsmCallINTEL", "OpAliasScopeDeclINTEL", "OpAliasScopeListDeclINTEL",
        "OpEntryPoint", "OpExecutionMode", "OpExecutionModeId", "OpTypeForwardPointer", "OpTypeOpaque",
    }
)  # fmt: skip
_free: dict[str, bool] = {}

_TAKES_FUNCTIONS = frozenset(
    {
        "OpFunctionCall", "OpEnqueueKernel", "OpGetKernelNDrangeSubGroupCount", "OpGetKernelNDrangeMaxSubGroupSize",
        "OpGetKernelWorkGroupSize", "OpGetKernelPreferredWorkGroupSizeMultiple", "OpGetKernelLocalSizeForSubgroupCount",
        "OpGetKernelMaxNumSubgroups", "OpCooperativeMatrixPerElementOpNV", "OpCooperativeMatrixPerElementOpEXT",
        "OpCooperativeMatrixReduceNV", "OpCooperativeMatrixReduceEXT", "OpCooperativeMatrixLoadTensorNV",
        "OpConstantFunctionPointerINTEL", "OpTaskSequenceCreateALTERA", "OpTaskSequenceCreateINTEL",
        "OpConditionalEntryPointINTEL",
    }
)  # fmt: skip


@instruction_rule("ssa/operand-is-value", section="2.16.1", every=True)
def operand_is_value(inst: Instruction, scene: Scene) -> Findings:
    """An operand that stands for a value names an instruction that has one: not a type, a label, a string or a function.

    Bad:  `%x = OpIAdd %int %a %int`; `%x = OpLoad %int %label`
    Good: `%x = OpIAdd %int %a %b`
    """
    opcode = inst.opcode.name
    free = _free.get(opcode)
    if free is None:
        free = _free[opcode] = _is_free(opcode)
    if free:
        yield from _types_among_values(inst, scene)
        return
    first, end = TYPE_PLACES.get(opcode, _NOWHERE)
    if opcode == "OpSpecConstantOp" and inst.operands and isinstance(inst.operands[0], int):
        first, end = _INNER_TYPE_PLACES.get(inst.operands[0], (-1, -1))
        first, end = first + 1, end + 1
    definition_of = scene.module.definer
    for place, operand in enumerate(inst.operands):
        if operand.__class__ is not str or first <= place < end:
            continue
        definition = definition_of(operand)
        if definition is None or definition.faults or definition is scene.record:
            continue
        name = definition.opcode.name
        if definition.type is not None and name != "OpFunction":
            continue
        if name == "OpFunction" and opcode in _TAKES_FUNCTIONS:
            continue
        what = "a type" if name.startswith("OpType") else "a function" if name == "OpFunction" else f"the result of {name}"
        note = Note(definition, RESULT, f"%{operand!s} is declared here")
        yield Finding(inst, place, f"%{operand!s} is {what}, and a value is expected here", (note,))


_VALUES_ONLY_FROM = {"OpPhi": 0, "OpBranchConditional": 0, "OpSwitch": 0, "OpExtInst": 2, "OpEntryPoint": 2}


def _types_among_values(inst: Instruction, scene: Scene) -> Findings:
    """Types where control flow and extended instructions take values, labels or constants."""
    first = _VALUES_ONLY_FROM.get(inst.opcode.name)
    if first is None or (inst.opcode.name == "OpExtInst" and scene.module.is_non_semantic(inst)):
        return
    for place, operand in enumerate(inst.operands[first:], first):
        if operand.__class__ is str and scene.module.opcode_of(operand).startswith("OpType"):
            yield Finding(inst, place, f"%{operand!s} is a type, and a value is expected here")


@instruction_rule("ssa/result-type-is-type", section="2.16.1", every=True)
def result_type_is_type(inst: Instruction, scene: Scene) -> Findings:
    """The result type of an instruction is a type.

    Bad:  `%x = OpLoad %zero %pointer` where `%zero` is a constant.
    Good: `%x = OpLoad %int %pointer`
    """
    if inst.type is None:
        return
    definition = scene.module.definer(inst.type)
    if definition is not None and not definition.opcode.name.startswith("OpType"):
        note = Note(definition, RESULT, f"%{inst.type} is defined here")
        yield Finding(inst, TYPE, f"%{inst.type} is no type, but the result of {definition.opcode.name}", (note,))


@instruction_rule("ssa/operand-is-type", *TYPE_PLACES, section="2.16.1")
def operand_is_type(inst: Instruction, scene: Scene) -> Findings:
    """An operand that stands for a type names a type.

    Bad:  `%p = OpTypePointer Function %zero` where `%zero` is a constant.
    Good: `%p = OpTypePointer Function %int`
    """
    first, end = TYPE_PLACES[inst.opcode.name]
    for place, operand in enumerate(inst.operands[first:end], first):
        if isinstance(operand, str):
            definition = scene.module.definer(operand)
            if definition is not None and not definition.opcode.name.startswith("OpType"):
                note = Note(definition, RESULT, f"%{operand} is defined here")
                message = f"%{operand} is no type, but the result of {definition.opcode.name}"
                yield Finding(inst, place, message, (note,))
            elif definition is not None and definition.opcode.name == "OpTypeFunction" and inst.opcode.name != "OpFunction":
                function_pointer = inst.opcode.name == "OpTypePointer" and scene.module.has_capability("FunctionPointersINTEL")
                if not function_pointer:
                    yield Finding(inst, place, f"%{operand} is the type of functions, which only OpFunction takes")
