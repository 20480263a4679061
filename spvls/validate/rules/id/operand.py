"""What an id must stand for where it is used: a type, or a value (SPIR-V 2.16.1)."""

from __future__ import annotations

from spvls.grammar import sections, spv, tables
from spvls.grammar.enumerants import Capability
from spvls.grammar.records import Opcode
from spvls.grammar.traits import TAKES_FUNCTIONS
from spvls.module.context_dependent import EXTENDED
from spvls.module.module import Module
from spvls.steps import PORTION
from spvls.syntax.instruction import RESULT, TYPE, Instruction
from spvls.validate.checks.wording import made_by, operand
from spvls.validate.engine.finding import PAUSE, Finding, Note
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule

#: The operands that name types: the first one, and the one after the last.
TYPE_PLACES: dict[int, tuple[int, int]] = {
    spv.OpTypeVector: (0, 1),
    spv.OpTypeVectorIdEXT: (0, 1),
    spv.OpTypeMatrix: (0, 1),
    spv.OpTypeImage: (0, 1),
    spv.OpTypeSampledImage: (0, 1),
    spv.OpTypeArray: (0, 1),
    spv.OpTypeRuntimeArray: (0, 1),
    spv.OpTypeNodePayloadArrayAMDX: (0, 1),
    spv.OpTypeStruct: (0, 1 << 32),
    spv.OpTypeStructContinuedINTEL: (0, 1 << 32),
    spv.OpTypePointer: (1, 2),
    spv.OpTypeForwardPointer: (0, 1),
    spv.OpTypeFunction: (0, 1 << 32),
    spv.OpTypeCooperativeMatrixKHR: (0, 1),
    spv.OpTypeCooperativeMatrixNV: (0, 1),
    spv.OpTypeTensorARM: (0, 1),
    spv.OpTypeGraphARM: (1, 1 << 32),
    spv.OpFunction: (1, 2),
    spv.OpUntypedVariableKHR: (1, 2),
    spv.OpUntypedAccessChainKHR: (0, 1),
    spv.OpUntypedInBoundsAccessChainKHR: (0, 1),
    spv.OpUntypedPtrAccessChainKHR: (0, 1),
    spv.OpUntypedInBoundsPtrAccessChainKHR: (0, 1),
    spv.OpUntypedArrayLengthKHR: (0, 1),
    spv.OpUntypedImageTexelPointerEXT: (0, 1),
    spv.OpCooperativeMatrixLengthKHR: (0, 1),
    spv.OpCooperativeMatrixLengthNV: (0, 1),
    spv.OpConstantSizeOfEXT: (0, 1),
    spv.OpAbortKHR: (0, 1),
    spv.OpUntypedVariableLengthArrayINTEL: (0, 1),
    spv.OpTypeVmeImageINTEL: (0, 1),
    spv.OpIsNodePayloadValidAMDX: (0, 1),
}
_NOWHERE = (0, 0)
_TENSOR_LAYOUT = 2
_OF_MATRICES = (spv.OpCooperativeMatrixLengthKHR, spv.OpCooperativeMatrixLengthNV)


def _inner_type_places(value: int) -> tuple[int, int]:
    """The places of types among the operands of an opcode within OpSpecConstantOp."""
    inner = tables.opcode_by_value(value) if value in TYPE_PLACES else None
    return TYPE_PLACES[value] if inner is not None and not inner.is_type else (-1, -1)


def _is_free(opcode: Opcode) -> bool:
    """Whether an opcode may refer to anything: names, lines, decorations, labels, imported sets."""
    return opcode.class_ in _FREE_CLASSES or opcode.value in _FREE


_FREE_CLASSES = frozenset({"Debug", "Annotation"})
_FREE = frozenset(
    {
        spv.OpExtInst, spv.OpExtInstWithForwardRefsKHR, spv.OpPhi, spv.OpSelectionMerge, spv.OpLoopMerge,
        spv.OpBranch, spv.OpBranchConditional, spv.OpSwitch, spv.OpAsmINTEL, spv.OpAsmCallINTEL,
        spv.OpAliasScopeDeclINTEL, spv.OpAliasScopeListDeclINTEL, spv.OpEntryPoint, spv.OpExecutionMode,
        spv.OpExecutionModeId, spv.OpTypeForwardPointer, spv.OpTypeOpaque,
    }
)  # fmt: skip
_free: dict[int, bool] = {}


