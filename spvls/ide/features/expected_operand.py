"""What is expected of an operand: which ids fit, by its purpose and by the types of the operands before it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum

from spvls.grammar import spv
from spvls.grammar.operand_walk import OperandDecl
from spvls.grammar.records import Opcode
from spvls.ide.source.word import id_of
from spvls.module.module import Module
from spvls.module.types import Type
from spvls.record import NamedTuple

Fits = Callable[[Type | None], bool]


class Role(Enum):
    """What an id that an operand takes stands for."""

    TYPE = "type"
    VALUE = "value"
    CONSTANT = "constant"
    LABEL = "label"
    FUNCTION = "function"
    IMPORT = "import"
    STRING = "string"
    ANY = "any"


class ExpectedOperand(NamedTuple):
    """`fits` accepts the types whose values, or the types that, come first; None where all are alike."""

    role: Role
    fits: Fits | None = None


_LABELS = frozenset({"Merge Block", "Continue Target", "Target Label", "True Label", "False Label", "Default"})
_ANYTHING = frozenset({"Annotation", "Debug"})

#: Groups of opcodes whose operands have, if nothing else is said of them, the type of the result.
_LIKE_RESULT = frozenset({"Arithmetic", "Bit", "Derivative"})


def expected_operand(module: Module, opcode: Opcode, decl: OperandDecl, words: Sequence[str]) -> ExpectedOperand:
    """What an operand of `opcode` takes; `words` are those between the opcode and it."""
    kind, purpose = decl.kind.name, decl.declared.name
    result = module.type(id_of(words[0])) if opcode.has_type and words else None
    if kind == "IdResultType":
        return ExpectedOperand(Role.TYPE, _result_types(opcode))
    if kind in ("IdScope", "IdMemorySemantics"):
        return ExpectedOperand(Role.CONSTANT, _is_int)
    if purpose == "Set":
        return ExpectedOperand(Role.IMPORT)
    if purpose in ("Function", "Entry Point") and opcode.class_ in ("Function", "Mode-Setting"):
        return ExpectedOperand(Role.FUNCTION)
    if purpose == "Function Type":
        return ExpectedOperand(Role.TYPE, lambda type_: type_ is not None and type_.kind == spv.OpTypeFunction)
    if _is_label(opcode, purpose, words):
        return ExpectedOperand(Role.LABEL)
    if opcode.class_ == "Debug" and purpose in ("File", "Source"):
        return ExpectedOperand(Role.STRING)
    if opcode.class_ in _ANYTHING or opcode.value in (spv.OpEntryPoint, spv.OpExecutionModeId):
        return ExpectedOperand(Role.ANY)
    if opcode.class_ == "Type-Declaration":
        return ExpectedOperand(Role.CONSTANT, _is_int) if purpose == "Length" else ExpectedOperand(Role.TYPE)
    if opcode.value in (spv.OpConstantComposite, spv.OpSpecConstantComposite):
        return ExpectedOperand(Role.CONSTANT, _part_of(result, len(words) - 1))
    return ExpectedOperand(Role.VALUE, _value_types(module, opcode, purpose, result, words))


def _is_label(opcode: Opcode, purpose: str, words: Sequence[str]) -> bool:
    if opcode.value == spv.OpPhi:
        return len(words) % 2 == 0
    if opcode.value == spv.OpSwitch:
        return len(words) > 0
    return opcode.class_ == "Control-Flow" and purpose in _LABELS


def _value_types(
    module: Module, opcode: Opcode, purpose: str, result: Type | None, words: Sequence[str]
) -> Fits | None:
    """The types of values that an operand takes."""
    match opcode.value, purpose:
        case (spv.OpLoad, "Pointer"):
            return _pointer_to(result)
        case (spv.OpStore, "Object"):
            pointer = module.type_of(id_of(words[0]) if words else None)
            return _same(pointer.pointee if pointer is not None else None)
        case (spv.OpBranchConditional | spv.OpSelect, "Condition"):
            return lambda type_: type_ is not None and type_.scalar is not None and type_.scalar.is_bool
        case (spv.OpSelect | spv.OpPhi | spv.OpCopyObject | spv.OpCompositeInsert, _) if purpose != "Object":
            return _same(result)
        case (spv.OpSwitch, "Selector"):
            return _is_int
        case (spv.OpFunctionCall, _):
            function = module.function_named(id_of(words[1]) if len(words) > 1 else None)
            signature = module.type(function.type_id) if function is not None else None
            return _part_of(signature, len(words) - 2)
        case (spv.OpCompositeConstruct, _):
            return _part_of(result, len(words) - 1)
        case (_, "Pointer" | "Base"):
            return lambda type_: type_ is not None and type_.is_pointer
        case (_, "Indexes"):
            return _is_int
        case (_, "Composite"):
            return lambda type_: type_ is not None and type_.is_composite
        case (_, "Sampled Image"):
            return lambda type_: type_ is not None and type_.kind == spv.OpTypeSampledImage
        case (_, "Image"):
            return lambda type_: type_ is not None and type_.kind in (spv.OpTypeImage, spv.OpTypeSampledImage)
    if opcode.class_ in _LIKE_RESULT:
        return _same(result)
    if opcode.class_ == "Relational_and_Logical" and len(words) > 1:
        return _same(module.type_of(id_of(words[1])))
    return None


def _result_types(opcode: Opcode) -> Fits | None:
    """The types that an opcode can give."""
    if opcode.value in (spv.OpConstant, spv.OpSpecConstant):
        return lambda type_: type_ is not None and type_.is_numeric
    if opcode.value in (spv.OpVariable, spv.OpAccessChain, spv.OpInBoundsAccessChain, spv.OpPtrAccessChain):
        return lambda type_: type_ is not None and type_.is_pointer
    if opcode.value in (spv.OpConstantTrue, spv.OpConstantFalse, spv.OpSpecConstantTrue, spv.OpSpecConstantFalse):
        return lambda type_: type_ is not None and type_.is_bool
    if opcode.value in (spv.OpConstantComposite, spv.OpSpecConstantComposite, spv.OpCompositeConstruct):
        return lambda type_: type_ is not None and type_.is_composite
    family = opcode.name.removeprefix("Op")[:1]
    if opcode.class_ == "Arithmetic" and family in "FISU":
        wants_float = family == "F"
        return lambda type_: type_ is not None and (scalar := type_.scalar) is not None and scalar.is_float is wants_float
    if opcode.class_ == "Relational_and_Logical" and opcode.value != spv.OpSelect:
        return lambda type_: type_ is not None and (scalar := type_.scalar) is not None and scalar.is_bool
    return None


def _is_int(type_: Type | None) -> bool:
    return type_ is not None and type_.is_int


def _same(wanted: Type | None) -> Fits | None:
    if wanted is None:
        return None
    name = wanted.id
    return lambda type_: type_ is not None and type_.id == name


def _pointer_to(wanted: Type | None) -> Fits:
    if wanted is None:
        return lambda type_: type_ is not None and type_.is_pointer
    name = wanted.id
    return lambda type_: type_ is not None and type_.is_pointer and type_.element_id in (name, None)


def _part_of(whole: Type | None, at: int) -> Fits | None:
    """The type of member, parameter or component `at` of a type."""
    if whole is None or at < 0:
        return None
    if whole.kind in (spv.OpTypeStruct, spv.OpTypeFunction):
        members = whole.members
        return _same(members[at]) if at < len(members) else None
    return _same(whole.element)
