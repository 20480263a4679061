"""Instructions of OpenCL.DebugInfo.100 and NonSemantic.Shader.DebugInfo as rules see them: what their operands must be.

The two sets share most of their instructions. Where the one takes a literal, the other takes a constant.
"""

from __future__ import annotations

from spvls.grammar import spv, traits
from spvls.grammar.records import ExtendedInstruction
from spvls.module.constants import CONSTANT_OPCODES
from spvls.module.context_dependent import EXTENDED
from spvls.module.module import Module
from spvls.record import NamedTuple
from spvls.syntax.instruction import Instruction, Operand, shown
from spvls.validate.engine.rule import RuleContext
from spvls.validate.rules.ext_inst.operation import ExtendedOperation, Imported, operation_of

OPENCL = "OpenCL.DebugInfo.100"
SHADER = "NonSemantic.Shader.DebugInfo"
SETS = (SHADER, OPENCL)


class Requirement(NamedTuple):
    """What an operand may be: opcodes and debug instructions by name; `noun` says it with an article.

    `unsigned` asks for constants of 32-bit unsigned integers.
    """

    noun: str
    allowed: frozenset[str | int]
    unsigned: bool = False

    def or_none(self) -> Requirement:
        """The same, or DebugInfoNone."""
        return Requirement(f"{self.noun} or DebugInfoNone", self.allowed | {"DebugInfoNone"}, self.unsigned)


def _one_of(noun: str, names: str) -> Requirement:
    return Requirement(noun, frozenset(names.split()))


STRING = Requirement("an OpString", frozenset({spv.OpString}))
CONSTANT = Requirement("an OpConstant", frozenset({spv.OpConstant}))
UINT32 = Requirement("an OpConstant of type u32", frozenset({spv.OpConstant}), True)
UINT32_OR_SPECIALIZED = Requirement(
    "an OpConstant, OpSpecConstant or OpSpecConstantOp of type u32",
    frozenset({spv.OpConstant, spv.OpSpecConstant, spv.OpSpecConstantOp}),
    True,
)
SOURCE = _one_of("a DebugSource", "DebugSource")
SCOPE = _one_of(
    "a lexical scope: a DebugCompilationUnit, DebugFunction, DebugLexicalBlock or DebugTypeComposite",
    "DebugCompilationUnit DebugFunction DebugLexicalBlock DebugTypeComposite",
)
TYPE = _one_of(
    "a debug type or DebugInfoNone",
    "DebugTypeBasic DebugTypePointer DebugTypeQualifier DebugTypeArray DebugTypeVector DebugTypedef DebugTypeFunction "
    "DebugTypeEnum DebugTypeComposite DebugTypeMember DebugTypeInheritance DebugTypePtrToMember DebugTypeTemplate "
    "DebugTypeMatrix DebugTypeVectorIdEXT DebugTypeCooperativeMatrixKHR DebugInfoNone",
)
TEMPLATE_PARAMETER = _one_of(
    "a DebugTypeTemplateParameter or DebugTypeTemplateTemplateParameter",
    "DebugTypeTemplateParameter DebugTypeTemplateTemplateParameter",
)
TYPE_OR_PARAMETER = Requirement("a debug type, a template parameter or DebugInfoNone", TYPE.allowed | TEMPLATE_PARAMETER.allowed)
BASIC = _one_of("a DebugTypeBasic", "DebugTypeBasic")
COMPOSITE = _one_of("a DebugTypeComposite", "DebugTypeComposite")
FUNCTION = _one_of("a DebugFunction", "DebugFunction")
FUNCTION_TYPE = _one_of("a DebugTypeFunction", "DebugTypeFunction")
DECLARATION = _one_of("a DebugFunctionDeclaration", "DebugFunctionDeclaration")
EXPRESSION = _one_of("a DebugExpression", "DebugExpression")
INLINED_AT = _one_of("a DebugInlinedAt", "DebugInlinedAt")
LOCAL = _one_of("a DebugLocalVariable", "DebugLocalVariable")
OP_FUNCTION = Requirement("an OpFunction", frozenset({spv.OpFunction}))
_CONSTANTS = CONSTANT_OPCODES - {spv.OpUndef}

_ENUMERATOR_VALUE, _ENUMERATOR_NAME = "Value of an enumerator", "Name of an enumerator"
_PLACE = {"Source": SOURCE, "Line": UINT32, "Column": UINT32}
_NAMED = {"Name": STRING, **_PLACE, "Parent": SCOPE}
_LINKED = {**_NAMED, "Linkage Name": STRING, "Flags": UINT32}

