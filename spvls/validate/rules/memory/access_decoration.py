"""Promises that accesses keep; null (SPIR-V 2.18.3, 3.2.19)."""

from __future__ import annotations

from collections.abc import Iterator

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv, traits
from spvls.grammar.enumerants import Decoration, StorageClass
from spvls.module.decorations import AppliedDecoration
from spvls.module.module import Module
from spvls.module.operand_at import id_at
from spvls.module.types import Type
from spvls.module.variable import held_by
from spvls.syntax.instruction import OPCODE, Instruction
from spvls.validate.checks.memory_operands import ACCESSES
from spvls.validate.checks.pointers import bases
from spvls.validate.checks.wording import operand
from spvls.validate.engine.finding import Finding, Note
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule

_VARIABLES = (spv.OpVariable, spv.OpUntypedVariableKHR)
_CHAINS = frozenset({spv.OpAccessChain, spv.OpInBoundsAccessChain})
_LOCAL = frozenset({StorageClass.Function, StorageClass.Private, StorageClass.Input, StorageClass.Output, StorageClass.Workgroup})
_IMAGE_READS = frozenset({spv.OpImageRead, spv.OpImageSparseRead})


@instruction_rule(
    "memory/access-honors-decorations", *ACCESSES, *_IMAGE_READS, spv.OpImageWrite, spv.OpAtomicLoad, spv.OpAtomicStore,
    *traits.MODIFYING_ATOMICS,
    section=sections.DECORATION, severity=Severity.WARNING,
)  # fmt: skip
def access_honors_decorations(inst: Instruction, context: RuleContext) -> Findings:
    """Memory with NonWritable must not be written, and memory with NonReadable must not be read.

    The decorations promise that the module has no such access. A consumer may use them to place the object in read-only memory, to
    keep an earlier value in a register, or to access an image without knowing its format. Initializers, queries, such as the size
    of an image, and loads of image handles are not accesses.

    The rule checks loads, stores, copies, OpImageRead, OpImageSparseRead, OpImageWrite and most atomic instructions. The decoration
    may be on the variable that the pointer or image comes from, or on a member that only OpAccessChain and OpInBoundsAccessChain
    lead to from the variable.

    Other accesses are not checked, for example those of a whole structure with such a member, those of atomic instructions on
    texels, and those through parameters. In Function, Private, Input, Output and Workgroup, no reads are checked, nor atomic
    instructions that read and write.

    A warning, because spirv-val does not check this.
    """
    if not context.module.uses_decoration(Decoration.NonWritable, Decoration.NonReadable):
        return
    for operand_index, reads, writes in _accesses(inst):
        found = _promise(inst, operand_index, context.module, reads=reads, writes=writes)
        if found is not None:
            yield found
            return


def _accesses(inst: Instruction) -> Iterator[tuple[int, bool, bool]]:
    opcode = inst.opcode.value
    access = ACCESSES.get(opcode)
    if access is None:
        yield 0, opcode in _IMAGE_READS or opcode == spv.OpAtomicLoad or opcode in traits.MODIFYING_ATOMICS, not (
            opcode in _IMAGE_READS or opcode == spv.OpAtomicLoad
        )
    elif len(access.pointers) == 2:
        yield 0, False, True
        yield 1, True, False
    else:
        yield 0, access.reads, access.writes


def _promise(inst: Instruction, operand_index: int, module: Module, *, reads: bool, writes: bool) -> Finding | None:
    name = id_at(inst, operand_index)
    if name is None:
        return None
    definition = module.definition(name)
    is_image = inst.opcode.class_ == "Image"
    if not is_image:
        type_ = module.type_of(name)
        if type_ is not None and type_.storage in _LOCAL and (reads or not module.uses_decoration(Decoration.NonWritable)):
            return None
    if is_image and definition is not None and definition.opcode.value == spv.OpLoad:
        name = id_at(definition, 0) or name
    elif is_image:
        return None
    chain = list(bases(module, name))
    variable = chain[-1] if chain else None
    if variable is None or variable.result is None or variable.opcode.value not in _VARIABLES:
        return None
    if not is_image and _is_opaque(held_by(variable, module), module):
        return None  # a handle is loaded, not what is behind it
    for forbidden, decoration, verb in ((writes, Decoration.NonWritable, "write to"), (reads, Decoration.NonReadable, "read")):
        if not forbidden:
            continue
        what = variable.result
        found = module.decoration(what, decoration)
        if found is None:
            found, what = _of_members(chain, decoration, module)
        if found is not None:
            note = Note(found.record, OPCODE, f"{found.name} is set here")
            member = "" if found.member is None else f"member {found.member} of "
            message = f"{inst.opcode.name} must not {verb} {member}%{what}, which is decorated with {found.name}"
            return Finding(inst, operand_index, message, (note,))
    return None


def _is_opaque(type_: Type | None, module: Module) -> bool:
    type_ = module.without_arrays(type_)
    return type_ is None or type_.kind in (spv.OpTypeImage, spv.OpTypeSampler, spv.OpTypeSampledImage, spv.OpTypeTensorARM)


def _of_members(chain: list[Instruction], decoration: int, module: Module) -> tuple[AppliedDecoration | None, str]:
    """The decoration of a member that the access chains from a variable on lead through, and its structure."""
    type_ = held_by(chain[-1], module)
    for link in reversed(chain[:-1]):
        if link.opcode.value not in _CHAINS:
            return None, ""
        for index in link.operands[1:]:
            if type_ is None:
                return None, ""
            if not type_.is_struct:
                type_ = type_.element
                continue
            member = module.integer(index)
            if member is None:
                return None, ""
            found = module.decoration(type_.id, decoration, member)
            if found is not None:
                return found, type_.id
            type_ = module.type(type_.name(member))
    return None, ""


@instruction_rule(
    "memory/access-is-not-through-null",
    *ACCESSES,
    spv.OpAtomicLoad,
    spv.OpAtomicStore,
    *traits.MODIFYING_ATOMICS,
    section=sections.NULL_POINTERS,
    severity=Severity.WARNING,
)
def access_is_not_through_null(inst: Instruction, context: RuleContext) -> Findings:
    """Memory must not be accessed through a null pointer.

    A null pointer does not point to an object, so the behavior of the access is undefined. A device may stop with a fault, and a
    compiler may remove the access together with the code that leads to it. The rule checks loads, stores, copies and most atomic
    instructions. Only a pointer that is itself an OpConstantNull is reported, not an access chain into it or a copy of it.

    A warning, because spirv-val does not check this where null pointers are permitted.
    """
    access = ACCESSES.get(inst.opcode.value)
    for operand_index in access.pointers if access is not None else (0,):
        name = id_at(inst, operand_index)
        type_ = context.module.type_of(name)
        if type_ is not None and type_.is_pointer and context.module.opcode_of(name) == spv.OpConstantNull:
            null = f"{operand(inst, operand_index)} is a null pointer (OpConstantNull)"
            message = f"{null}, through which {inst.opcode.name} must not access memory"
            yield Finding(inst, operand_index, message)
            return
