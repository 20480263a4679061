"""Taking away what has no effect: variables that are only stored to, functions that nothing calls, copies of values."""

from __future__ import annotations

from collections.abc import Iterator

from spvls.diagnostic import Edit
from spvls.grammar import spv
from spvls.grammar.enumerants import Decoration, MemoryAccess, StorageClass
from spvls.ide.refactor.refactoring import REWRITE, Refactoring
from spvls.ide.refactor.rewrite import Rewrite, about, is_grouped
from spvls.ide.refactor.site import Site
from spvls.module.functions import Function
from spvls.module.module import Module
from spvls.syntax.instruction import Instruction
from spvls.validate.engine.finding import Delete, ReplaceAllUses

_OWN = (StorageClass.Function, StorageClass.Private)
"""Storage classes of variables that one invocation alone sees."""

_CHAINS = frozenset({spv.OpAccessChain, spv.OpInBoundsAccessChain})


def dead_code_refactorings(site: Site) -> Iterator[Refactoring]:
    """Of the variable, the function or the copy at the cursor."""
    record = site.record
    if record is None or record.result is None:
        return
    if record.opcode.value == spv.OpVariable and record.operands[:1] in [(storage,) for storage in _OWN]:
        gone = _only_stored(record, site.module)
        if gone:
            title = f"Remove %{record.result}, which is stored to and never loaded"
            yield Refactoring("remove-stores", title, REWRITE, lambda: _removal(site, gone))
    elif record.opcode.value == spv.OpFunction and site.function is not None and _is_uncalled(site, site.function):
        function = site.function
        title = f"Remove the function %{record.result}, which nothing calls"
        yield Refactoring("remove-uncalled", title, REWRITE, lambda: _without_function(site, function))
    elif record.opcode.value == spv.OpCopyObject:
        origin = _origin(record, site.module)
        if origin is not None:
            title = f"Use %{origin} in the place of its copy %{record.result}"
            yield Refactoring("forward-copy", title, REWRITE, lambda: _forwarded(site, record, origin))


def _removal(site: Site, gone: list[Instruction]) -> list[Edit]:
    rewrite = Rewrite(site.source, site.chunk)
    rewrite.do(*[Delete(record) for record in gone])
    return rewrite.edits()


# Variables


def _only_stored(variable: Instruction, module: Module) -> list[Instruction]:
    """What goes with a variable that is never loaded; empty where something else uses it, or nothing does."""
    gone: list[Instruction] = []
    stores = 0
    waiting = [variable]
    while waiting:
        pointer = waiting.pop()
        name = str(pointer.result)
        own = about(name, module)
        if is_grouped(name, module):
            return []
        gone += [pointer, *own]
        for _, use in module.ids.uses(name):
            if use.faults or (use.opcode.value == spv.OpStore and not _is_own_store(use, name)):
                return []
            if use.opcode.value == spv.OpStore:
                stores += 1
                gone.append(use)
            elif use.opcode.value in _CHAINS and use.operands[0] == name and use.result is not None:
                waiting.append(use)
            elif use not in own:
                return []
    return list(dict.fromkeys(gone)) if stores else []


def _is_own_store(store: Instruction, pointer: str) -> bool:
    mask = store.operands[2] if len(store.operands) > 2 else 0
    return store.operands[1] != pointer and isinstance(mask, int) and not mask & MemoryAccess.Volatile


# Functions


def _is_uncalled(site: Site, function: Function) -> bool:
    """Whether only its own instructions, and what names or decorates them, know a function."""
    module = site.module
    inside = {id(record) for record in function.records}
    if module.has_decoration(function.name, Decoration.LinkageAttributes) or not site.has_lines_alone(function.records):
        return False
    for name in function.names:
        own = set(map(id, about(name, module)))
        if is_grouped(name, module) or any(id(use) not in inside | own for _, use in module.ids.uses(name)):
            return False
    return any(record.opcode.value == spv.OpEntryPoint for record in module.chunks[0].records)


def _without_function(site: Site, function: Function) -> list[Edit]:
    rewrite = Rewrite(site.source, site.chunk)
    rewrite.cut(*rewrite.extent(function.records))
    named = [record for name in function.names for record in about(name, site.module)]
    rewrite.do(*[Delete(record) for record in dict.fromkeys(named)])
    return rewrite.edits()


# Copies


def _origin(copy: Instruction, module: Module) -> str | None:
    """What a copy, or a copy of a copy, is of; None where the copy has decorations of its own."""
    if copy.result is None or is_grouped(copy.result, module):
        return None
    if {found.value for found in module.decorations(copy.result)} - {Decoration.RelaxedPrecision}:
        return None
    seen = {copy.result}
    name = copy.operands[0] if copy.operands else None
    while isinstance(name, str) and name not in seen:
        seen.add(name)
        maker = module.defining_instruction(name)
        if maker is None or module.value_type(name) != copy.type:
            return None
        if maker.opcode.value != spv.OpCopyObject or maker.faults:
            return name
        name = maker.operands[0] if maker.operands else None
    return None


def _forwarded(site: Site, copy: Instruction, origin: str) -> list[Edit]:
    rewrite = Rewrite(site.source, site.chunk)
    rewrite.do(ReplaceAllUses(copy, origin))
    return rewrite.edits()