REQUIREMENTS: dict[str, dict[str, Requirement]] = {
    "DebugCompilationUnit": {"Version": UINT32, "DWARF Version": UINT32, "Source": SOURCE, "Language": UINT32},
    "DebugSource": {"File": STRING, "Text": STRING.or_none()},
    "DebugSourceContinued": {"Text": STRING},
    "DebugBuildIdentifier": {"Identifier": STRING, "Flags": UINT32},
    "DebugStoragePath": {"Path": STRING},
    "DebugEntryPoint": {
        "Entry Point": FUNCTION,
        "Compilation Unit": _one_of("a DebugCompilationUnit", "DebugCompilationUnit"),
        "Compiler Signature": STRING,
        "Command-line Arguments": STRING,
    },
    "DebugTypeBasic": {"Name": STRING, "Size": CONSTANT, "Encoding": UINT32, "Flags": UINT32, "FPEncoding": UINT32},
    "DebugTypePointer": {"Base Type": TYPE, "Storage Class": UINT32, "Flags": UINT32},
    "DebugTypeQualifier": {"Base Type": TYPE, "Type Qualifier": UINT32},
    "DebugTypeVector": {"Base Type": BASIC, "Component Count": UINT32},
    "DebugTypeMatrix": {"Vector Type": _one_of("a DebugTypeVector", "DebugTypeVector"), "Vector Count": UINT32},
    "DebugTypeVectorIdEXT": {"Component Type": BASIC, "Component Count": UINT32_OR_SPECIALIZED},
    "DebugTypeCooperativeMatrixKHR": {
        "Component Type": BASIC,
        **dict.fromkeys(("Scope", "Rows", "Columns", "Use"), UINT32_OR_SPECIALIZED),
    },
    "DebugTypeArray": {"Base Type": TYPE},
    "DebugTypedef": {**_NAMED, "Base Type": BASIC},
    "DebugTypeFunction": {
        "Flags": UINT32,
        "Return Type": Requirement(f"an OpTypeVoid, {TYPE_OR_PARAMETER.noun}", TYPE_OR_PARAMETER.allowed | {spv.OpTypeVoid}),
        "Parameter Types": TYPE_OR_PARAMETER,
    },
    "DebugTypeEnum": {
        **_NAMED,
        "Underlying Type": TYPE,
        "Size": CONSTANT,
        "Flags": UINT32,
        _ENUMERATOR_VALUE: CONSTANT,
        _ENUMERATOR_NAME: STRING,
    },
    "DebugTypeComposite": {
        **_LINKED,
        "Size": CONSTANT.or_none(),
        "Members": _one_of(
            "a DebugTypeMember, DebugFunction or DebugTypeInheritance", "DebugTypeMember DebugFunction DebugTypeInheritance"
        ),
    },
    "DebugTypeMember": {
        **_NAMED,
        "Type": TYPE_OR_PARAMETER,
        "Parent": COMPOSITE,
        "Offset": CONSTANT,
        "Size": CONSTANT,
        "Flags": UINT32,
        "Value": CONSTANT.or_none(),
    },
    "DebugTypeInheritance": {
        "Child": COMPOSITE,
        "Parent": COMPOSITE,
        "Offset": CONSTANT,
        "Size": CONSTANT,
        "Flags": UINT32,
    },
    "DebugTypeTemplate": {
        "Target": _one_of("a DebugTypeComposite or DebugFunction", "DebugTypeComposite DebugFunction"),
        "Parameters": TEMPLATE_PARAMETER,
    },
    "DebugTypeTemplateParameter": {"Name": STRING, "Actual Type": TYPE, "Value": CONSTANT.or_none(), **_PLACE},
    "DebugGlobalVariable": {
        **_LINKED,
        "Type": TYPE,
        "Variable": Requirement(
            "a variable, a constant or DebugInfoNone",
            _CONSTANTS | {spv.OpVariable, spv.OpUntypedVariableKHR, "DebugInfoNone"},
        ),
        "Static Member Declaration": _one_of("a DebugTypeMember", "DebugTypeMember").or_none(),
    },
    "DebugFunctionDeclaration": {**_LINKED, "Type": FUNCTION_TYPE},
    "DebugFunction": {
        **_LINKED,
        "Type": FUNCTION_TYPE,
        "Scope Line": UINT32,
        "Function": OP_FUNCTION.or_none(),
        "Declaration": DECLARATION.or_none(),
    },
    "DebugLexicalBlock": {**_NAMED, "Name": STRING.or_none()},
    "DebugScope": {"Scope": SCOPE, "Inlined At": INLINED_AT.or_none()},
    "DebugInlinedAt": {"Line": UINT32, "Scope": SCOPE, "Inlined": INLINED_AT.or_none()},
    "DebugLocalVariable": {**_NAMED, "Type": TYPE_OR_PARAMETER, "Flags": UINT32, "Arg Number": UINT32},
    "DebugDeclare": {
        "Local Variable": LOCAL,
        "Variable": Requirement("a variable or a function parameter", traits.VARIABLES | {spv.OpFunctionParameter}),
        "Expression": EXPRESSION,
    },
    "DebugValue": {"Local Variable": LOCAL, "Expression": EXPRESSION},
    "DebugOperation": {"OpCode": UINT32, "Operands ...": UINT32},
    "DebugExpression": {"Operands ...": _one_of("a DebugOperation", "DebugOperation")},
    "DebugFunctionDefinition": {"Function": FUNCTION, "Definition": OP_FUNCTION},
    "DebugLine": {
        "Source": SOURCE,
        "Line Start": UINT32,
        "Line End": UINT32,
        "Column Start": UINT32,
        "Column End": UINT32,
    },
}
"""By instruction and by what the sets call the operand. What is not here may be anything."""


