"""Arguments of kernels as NonSemantic.ClspvReflection describes them: descriptors, sizes, attributes."""

from __future__ import annotations

from collections.abc import Iterator

from spvls.diagnostic import Severity
from spvls.grammar import spv
from spvls.module.module import Module
from spvls.module.types import Type
from spvls.syntax.instruction import OPCODE, Instruction
from spvls.syntax.operand_decls import value
from spvls.validate.extended import ExtendedOperation, imported, operation_of
from spvls.validate.finding import Finding, Note
from spvls.validate.operand_at import id_at, word_at
from spvls.validate.rule import Findings, Scene, instruction_rule
from spvls.validate.storage_class import storage
from spvls.validate.variable import held_by
from spvls.validate.wording import counted

_SET = "NonSemantic.ClspvReflection"
_UNIFORM, _STORAGE_BUFFER = storage("Uniform"), storage("StorageBuffer")
_BUFFER = value("Dim", "Buffer")
_LEAST_STORED = 4
_CONVERSIONS = b"diouxXfFeEgGaAcsp"

#: What arguments are bound to, by the end of their instruction's name.
_BUFFERS = {"StorageBuffer": "a storage buffer", "Uniform": "a uniform buffer"}
_IMAGES = {
    "ArgumentSampledImage": (1, False, "a sampled image"),
    "ArgumentStorageImage": (2, False, "a storage image"),
    "ArgumentStorageTexelBuffer": (2, True, "a storage texel buffer"),
    "ArgumentUniformTexelBuffer": (1, True, "a uniform texel buffer"),
}


@instruction_rule("clspv/descriptor", spv.OpExtInst, section="3.3.4", severity=Severity.INFORMATION)
def descriptor(inst: Instruction, scene: Scene) -> Findings:
    """A descriptor that an argument is said to be in is of the kind that the argument asks for.

    A sampled image has Sampled 1, a storage image Sampled 2, a texel buffer the dimension Buffer; samplers are samplers, and
    buffers blocks in StorageBuffer or Uniform. Several kernels may share a set and a binding; one that fits is enough.

    Bad:  `ArgumentSampledImage` with the set and binding of a storage image.
    Good: `ArgumentStorageImage`
    """
    op = operation_of(inst, scene, _SET)
    if op is None:
        return
    places = [at for at in range(len(op.instruction.operands)) if op.role(at) in ("DescriptorSet", "Descriptor Set")]
    if not places or not (op.name in _IMAGES or op.name == "ArgumentSampler" or _buffer_kind(op.name)):
        return
    at = places[0]
    number, binding = op.module.integer(op.id(at)), op.module.integer(op.id(at + 1))
    found = list(_bound(number, binding, op.module))
    if not found or any(_fits(op.name, variable, op.module) for variable in found):
        return
    what = _IMAGES[op.name][2] if op.name in _IMAGES else "a sampler"
    if op.name not in _IMAGES and op.name != "ArgumentSampler":
        what = _BUFFERS[_buffer_kind(op.name)]
    note = Note(found[0], OPCODE, f"%{found[0].result} is bound there")
    yield op.fault(at, f"{op.name} says that {what} is at binding {binding} of set {number}, and none is")._replace(notes=(note,))


def _buffer_kind(name: str) -> str:
    return next((end for end in _BUFFERS if name.endswith(end)), "")


def _bound(number: int | None, binding: int | None, module: Module) -> Iterator[Instruction]:
    """The variables that are bound at a place."""
    for name in module.decorated_with("Binding"):
        record = module.definition(name)
        words = {found.name: found.params[0] for found in module.decorations(name) if found.params}
        placed = (words.get("DescriptorSet"), words.get("Binding")) == (number, binding)
        if placed and record is not None and record.opcode.value == spv.OpVariable:
            yield record


def _fits(name: str, variable: Instruction, module: Module) -> bool:
    held: Type | None = held_by(variable, module)
    while held is not None and held.is_array:
        held = held.element
    if held is None:
        return True
    if name in _IMAGES:
        sampled, is_buffer, _ = _IMAGES[name]
        return held.kind == spv.OpTypeImage and held.word(5) == sampled and (held.word(1) == _BUFFER) is is_buffer
    if name == "ArgumentSampler":
        return held.kind == spv.OpTypeSampler
    return word_at(variable, 0) == (_STORAGE_BUFFER if _buffer_kind(name) == "StorageBuffer" else _UNIFORM)


@instruction_rule("clspv/argument-workgroup/spec-id-exists", spv.OpExtInst, section="3.3.4", severity=Severity.WARNING)
def workgroup_spec_id(inst: Instruction, scene: Scene) -> Findings:
    """The SpecId that sizes a Workgroup argument is that of a specialization constant.

    Bad:  `ArgumentWorkgroup` with the SpecId 7, and no constant that is decorated `SpecId 7`.
    Good: a constant that is decorated `SpecId 7`, and an array of that length.
    """
    op = operation_of(inst, scene, _SET)
    if op is None or op.name != "ArgumentWorkgroup":
        return
    number = op.module.integer(op.id(2))
    known = {
        found.params[0]
        for name in op.module.decorated_with("SpecId")
        for found in op.module.decorations(name)
        if found.name == "SpecId" and found.params
    }
    if number is not None and number not in known:
        yield op.fault(2, f"no specialization constant has the SpecId {number}")


