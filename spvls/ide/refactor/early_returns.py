"""The ways out of a function that returns in several places, when its blocks become a part of another function.

The blocks become the only case of an OpSwitch, whose merge block a return branches to. A return out of a loop or a switch of the
function branches to the merge block of that first, where OpPhi says whether the function has returned, and with which value.
"""

from __future__ import annotations

from spvls.grammar import spv
from spvls.grammar.enumerants import Capability
from spvls.ide.refactor.rewrite import Rewrite, written
from spvls.ide.refactor.values import boolean, boolean_type, null, zero
from spvls.module.constructs import Construct, ConstructKind, is_loop
from spvls.module.dominance import Dominators
from spvls.module.functions import Block, Function
from spvls.module.module import Module
from spvls.record import NamedTuple
from spvls.syntax.instruction import Instruction
from spvls.validate.checks.simplification import is_value

RETURNS = frozenset({spv.OpReturn, spv.OpReturnValue})

_AFTER = ""
"""The place after the blocks, among the names of blocks."""


class Ways(NamedTuple):
    """`returns` has the blocks that return, and `checked` the merge blocks that they leave constructs by, each with the block that
    control goes on to: another merge block, or "" for the place after all blocks."""

    returns: dict[str, str]
    checked: dict[str, str]


def ways_out(callee: Function, module: Module) -> Ways | None:
    """The ways out of a function; None where they cannot be made one."""
    leaving = [block.name for block in callee.blocks.values() if _is_return(block)]
    if not all(str(parent) in callee.blocks for record in callee.records if _is_phi(record) for parent in record.operands[1::2]):
        return None
    result = module.type(callee.result_type)
    if result is None or (result.kind != spv.OpTypeVoid and not is_value(result, module)):
        return None
    if any(len(callee.blocks[name].records[-1].operands) != (result.kind != spv.OpTypeVoid) for name in leaving):
        return None
    returns: dict[str, str] = {}
    checked: dict[str, str] = {}
    for name in leaving:
        at, into = name, returns
        while at and at not in into:
            target = _exit(at, callee) if module.has_capability(Capability.Shader) else _AFTER
            if target is None:
                return None
            into[at] = target
            at, into = target, checked
    if not all(_can_be_checked(callee.blocks.get(name), module) for name in checked):
        return None
    ways = Ways(returns, checked)
    return ways if not checked or _keeps_dominance(callee, ways) else None


def _is_phi(record: Instruction) -> bool:
    return record.opcode.value == spv.OpPhi


def _is_return(block: Block) -> bool:
    return block.terminator is not None and block.terminator.opcode.value in RETURNS


def _exit(name: str, callee: Function) -> str | None:
    """The merge block of the innermost loop around a block, or of the innermost switch where no loop is; "" where neither is, and
    None in a continue construct."""
    around = [found for found in callee.structure.constructs if found.header != name and found.holds(name)]
    if any(found.kind is ConstructKind.CONTINUE for found in around):
        return None
    switches = [found for found in around if found.kind is ConstructKind.SELECTION and _is_switch(callee.blocks[found.header])]
    loops = [found for found in around if found.kind is ConstructKind.LOOP]
    innermost = max(loops or switches, key=lambda found: _depth(found, callee), default=None)
    return _AFTER if innermost is None else innermost.exit


def _is_switch(block: Block) -> bool:
    return block.terminator is not None and block.terminator.opcode.value == spv.OpSwitch


def _depth(construct: Construct, callee: Function) -> int:
    return callee.structural_dominators.depth[construct.header]


def _can_be_checked(block: Block | None, module: Module) -> bool:
    """Whether a merge block can begin with a branch, and its OpPhi instructions can have another parent."""
    if block is None or is_loop(block):
        return False
    phis = [record for record in block.records if _is_phi(record)]
    types = [module.type(phi.type) for phi in phis]
    return block.records[1 : 1 + len(phis)] == phis and all(type_ is not None and is_value(type_, module) for type_ in types)


def _keeps_dominance(callee: Function, ways: Ways) -> bool:
    """Whether each definition still dominates its uses, when control comes to merge blocks in more ways."""
    onward: dict[str, tuple[str, ...]] = {_AFTER: ()}
    rest = {name: f"{name} rest" for name in ways.checked}
    for name, block in callee.blocks.items():
        targets = (ways.returns[name],) if name in ways.returns else block.successors
        if name in ways.checked:
            onward[name], onward[rest[name]] = (ways.checked[name], rest[name]), targets
        else:
            onward[name] = targets
    dominators = Dominators(next(iter(callee.blocks)), onward)
    made = {
        record.result: name if _is_phi(record) else rest.get(name, name)
        for name, block in callee.blocks.items()
        for record in block.records[1:]
        if record.result is not None
    }
    for name, block in callee.blocks.items():
        for record in block.records[1:]:
            if _is_phi(record):
                pairs = zip(record.operands[::2], record.operands[1::2], strict=False)
                uses = [(str(value), rest.get(str(parent), str(parent))) for value, parent in pairs]
            else:
                uses = [(used, rest.get(name, name)) for used in record.uses()]
            for used, at in uses:
                if used in made and dominators.reaches(at) and not dominators.dominates(made[used], at):
                    return False
    return True


