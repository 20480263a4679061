"""Constant composites (SPIR-V 3.3.7)."""

from __future__ import annotations

from collections.abc import Iterator

from spvls.grammar import sections, spv
from spvls.grammar.operand_index import OpConstantCompositeReplicateEXT_Value
from spvls.grammar.tables import NO_OPCODE
from spvls.module.constants import CONSTANT_OPCODES
from spvls.module.module import Module
from spvls.module.operand_at import distinct_ids, id_at
from spvls.module.types import Type
from spvls.steps import PORTION
from spvls.syntax.instruction import OPCODE, TYPE, Instruction
from spvls.validate.checks.kinds import part_type
from spvls.validate.checks.operation import Operation
from spvls.validate.checks.wording import are_given, counted
from spvls.validate.engine.finding import PAUSE, Finding, FindingFix, Replace
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule

_COMPOSITES = (spv.OpConstantComposite, spv.OpSpecConstantComposite)
_REPLICATES = (spv.OpConstantCompositeReplicateEXT, spv.OpSpecConstantCompositeReplicateEXT)
_CONTINUED = (spv.OpConstantCompositeContinuedINTEL, spv.OpSpecConstantCompositeContinuedINTEL)
_SPECIALIZED = {
    spv.OpConstantComposite: "OpSpecConstantComposite",
    spv.OpConstantCompositeReplicateEXT: "OpSpecConstantCompositeReplicateEXT",
}
_VALUES = CONSTANT_OPCODES | {spv.OpUndef, spv.OpPoisonKHR, spv.OpGraphConstantARM}
_SINGLE_VALUED = (spv.OpTypeCooperativeMatrixKHR, spv.OpTypeCooperativeMatrixNV)


def is_composite(type_: Type) -> bool:
    """Whether a constant composite can make the type: composites, and tensors of known shape."""
    return type_.is_composite or (type_.kind == spv.OpTypeTensorARM and len(type_.operands) == 3)


@instruction_rule(
    "constant/composite-has-composite-type", *_COMPOSITES, *_REPLICATES, section=sections.CONSTANT_CREATION_INSTRUCTIONS
)
def composite_has_composite_type(inst: Instruction, context: RuleContext) -> Findings:
    """The result type of a constant composite must be a composite type.

    The constituents become the components, columns, elements or members of the result, and a scalar has none of these. A consumer
    that sizes the constant by its result type may write constituents past its end. Composite types are vectors, matrices, arrays
    (run-time arrays count here, arrays of node payloads do not), structures, cooperative matrices, and tensors with a shape
    (SPV_ARM_tensors). The forms for specialization and with one replicated value (SPV_EXT_replicated_composites) are checked too.
    """
    type_ = context.module.type(inst.type)
    if type_ is not None and not is_composite(type_):
        shown, expected = context.module.spell(type_), "a composite type"
        if type_.kind == spv.OpTypeTensorARM:
            shown, expected = f"{shown} (without the operand Shape)", "a tensor type with the operand Shape"
        yield Finding(inst, TYPE, f"the result type of {inst.opcode.name} is {shown}, expected {expected}")


def _makes_composite(inst: Instruction, context: RuleContext) -> Type | None:
    type_ = context.module.type(inst.type)
    return type_ if type_ is not None and is_composite(type_) else None


def _constituents(inst: Instruction) -> Iterator[tuple[int, str]]:
    for operand_index, operand in enumerate(inst.operands):
        if isinstance(operand, str):
            yield operand_index, operand


