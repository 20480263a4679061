"""NonSemantic.ClspvReflection: how kernels of OpenCL are laid out in a Vulkan module."""

from __future__ import annotations

from spvls.grammar import tables
from spvls.grammar.records import ExtendedInstruction, ExtendedSet
from spvls.module.module import Module
from spvls.syntax.instruction import Instruction, shown
from spvls.syntax.operand_decls import value
from spvls.validate.finding import Finding, Note
from spvls.validate.operand_at import id_at, word_at
from spvls.validate.rule import Findings, Scene, instruction_rule

_SET = "NonSemantic.ClspvReflection"
_COMPUTE = value("ExecutionModel", "GLCompute")

#: Operands by what they have to be; those named nowhere here are 32-bit unsigned constants.
_KERNELS = frozenset({"Decl", "Kernel"})
_STRINGS = frozenset({"Name", "Type Name", "Data", "FormatString", "Attributes"})


def _set_of(inst: Instruction, module: Module) -> tuple[ExtendedSet, str] | None:
    """The reflection set that an instruction belongs to, and the string that imports it."""
    named = id_at(inst, 0)
    import_name = module.import_name(named) if named is not None else None
    if import_name is None or not import_name.startswith(_SET):
        return None
    known = tables.extended_set(import_name)
    return (known, import_name) if known is not None and known.name == _SET else None


def _reflects(module: Module) -> bool:
    """Whether the module imports the reflection set."""
    return any(name.startswith(_SET) for name in module.declarations.imports.values())


def _instruction(inst: Instruction, scene: Scene) -> tuple[ExtendedInstruction, int] | None:
    """A reflection instruction, and the revision of the set that is imported."""
    module = scene.module
    if not scene.once("clspv", lambda: _reflects(module)):
        return None
    found = _set_of(inst, module)
    number = word_at(inst, 1)
    if found is None or number is None:
        return None
    revision = found[0].revision_of(found[1])
    instruction = found[0].by_value(number)
    return (instruction, revision) if instruction is not None and revision is not None else None


@instruction_rule("clspv/instruction-version", "OpExtInst", section="3.3.4")
def instruction_version(inst: Instruction, scene: Scene) -> Findings:
    """A reflection instruction, and each of its operands, is in the revision of the set that is imported.

    Bad:  `PrintfInfo` with `"NonSemantic.ClspvReflection.4"` imported.
    Good: `"NonSemantic.ClspvReflection.5"`
    """
    found = _instruction(inst, scene)
    if found is None:
        return
    instruction, revision = found
    if instruction.since > revision:
        message = f"{instruction.name} came with revision {instruction.since} of {_SET}, and revision {revision} is imported"
        yield Finding(inst, 1, message)
        return
    given = len(inst.operands) - 2
    for at, since in enumerate(instruction.operands_since[:given]):
        if since > revision:
            name = instruction.operands[at].name
            message = f"the operand {name} came with revision {since} of {_SET}, and revision {revision} is imported"
            yield Finding(inst, 2 + at, message)
            return


@instruction_rule("clspv/operands", "OpExtInst", section="3.3.4")
def operands(inst: Instruction, scene: Scene) -> Findings:
    """Operands of reflection instructions are what their names say, and come from the same import.

    Kernel, or Decl, is a Kernel instruction, ArgInfo an ArgumentInfo instruction; names, attributes, data and formats are
    OpString; all else are 32-bit unsigned constants. The instruction Kernel itself names a compute entry point, and its name.

    Bad:  `%a = OpExtInst %void %r ArgumentUniform %uint_0 %uint_0 %uint_0 %uint_0`
    Good: `%a = OpExtInst %void %r ArgumentUniform %kernel %uint_0 %uint_0 %uint_0`
    """
    module = scene.module
    found = _instruction(inst, scene)
    if found is None or found[0].since > found[1]:
        return
    instruction = found[0]
    for at in range(2, len(inst.operands)):
        declared = instruction.operands[min(at - 2, len(instruction.operands) - 1)]
        if at - 2 >= len(instruction.operands) and declared.quantifier != "*":
            return
        name = id_at(inst, at)
        definition = module.definition(name) if name is not None else None
        if name is None or definition is None:
            continue
        if instruction.name == "Kernel" and declared.name == "Kernel":
            message = _entry_point_fault(inst, name, definition, module)
        elif declared.name in _KERNELS:
            message = _instruction_fault(inst, name, definition, "Kernel", module)
        elif declared.name == "ArgInfo":
            message = _instruction_fault(inst, name, definition, "ArgumentInfo", module)
        elif declared.name in _STRINGS:
            message = None if definition.opcode.name == "OpString" else f"%{name} is no OpString, and {declared.name} is one"
        elif declared.name == "Variable":
            is_variable = definition.opcode.name == "OpVariable"
            message = None if is_variable else f"%{name} is no variable, and {declared.name} is one"
        else:
            message = _constant_fault(name, definition, declared.name, module)
        if message is not None:
            yield Finding(inst, at, message, (Note(definition, 0, f"%{name} is defined here"),) if definition.operands else ())
            return


def _constant_fault(name: str, definition: Instruction, role: str, module: Module) -> str | None:
    type_ = module.type(definition.type)
    if definition.opcode.name != "OpConstant" or type_ is None:
        return f"%{name} is no OpConstant, and {role} is one, a 32-bit unsigned integer"
    if not type_.is_int or type_.signed or type_.width != 32:
        return f"%{name} is {module.spell(type_)}, and {role} is a 32-bit unsigned integer"
    return None


def _instruction_fault(inst: Instruction, name: str, definition: Instruction, wanted: str, module: Module) -> str | None:
    if definition.opcode.name != "OpExtInst":
        return f"%{name} is no {wanted} instruction of {_SET}"
    if definition.operands[:1] != inst.operands[:1]:
        return f"%{name} is of another import than this: both belong to the same"
    if module.extended_instruction(definition) is None or module.extended_instruction(definition) != (
        module.import_name(str(inst.operands[0])),
        wanted,
    ):
        return f"%{name} is no {wanted} instruction of {_SET}"
    return None


def _entry_point_fault(inst: Instruction, name: str, definition: Instruction, module: Module) -> str | None:
    if definition.opcode.name != "OpFunction":
        return f"%{name} is no function, and a kernel is one"
    entries = [entry for entry in module.declarations.entry_points if entry.function == name]
    if not entries:
        return f"%{name} is no entry point, and a kernel is one"
    if any(entry.model != _COMPUTE for entry in entries):
        return f"%{name} is no GLCompute entry point, and a kernel is one"
    string = module.definition(str(inst.operands[3])) if len(inst.operands) > 3 else None
    named = string.operands[:1] if string is not None and string.opcode.name == "OpString" else None
    if named is not None and all(named != (entry.name,) for entry in entries):
        return f"%{name} is the entry point of another name than {shown(inst.operands[3])} says"
    return None