_QUALIFIERS: dict[int, tuple[str, frozenset[int]]] = {
    2: ("address space", frozenset(range(0x119B, 0x119F))),
    3: ("access", frozenset(range(0x11A0, 0x11A4))),
    4: ("type", frozenset(range(16))),
}
"""By place: what ArgumentInfo says, and the values that OpenCL's query for arguments gives."""


@instruction_rule("clspv/argument-info/qualifier-values", spv.OpExtInst, section="3.3.4", severity=Severity.WARNING)
def qualifiers(inst: Instruction, scene: Scene) -> Findings:
    """The qualifiers of an ArgumentInfo are values that OpenCL has for them.

    Bad:  the access qualifier 1.
    Good: the access qualifier 0x11A0, which is read-only.
    """
    op = operation_of(inst, scene, _SET)
    if op is None or op.name != "ArgumentInfo":
        return
    for at, (what, known) in _QUALIFIERS.items():
        number = op.module.integer(op.id(at))
        if number is not None and number not in known:
            yield op.fault(at, f"OpenCL has no {what} qualifier {number:#x}")
            return


@instruction_rule("clspv/kernel/attributes-format", spv.OpExtInst, section="3.3.4", severity=Severity.INFORMATION)
def attributes(inst: Instruction, scene: Scene) -> Findings:
    """The attributes of a kernel stand in one line, one space between them and none around them.

    clspv itself writes a space before the first one.

    Bad:  `%attributes = OpString " __kernel "`
    Good: `%attributes = OpString "__kernel reqd_work_group_size(1,1,1)"`
    """
    op = operation_of(inst, scene, _SET)
    text = _text(op, 4) if op is not None and op.name == "Kernel" else None
    if op is not None and text is not None and (text != text.strip() or b"\n" in text or b"  " in text):
        yield op.fault(4, "attributes stand in one line, one space between them and none around them")


def _text(op: ExtendedOperation, at: int) -> bytes | None:
    name = op.id(at)
    definition = op.module.definition(name) if name is not None else None
    if definition is None or definition.opcode.value != spv.OpString or definition.faults:
        return None
    return definition.operands[0] if isinstance(definition.operands[0], bytes) else None


@instruction_rule("clspv/printf-info", spv.OpExtInst, section="3.3.4", severity=Severity.WARNING)
def printf(inst: Instruction, scene: Scene) -> Findings:
    """PrintfInfo has a number of its own, and the size of each argument that its format takes, of 4 bytes at least.

    Bad:  the format `"%d %f"` with one size.
    Good: the format `"%d %f"` with two sizes.
    """
    op = operation_of(inst, scene, _SET)
    if op is None or op.name != "PrintfInfo":
        return
    number = op.module.integer(op.id(0))
    if number is not None:
        first = scene.shared("clspv/printf", dict[int, Instruction]).setdefault(number, inst)
        if first is not inst:
            note = Note(first, OPCODE, "it is used here first")
            yield op.fault(0, f"the PrintfID {number} is that of another format already")._replace(notes=(note,))
            return
    for at in range(2, len(op.operands)):
        size = op.module.integer(op.id(at))
        if size is not None and size < _LEAST_STORED:
            yield op.fault(at, f"an argument is stored in {_LEAST_STORED} bytes at least, and not in {size}")
            return
    text, given = _text(op, 1), len(op.operands) - 2
    if text is not None and _arguments(text) != given:
        yield op.fault(1, f"the format takes {counted(_arguments(text), 'argument')}, and {counted(given, 'size')} are given")


def _arguments(text: bytes) -> int:
    """How many arguments a format of printf takes."""
    count, at = 0, 0
    while (at := text.find(b"%", at)) >= 0:
        at += 1
        if text[at : at + 1] == b"%":
            at += 1
            continue
        while at < len(text) and text[at] not in _CONVERSIONS:
            count += text[at : at + 1] == b"*"
            at += 1
        count += at < len(text)
    return count


@instruction_rule("clspv/arity", spv.OpExtInst, section="3.3.4", severity=Severity.WARNING)
def arity(inst: Instruction, scene: Scene) -> Findings:
    """A reflection instruction has no more operands than its set gives it.

    Bad:  `%w = OpExtInst %void %reflection SpecConstantWorkDim %uint_0 %uint_1`
    Good: `%w = OpExtInst %void %reflection SpecConstantWorkDim %uint_0`
    """
    op = operation_of(inst, scene, _SET)
    if op is None:
        return
    declared = op.instruction.operands
    if len(op.operands) > len(declared) and not (declared and declared[-1].quantifier == "*"):
        given = counted(len(op.operands), "operand")
        yield op.fault(len(declared), f"{op.name} takes {counted(len(declared), 'operand')}, and {given} are given")


@instruction_rule("clspv/instruction-number-known", spv.OpExtInst, section="3.3.4", severity=Severity.WARNING)
def number_known(inst: Instruction, scene: Scene) -> Findings:
    """The number of a reflection instruction is that of one.

    A set that is not semantic may have others in a later revision; that of the import does not.

    Bad:  `%x = OpExtInst %void %reflection 999 %uint_0`
    Good: `%x = OpExtInst %void %reflection SpecConstantWorkDim %uint_0`
    """
    name, number = id_at(inst, 0), word_at(inst, 1)
    found = imported(name, scene) if name is not None else None
    if found is not None and found.set.name == _SET and number is not None and found.set.by_value(number) is None:
        yield Finding(inst, 1, f"{_SET} has no instruction {number}")
