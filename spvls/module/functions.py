"""Functions and their blocks (SPIR-V 2.2.5, 2.4)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, takewhile

from spvls.grammar import spv
from spvls.grammar.records import Entity
from spvls.grammar.tables import NO_OPCODE
from spvls.grammar.traits import MERGES, TERMINATORS, VARIABLES
from spvls.module.context_dependent import EXTENDED
from spvls.module.dominance import Dominators
from spvls.record import cached_property
from spvls.steps import PORTION, Steps, completed
from spvls.syntax.instruction import Instruction
from spvls.syntax.operand_decls import declared_operands, enumerants, has_enumerants
from spvls.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from spvls.module.constructs import Structure


Form = tuple[object, ...]

_REFINED = VARIABLES | EXTENDED
"""Opcodes of which a form has the first operand as well."""

_LONGEST_FORM = 20_000
"""Instructions of a function that has a form."""

_SHAPING = TERMINATORS | MERGES | {spv.OpLabel, spv.OpFunction, spv.OpFunctionParameter, spv.OpFunctionEnd, NO_OPCODE}

_BORDERS = TERMINATORS | MERGES | {spv.OpLabel, spv.OpFunctionEnd}

_PLAIN_ENDS = frozenset({spv.OpReturn, spv.OpReturnValue, spv.OpKill, spv.OpUnreachable, spv.OpTerminateInvocation})


def _shapes_blocks(records: list[Instruction], at: int) -> bool:
    """Whether the blocks of a function may hang on an instruction.

    One of an unknown opcode may be anything but between two instructions in the middle of a block, where no merge instruction and
    no terminator can stand.
    """
    if records[at].opcode.value != NO_OPCODE:
        return records[at].opcode.value in _SHAPING
    before, after = records[at - 1].opcode.value, records[at + 1].opcode.value if at + 1 < len(records) else NO_OPCODE
    return before in _SHAPING - {spv.OpLabel} or after in _SHAPING - _PLAIN_ENDS


def entities_of(records: list[Instruction]) -> frozenset[Entity]:
    """The opcodes and the enumerants that instructions use."""
    found: set[Entity] = set()
    for record in records:
        opcode = record.opcode
        found.add(opcode)
        if record.faults or not has_enumerants(opcode):
            continue
        for declared, operand in declared_operands(record):
            if isinstance(operand, int):
                found.update(enumerants(declared.kind, operand))
    return frozenset(found)


class Block:
    """A label and what follows it up to, and with, its terminator. `terminator` is None where the text lacks it; `merge` is the
    last merge instruction."""

    __slots__ = ("label", "merge", "name", "records", "successors", "terminator")

    def __init__(self, records: list[Instruction], merge: Instruction | None, terminator: Instruction | None) -> None:
        self.label = records[0]
        self.name = self.label.result or ""
        self.records = records
        self.terminator = terminator
        self.merge = merge
        self.successors = targets(terminator) if terminator is not None else ()

    def __repr__(self) -> str:
        return f"<Block %{self.name}>"


def targets(terminator: Instruction) -> tuple[str, ...]:
    """The labels that a terminator branches to, each once, in the order of its operands."""
    operands = terminator.operands
    match terminator.opcode.value:
        case spv.OpBranch:
            found = operands[:1]
        case spv.OpBranchConditional:
            found = operands[1:3]
        case spv.OpSwitch:
            found = (*operands[1:2], *operands[3::2])
        case _:
            return ()
    return tuple(dict.fromkeys(target for target in found if isinstance(target, str)))


def is_complete(records: list[Instruction]) -> bool:
    """Whether the function of these instructions has a body and an end."""
    is_ended = any(record.opcode.value == spv.OpFunctionEnd and not record.faults for record in reversed(records))
    return is_ended and any(record.opcode.value == spv.OpLabel and not record.faults for record in records)


class Function:
    """A function of the module: declaration or definition.

    `records` are the instructions of its chunk that could be read, among them those that stand before the first label
    (`head`) and those out of place. Blocks are by label name, in the order of the text. It is `whole` where all
    instructions could be read, and `damaged` where one that could not leaves its blocks in doubt.
    """

    def __init__(self, records: list[Instruction]) -> None:
        completed(self._read(records))

    @classmethod
    def steps(cls, records: list[Instruction]) -> Steps[Function]:
        """The same, made in short steps."""
        made = cls.__new__(cls)
        yield from made._read(records)
        return made

    def _read(self, records: list[Instruction]) -> Steps[None]:
        faulty = [record for record in records if record.faults]
        self.records = [records[0], *[record for record in records[1:] if not record.faults]] if faulty else records[:]
        self.names = frozenset([record.result for record in records if record.result is not None])
        self.whole = len(self.records) == len(records)
        self.damaged = bool(faulty) and any(record.faults and _shapes_blocks(records, at) for at, record in enumerate(records))
        self.record = records[0]
        self.name = self.record.result or ""
        self.result_type = self.record.type
        self.head: list[Instruction] = []
        self.end: Instruction | None = None
        self.blocks: dict[str, Block] = {}
        self.duplicate_labels: list[Instruction] = []
        into, merge = self.head, None
        paused = 0
        yield
        for at, record in enumerate(self.records):
            opcode = record.opcode.value
            if opcode not in _BORDERS:
                into.append(record)
            elif opcode == spv.OpFunctionEnd or opcode == spv.OpLabel:
                self._close(into, merge)
                into, merge = self.head, None
                if opcode == spv.OpLabel:
                    into = [record]
                    if at - paused >= PORTION:
                        paused = at
                        yield
                else:
                    self.end = self.end or record
            else:
                into.append(record)
                if opcode in MERGES:
                    merge = record
                else:
                    self._close(into, merge, record)
                    into, merge = self.head, None
        self._close(into, merge)

    def _close(self, records: list[Instruction], merge: Instruction | None, terminator: Instruction | None = None) -> None:
        """A block ends, unless the instructions are those of the head."""
        if records is self.head:
            return
        block = Block(records, merge, terminator)
        if block.name in self.blocks:
            self.duplicate_labels.append(block.label)
        else:
            self.blocks[block.name] = block

    @property
    def parameters(self) -> list[Instruction]:
        return [record for record in self.head if record.opcode.value == spv.OpFunctionParameter]

    @cached_property
    def variables(self) -> list[Instruction]:
        """The variables that stand in it."""
        return [record for record in self.records if record.opcode.value in VARIABLES]

    @property
    def type_id(self) -> str | None:
        """The id of its function type."""
        operands = self.record.operands
        return operands[1] if len(operands) > 1 and isinstance(operands[1], str) else None

    @property
    def is_sound(self) -> bool:
        """Whether all of it could be read, and it has blocks, each with a label of its own, and an end."""
        return self.whole and not self.damaged and not self.duplicate_labels and self.end is not None and bool(self.blocks)

    @property
    def before_end(self) -> list[Instruction]:
        """Its instructions before the first OpFunctionEnd."""
        return [*takewhile(lambda record: record.opcode.value != spv.OpFunctionEnd, self.records)]

    @property
    def is_declaration(self) -> bool:
        """Whether it has no body."""
        return not self.blocks

    @property
    def entry(self) -> Block | None:
        """The block that the function begins with."""
        return next(iter(self.blocks.values()), None)

    def calls(self) -> Iterator[Instruction]:
        """Its OpFunctionCall instructions."""
        return (record for record in self.records if record.opcode.value == spv.OpFunctionCall)

    @cached_property
    def entities(self) -> frozenset[Entity]:
        """The opcodes and the enumerants that it uses."""
        return entities_of(self.records)

    @cached_property
    def opcodes(self) -> frozenset[int]:
        """The values of the opcodes that it uses."""
        return frozenset([record.opcode.value for record in self.records])

    @cached_property
    def form(self) -> Form | None:
        """What functions have in common that differ in nothing but ids, types, and literals.

        Those are the opcodes in order, with the storage classes of variables and the sets of extended instructions; and of
        each block where its merge instruction and its branches lead, as the numbers of the blocks. Also whether all could be
        read. None where a branch leads to no block, where labels are not unique, and for long functions.
        """
        if self.duplicate_labels or len(self.records) > _LONGEST_FORM:
            return None
        number = {name: at for at, name in enumerate(self.blocks)}
        parts: list[object] = []
        for record in self.records:
            opcode = record.opcode.value
            parts.append(opcode)
            if opcode in _REFINED:
                parts.append(record.operands[:1])
            elif opcode in MERGES:
                parts.append(tuple([number.get(str(name)) for name in record.operands[: 2 if opcode == spv.OpLoopMerge else 1]]))
        parts.extend(tuple([number.get(name) for name in block.successors]) for block in self.blocks.values())
        return None if any(isinstance(part, tuple) and None in part for part in parts) else (self.whole, *parts)

    @cached_property
    def block_of(self) -> dict[int, Block]:
        """The block of each of its instructions, by the `id()` of the instruction."""
        return completed(self._block_of())

    def _block_of(self) -> Steps[dict[int, Block]]:
        found: dict[int, Block] = {}
        for at, block in enumerate(self.blocks.values(), 1):
            found.update(dict.fromkeys(map(id, block.records), block))
            if not at % PORTION:
                yield
        return found

    @cached_property
    def home(self) -> dict[str, str]:
        """The name of the block that first defines each id, labels left out."""
        found: dict[str, str] = {}
        for name, block in self.blocks.items():
            for record in block.records[1:]:
                if record.result is not None and record.result not in found:
                    found[record.result] = name
        return found

    @cached_property
    def order(self) -> dict[int, int]:
        """The position of each instruction in the function, by `id()`."""
        return dict(zip(map(id, self.records), count()))

    @cached_property
    def predecessors(self) -> dict[str, list[str]]:
        """The blocks that branch to each block."""
        found: dict[str, list[str]] = {name: [] for name in self.blocks}
        for block in self.blocks.values():
            for target in block.successors:
                if target in found:
                    found[target].append(block.name)
        return found

    @cached_property
    def dominators(self) -> Dominators:
        """Dominance along branches (SPIR-V 2.2.5), from the entry block."""
        return self._dominators({block.name: block.successors for block in self.blocks.values()})

    @cached_property
    def structural_successors(self) -> dict[str, tuple[str, ...]]:
        """Branches, and the ways from a header to its merge block and its continue target (SPIR-V 2.2.5)."""
        return completed(self._structural_successors())

    def _structural_successors(self) -> Steps[dict[str, tuple[str, ...]]]:
        found: dict[str, tuple[str, ...]] = {}
        for block in self.blocks.values():
            onward = block.successors
            found[block.name] = onward if block.merge is None else tuple(dict.fromkeys((*declared_targets(block), *onward)))
            if not len(found) % PORTION:
                yield
        return found

    @cached_property
    def structural_dominators(self) -> Dominators:
        """Structural dominance (SPIR-V 2.2.5)."""
        return self._dominators(self.structural_successors)

    @cached_property
    def structural_post_dominators(self) -> Dominators:
        """Structural post dominance: dominance from a virtual exit, `""`, along the edges turned round."""
        return Dominators("", self._turned(self.structural_successors))

    @cached_property
    def post_dominators(self) -> Dominators:
        """Post dominance along branches (SPIR-V 2.2.5): dominance from a virtual exit, `""`, along the edges turned round."""
        return Dominators("", self._turned({block.name: block.successors for block in self.blocks.values()}))

    def _turned(self, onward: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
        """The edges of control flow turned round, from a virtual exit, `""`."""
        turned: dict[str, list[str]] = {name: [] for name in self.blocks}
        exits: list[str] = []
        for name, successors in onward.items():
            known = [target for target in successors if target in turned]
            for target in known:
                turned[target].append(name)
            if not known:
                exits.append(name)
        return {"": tuple(exits), **{name: tuple(before) for name, before in turned.items()}}

    @cached_property
    def structure(self) -> Structure:
        """Its constructs (SPIR-V 2.11.2)."""
        from spvls.module.constructs import Structure

        return Structure(self)

    def block_of_steps(self) -> Steps[None]:
        """Make `block_of` in short steps."""
        if "block_of" not in self.__dict__:
            self.__dict__["block_of"] = yield from self._block_of()

    def dominance_steps(self) -> Steps[None]:
        """Make `dominators` in short steps."""
        if "dominators" not in self.__dict__:
            yield
            successors = {block.name: block.successors for block in self.blocks.values()}
            self.__dict__["dominators"] = yield from Dominators.steps(self._first, successors)

    def structural_dominance_steps(self) -> Steps[None]:
        """Make `structural_dominators` in short steps."""
        known = self.__dict__
        if "structural_successors" not in known:
            known["structural_successors"] = yield from self._structural_successors()
        if "structural_dominators" not in known:
            known["structural_dominators"] = yield from Dominators.steps(self._first, self.structural_successors)

    def structure_steps(self) -> Steps[None]:
        """Make `structure`, and the structural dominators, in short steps."""
        from spvls.module.constructs import Structure

        known = self.__dict__
        yield from self.structural_dominance_steps()
        yield
        has_loops = any(block.merge is not None and block.merge.opcode.value == spv.OpLoopMerge for block in self.blocks.values())
        if has_loops and "structural_post_dominators" not in known:
            turned = self._turned(self.structural_successors)
            yield
            known["structural_post_dominators"] = yield from Dominators.steps("", turned)
        if "structure" not in known:
            known["structure"] = yield from Structure.steps(self)

    @property
    def _first(self) -> str:
        """The name of the block that the function begins with; empty without one."""
        entry = self.entry
        return entry.name if entry is not None else ""

    def _dominators(self, successors: dict[str, tuple[str, ...]]) -> Dominators:
        return Dominators(self._first, successors)


def declared_targets(block: Block) -> tuple[str, ...]:
    """The merge block and the continue target that a header's merge instruction declares."""
    if block.merge is None:
        return ()
    count = 2 if block.merge.opcode.value == spv.OpLoopMerge else 1
    return tuple(target for target in block.merge.operands[:count] if isinstance(target, str))
