"""Leaving a function: returns (SPIR-V 3.3.17), and lifetimes of variables."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.syntax.instruction import OPCODE, TYPE, Instruction, shown
from spvls.syntax.operand_decls import value
from spvls.validate.finding import Finding, Mend, Note, Replace
from spvls.validate.mends import converted
from spvls.validate.rule import Findings, Scene, instruction_rule

_FUNCTION = value("StorageClass", "Function")


@instruction_rule("function/return-void", "OpReturn", section="3.3.17")
def return_void(inst: Instruction, scene: Scene) -> Findings:
    """OpReturn ends functions that return void; others end with OpReturnValue.

    Bad:  `OpReturn` in a function of type `%float`.
    Good: `OpReturnValue %result`
    """
    function = scene.function
    type_ = scene.module.type(function.result_type) if function is not None else None
    if function is not None and type_ is not None and type_.kind != "Void":
        note = Note(function.record, TYPE, f"%{function.name} returns {scene.module.spell(type_)}")
        message = f"%{function.name} returns {scene.module.spell(type_)}: end it with OpReturnValue and a value"
        yield Finding(inst, OPCODE, message, (note,))


@instruction_rule("function/return-value", "OpReturnValue", section="3.3.17")
def return_value(inst: Instruction, scene: Scene) -> Findings:
    """The value that a function returns has the function's result type, and is not a logical pointer.

    Bad:  `OpReturnValue %int_0` in a function of type `%float`.
    Good: `OpReturnValue %float_0`
    """
    module, function = scene.module, scene.function
    name = inst.operands[0]
    if function is None or not isinstance(name, str) or module.definition(name) is None:
        return
    type_ = module.type_of(name)
    wanted = module.type(function.result_type)
    if type_ is None:
        yield Finding(inst, 0, f"%{name} is no value that could be returned")
    elif type_.kind == "Void":
        yield Finding(inst, 0, f"%{name} is void, and OpReturnValue returns a value", mends=_plain_return(inst))
    elif (
        type_.is_pointer
        and module.declarations.is_logical
        and not module.has_capability("VariablePointersStorageBuffer")
        and not scene.options.relax_logical_pointer
    ):
        message = f"%{name} is {module.spell(type_)}, and the Logical addressing model returns no pointers"
        yield Finding(inst, 0, message)
    elif wanted is not None and wanted.id != type_.id:
        message = f"%{name} is {module.spell(type_)}, and %{function.name} returns {module.spell(wanted)}"
        note = Note(function.record, TYPE, "the function's result type")
        yield Finding(inst, 0, message, (note,), converted(inst, 0, wanted, module))


def _plain_return(inst: Instruction) -> tuple[Mend, ...]:
    return (Mend("Return without a value", (Replace(inst, OPCODE, "OpReturn"),), preferred=False),)


@instruction_rule("function/lifetime", "OpLifetimeStart", "OpLifetimeStop", section="3.3.17")
def lifetime(inst: Instruction, scene: Scene) -> Findings:
    """A lifetime is that of a variable in the Function storage class, and its size is 0 unless pointers are addresses.

    Bad:  `OpLifetimeStart %workgroup_variable 0`
    Good: `OpLifetimeStart %local_variable 0`
    """
    module = scene.module
    type_ = module.type_of(inst.operands[0])
    if type_ is None:
        return
    if type_.kind != "Pointer":
        yield Finding(inst, 0, f"{shown(inst.operands[0])} is {module.spell(type_)}, expected a pointer to a local variable")
    elif type_.storage != _FUNCTION:
        yield Finding(inst, 0, f"{shown(inst.operands[0])} is {module.spell(type_)}, expected the Function storage class")
    elif inst.operands[1] != 0 and not module.has_capability("Addresses"):
        yield Finding(inst, 1, "a size other than 0 needs the Addresses capability", mends=_zero(inst))


def _zero(inst: Instruction) -> tuple[Mend, ...]:
    return (Mend("Write 0", (Replace(inst, 1, "0"),)),)


@instruction_rule(
    "opcode/lifetime/size-zero", "OpLifetimeStart", "OpLifetimeStop", section="3.3.17", severity=Severity.INFORMATION
)
def lifetime_size(inst: Instruction, scene: Scene) -> Findings:
    """The size of a lifetime is 0 where the pointer's type says how much memory lives.

    The reference validator does not look, and compilers give sizes in octets nonetheless.

    Bad:  `OpLifetimeStart %pointer_to_float 4`
    Good: `OpLifetimeStart %pointer_to_float 0`
    """
    type_ = scene.module.type_of(inst.operands[0])
    held = type_.pointee if type_ is not None else None
    if held is not None and held.kind != "Void" and inst.operands[1] != 0 and not any(lifetime(inst, scene)):
        message = f"the size is {shown(inst.operands[1])}, expected 0: the {scene.module.spell(held)} that is pointed to lives"
        yield Finding(inst, 1, message, mends=_zero(inst))