@instruction_rule("id/operand-is-value", section=sections.UNIVERSAL_VALIDATION_RULES, every=True)
def operand_is_value(inst: Instruction, context: RuleContext) -> Findings:
    """An operand that must be a value must not be a type, a label, a string or a function.

    Only an instruction with a result type computes a value. With another id, such as an imported set, a consumer has nothing to
    compute with.

    The result of a non-semantic instruction before the functions may be removed, so only non-semantic instructions may use it;
    results of type void are not checked for this. For results in functions, see `ext-inst/non-semantic-result-stays-removable`.

    Operands that must be types are checked by `id/operand-is-type`. Functions are accepted in instructions that use functions, such
    as OpFunctionCall, and, as in spirv-val, types other than function types in OpSizeOf.

    Some instructions that also take ids of other kinds are not checked, or only in part: for example OpPhi, branches, merge
    instructions, OpEntryPoint, OpExtInst, names, decorations and debug instructions.
    """
    opcode = inst.opcode.value
    free = _free.get(opcode)
    if free is None:
        free = _free[opcode] = _is_free(inst.opcode)
    if free:
        yield from _types_among_values(inst, context)
        return
    first, end = TYPE_PLACES.get(opcode, _NOWHERE)
    if opcode == spv.OpSpecConstantOp and inst.operands and isinstance(inst.operands[0], int):
        first, end = _inner_type_places(inst.operands[0])
        first, end = first + 1, end + 1
    definition_of = context.module.defining_instruction
    for operand_index, name in enumerate(inst.operands):
        if not (operand_index + 1) % PORTION:
            yield PAUSE
        if name.__class__ is not str or first <= operand_index < end:
            continue
        definition = definition_of(name)
        if definition is None or definition.faults:
            continue
        function = definition.opcode.value == spv.OpFunction
        if (definition.type is not None and not function) or (function and opcode in TAKES_FUNCTIONS):
            if definition.opcode.value in EXTENDED and _is_removable(name, context.module):
                yield _removable(inst, operand_index, name, definition)
            continue
        if definition.opcode.value == spv.OpAliasScopeListDeclINTEL:  # of a memory operand
            continue
        if opcode == spv.OpSizeOf and definition.opcode.is_type and definition.opcode.value != spv.OpTypeFunction:
            continue
        if definition is context.record:  # it is used before it is defined
            continue
        what = "a type" if definition.opcode.is_type else "a function" if function else made_by(definition)
        note = Note(definition, RESULT, f"%{name!s} is declared here")
        used = f"operand {operand_index - 1} (%{name!s})" if opcode == spv.OpSpecConstantOp else _named(inst, operand_index)
        wanted = ", expected a value"
        if function and opcode == spv.OpCooperativeMatrixStoreTensorNV and operand_index > _TENSOR_LAYOUT:
            wanted = f"; {inst.opcode.name} must not have a DecodeFunc or DecodeVectorFunc"
        yield Finding(inst, operand_index, f"{used} is {what}{wanted}", (note,))


def _is_removable(name: str, module: Module) -> bool:
    """Whether an id is the result of a non-semantic instruction before the functions, and not of type void."""
    from spvls.validate.rules.ext_inst.non_semantic import is_removable  # few modules have any

    return module.is_global(name) and is_removable(module.definition(name), module)


def _removable(inst: Instruction, operand_index: int, name: str, definition: Instruction) -> Finding:
    note = Note(definition, RESULT, f"%{name} is defined here")
    message = f"{_named(inst, operand_index)} is the result of a non-semantic instruction, which only such instructions may use"
    return Finding(inst, operand_index, message, (note,))


_VALUES_ONLY_FROM = {spv.OpPhi: 0, spv.OpBranchConditional: 0, spv.OpSwitch: 0, spv.OpExtInst: 2, spv.OpEntryPoint: 2}


def _types_among_values(inst: Instruction, context: RuleContext) -> Findings:
    """Types where control flow and extended instructions take values, labels or constants."""
    first = _VALUES_ONLY_FROM.get(inst.opcode.value)
    if first is None or (inst.opcode.value == spv.OpExtInst and context.module.is_non_semantic(inst)):
        return
    opcode = inst.opcode.value
    for operand_index, name in enumerate(inst.operands[first:], first):
        if not (operand_index + 1) % PORTION:
            yield PAUSE
        if name.__class__ is not str:
            continue
        definition = context.module.defining_instruction(name)
        if definition is not None and definition.opcode.value in EXTENDED and _is_removable(name, context.module):
            yield _removable(inst, operand_index, name, definition)
        function = definition is not None and definition.opcode.value == spv.OpFunction and opcode != spv.OpEntryPoint
        if function or (definition is not None and definition.opcode.is_type):
            label = first == 0 and (operand_index % 2 if opcode == spv.OpPhi else operand_index)
            wanted = "a label" if label else "a value"
            what = "a function" if function else "a type"
            named = _named_of_set(inst, operand_index, context) if opcode == spv.OpExtInst else _named(inst, operand_index)
            yield Finding(inst, operand_index, f"{named} is {what}, expected {wanted}")


