"""ClspvReflection: kernels and their arguments (SPIR-V 3.3.4)."""

from __future__ import annotations

from collections.abc import Iterator

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv
from spvls.grammar.clspv import REFLECTION
from spvls.grammar.enumerants import Decoration, Dim, StorageClass
from spvls.module.module import Module
from spvls.module.operand_at import word_at
from spvls.module.types import Type
from spvls.module.variable import held_by
from spvls.syntax.instruction import OPCODE, Instruction
from spvls.validate.engine.finding import Note
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule
from spvls.validate.rules.ext_inst.clspv_reflection import clspv_operands_have_required_kind, string_at
from spvls.validate.rules.ext_inst.operation import operation_of

_MAY_USE_PRINTF = 1
_LAST_OF_KERNEL = 5
_SPEC_ID = 2
"""The place of the SpecId of an ArgumentWorkgroup."""
_UNIFORM, _STORAGE_BUFFER = StorageClass.Uniform, StorageClass.StorageBuffer
_BUFFER = Dim.Buffer
#: What arguments are bound to, by the end of their instruction's name.
_BUFFERS = {"StorageBuffer": "the storage class StorageBuffer", "Uniform": "the storage class Uniform"}
_IMAGES = {
    "ArgumentSampledImage": (1, False, "an image that can be used with a sampler (Sampled 1, Dim not Buffer)"),
    "ArgumentStorageImage": (2, False, "a storage image (Sampled 2, Dim not Buffer)"),
    "ArgumentStorageTexelBuffer": (2, True, "a storage texel buffer (Sampled 2, Dim Buffer)"),
    "ArgumentUniformTexelBuffer": (1, True, "a uniform texel buffer (Sampled 1, Dim Buffer)"),
}


@instruction_rule(
    "ext-inst/clspv-kernel-is-complete", spv.OpExtInst, section=sections.EXTENSION_INSTRUCTIONS, severity=Severity.WARNING,
    sets=(REFLECTION,),
)
def clspv_kernel_is_complete(inst: Instruction, context: RuleContext) -> Findings:
    """Since revision 5, a Kernel of clspv reflection must have its argument count, flags and attributes.

    A runtime may read the operands without a check. Where they are missing, queries on the kernel may fail or return wrong values.
    Only OpExtInst is checked.
    """
    op = operation_of(inst, context, REFLECTION)
    if op is not None and op.name == "Kernel" and op.imported.revision >= 5 and len(op.operands) < _LAST_OF_KERNEL:
        missing = op.instruction.operands[len(op.operands)].name
        yield op.fault(-1, f"Kernel has no operand {missing}; revision {op.imported.revision} of {REFLECTION} requires one")


@instruction_rule(
    "ext-inst/clspv-kernel-flags-are-known", spv.OpExtInst, section=sections.EXTENSION_INSTRUCTIONS, severity=Severity.WARNING,
    sets=(REFLECTION,),
)
def clspv_kernel_flags_are_known(inst: Instruction, context: RuleContext) -> Findings:
    """The Flags of a Kernel of NonSemantic.ClspvReflection must be 0 or 1, which is MayUsePrintf.

    A runtime may allocate a buffer for printf if the flag is set. It may ignore other bits, or read them as a later revision
    defines them. Only OpExtInst is checked.
    """
    op = operation_of(inst, context, REFLECTION)
    flags = op.module.integer(op.id(3)) if op is not None and op.name == "Kernel" else None
    if op is not None and flags is not None and flags & ~_MAY_USE_PRINTF:
        yield op.fault(3, f"{op.subject(3)} is {flags}, expected 0 or 1 (MayUsePrintf)")