@instruction_rule(
    "constant/constituents-are-constant",
    *_COMPOSITES,
    *_REPLICATES,
    *_CONTINUED,
    section=sections.CONSTANT_CREATION_INSTRUCTIONS,
)
def constituents_are_constant(inst: Instruction, context: RuleContext) -> Findings:
    """The constituents of a constant composite must be constants or undefined values.

    The value of a constant is known before the first instruction of a function runs, so a consumer can put it in place when it
    creates the pipeline or the kernel. Results of instructions in functions are known only later. Variables are not constants
    either. Undefined values are OpUndef and OpPoisonKHR. OpGraphConstantARM counts as a constant. The forms for specialization,
    those with one replicated value (SPV_EXT_replicated_composites) and those that continue a composite (SPV_INTEL_long_composites)
    are checked too. `constant/spec-constituents-need-spec-composite` says where a constituent must not be a specialization
    constant.
    """
    module = context.module
    for operand_index, name in distinct_ids(inst):
        opcode = module.opcode_of(name)
        if opcode == NO_OPCODE or opcode in _VALUES or module.is_type(name):
            continue
        if module.type_of(name) is not None:
            maker = module.opcode_name_of(name)
            what = "operand Value" if inst.opcode.value in _REPLICATES else f"constituent {operand_index}"
            message = f"{what} (%{name}) is the result of {maker}, expected a constant"
            yield Finding(inst, operand_index, message)
            return


def _count(module: Module, type_: Type) -> int | None:
    if type_.kind in (spv.OpTypeVector, spv.OpTypeMatrix):
        return type_.count
    if type_.is_struct:
        return len(type_.member_ids)
    if type_.kind in (spv.OpTypeArray, spv.OpTypeVectorIdEXT):
        return module.integer(type_.length_id)
    if type_.kind in _SINGLE_VALUED:
        return 1
    if type_.kind == spv.OpTypeTensorARM:
        shape = module.constant(type_.name(2))
        return module.integer(id_at(shape.record, 0)) if shape is not None else None
    return None


@instruction_rule("constant/constituent-count-matches-type", *_COMPOSITES, section=sections.CONSTANT_CREATION_INSTRUCTIONS)
def constituent_count_matches_type(inst: Instruction, context: RuleContext) -> Findings:
    """A constant composite must have one constituent for each part of its result type.

    OpConstantComposite and OpSpecConstantComposite are checked. The parts are the components of a vector, the columns of a matrix,
    the elements of an array and the members of a structure. A cooperative matrix (for example, of SPV_KHR_cooperative_matrix)
    counts as one part: its only constituent is the value of each component. With fewer constituents the remaining parts have no
    value; with more, a consumer may write past the end of the object.

    A tensor must have one constituent for each index of its first dimension, which SPV_ARM_tensors does not say, but spirv-val
    requires. Run-time arrays are not checked, nor are types whose number of parts can be specialized. Too few are not reported
    directly before OpConstantCompositeContinuedINTEL or OpSpecConstantCompositeContinuedINTEL (SPV_INTEL_long_composites), which
    has the rest.
    """
    type_ = _makes_composite(inst, context)
    wanted = _count(context.module, type_) if type_ is not None else None
    given = len(inst.operands)
    if wanted is None or wanted == given or (given < wanted and context.is_continued):
        return
    operand_index = OPCODE if given < wanted else wanted
    needed = counted(wanted, "constituent")
    if type_ is not None and type_.kind in _SINGLE_VALUED:
        needed += ", which is the value of every component"
    elif type_ is not None and type_.kind == spv.OpTypeTensorARM:
        needed += ", one for each index of its outermost dimension"
    yield Finding(inst, operand_index, f"the result type {context.module.spell(type_)} requires {needed}; {are_given(given)}")


def _fits(wanted: Type | None, given: Type) -> bool:
    """Whether a constituent is of the wanted type; a column by its component type and count."""
    if wanted is None or wanted.id == given.id:
        return True
    return wanted.is_vector and given.kind == wanted.kind and given.operands == wanted.operands


