"""Which facts of a module an edit changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import chain

from spvls.grammar import spv
from spvls.module.callgraph import CALL_FACTS
from spvls.module.decorations import ANNOTATIONS, DECORATION, GROUP_DECORATES, decoration_value
from spvls.module.dependencies import DEFINED_IDS, GLOBAL_TYPES, GLOBALS, RECURSIVE_TYPES, Facts
from spvls.module.ids import Scope, SymbolTable
from spvls.syntax.document import Change, Chunk
from spvls.syntax.instruction import Instruction, Operand

Definition = tuple[Chunk, Instruction]

_UNCONDITIONAL = {
    spv.OpConditionalCapabilityINTEL: spv.OpCapability,
    spv.OpConditionalEntryPointINTEL: spv.OpEntryPoint,
    spv.OpConditionalExtensionINTEL: spv.OpExtension,
    spv.OpConditionalCopyObjectINTEL: spv.OpCopyObject,
}
"""What a conditional instruction is a form of."""


def results(changes: Iterable[Change]) -> set[str]:
    """The ids that instructions which left or came define."""
    return {
        record.result
        for _, removed, added in changes
        for record in chain(removed, added)
        if record.result is not None
    }


def changed_facts(
    changes: Iterable[Change],
    before: Mapping[str, Definition | None],
    inverted: set[str],
    ids: SymbolTable,
    main: Chunk,
    inner: Iterable[Instruction],
) -> Facts:
    """The facts that changes made into others.

    `before` are the sole definitions that ids had which the changes define, `inverted` the ids of types that came to be or
    ceased to be on a cycle, `ids` the table as it is now, `main` the chunk before the first function, and `inner` the
    declarations that stand in functions.
    """
    changed = Facts()
    changed.definitions |= inverted
    changed.types |= inverted
    if inverted:
        changed.module.add(RECURSIVE_TYPES)
    for name, old in before.items():
        _compare(name, old, ids.sole_definition(name), changed)
    changed.decorations.update(name for name in before if not ids.is_known(name))
    for chunk, removed, added in changes:
        changed.chunks.add(id(chunk))
        if chunk is main:
            changed.module.add(GLOBALS)
        if chunk.is_function:
            changed.module.add(f"%{chunk.records[0].result}")
        for record in chain(removed, added):
            _note(record, ids, changed)
            _note_uses(record, chunk, ids, changed)
            if chunk is main or record.opcode.value in CALL_FACTS:
                changed.module.add(record.opcode.value)
                if record.opcode.is_type:
                    changed.module.add(GLOBAL_TYPES)
                if record.opcode.value in _UNCONDITIONAL:
                    changed.module.add(_UNCONDITIONAL[record.opcode.value])
    scope = ids.scope(main)
    changed.decorations |= _grouped(changed.decorations, scope.uses_of)
    changed.values |= _dependents(changed.definitions, scope, inner)
    return changed


def _compare(name: str, old: Definition | None, new: Definition | None, changed: Facts) -> None:
    """Note what another definition of an id makes into something else."""
    moved = old is None or new is None or old[0] is not new[0]
    if old is None or new is None or moved or not _same(old[1], new[1]):
        changed.definitions.add(name)
        if moved:
            changed.module.add(DEFINED_IDS)
        if old is None or new is None or moved or not _alike(old[1], new[1]):
            changed.types.add(name)


def _note(record: Instruction, ids: SymbolTable, changed: Facts) -> None:
    """Note what an instruction that left or came says of others."""
    declared = ids.definition(record.type) if record.type is not None else None
    if declared is not None and declared.opcode.value == spv.OpTypePointer:
        changed.module.add(f"values of %{record.type}")
    # Who asked for an id in vain may have looked at its uses.
    missing = [name for name in record.uses() if ids.definition(name) is None]
    changed.definitions.update(missing)
    changed.types.update(missing)
    changed.decorations.update(missing)
    if record.opcode.value == spv.OpTypeForwardPointer:
        changed.definitions.update(record.uses())
    if record.opcode.value in ANNOTATIONS:
        changed.decorations.update(record.uses())
        if record.result is not None:
            changed.decorations.add(record.result)
        value = decoration_value(record)
        if value is not None:
            changed.module.add(f"{DECORATION}{value}")


def _note_uses(record: Instruction, chunk: Chunk, ids: SymbolTable, changed: Facts) -> None:
    """Note which ids of functions an instruction uses that left or came elsewhere; OpName does not count."""
    if record.opcode.value != spv.OpName:
        changed.module.update(f"uses of %{name} elsewhere" for name in record.uses() if ids.is_of_other_function(name, chunk))


def _grouped(names: set[str], uses: Callable[[str], Iterable[Instruction]]) -> set[str]:
    """What the decoration groups among the names decorate."""
    found: set[Operand] = set()
    for name in names:
        for record in uses(name):
            if record.opcode.value in GROUP_DECORATES and record.operands[0] == name:
                found.update(record.operands)
    return {target for target in found if isinstance(target, str)}


def _dependents(names: set[str], scope: Scope, inner: Iterable[Instruction]) -> set[str]:
    """The names, and the types, constants and global ids whose declarations are made of them, in any number of steps."""
    within: dict[str, list[Instruction]] = {}
    for record in inner:
        for name in record.uses():
            within.setdefault(name, []).append(record)
    found = set(names)
    waiting = list(names)
    uses = scope.uses
    while waiting:
        name = waiting.pop()
        users = uses.get(name, ())
        for record in (users,) if isinstance(users, Instruction) else users:
            if record.result is not None and record.result not in found:
                found.add(record.result)
                waiting.append(record.result)
        for record in within.get(name, ()) if within else ():
            if record.result is not None and record.result not in found:
                found.add(record.result)
                waiting.append(record.result)
    return found


def _alike(old: Instruction, new: Instruction) -> bool:
    """Whether two instructions make results of one kind: by the same opcode, of the same type, both or neither at fault."""
    return old.opcode is new.opcode and old.type == new.type and bool(old.faults) is bool(new.faults)


def _same(old: Instruction, new: Instruction) -> bool:
    """Whether two instructions say the same, wherever they stand."""
    return (
        old.opcode is new.opcode
        and old.type == new.type
        and old.operands == new.operands
        and old.faults == new.faults
    )
