"""Variables, whether their pointers are typed or not (SPIR-V 3.3.8), and their storage classes (3.2.6)."""

from __future__ import annotations

from spvls.grammar import spv
from spvls.module.module import Module
from spvls.module.operand_at import id_at
from spvls.module.types import Type
from spvls.syntax.instruction import Instruction
from spvls.syntax.operand_decls import enumerant_name


def held_by(variable: Instruction, module: Module) -> Type | None:
    """What a variable holds."""
    if variable.opcode.value == spv.OpVariable:
        pointer = module.type(variable.type)
        return pointer.pointee if pointer is not None else None
    return module.type(id_at(variable, 1))


def initializer_place(inst: Instruction) -> int:
    """The place of the operand Initializer, whether it is there or not."""
    return 1 if inst.opcode.value == spv.OpVariable else 2


def initializer(inst: Instruction) -> str | None:
    """The id that a variable begins with."""
    return id_at(inst, initializer_place(inst))


def storage_name(number: int | None) -> str:
    """What a storage class is called."""
    return enumerant_name("StorageClass", number) if number is not None else str(number)


def the_class(word: int | None) -> str:
    """A storage class as messages call it."""
    return f"the storage class {storage_name(word)}"