class DebugOperation(ExtendedOperation):
    """An instruction of one of the two sets; operands that are literals in the one are asked for like constants."""

    __slots__ = ("_faulty",)

    def __init__(
        self, inst: Instruction, context: RuleContext, imported: Imported, instruction: ExtendedInstruction
    ) -> None:
        super().__init__(inst, context, imported, instruction)
        self._faulty: tuple[tuple[int, Requirement] | None] | None = None

    def faulty_operand(self) -> tuple[int, Requirement] | None:
        """The place of the first operand that is not what is required, and what is."""
        if self._faulty is None:
            self._faulty = (self._find_faulty(),)
        return self._faulty[0]

    def _find_faulty(self) -> tuple[int, Requirement] | None:
        required = REQUIREMENTS.get(self.name)
        if required is None:
            return None
        for at, name in enumerate(self.operands):
            wanted = required.get(self.role(at)) if isinstance(name, str) else None
            if wanted is not None and not satisfies(self.context, str(name), wanted):
                return at, wanted
        return None

    def role(self, at: int) -> str:
        role = super().role(at)
        declared = self.instruction.operands
        if declared and declared[-1].kind == "PairIdRefIdRef" and at >= len(declared) - 1:
            return _ENUMERATOR_NAME if (at - len(declared)) % 2 == 0 else _ENUMERATOR_VALUE
        return role

    def subject(self, at: int) -> str:
        operand = self.operands[at]
        return f"operand {self.role(at).removesuffix(' ...')}{f' ({shown(operand)})' if isinstance(operand, str) else ''}"

    def at(self, role: str) -> int | None:
        """The place of an operand by its role, where the instruction has it."""
        for operand_index, declared in enumerate(self.instruction.operands[: len(self.operands)]):
            if declared.name == role:
                return operand_index
        return None

    def number(self, role: str) -> int | None:
        """The value of a literal or of a constant."""
        operand_index = self.at(role)
        return None if operand_index is None else number(self.module, self.operands[operand_index])


def number(module: Module, operand: Operand | None) -> int | None:
    """A literal, or the integer that an unspecialized constant stands for."""
    return operand if isinstance(operand, int) else module.integer(operand) if isinstance(operand, str) else None


def debug_operation(inst: Instruction, context: RuleContext) -> DebugOperation | None:
    """What an OpExtInst says of one of the two sets."""
    found = operation_of(inst, context, *SETS)
    if found is None:
        return None
    last: list[DebugOperation] = context.memo("debug-info/last", list)
    if not last or last[0].inst is not inst:
        last[:] = [DebugOperation(inst, context, found.imported, found.instruction)]
    return last[0]


def identity(context: RuleContext, name: str) -> str | int:
    """What an id is: the name of the debug instruction, or else the opcode, that makes it; empty where none does."""
    known: dict[str, str | int] = context.memo("debug-info/identity", dict)
    if name not in known:
        definition = context.module.definition(name)
        known[name] = "" if definition is None else definition.opcode.value
        if definition is not None and known[name] in EXTENDED:
            ran = context.module.extended_instruction(definition)
            if ran is not None and (ran[0] == OPENCL or ran[0].startswith(SHADER)):
                known[name] = ran[1]
    return known[name]


def satisfies(context: RuleContext, name: str, required: Requirement) -> bool:
    """Whether an id is what is required; one that nothing defines, or whose definition is at fault, counts as right."""
    found = identity(context, name)
    if found == "":
        return True
    if found not in required.allowed:
        return False
    if required.unsigned and not isinstance(found, str):
        type_, definition = context.module.type_of(name), context.module.defining_instruction(name)
        if type_ is None or definition is None or definition.faults:
            return True
        return type_.is_int and type_.width == 32 and not type_.signed
    return True
