"""Steps of quick fixes that go through the whole module, taken apart when their edits are made."""

from __future__ import annotations

from collections.abc import Iterator

from spvls.grammar.enumerants import StorageClass
from spvls.grammar.traits import VARIABLES
from spvls.module.interface import IN_OUT, users
from spvls.module.module import Module
from spvls.module.operand_at import word_at
from spvls.syntax.instruction import TYPE, Instruction
from spvls.validate.engine.finding import Append, BumpVersion, Delete, Replace, ReplaceAllUses, Step

_WHOLE_INTERFACE = (1, 4)
"""The version of SPIR-V since which an interface lists all global variables that are used (SPIR-V 3.3.5, OpEntryPoint)."""

_FUNCTION = StorageClass.Function


def expanded(step: Step, record: Instruction, module: Module) -> Iterator[tuple[Instruction, Step]]:
    """The plain steps that a step stands for, each with its instruction; `record` is that of the step as it stands now."""
    if isinstance(step, ReplaceAllUses):
        yield from _replacing_all_uses(record, step.by, module)
    elif not isinstance(step, BumpVersion):
        yield record, step
    elif module.version < _WHOLE_INTERFACE <= step.version:
        yield from _listing(module)


def _replacing_all_uses(record: Instruction, by: str, module: Module) -> Iterator[tuple[Instruction, Step]]:
    name = record.result
    for use in dict.fromkeys(use for _, use in module.ids.uses(name or "")):
        if use.opcode.class_ in ("Debug", "Annotation") and use.operands[:1] == (name,):
            yield use, Delete(use)
            continue
        if use.type == name:
            yield use, Replace(use, TYPE, f"%{by}")
        for operand_index, operand in enumerate(use.operands):
            if isinstance(operand, str) and operand == name:
                yield use, Replace(use, operand_index, f"%{by}")
    yield record, Delete(record)


def _listing(module: Module) -> Iterator[tuple[Instruction, Step]]:
    """Lists, in the interface of each entry point, the variables that older versions leave out."""
    missing: dict[int, tuple[Instruction, list[str]]] = {}
    for opcode in VARIABLES:
        for variable in module.declarations.records(opcode):
            name = variable.result
            if name is None or word_at(variable, 0) in (*IN_OUT, _FUNCTION):
                continue
            for entry in users(name, module):
                if name not in entry.interface:
                    missing.setdefault(id(entry.record), (entry.record, []))[1].append(f"%{name}")
    for entry_point, names in missing.values():
        yield entry_point, Append(entry_point, " ".join(names))
