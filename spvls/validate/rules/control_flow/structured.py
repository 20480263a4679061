"""Structured control flow: loops, selections, and the ways into and out of them (SPIR-V 2.11, 2.16.1).

The rules of this module look at a function's constructs from the outermost inward. A construct that is wrong says nothing
about the ones that share blocks with it, so what is found in these is left out."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Iterator

from spvls.grammar import sections, spv
from spvls.grammar.enumerants import Capability
from spvls.grammar.tables import NO_OPCODE
from spvls.module.construct_edges import ConstructEdges
from spvls.module.constructs import Construct, ConstructKind, Structure, is_loop
from spvls.module.crossings import Range
from spvls.module.functions import Block, Function
from spvls.steps import PORTION, Steps
from spvls.syntax.instruction import OPCODE, Instruction
from spvls.validate.checks.wording import listed
from spvls.validate.engine.finding import PAUSE, Finding, Note
from spvls.validate.engine.rule import Findings, RuleContext, function_rule

Fault = tuple[str, Finding]
"""The rule that is broken, and how."""


def _found(rule: str, function: Function, context: RuleContext) -> Findings:
    known = context.memo("structured", lambda: _Known(_faults(function, context)))
    for _ in known.steps():
        yield PAUSE
    for broken, finding in known.faults:
        if broken == rule:
            yield finding


class _Known:
    """The faults of a function, which the first rule that asks for them finds."""

    def __init__(self, pending: Iterator[Fault | None]) -> None:
        self.faults: list[Fault] = []
        self._pending = pending
        self._error: Exception | None = None

    def steps(self) -> Iterator[None]:
        """Find them, unless that is done, in short steps. Raises for each rule what is raised meanwhile."""
        if self._error is not None:
            raise self._error
        try:
            for fault in self._pending:
                if fault is None:
                    yield
                else:
                    self.faults.append(fault)
        except Exception as error:
            self._error = error
            raise


def _faults(function: Function, context: RuleContext) -> Iterator[Fault | None]:
    """The faults of the constructs; None is a pause."""
    if not context.module.has_capability(Capability.Shader) or not (yield from _is_whole(function)):
        return
    yield from function.structure_steps()
    structure = function.structure
    edges = list(_back_edge_faults(function, structure))
    if edges:
        yield from edges
        return
    crossing = yield from ConstructEdges.steps(structure)
    wrong = _Places()
    for at, construct in enumerate(structure.constructs, 1):
        if not at % PORTION:
            yield None
        if any(wrong.meet(part) for part in construct.parts):
            continue
        faults = 0
        for fault in _construct_faults(function, structure, crossing, construct):
            faults += fault is not None
            yield fault
        if faults:
            header = function.structural_dominators.span(construct.header)[0]
            for part in (*construct.parts, (header, header + 1)):
                wrong.add(part)
    yield None
    if not wrong:
        yield from _selection_faults(function)


def _is_whole(function: Function) -> Steps[bool]:
    """Whether every branch and merge instruction goes to a block of the function, and each claims a merge block of its own."""
    entry = function.entry
    merges = [block.merge.operands[0] for block in function.blocks.values() if block.merge is not None]
    if entry is None or len(set(merges)) < len(merges):
        return False
    for at, block in enumerate(function.blocks.values(), 1):
        if not at % PORTION:
            yield
        if block.terminator is None or entry.name in block.successors:
            return False
        if any(target not in function.blocks for target in block.successors):
            return False
        if block.merge is not None:
            named = block.merge.operands[: 2 if is_loop(block) else 1]
            if len(set(named)) < len(named) or any(target not in function.blocks for target in named):
                return False
            if is_loop(block) and named[0] == block.name:
                return False
    return True


def _label(function: Function, name: str) -> Instruction:
    return function.blocks[name].label


def _note(function: Function, construct: Construct) -> tuple[Note, ...]:
    return (Note(_label(function, construct.header), OPCODE, f"the {construct.kind.value} construct begins here"),)


def _back_edge_faults(function: Function, structure: Structure) -> Iterator[Fault]:
    for latch, header in structure.back_edges:
        if not is_loop(function.blocks[header]):
            note = Note(_label(function, header), OPCODE, f"%{header} has no OpLoopMerge")
            message = f"block %{latch} branches back to %{header}, which must be a loop header with an OpLoopMerge"
            yield "control-flow/back-edge-targets-loop-header", Finding(_label(function, latch), OPCODE, message, (note,))
    for block in function.blocks.values():
        if not is_loop(block) or not function.structural_dominators.reaches(block.name):
            continue
        latches = sorted(set(structure.latches.get(block.name, [])))
        if len(latches) != 1:
            found = "no block branches" if not latches else f"{len(latches)} blocks branch"
            notes = tuple(Note(_label(function, name), OPCODE, f"%{name} branches back") for name in latches)
            message = f"{found} back to the loop header %{block.name}; exactly one must"
            yield "control-flow/loop-has-one-back-edge", Finding(block.label, OPCODE, message, notes)


class _Places:
    """Ranges of places that do not meet each other."""

    def __init__(self) -> None:
        self._ranges: list[Range] = []

    def __bool__(self) -> bool:
        return bool(self._ranges)

    def meet(self, part: Range) -> bool:
        """Whether a range has a place of these."""
        at = bisect_left(self._ranges, part)
        return any(low < part[1] and part[0] < high for low, high in self._ranges[max(at - 1, 0) : at + 1])

    def add(self, part: Range) -> None:
        if not self.meet(part):
            insort(self._ranges, part)


def _construct_faults(
    function: Function, structure: Structure, crossing: ConstructEdges, construct: Construct
) -> Iterator[Fault | None]:
    """The first kind of fault of a construct: what delimits it, then the ways out of it, into it, and what it contains; None is a
    pause.

    Its blocks are gone through only where there is something to find.
    """
    faults = list(_limits(function, structure, construct))
    for kind, is_wrong in _KINDS if not faults else ():
        if is_wrong(crossing, construct) or not construct.is_regular:
            faults = list(kind(function, structure, construct))
            if faults:
                break
    if faults:
        yield from faults
        return
    switch = function.blocks[construct.header].terminator
    if construct.kind is ConstructKind.SELECTION and switch is not None and switch.opcode.value == spv.OpSwitch:
        from spvls.validate.rules.control_flow.switch_case import switch_fault  # few functions have one

        finding = yield from switch_fault(function, structure, construct, switch)
        if finding is not None:
            yield "control-flow/fall-through-follows-case-order", finding


def _limits(function: Function, structure: Structure, construct: Construct) -> Iterator[Fault]:
    if construct.exit is None:
        return
    is_continue = construct.kind is ConstructKind.CONTINUE
    if not function.structural_dominators.dominates(construct.header, construct.exit):
        what = "the back-edge block" if is_continue else "its merge block"
        of = "continue target" if is_continue else "header"
        message = f"{of} %{construct.header} must structurally dominate {what} %{construct.exit}"
        finding = Finding(_label(function, construct.exit), OPCODE, message, _note(function, construct))
        yield "control-flow/header-dominates-merge-block", finding
    elif not is_continue and construct.exit == construct.header:
        message = f"header %{construct.header} is its own merge block; the merge block must be a different block"
        yield "control-flow/header-dominates-merge-block", Finding(_label(function, construct.header), OPCODE, message)
    elif is_continue and not function.structural_post_dominators.dominates(construct.exit, construct.header):
        message = f"back-edge block %{construct.exit} must structurally post-dominate the continue target %{construct.header}"
        finding = Finding(_label(function, construct.exit), OPCODE, message, _note(function, construct))
        yield "control-flow/back-edge-post-dominates-continue", finding


def _in_order(function: Function, construct: Construct) -> list[Block]:
    return sorted((function.blocks[name] for name in construct.blocks), key=lambda block: function.order[id(block.label)])


def _exits(function: Function, structure: Structure, construct: Construct) -> Iterator[Fault]:
    for block in _in_order(function, construct):
        for target in block.successors:
            if construct.holds(target) or structure.is_structured_exit(construct, target):
                continue
            exits = listed([f"%{name}" for name in sorted(structure.structured_exits(construct))])
            message = (
                f"block %{block.name} branches to %{target}, out of the {construct.kind.value} construct of %{construct.header};"
                f" a branch out of that construct must go to {exits}"
            )
            yield "control-flow/construct-exit-is-structured", Finding(block.label, OPCODE, message, _note(function, construct))
            return


def _entries(function: Function, structure: Structure, construct: Construct) -> Iterator[Fault]:
    for block in _in_order(function, construct):
        if block.name == construct.header:
            continue
        for before in function.predecessors[block.name]:
            if not construct.holds(before) and function.structural_dominators.reaches(before):
                message = (
                    f"block %{before} branches into the {construct.kind.value} construct of %{construct.header}, to"
                    f" %{block.name}; branches from outside must go to %{construct.header}"
                )
                finding = Finding(_label(function, before), OPCODE, message, _note(function, construct))
                yield "control-flow/construct-entry-is-header", finding


def _nested_merges(function: Function, structure: Structure, construct: Construct) -> Iterator[Fault]:
    for block in _in_order(function, construct):
        merge = structure.merge_of(block.name)
        if block.name == construct.header or merge is None or construct.holds(merge):
            continue
        if function.structural_dominators.reaches(merge):
            note = Note(_label(function, merge), OPCODE, "the merge block begins here")
            message = (
                f"the header %{block.name} is inside the {construct.kind.value} construct of %{construct.header}, so the"
                f" merge block %{merge} of %{block.name} must be inside that construct too"
            )
            yield "control-flow/nested-merge-stays-in-construct", Finding(block.label, OPCODE, message, (note,))


def _continue_entries(function: Function, structure: Structure, construct: Construct) -> Iterator[Fault]:
    target = structure.continue_of(construct.header) if construct.kind is ConstructKind.LOOP else None
    if target is None or target == construct.header:
        return
    back_edges = set(structure.back_edges)
    for before in function.predecessors[target]:
        if construct.holds(before) or not function.structural_dominators.reaches(before):
            continue
        terminator = function.blocks[before].terminator
        if (before, target) not in back_edges and terminator is not None:
            message = (
                f"block %{before} is outside the loop of %{construct.header} and must not branch"
                f" to the continue target %{target} of that loop"
            )
            yield "control-flow/continue-is-entered-from-loop", Finding(terminator, OPCODE, message)


_Check = Callable[[Function, Structure, Construct], Iterator[Fault]]
_Count = Callable[[ConstructEdges, Construct], bool]

#: What is looked for in a construct, in this order, and what says without a look at its blocks whether it is there.
_KINDS: tuple[tuple[_Check, _Count], ...] = (
    (_exits, ConstructEdges.leaves),
    (_entries, ConstructEdges.is_entered),
    (_nested_merges, ConstructEdges.merges_outside),
    (_continue_entries, ConstructEdges.continue_is_entered),
)


def _selection_faults(function: Function) -> Iterator[Fault]:
    seen: set[str] = set()
    for name in function.structural_dominators.order:
        block = function.blocks[name]
        merge = _merge_before_terminator(block)
        if merge is not None:
            seen.update(o for o in merge.operands[: 2 if is_loop(block) else 1] if isinstance(o, str))
        terminator = block.terminator
        opcode = terminator.opcode.value if terminator is not None else NO_OPCODE
        if terminator is None or opcode not in (spv.OpBranchConditional, spv.OpSwitch):
            continue
        unseen = [target for target in block.successors if target not in seen]
        seen.update(block.successors)
        if opcode == spv.OpSwitch and merge is None:
            message = "this OpSwitch requires an OpSelectionMerge directly before it"
            yield "control-flow/switch-requires-merge", Finding(terminator, OPCODE, message)
        elif opcode == spv.OpBranchConditional and len(unseen) == 2 and (merge is None or is_loop(block)):
            message = f"this branch to %{unseen[0]} and %{unseen[1]} requires an OpSelectionMerge directly before it"
            if merge is not None:
                message += ", where the loop header has its OpLoopMerge; move the branch to another block"
            yield "control-flow/branch-requires-merge", Finding(terminator, OPCODE, message)


def _merge_before_terminator(block: Block) -> Instruction | None:
    """The merge instruction that stands right before the terminator."""
    before = block.records[-2] if len(block.records) > 1 else None
    return before if before is not None and before is block.merge else None


@function_rule("control-flow/back-edge-targets-loop-header", section=sections.STRUCTURED_DECLARATIONS, of_form=True)
def back_edge_targets_loop_header(function: Function, context: RuleContext) -> Findings:
    """The target of a back edge must be a loop header, which is a block with an OpLoopMerge.

    A back edge is a branch to a block that a depth-first walk of the function has entered and not left yet, so it forms a loop. The
    walk follows branches, and goes from each header to its Merge Block and Continue Target as well. Only an OpLoopMerge declares
    where the loop ends and where its next iteration begins.

    The walk of the specification begins at the entry block. The rule, like spirv-val, then walks through the unreachable blocks
    too. Only modules with the capability Shader are checked. A fault that another rule reports in the control flow of the function
    may hide this one. While a back edge is wrong, the constructs of its function are not checked.
    """
    return _found("control-flow/back-edge-targets-loop-header", function, context)


@function_rule("control-flow/loop-has-one-back-edge", section=sections.STRUCTURED_DECLARATIONS, of_form=True)
def loop_has_one_back_edge(function: Function, context: RuleContext) -> Findings:
    """Exactly one block must branch back to each loop header.

    The continue construct ends with this one back edge. If there is none, the OpLoopMerge does not begin a loop; if there are
    several, it is not defined where an iteration ends. Other paths to the next iteration must go to the continue target. As in
    spirv-val, a block that branches back twice, such as by both labels of an OpBranchConditional, counts once.

    Only modules with the capability Shader are checked, and only loop headers that the entry block structurally reaches. A fault
    that another rule reports in the control flow of the function may hide this one. While a loop header is wrong, the constructs of
    its function are not checked.
    """
    return _found("control-flow/loop-has-one-back-edge", function, context)


@function_rule("control-flow/header-dominates-merge-block", section=sections.STRUCTURED_DECLARATIONS, of_form=True)
def header_dominates_merge_block(function: Function, context: RuleContext) -> Findings:
    """A header must strictly structurally dominate its merge block.

    Otherwise control may reach the merge block on a path that did not enter the construct. A driver may save the set of active
    invocations in the header, and restore it at the merge block. The header of a selection must not be its own merge block either;
    for the header of a loop, `control-flow/loop-merge-blocks-differ` reports this.

    The continue target must also structurally dominate the back-edge block: each path to the next iteration leads through the
    continue target.

    Only modules with the capability Shader are checked, and only structurally reachable headers. A fault that another rule reports
    in the control flow of the function may hide this one.
    """
    return _found("control-flow/header-dominates-merge-block", function, context)


@function_rule("control-flow/back-edge-post-dominates-continue", section=sections.STRUCTURED_DECLARATIONS, of_form=True)
def back_edge_post_dominates_continue(function: Function, context: RuleContext) -> Findings:
    """The back-edge block must structurally post dominate the Continue Target of its loop.

    Each path from the continue target to an end of the function must lead through the block that branches back to the header. With
    a path that leaves before, a driver may be unable to emit the continue construct as the code that runs between two iterations.
    Paths also lead from a header to its Merge Block and Continue Target.

    Only modules with the capability Shader are checked, and only loops whose header is structurally reachable. A fault that another
    rule reports in the control flow of the function may hide this one.
    """
    return _found("control-flow/back-edge-post-dominates-continue", function, context)


@function_rule("control-flow/construct-exit-is-structured", section=sections.STRUCTURED_CONSTRUCTS, of_form=True)
def construct_exit_is_structured(function: Function, context: RuleContext) -> Findings:
    """A branch out of a construct must be a structured exit: to its end, a break or a continue.

    Only for these exits does a driver know where the invocations that left meet again. With another exit, a driver may reject the
    module, duplicate the code, or run it with the wrong invocations.

    A branch out of a loop construct may only go to the Merge Block or the Continue Target of that loop, and one out of a continue
    construct to the loop header or the Merge Block. A branch out of a selection may go to its own merge block, or to the Merge
    Block or Continue Target of the innermost loop around it. It may also go to the merge block of the innermost OpSwitch around it
    (within that loop, if any), unless the selection is an OpSwitch itself. SPIR-V 2.11.2 says which blocks a construct has.

    Only modules with the capability Shader are checked, and only structurally reachable constructs. A fault that another rule
    reports in the control flow of the function may hide this one. The rule does not count the cases of an OpSwitch as constructs;
    for branches out of a case see also `control-flow/fall-through-follows-case-order`.
    """
    return _found("control-flow/construct-exit-is-structured", function, context)


@function_rule("control-flow/construct-entry-is-header", section=sections.STRUCTURED_CONSTRUCTS, of_form=True)
def construct_entry_is_header(function: Function, context: RuleContext) -> Findings:
    """A branch from outside into a construct must go to its header.

    Drivers may save the set of active invocations in the header. A path that enters at another block may run with another set.

    The constructs are those of selections, loops and switches. SPIR-V 2.11.2 says which blocks they have: a selection, for example,
    has those that its header structurally dominates and its merge block does not. Branches in structurally unreachable blocks are
    not checked. Only modules with the capability Shader are checked. A fault that another rule reports in the control flow of the
    function may hide this one.
    """
    return _found("control-flow/construct-entry-is-header", function, context)


@function_rule("control-flow/nested-merge-stays-in-construct", section=sections.STRUCTURED_CONSTRUCTS, of_form=True)
def nested_merge_stays_in_construct(function: Function, context: RuleContext) -> Findings:
    """A construct that contains the header of another construct must also contain that one's merge block.

    Constructs must be nested, not overlap. If the merge block of the inner construct is outside of the outer one, the inner
    construct ends after the outer one, and a driver may be unable to emit the two as nested blocks of code.

    Only structurally reachable constructs are checked, in modules with the capability Shader. A fault that another rule reports in
    the control flow of the function may hide this one.
    """
    return _found("control-flow/nested-merge-stays-in-construct", function, context)


@function_rule("control-flow/continue-is-entered-from-loop", section=sections.STRUCTURED_CONSTRUCTS, of_form=True)
def continue_is_entered_from_loop(function: Function, context: RuleContext) -> Findings:
    """A branch to the Continue Target of a loop must be in the loop construct or be a back edge.

    The continue construct runs at the end of an iteration. A branch from outside, such as from code after the loop, would go into
    the loop past its header. Branches to the Continue Target from the continue construct itself are back edges, which
    `control-flow/back-edge-targets-loop-header` checks.

    Loops whose header is the Continue Target, and loops and branches in structurally unreachable blocks are not checked. Only
    modules with the capability Shader are checked. A fault that another rule reports in the control flow of the function may hide
    this one.
    """
    return _found("control-flow/continue-is-entered-from-loop", function, context)


@function_rule("control-flow/fall-through-follows-case-order", section=sections.STRUCTURED_CONSTRUCTS, of_form=True)
def fall_through_follows_case_order(function: Function, context: RuleContext) -> Findings:
    """A case of OpSwitch that falls through to another case must be listed directly before it.

    A case may branch to at most one other case, and may be the target of at most one other case. A consumer that emits the cases in
    the listed order, as in C, may otherwise run other code. A Default that no literal names is not in this order, but a case that
    falls through to it must be listed directly before the case that the Default falls through to, if any. A label that is the merge
    block is not a case.

    The block of the OpSwitch must also structurally dominate each of its cases, and a branch out of a case, if not to another case,
    must be a structured exit of the OpSwitch, as `control-flow/construct-exit-is-structured` defines it. Only an OpSwitch with an
    OpSelectionMerge in a structurally reachable block is checked, and only branches that can be reached from the case count. Only
    modules with the capability Shader are checked. A fault that another rule reports in the control flow of the function may hide
    this one.
    """
    return _found("control-flow/fall-through-follows-case-order", function, context)


@function_rule("control-flow/branch-requires-merge", section=sections.SHADER_VALIDATION_RULES, of_form=True)
def branch_requires_merge(function: Function, context: RuleContext) -> Findings:
    """In a shader, an OpBranchConditional that begins a selection must have an OpSelectionMerge before it.

    The OpSelectionMerge, directly before the branch, declares where the two paths meet again. Without it the driver may reject the
    module, or run group operations after the branch with the wrong invocations. An OpLoopMerge does not declare the merge block of
    such a selection.

    The specification requires it where the two labels differ and neither is a declared merge block or continue target. The rule,
    like spirv-val, goes through the blocks in reverse postorder: it knows only the merge blocks and continue targets that are
    declared so far, and also accepts a branch to a target of an earlier OpBranchConditional or OpSwitch.

    Only modules with the capability Shader are checked, and only blocks that the entry block structurally reaches. A fault that
    another rule reports in the control flow of the function may hide this one.
    """
    return _found("control-flow/branch-requires-merge", function, context)


@function_rule("control-flow/switch-requires-merge", section=sections.SHADER_VALIDATION_RULES, of_form=True)
def switch_requires_merge(function: Function, context: RuleContext) -> Findings:
    """In a shader, OpSwitch must have an OpSelectionMerge directly before it.

    The OpSelectionMerge declares the block in which the cases meet again. Without it a driver may not know where a case ends and
    where the invocations run together again. `control-flow/merge-precedes-branch` reports an OpLoopMerge directly before the
    OpSwitch, not this rule.

    Only modules with the capability Shader are checked, and only blocks that the entry block structurally reaches. A fault that
    another rule reports in the control flow of the function may hide this one.
    """
    return _found("control-flow/switch-requires-merge", function, context)
