"""Constructs of structured control flow (SPIR-V 2.11.2): what headers, merge blocks and continue targets delimit."""

from __future__ import annotations

from collections.abc import Iterator

from spvls.grammar import spv
from spvls.module.crossings import Range
from spvls.module.dominance import Dominators
from spvls.module.functions import Block, Function
from spvls.record import Enum, NamedTuple
from spvls.steps import PORTION, Steps, completed


class ConstructKind(Enum):
    SELECTION = "selection"
    LOOP = "loop"
    CONTINUE = "continue"


class Construct(NamedTuple):
    """`header` begins the construct: the header of a selection or loop, a loop's continue target.

    `exit` ends it: the merge block, for a continue construct the back-edge block (None where there is no single one).
    `loop` is the header of the loop that a loop or continue construct belongs to. Blocks are named by their labels.
    `parts` are where its blocks stand in the preorder of the dominator tree, and `holes` where those do that `header`
    structurally dominates besides; `is_regular` unless the latter are other than subtrees, or what a block dominates strictly.
    """

    kind: ConstructKind
    header: str
    exit: str | None
    loop: str | None
    parts: tuple[Range, ...]
    holes: tuple[Range, ...]
    is_regular: bool
    dominators: Dominators

    @property
    def blocks(self) -> frozenset[str]:
        """Its blocks, made each time it is asked for: constructs can lie in each other, and have blocks in common."""
        return frozenset(name for low, high in self.parts for name in self.dominators.tree[low:high])

    def holds(self, name: str) -> bool:
        """Whether a block is one of its."""
        if not self.dominators.reaches(name):
            return False
        place = self.dominators.span(name)[0]
        return any(low <= place < high for low, high in self.parts)


class Structure:
    """The constructs of a function, its back edges, and which headers claim which merge blocks.

    It does not hold the function, which holds it: what an edit replaces must go without a collection of garbage.
    """

    def __init__(self, function: Function) -> None:
        completed(self._build(function))

    @classmethod
    def steps(cls, function: Function) -> Steps[Structure]:
        """The same, made in short steps."""
        made = cls.__new__(cls)
        yield from made._build(function)
        return made

    def _build(self, function: Function) -> Steps[None]:
        self.blocks = function.blocks
        self.dominators = function.structural_dominators
        self.back_edges = yield from _back_edges(function)
        self.latches: dict[str, list[str]] = {}
        for latch, header in self.back_edges:
            self.latches.setdefault(header, []).append(latch)
        self.header_of_merge: dict[str, str] = {}
        self.constructs: list[Construct] = []
        self._breaks: dict[str, frozenset[str]] = {}
        self._loops: dict[str, str | None] = {}
        self._loops_and_switches: dict[str, str | None] = {}
        self._come_back_to = yield from _come_back_to(function)
        for block in function.blocks.values():
            merge = block.merge
            if merge is None or not isinstance(merge.operands[0], str):
                continue
            self.header_of_merge.setdefault(merge.operands[0], block.name)
        for at, block in enumerate(function.blocks.values(), 1):
            if not at % PORTION:
                yield
            if self.dominators.reaches(block.name):
                self.constructs.extend(self._constructs_of(block, function))

    def merge_of(self, name: str) -> str | None:
        """The merge block that a header declares."""
        merge = self.blocks[name].merge
        return merge.operands[0] if merge is not None and isinstance(merge.operands[0], str) else None

    def continue_of(self, name: str) -> str | None:
        """The continue target that a loop header declares."""
        merge = self.blocks[name].merge
        if merge is None or not is_loop(self.blocks[name]):
            return None
        return merge.operands[1] if isinstance(merge.operands[1], str) else None

    def _constructs_of(self, block: Block, function: Function) -> list[Construct]:
        merge = self.merge_of(block.name)
        if merge is None or merge not in self.blocks:
            return []
        if not is_loop(block):
            return [self._construct(ConstructKind.SELECTION, block.name, merge, None, [merge])]
        target = self.continue_of(block.name)
        if target is None or target not in self.blocks:
            return []
        latches = self.latches.get(block.name, [])
        latch = latches[0] if len(latches) == 1 else None
        return [
            self._construct(ConstructKind.LOOP, block.name, merge, block.name, [merge, target]),
            self._continue_construct(target, latch, block.name, function),
        ]

    def _construct(
        self, kind: ConstructKind, header: str, exit_: str | None, loop: str | None, ends: list[str]
    ) -> Construct:
        """What `header` structurally dominates, without what the `ends` do: a selection ends at its merge block, a loop at
        its continue target as well."""
        dominators = self.dominators
        holes = _within(dominators.span(header), [dominators.span(end) for end in ends])
        return Construct(kind, header, exit_, loop, _besides(dominators.span(header), holes), holes, True, dominators)

    def _continue_construct(self, target: str, latch: str | None, loop: str, function: Function) -> Construct:
        """What the continue `target` structurally dominates and the back-edge block `latch` structurally post dominates."""
        dominators = self.dominators
        whole = dominators.span(target)
        holes: tuple[Range, ...] = (whole,)
        regular = True
        if latch is not None and function.structural_post_dominators.dominates(latch, target):
            low, high = dominators.span(latch)
            if dominators.dominates(target, latch) and latch not in self._come_back_to:
                holes = ((low + 1, high),) if low + 1 < high else ()  # after it, no way has to come through it
            else:
                regular, holes = False, self._not_post_dominated(whole, latch, function.structural_post_dominators)
        parts = _besides(whole, holes)
        return Construct(ConstructKind.CONTINUE, target, latch, loop, parts, holes, regular, dominators)

    def _not_post_dominated(self, whole: Range, latch: str, after: Dominators) -> tuple[Range, ...]:
        places = (place for place in range(*whole) if not after.dominates(latch, self.dominators.tree[place]))
        return tuple((place, place + 1) for place in places)

    def is_structured_exit(self, construct: Construct, target: str) -> bool:
        """Whether a branch out of a construct to `target` is one that structured control flow allows (SPIR-V 2.11.2)."""
        return target in self.structured_exits(construct)

    def structured_exits(self, construct: Construct) -> frozenset[str]:
        """The blocks that branches out of a construct may go to: at most five."""
        loop = construct.loop
        if construct.kind is ConstructKind.LOOP and loop is not None:
            return _known(self.merge_of(loop), self.continue_of(loop))
        if construct.kind is ConstructKind.CONTINUE and loop is not None:
            return _known(loop, self.merge_of(loop))
        header = construct.header
        if header not in self._breaks:
            self._breaks[header] = _known(*self._leaving_enclosing(header))
        return self._breaks[header] | _known(construct.exit)

    def _leaving_enclosing(self, header: str) -> Iterator[str | None]:
        """The merge block and the continue target of the innermost loop around a header, and the merge block of a switch in
        that loop."""
        blocks = self.blocks
        past_switch = _terminator(blocks[header]) == spv.OpSwitch
        name = self._enclosing(header, loops=past_switch)
        while name is not None:
            merge = self.merge_of(name)
            if not self.dominators.dominates(merge or "", header):
                yield merge
                if is_loop(blocks[name]):
                    yield self.continue_of(name)
                    return
                past_switch = True
            name = self._enclosing(name, loops=past_switch)

    def _enclosing(self, name: str, *, loops: bool) -> str | None:
        """The next header of a loop, or else of a loop or switch, on the way outward from a block.

        The way leads from a merge block to its header, whose construct ends there, else to the immediate dominator.
        """
        dominators = self.dominators
        known = self._loops if loops else self._loops_and_switches
        passed: list[str] = []
        at: str | None = name
        found: str | None = None
        while at is not None:
            if at in known:
                found = known[at]
                break
            passed.append(at)
            header = self.header_of_merge.get(at)
            if header is not None and header != at and dominators.dominates(header, at):
                at = header
                continue
            at = dominators.immediate.get(at)
            if at is not None and self._can_be_left(at, loops=loops):
                found = at
                break
        known.update(dict.fromkeys(passed, found))
        return found

    def _can_be_left(self, name: str, *, loops: bool) -> bool:
        block = self.blocks[name]
        return is_loop(block) or (not loops and block.merge is not None and _terminator(block) == spv.OpSwitch)