@instruction_rule(
    "ext-inst/clspv-descriptor-fits-argument", spv.OpExtInst,
    section=sections.EXTENSION_INSTRUCTIONS, severity=Severity.INFORMATION, sets=(REFLECTION,),
)
def clspv_descriptor_fits_argument(inst: Instruction, context: RuleContext) -> Findings:
    """The variable at the set and binding of a clspv reflection instruction must be of the kind it names.

    A runtime binds a descriptor of this kind there. If the variable is of another kind, the descriptor sets may not match the
    module, and a driver may read the descriptor as something else.

    A sampled image or uniform texel buffer must be an OpTypeImage with Sampled 1, a storage image or storage texel buffer Sampled
    2. Texel buffers must have Dim Buffer, and other images another. A sampler must be an OpTypeSampler. For instructions whose
    names end in StorageBuffer or Uniform, the variable must have this storage class; Uniform with BufferBlock counts as
    StorageBuffer. Arrays of these count as well. If several variables have this binding, one must fit. A binding without a
    variable, or with one that is untyped and has no Data Type, is not reported. LiteralSampler is not checked. Only OpExtInst is
    checked.

    Information only, because the set describes descriptors rather than variables.
    """
    op = operation_of(inst, context, REFLECTION)
    if op is None:
        return
    places = [at for at in range(len(op.instruction.operands)) if op.role(at) in ("DescriptorSet", "Descriptor Set")]
    if not places or not (op.name in _IMAGES or op.name == "ArgumentSampler" or _buffer_kind(op.name)):
        return
    at = places[0]
    number, binding = op.module.integer(op.id(at)), op.module.integer(op.id(at + 1))
    if number is None or binding is None:
        return
    found = list(_bound(number, binding, op.module))
    if not found or any(_fits(op.name, variable, op.module) for variable in found):
        return
    what = _IMAGES[op.name][2] if op.name in _IMAGES else "a sampler"
    if op.name not in _IMAGES and op.name != "ArgumentSampler":
        what = _BUFFERS[_buffer_kind(op.name)]
    bound = found[0].result
    note = Note(found[0], OPCODE, f"%{bound} is declared here")
    have = op.spell(op.module.type(found[0].type))
    held = op.module.without_arrays(held_by(found[0], op.module))
    if held is not None and _is_buffer_block(found[0], held, op.module):
        have += " with BufferBlock"
    message = f"the variable %{bound} at binding {binding} of set {number} is {have}, but {op.name} requires a pointer to {what}"
    yield op.fault(at, message)._replace(notes=(note,))


def _buffer_kind(name: str) -> str:
    return next((end for end in _BUFFERS if name.endswith(end)), "")


def _bound(number: int, binding: int, module: Module) -> Iterator[Instruction]:
    """The variables that are bound at a place."""
    for name in module.decorated_with(Decoration.Binding):
        record = module.definition(name)
        words = {found.value: found.params[0] for found in module.decorations(name) if found.params}
        placed = (words.get(Decoration.DescriptorSet), words.get(Decoration.Binding)) == (number, binding)
        if placed and record is not None and record.opcode.value in (spv.OpVariable, spv.OpUntypedVariableKHR):
            yield record


def _fits(name: str, variable: Instruction, module: Module) -> bool:
    held = module.without_arrays(held_by(variable, module))
    if held is None:
        return True
    if name in _IMAGES:
        sampled, is_buffer, _ = _IMAGES[name]
        return held.kind == spv.OpTypeImage and held.word(5) == sampled and (held.word(1) == _BUFFER) is is_buffer
    if name == "ArgumentSampler":
        return held.kind == spv.OpTypeSampler
    storage = _STORAGE_BUFFER if _is_buffer_block(variable, held, module) else word_at(variable, 0)
    return storage == (_STORAGE_BUFFER if _buffer_kind(name) == "StorageBuffer" else _UNIFORM)


def _is_buffer_block(variable: Instruction, held: Type, module: Module) -> bool:
    return word_at(variable, 0) == _UNIFORM and module.has_decoration(held.id, Decoration.BufferBlock)