class Leaving:
    """Writes the blocks of `callee` so that all ways out lead to the block `after`, in which `result` is what is returned.

    `names` are the new names of ids.
    """

    def __init__(self, rewrite: Rewrite, callee: Function, ways: Ways, names: dict[str, str], after: str) -> None:
        self._rewrite = rewrite
        self._callee = callee
        self._ways = ways
        self._names = names
        self._after = after
        self._is_void = rewrite.module.opcode_of(callee.result_type or "") == spv.OpTypeVoid
        self._rest = {name: rewrite.fresh(f"{names[name]}_rest") for name in ways.checked}
        self._flags = {name: rewrite.fresh(f"{callee.name}_has_returned") for name in ways.checked}
        self._values = {} if self._is_void else {name: rewrite.fresh(f"{callee.name}_value") for name in ways.checked}

    def before(self) -> list[str]:
        """The end of the block before, in structured control flow."""
        if not self._rewrite.module.has_capability(Capability.Shader):
            return []
        body = self._names[next(iter(self._callee.blocks))]
        return [f"OpSelectionMerge %{self._after} None", f"OpSwitch %{zero(self._rewrite)} %{body}", f"%{body} = OpLabel"]

    def returning(self, block: Block) -> str:
        """What stands for the return that a block ends with."""
        return f"OpBranch %{self._target(self._ways.returns[block.name])}"

    def phi(self, record: Instruction, block: Block) -> str:
        """An OpPhi of the function."""
        ends = {str(parent): self._end(str(parent)) for parent in record.operands[1::2]}
        line = written(record, {**self._names, **ends})
        if block.name not in self._ways.checked:
            return line
        nothing = null(self._rewrite, record.type or "")
        return " ".join([line, *[f"%{nothing} %{parent}" for _, parent in self._coming(block.name)]])

    def check(self, block: Block) -> list[str]:
        """What stands after the OpPhi instructions of a block: in a merge block, a branch if the function has returned."""
        name = block.name
        if name not in self._ways.checked:
            return []
        true, false = boolean(self._rewrite, spv.OpConstantTrue), boolean(self._rewrite, spv.OpConstantFalse)
        type_ = boolean_type(self._rewrite)
        coming, others = self._coming(name), [self._end(other) for other in self._callee.predecessors[name]]
        pairs = [*[f"%{true} %{parent}" for _, parent in coming], *[f"%{false} %{parent}" for parent in others]]
        lines = [" ".join([f"%{self._flags[name]} = OpPhi %{type_}", *pairs])]
        if not self._is_void:
            nothing = null(self._rewrite, self._callee.result_type or "") if others else ""
            pairs = [*[f"%{value} %{parent}" for value, parent in coming], *[f"%{nothing} %{parent}" for parent in others]]
            lines.append(" ".join([f"%{self._values[name]} = OpPhi %{self._callee.result_type}", *pairs]))
        rest = self._rest[name]
        return [
            *lines,
            f"OpSelectionMerge %{rest} None",
            f"OpBranchConditional %{self._flags[name]} %{self._target(self._ways.checked[name])} %{rest}",
            f"%{rest} = OpLabel",
        ]

    def end(self, result: str) -> list[str]:
        """The block after the others, as far as it is about what is returned."""
        lines = [f"%{self._after} = OpLabel"]
        if not self._is_void:
            pairs = [f"%{value} %{parent}" for value, parent in self._coming(_AFTER)]
            lines.append(" ".join([f"%{result} = OpPhi %{self._callee.result_type}", *pairs]))
        return lines

    def _target(self, name: str) -> str:
        return self._names[name] if name else self._after

    def _end(self, name: str) -> str:
        """The block that the branches of a block of the function are in."""
        return self._rest.get(name) or self._names[name]

    def _coming(self, target: str) -> list[tuple[str, str]]:
        """What has been returned, and the block that control comes from, for each way out that leads to a block."""
        found: list[tuple[str, str]] = []
        for name, to in self._ways.returns.items():
            terminator = self._callee.blocks[name].terminator
            if to == target and terminator is not None:
                value = "" if self._is_void else str(terminator.operands[0])
                found.append((self._names.get(value, value), self._end(name)))
        return found + [(self._values.get(name, ""), self._names[name]) for name, to in self._ways.checked.items() if to == target]