def is_loop(block: Block) -> bool:
    """Whether the block is a loop header."""
    return block.merge is not None and block.merge.opcode.value == spv.OpLoopMerge


def _terminator(block: Block) -> int | None:
    """The opcode that ends a block; None where the text lacks it."""
    return block.terminator.opcode.value if block.terminator is not None else None


def _known(*names: str | None) -> frozenset[str]:
    return frozenset(name for name in names if name is not None)


def _within(whole: Range, spans: list[Range]) -> tuple[Range, ...]:
    """What subtrees take of another one, each place once."""
    found: list[Range] = []
    for low, high in sorted((max(low, whole[0]), min(high, whole[1])) for low, high in spans):
        if low < high and (not found or found[-1][1] <= low):
            found.append((low, high))
    return tuple(found)


def _besides(whole: Range, holes: tuple[Range, ...]) -> tuple[Range, ...]:
    """What is left of a range without the holes in it, which are in order."""
    low, end = whole
    found: list[Range] = []
    for first, after in holes:
        if low < first:
            found.append((low, first))
        low = after
    if low < end:
        found.append((low, end))
    return tuple(found)


def _come_back_to(function: Function) -> Steps[frozenset[str]]:
    """The blocks that a way of one step leads back to from what they structurally dominate."""
    dominates = function.structural_dominators.dominates
    found: set[str] = set()
    for at, (name, targets) in enumerate(function.structural_successors.items(), 1):
        if not at % PORTION:
            yield
        found.update(target for target in targets if dominates(target, name))
    return frozenset(found)


def _back_edges(function: Function) -> Steps[list[tuple[str, str]]]:
    """Branches from a block to one that is still open in a depth-first walk of the structural flow graph.

    The walk begins at the entry block, then at each other block that none leads to, and then at what is left.
    """
    ways = function.structural_successors
    found: list[tuple[str, str]] = []
    state: dict[str, int] = {}
    taken = 0
    led_to: set[str] = set()
    for ways_on in ways.values():
        led_to.update(ways_on)
        taken += 1
        if not taken % PORTION:
            yield
    entry = function.entry
    if entry is not None:
        led_to.discard(entry.name)
    for root in sorted(function.blocks, key=led_to.__contains__):
        if root in state:
            continue
        state[root] = 1
        stack = [(root, iter(ways[root]))]
        while stack:
            name, targets = stack[-1]
            taken += 1
            if not taken % PORTION:
                yield
            for target in targets:
                if target not in ways:
                    continue
                mark = state.get(target, 0)
                if mark == 1 and target in function.blocks[name].successors:
                    found.append((name, target))
                if mark == 0:
                    state[target] = 1
                    stack.append((target, iter(ways[target])))
                    break
            else:
                stack.pop()
                state[name] = 2
    return found
