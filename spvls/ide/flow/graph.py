"""The control flow graph of functions as plain data, for whoever draws it (SPIR-V 2.2.5, 2.11)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from spvls.diagnostic import Position, Range
from spvls.grammar import spv
from spvls.grammar.traits import MERGES
from spvls.ide.documentation.id_markdown import operand_text
from spvls.ide.documentation.value_text import plain_value
from spvls.ide.features.symbols import called
from spvls.ide.source.source_module import SourceModule
from spvls.module.constants import number
from spvls.module.constructs import ConstructKind
from spvls.module.functions import Block, Function, declared_targets
from spvls.module.module import Module
from spvls.record import NamedTuple
from spvls.syntax.document import Chunk
from spvls.syntax.instruction import Instruction
from spvls.validate.checks.pointers import root


class FlowBlock(NamedTuple):
    """A block: all of it, the blocks it branches to, and what its merge instruction declares.

    `accesses` says what of memory and of other functions the block names: "loads %a, %b", "stores %c", "calls %f".
    `instructions` counts those between its label and its terminator, but for a merge instruction; `exit` says how it ends, and on
    what that hangs, such as `OpBranchConditional %condition`, and is empty for a plain branch. `construct` is the innermost one
    that it lies in, by its place among those of the graph. The dominators are the immediate ones (SPIR-V 2.2.5); None where there
    is none, as for the entry block, and for a block that nothing after it post dominates.
    """

    id: str
    name: str
    range: Range
    successors: tuple[str, ...]
    merge: str | None
    continues: str | None
    terminator: str
    exit: str
    accesses: tuple[str, ...]
    instructions: int
    reachable: bool
    dominator: str | None
    construct: int | None
    post_dominator: str | None
    structural_dominator: str | None
    structural_post_dominator: str | None


class FlowEdge(NamedTuple):
    """All the ways from a block to another at once.

    `kind` is `branch`, `true`, `false`, `case` or `default`, and `labels` says when they are taken: `true`, `false`, the values
    of cases, `default`; nothing for a plain branch. `back` marks the edge that closes a loop.
    """

    source: str
    target: str
    kind: str
    labels: tuple[str, ...]
    back: bool


class FlowConstruct(NamedTuple):
    """A construct of structured control flow: `kind` is `selection`, `switch` or `loop`, a loop's continue construct included.

    `control` is what the merge instruction asks of the compiler. `blocks` are in the order of the text, those of inner
    constructs among them; `parent` is the construct around it, by its place. No two constructs overlap in part.
    """

    kind: str
    header: str
    merge: str
    continues: str | None
    control: str
    blocks: tuple[str, ...]
    parent: int | None


class FlowGraph(NamedTuple):
    """A function, its blocks in the order of the text, the entry block first, and the edges between blocks that are there.

    A construct stands after the one that it lies in.
    """

    id: str
    name: str
    range: Range
    blocks: tuple[FlowBlock, ...]
    edges: tuple[FlowEdge, ...]
    constructs: tuple[FlowConstruct, ...]


def flow_graphs(source: SourceModule, position: Position | None = None) -> Iterator[FlowGraph]:
    """The graphs of all functions, or of the one around a position."""
    here = source.document.chunk_at(source.clamp(position).line) if position is not None else None
    for chunk in source.document.chunks:
        if chunk.is_function and (here is None or chunk is here):
            yield _graph(source, chunk)


def _graph(source: SourceModule, chunk: Chunk) -> FlowGraph:
    module = source.module
    function = module.function(chunk)
    placed = list(source.placed(chunk))
    lines = {id(record): line for line, record in placed}
    constructs = _constructs(function)
    innermost = {name: at for at, construct in enumerate(constructs) for name in construct.blocks}
    back = set(function.structure.back_edges)
    blocks: list[FlowBlock] = []
    edges: list[FlowEdge] = []
    for block in function.blocks.values():
        last = block.records[-1]
        start = source.range_of(block.label, None, lines[id(block.label)]).start
        end = source.range_of(last, None, lines[id(last)]).end
        targets = declared_targets(block) if block.merge is not None and block.merge.opcode.value in MERGES else ()
        blocks.append(
            FlowBlock(
                block.name,
                called(module, block.name),
                Range(start, end),
                block.successors,
                targets[0] if targets else None,
                targets[1] if len(targets) > 1 else None,
                block.terminator.opcode.name if block.terminator is not None else "",
                _exit(block),
                _accesses(module, block),
                len(block.records) - 1 - (block.terminator is not None) - (block.merge is not None),
                function.dominators.reaches(block.name),
                function.dominators.immediate.get(block.name),
                innermost.get(block.name),
                function.post_dominators.immediate.get(block.name) or None,
                function.structural_dominators.immediate.get(block.name),
                function.structural_post_dominators.immediate.get(block.name) or None,
            )
        )
        edges.extend(
            FlowEdge(block.name, target, kind, labels, (block.name, target) in back)
            for target, kind, labels in _ways(module, block)
            if target in function.blocks
        )
    first_line, first = placed[0]
    last_line, final = placed[-1]
    span = Range(source.range_of(first, None, first_line).start, source.range_of(final, None, last_line).end)
    name = called(module, function.name)
    return FlowGraph(function.name, name, span, tuple(blocks), tuple(edges), tuple(constructs))


_DECIDED = frozenset({spv.OpBranchConditional, spv.OpSwitch, spv.OpReturnValue})


def _exit(block: Block) -> str:
    terminator = block.terminator
    if terminator is None or terminator.opcode.value == spv.OpBranch:
        return ""
    name = terminator.opcode.name
    if terminator.opcode.value in _DECIDED and terminator.operands:
        return f"{terminator.opcode.name} {operand_text(terminator.operands[0], '')}"
    return name


def _accesses(module: Module, block: Block) -> tuple[str, ...]:
    """What the instructions of a block load, store and call, each name once. An access chain stands for its variable."""
    found: dict[str, dict[str, None]] = {verb: {} for verb in dict.fromkeys(_VERBS.values())}
    for record in block.records:
        verb = _VERBS.get(record.opcode.value)
        name = record.operands[0] if record.operands else None
        if verb is None or not isinstance(name, str):
            continue
        source = root(module, name) if verb != _CALLS else None
        own = source.result if source is not None and source.result is not None else name
        found[verb][called(module, own)] = None
    return tuple(f"{verb} {', '.join(names)}" for verb, names in found.items() if names)


_CALLS = "calls"
_VERBS = {spv.OpLoad: "loads", spv.OpStore: "stores", spv.OpCopyMemory: "stores", spv.OpFunctionCall: _CALLS}


def _ways(module: Module, block: Block) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """The targets of a block, each with the kind of its edge and the labels."""
    labels: dict[str, list[str]] = {}
    for target, label in _taken_when(module, block.terminator):
        labels.setdefault(target, []).append(label)
    for target in block.successors:
        labels.setdefault(target, [])
    for target, found in labels.items():
        if not found or set(found) == {"true", "false"}:
            kind = "branch"
        else:
            kind = found[0] if found[0] in ("true", "false", "default") and len(found) == 1 else "case"
        yield target, kind, tuple(found)


def _taken_when(module: Module, terminator: Instruction | None) -> Iterator[tuple[str, str]]:
    if terminator is None:
        return
    operands = terminator.operands
    if terminator.opcode.value == spv.OpBranchConditional:
        yield from ((str(target), label) for target, label in zip(operands[1:3], ("true", "false"), strict=False))
    elif terminator.opcode.value == spv.OpSwitch:
        read = module.resolved(terminator).operands
        selector = module.type_of(operands[0]) if operands else None
        for literal, target in zip(read[2::2], read[3::2], strict=False):
            value = number(literal, selector)
            yield str(target), plain_value(value, selector) if value is not None else operand_text(literal, "")
        yield from ((str(target), "default") for target in operands[1:2])


class _Draft:
    """A construct whose blocks are still to be fitted into the one around it."""

    __slots__ = ("block", "blocks", "continued", "merge", "size")

    def __init__(self, block: Block, merge: str, blocks: frozenset[str], continued: frozenset[str]) -> None:
        self.block = block
        self.merge = merge
        self.blocks = set(blocks | continued)
        self.continued = continued
        self.size = len(self.blocks)


def _constructs(function: Function) -> list[FlowConstruct]:
    """The constructs of a function, fitted into one another: a block of several lies in the innermost of them.

    In a text that breaks the rules constructs may overlap in part; then the larger one keeps what both claim.
    """
    order = {name: at for at, name in enumerate(function.blocks)}
    innermost: dict[str, int] = {}
    found: list[FlowConstruct] = []
    placed: list[_Draft] = []
    for draft in sorted(_drafts(function), key=lambda draft: (-draft.size, order[draft.block.name])):
        header = draft.block.name
        if header not in draft.blocks:  # as when it declares itself to be its merge block
            continue
        parent = innermost.get(header)
        if parent is not None:
            draft.blocks &= placed[parent].blocks
            if header not in placed[parent].continued:
                draft.blocks -= placed[parent].continued
        draft.blocks = {name for name in draft.blocks if innermost.get(name) == parent}
        names = sorted(draft.blocks, key=order.__getitem__)
        innermost.update(dict.fromkeys(names, len(found)))
        placed.append(draft)
        found.append(_construct(draft, tuple(names), parent))
    return found


def _drafts(function: Function) -> list[_Draft]:
    structure = function.structure
    continued = {
        construct.loop: construct.blocks for construct in structure.constructs if construct.kind is ConstructKind.CONTINUE
    }
    return [
        _Draft(
            function.blocks[construct.header],
            construct.exit or "",
            construct.blocks,
            continued.get(construct.header, frozenset()) if construct.kind is ConstructKind.LOOP else frozenset(),
        )
        for construct in structure.constructs
        if construct.kind is not ConstructKind.CONTINUE
    ]


def _construct(draft: _Draft, names: tuple[str, ...], parent: int | None) -> FlowConstruct:
    block = draft.block
    merge = block.merge
    assert merge is not None  # or it would be no header
    targets = declared_targets(block)
    if merge.opcode.value == spv.OpLoopMerge:
        kind, control = "loop", "LoopControl"
    else:
        switch = block.terminator is not None and block.terminator.opcode.value == spv.OpSwitch
        kind, control = "switch" if switch else "selection", "SelectionControl"
    asked = merge.operands[len(targets) : len(targets) + 1]
    text = " ".join(operand_text(operand, control) for operand in chain(asked) if operand)
    return FlowConstruct(
        kind, block.name, draft.merge, targets[1] if len(targets) > 1 else None, text, names, parent
    )