@instruction_rule("constant/constituent-types-match", *_COMPOSITES, section=sections.CONSTANT_CREATION_INSTRUCTIONS)
def constituent_types_match(inst: Instruction, context: RuleContext) -> Findings:
    """Each constituent of a constant composite must have the type of the part that it initializes.

    SPIR-V has no implicit conversions: a consumer may copy the bits of the constituent. Bits of another type are another value, and
    a constituent of another size may shift all parts after it. A cooperative matrix (SPV_KHR_cooperative_matrix) has one
    constituent, of its component type.

    OpConstantComposite and OpSpecConstantComposite are checked, unless the number of constituents differs from that of the parts,
    for which see `constant/constituent-count-matches-type`. Constituents in instructions that continue a composite
    (SPV_INTEL_long_composites) and those of run-time arrays are not checked; those of tensors are checked by
    `tensor/constant-tensor-matches-shape`.
    """
    module = context.module
    type_ = _makes_composite(inst, context)
    if type_ is None or type_.kind in (spv.OpTypeTensorARM, spv.OpTypeRuntimeArray):
        return
    count = _count(module, type_)
    if count is not None and count != len(inst.operands):
        return
    members = type_.members
    for operand_index, name in _constituents(inst):
        if not (operand_index + 1) % PORTION:
            yield PAUSE
        given = module.type_of(name)
        wanted = members[operand_index] if type_.is_struct else type_.element
        if given is None:
            continue
        matches = _fits(wanted, given) if type_.is_matrix else wanted is None or wanted.id == given.id
        if not matches and wanted is not None:
            have, expected = Operation(inst, context).told_apart(given, wanted)
            subject = f"constituent {operand_index} (%{name}) is {module.spell(given)}{have and f' ({have})'}"
            part = f"{part_type(type_, operand_index)} of the result type {module.spell(type_)}"
            message = f"{subject}, expected {expected}, {part}"
            yield Finding(inst, operand_index, message)
            return


@instruction_rule("constant/replicated-value-matches-elements", *_REPLICATES, section=sections.CONSTANT_CREATION_INSTRUCTIONS)
def replicated_value_matches_elements(inst: Instruction, context: RuleContext) -> Findings:
    """The Value of a replicated constant must have the type of each part of the result type.

    OpConstantCompositeReplicateEXT and OpSpecConstantCompositeReplicateEXT put one value in each part, without conversion; a part
    of another type would hold bits of another type. So the parts of a structure must all have the same type. The parts of a tensor
    are here its elements.
    """
    module = context.module
    type_ = _makes_composite(inst, context)
    name = id_at(inst, OpConstantCompositeReplicateEXT_Value)
    given = module.type_of(name)
    if type_ is None or given is None:
        return
    for number, wanted in enumerate(type_.members if type_.is_struct else (type_.element,)):
        if wanted is not None and wanted.id != given.id:
            have, expected = Operation(inst, context).told_apart(given, wanted)
            subject = f"operand Value (%{name}) is {module.spell(given)}{have and f' ({have})'}"
            message = f"{subject}, expected {expected}, {part_type(type_, number)} of the result type {module.spell(type_)}"
            yield Finding(inst, OpConstantCompositeReplicateEXT_Value, message)
            return


@instruction_rule(
    "constant/spec-constituents-need-spec-composite",
    *_SPECIALIZED,
    section=sections.CONSTANT_CREATION_INSTRUCTIONS,
)
def spec_constituents_need_spec_composite(inst: Instruction, context: RuleContext) -> Findings:
    """A composite of specialization constants must be made by an instruction for specialization constants.

    One constituent that is a specialization constant requires OpSpecConstantComposite or OpSpecConstantCompositeReplicateEXT
    (SPV_EXT_replicated_composites). OpConstantCompositeContinuedINTEL (SPV_INTEL_long_composites) is not checked.

    The application can replace the value of a specialization constant before the module is compiled. OpConstantComposite and
    OpConstantCompositeReplicateEXT declare a value that never changes, so a compiler may fold it with the default value: the
    setting of the application is then lost in this composite, and takes effect elsewhere.
    """
    for operand_index, name in distinct_ids(inst):
        if context.module.is_specialization(name):
            opcode = _SPECIALIZED[inst.opcode.value]
            fix = FindingFix(f"Change to {opcode}", (Replace(inst, OPCODE, opcode),))
            what = "operand Value" if inst.opcode.value in _REPLICATES else f"constituent {operand_index}"
            message = f"{what} (%{name}) is a specialization constant, so this instruction must be {opcode}"
            yield Finding(inst, operand_index, message, (), (fix,))
            return