@instruction_rule("id/result-type-is-type", section=sections.TYPES_AND_VARIABLES, every=True)
def result_type_is_type(inst: Instruction, context: RuleContext) -> Findings:
    """The result type of an instruction must be a type, and not the type of a function.

    With the id of something else, or with the type of a function, a consumer cannot allocate a register for the result. As in
    spirv-val, a function type of a non-semantic instruction is not reported here; rules on its set, such as
    `ext-inst/debug-result-is-void`, may do so.
    """
    if inst.type is None:
        return
    module = context.module
    definition = module.defining_instruction(inst.type)
    if definition is not None and not definition.opcode.is_type:
        context.has_undefined_operand = True
        note = Note(definition, RESULT, f"%{inst.type} is defined here")
        message = f"the result type %{inst.type} is {made_by(definition)}, expected a type"
        yield Finding(inst, TYPE, message, (note,))
    elif definition is not None and definition.opcode.value == spv.OpTypeFunction:
        if module.is_of_non_semantic_set(inst):
            return
        context.has_undefined_operand = True
        yield Finding(inst, TYPE, f"the result type %{inst.type} is a function type, expected the type of a value")


@instruction_rule("id/operand-is-type", *TYPE_PLACES, section=sections.UNIVERSAL_VALIDATION_RULES)
def operand_is_type(inst: Instruction, context: RuleContext) -> Findings:
    """An operand that must be a type must be the id of a type, in most places not of a function type.

    With the id of something else, a consumer cannot compute sizes and offsets. In OpTypePointer, a function type requires the
    capability FunctionPointersINTEL.

    Such operands are, for example, those of type declarations, of OpFunction, and of untyped variables and access chains. Result
    types are checked by `id/result-type-is-type`, and types in OpSpecConstantOp by `constant/spec-operation-is-valid`. Not
    checked here are the types that OpMemberName and decorations name, and the Asm type of OpAsmINTEL.
    """
    first, end = TYPE_PLACES[inst.opcode.value]
    for operand_index, name in enumerate(inst.operands[first:end], first):
        if not (operand_index + 1) % PORTION:
            yield PAUSE
        if isinstance(name, str):
            definition = context.module.defining_instruction(name)
            if definition is not None and not definition.opcode.is_type:
                note = Note(definition, RESULT, f"%{name} is defined here")
                wanted = "a cooperative matrix type" if inst.opcode.value in _OF_MATRICES else "a type"
                message = f"{_named(inst, operand_index)} is {made_by(definition)}, expected {wanted}"
                yield Finding(inst, operand_index, message, (note,))
            elif definition is not None and definition.opcode.value == spv.OpTypeFunction and inst.opcode.value != spv.OpFunction:
                is_pointer = inst.opcode.value == spv.OpTypePointer
                if not is_pointer or not context.module.has_capability(Capability.FunctionPointersINTEL):
                    needed = "requires the capability FunctionPointersINTEL here" if is_pointer else "only OpFunction may use"
                    yield Finding(inst, operand_index, f"{_named(inst, operand_index)} is a function type, which {needed}")


def _named(inst: Instruction, at: int) -> str:
    """An operand as messages name it, with its number or role in a list."""
    opcode = inst.opcode.value
    if opcode == spv.OpPhi:
        name = ("Variable", "Parent")[at % 2]
    elif opcode == spv.OpTypeStruct:
        name = f"Member {at} type"
    elif opcode in _NUMBERED and at >= _NUMBERED[opcode][1]:
        name, first = _NUMBERED[opcode]
        name = name.format(at - first)
    else:
        return operand(inst, at)
    return f"operand {name} (%{inst.operands[at]!s})"


def _named_of_set(inst: Instruction, at: int, context: RuleContext) -> str:
    """An operand of an extended instruction as messages name it."""
    from spvls.validate.rules.ext_inst.operation import known_operation_of  # what is wrong is rare

    op = known_operation_of(inst, context)
    return _named(inst, at) if op is None else op.subject(at - 2)


_NUMBERED = {spv.OpTypeFunction: ("Parameter {} Type", 1), spv.OpFunctionCall: ("Argument {}", 1)}