@instruction_rule(
    "ext-inst/clspv-spec-id-exists",
    spv.OpExtInst,
    section=sections.EXTENSION_INSTRUCTIONS,
    severity=Severity.WARNING,
    after=(clspv_operands_have_required_kind,),
    sets=(REFLECTION,),
)
def clspv_spec_id_exists(inst: Instruction, context: RuleContext) -> Findings:
    """A specialization id that reflection names must be that of a specialization constant.

    A runtime sets this constant, for example to the size of the workgroup. Without it, the kernel may use another value than the
    runtime, and may access memory past the end of an array. Of NonSemantic.ClspvReflection, the rule checks
    ArgumentWorkgroup and the instructions whose names begin with SpecConstant. Only OpExtInst is checked.
    """
    op = operation_of(inst, context, REFLECTION)
    if op is None or not (op.name == "ArgumentWorkgroup" or op.name.startswith("SpecConstant")):
        return
    known = {
        found.params[0]
        for name in op.module.decorated_with(Decoration.SpecId)
        for found in op.module.decorations(name)
        if found.value == Decoration.SpecId and found.params
    }
    for at in (_SPEC_ID,) if op.name == "ArgumentWorkgroup" else range(len(op.instruction.operands)):
        number = op.module.integer(op.id(at))
        if number is not None and number not in known:
            yield op.fault(at, f"{op.subject(at)} names SpecId {number}, but no specialization constant is decorated with it")


_QUALIFIERS = {2: range(0x119B, 0x119F), 3: range(0x11A0, 0x11A4), 4: range(16)}
"""By place in ArgumentInfo, of address space, access and type: the values that OpenCL's query for arguments gives."""


@instruction_rule(
    "ext-inst/clspv-qualifiers-are-known", spv.OpExtInst, section=sections.EXTENSION_INSTRUCTIONS, severity=Severity.WARNING,
    sets=(REFLECTION,),
)
def clspv_qualifiers_are_known(inst: Instruction, context: RuleContext) -> Findings:
    """The qualifiers of an ArgumentInfo of NonSemantic.ClspvReflection must be values of OpenCL.

    A runtime may return them as they are for queries on kernel arguments. An application may not know another value. The address
    space must be 0x119B to 0x119E, the access 0x11A0 to 0x11A3, and the type a mask of const (1), restrict (2), volatile (4) and
    pipe (8). Only OpExtInst is checked.
    """
    op = operation_of(inst, context, REFLECTION)
    if op is None or op.name != "ArgumentInfo":
        return
    for at, known in _QUALIFIERS.items():
        number = op.module.integer(op.id(at))
        if number is not None and number not in known:
            query = f"CL_KERNEL_ARG_{op.role(at).replace(' ', '_').upper()}"
            message = f"{op.subject(at)} is {number:#x}, expected a {query} value ({min(known):#x} to {max(known):#x})"
            yield op.fault(at, message)
            return


@instruction_rule(
    "ext-inst/clspv-attributes-are-one-line", spv.OpExtInst, section=sections.EXTENSION_INSTRUCTIONS, severity=Severity.INFORMATION,
    sets=(REFLECTION,),
)
def clspv_attributes_are_one_line(inst: Instruction, context: RuleContext) -> Findings:
    """The Attributes of a clspv Kernel must be one line, without white space at the start or end.

    A runtime may return the string as it is for CL_KERNEL_ATTRIBUTES. For kernels from OpenCL C, the set
    NonSemantic.ClspvReflection requires a list that is delimited by spaces, without newlines and surrounding white space; for
    others it requires an empty string, which is not checked. Two spaces in a row are reported too, even inside an attribute,
    although the set does not forbid them. Only OpExtInst is checked.

    Information only, because clspv itself may write a space before the first attribute.
    """
    op = operation_of(inst, context, REFLECTION)
    text = string_at(op, 4) if op is not None and op.name == "Kernel" else None
    if op is not None and text is not None and (text != text.strip() or b"\n" in text or b"  " in text):
        found = "a line break" if b"\n" in text else "two spaces in a row" if b"  " in text else "white space at the start or end"
        wanted = "Attributes must be one line, with one space between attributes and none at the start or end"
        yield op.fault(4, f"{op.subject(4)} has {found}; {wanted}")
