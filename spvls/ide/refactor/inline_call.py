"""Inlining a function call: the blocks of the callee take the place of the call.

Ids of the callee get new names, labels and OpPhi among them; its variables move to the entry block of the caller, and what names
and decorates its ids does so for the new ones too.
"""

from __future__ import annotations

from collections.abc import Iterator

from spvls.diagnostic import Edit
from spvls.grammar import spv
from spvls.grammar.enumerants import Capability
from spvls.grammar.traits import TERMINATORS, VARIABLES
from spvls.ide.refactor.blocks import may_be_split, phis_after
from spvls.ide.refactor.early_returns import RETURNS, Leaving, Ways, ways_out
from spvls.ide.refactor.refactoring import INLINE, Refactoring
from spvls.ide.refactor.rewrite import Rewrite, written
from spvls.ide.refactor.site import Site, sound_function
from spvls.module.constructs import ConstructKind, is_loop
from spvls.module.decorations import about, decoration_value, is_grouped
from spvls.module.functions import Block, Function
from spvls.module.module import Module
from spvls.module.sections import Section
from spvls.module.variable import initializer, initializer_place
from spvls.record import NamedTuple
from spvls.syntax.instruction import Instruction
from spvls.validate.engine.finding import Delete, InsertAfter


class _Call(NamedTuple):
    """A call in `block` of `caller` that can be inlined; `callee` returns at `last`, the only place where it does, or by `ways`."""

    record: Instruction
    caller: Function
    block: Block
    callee: Function
    last: Instruction | None
    ways: Ways | None


def inline_call(site: Site) -> Iterator[Refactoring]:
    """Of the call at the cursor."""
    call = _call(site)
    if call is not None:
        title = f"Inline the call of %{call.callee.name}"
        yield Refactoring("inline-call", title, INLINE, lambda: _inlined(site, call))


def _call(site: Site) -> _Call | None:
    record, caller, block, module = site.record, site.function, site.block, site.module
    if record is None or record.opcode.value != spv.OpFunctionCall or caller is None or block is None:
        return None
    callee = module.function_named(record.operands[0])
    chunk = module.ids.defining_chunk(str(record.operands[0]))
    if callee is None or chunk is None or callee is caller or sound_function(module, chunk) is None:
        return None
    if len(callee.parameters) != len(record.operands) - 1 or any(block.terminator is None for block in callee.blocks.values()):
        return None
    if any(found.raw for found in callee.records):
        return None
    if any(is_grouped(name, module) for name in (*_copied(callee, module), str(record.result))):
        return None
    last = _only_return(callee)
    ways = ways_out(callee, module) if last is None else None
    if last is None and ways is None:
        return None
    call = _Call(record, caller, block, callee, last, ways)
    return call if len(callee.blocks) == 1 or _blocks_fit(call, module) else None


def _only_return(callee: Function) -> Instruction | None:
    """The return of a function that has one, outside of all constructs."""
    returns = [found for found in callee.records if found.opcode.value in RETURNS]
    if len(returns) != 1:
        return None
    block = callee.block_of[id(returns[0])].name
    return None if any(construct.holds(block) for construct in callee.structure.constructs) else returns[0]


def _blocks_fit(call: _Call, module: Module) -> bool:
    """Whether several blocks can take the place of the call, with the control flow as structured as it was."""
    entry = call.callee.entry
    if not may_be_split(call.block, call.record, module) or entry is None or is_loop(entry):
        return False
    leaves = any(found.opcode.value in TERMINATORS - _BRANCHES - RETURNS for found in call.callee.records)
    continues = (found for found in call.caller.structure.constructs if found.kind is ConstructKind.CONTINUE)
    return not leaves or not any(construct.holds(call.block.name) for construct in continues)


_BRANCHES = frozenset({spv.OpBranch, spv.OpBranchConditional, spv.OpSwitch})


def _inlined(site: Site, call: _Call) -> list[Edit]:
    module, rewrite = site.module, Rewrite(site.source, site.chunk)
    record, _, block, callee, last, _ = call
    assert record.result is not None
    names = {str(parameter.result): str(given) for parameter, given in zip(callee.parameters, record.operands[1:], strict=True)}
    copied = _copied(callee, module)
    value = str(last.operands[0]) if last is not None and last.operands else None
    names |= {name: record.result if name == value else rewrite.fresh(name) for name in copied}
    after = rewrite.fresh(f"after_{callee.name}") if len(callee.blocks) > 1 else None
    if after is not None:
        rewrite.rename(phis_after(call.caller, block), {block.name: after})
    names[next(iter(callee.blocks))] = block.name
    lines = _lines(call, names, after, module) if call.ways is None else _lines_of_ways(rewrite, call, call.ways, names, str(after))
    _move_variables(rewrite, call, names)
    _copy_annotations(rewrite, copied, names, but=value)
    if value not in copied and (call.ways is None or module.opcode_of(callee.result_type or "") == spv.OpTypeVoid):
        gone = about(record.result, module)
        rewrite.do(*[Delete(use) for use in gone])
        users = [use for _, use in module.ids.uses(record.result) if use not in gone]
        if value is not None:
            rewrite.rename(users, {record.result: names.get(value, value)})
    if lines:
        rewrite.replace(record, "\n".join(lines))
    else:
        rewrite.do(Delete(record))
    return rewrite.edits()


def _copied(callee: Function, module: Module) -> list[str]:
    """The ids of the callee that have a twin in the caller: all but its parameters and the label of its entry block."""
    found = (record for record in callee.records if id(record) in callee.block_of and not _is_debug(record, module))
    return [record.result for record in found if record.result is not None][1:]


def _is_debug(record: Instruction, module: Module) -> bool:
    return record.opcode.value in (spv.OpExtInst, spv.OpExtInstWithForwardRefsKHR) and module.is_non_semantic(record)


def _lines(call: _Call, names: dict[str, str], after: str | None, module: Module) -> list[str]:
    """What stands in the place of the call: the blocks of the callee, and the label of the block `after` them, if there is one."""
    lines: list[str] = []
    for block in call.callee.blocks.values():
        if block is not call.callee.entry:
            lines.append(f"%{names[block.name]} = OpLabel")
        for record in block.records[1:]:
            if record is call.last:
                lines += [f"OpBranch %{after}"] if after is not None else []
            else:
                lines += _line(record, names, module)
    return lines if after is None else [*lines, f"%{after} = OpLabel"]


def _lines_of_ways(rewrite: Rewrite, call: _Call, ways: Ways, names: dict[str, str], after: str) -> list[str]:
    """The same for a callee that returns in several places."""
    callee, module = call.callee, rewrite.module
    if module.has_capability(Capability.Shader):
        names[next(iter(callee.blocks))] = rewrite.fresh(f"{callee.name}_body")
    leaving = Leaving(rewrite, callee, ways, names, after)
    lines = leaving.before()
    for block in callee.blocks.values():
        if block is not callee.entry:
            lines.append(f"%{names[block.name]} = OpLabel")
        phis = [record for record in block.records if record.opcode.value == spv.OpPhi]
        lines += [leaving.phi(record, block) for record in phis]
        lines += leaving.check(block)
        for record in block.records[1 + len(phis) :]:
            lines += [leaving.returning(block)] if record.opcode.value in RETURNS else _line(record, names, module)
    return lines + leaving.end(str(call.record.result))


def _line(record: Instruction, names: dict[str, str], module: Module) -> list[str]:
    """An instruction of the callee as one of the caller."""
    if record.opcode.value in VARIABLES:
        begun = initializer(record)
        return [f"OpStore %{names[str(record.result)]} %{begun}"] if begun is not None else []
    return [] if _is_debug(record, module) else [written(record, names)]


def _move_variables(rewrite: Rewrite, call: _Call, names: dict[str, str]) -> None:
    """Puts the variables of the callee after those of the caller. What they begin with is stored where the call was."""
    entry = call.caller.entry
    assert entry is not None
    lines = []
    for record in call.callee.variables:
        words = written(record, names).split(" ")
        lines.append(" ".join(words[: record.first_operand_word() + initializer_place(record)]))
    if lines:
        anchor = [record for record in entry.records if record.opcode.value in (spv.OpLabel, *VARIABLES)][-1]
        rewrite.do(InsertAfter(anchor, "\n".join(lines)))


def _copy_annotations(rewrite: Rewrite, copied: list[str], names: dict[str, str], *, but: str | None) -> None:
    """Names and decorates twins as their originals; the twin that has the result of the call is named and decorated already."""
    for name in copied:
        own = {found.value for found in rewrite.module.decorations(names[name])} if name == but else set()
        for use in about(name, rewrite.module):
            if use.opcode.value == spv.OpName:
                if name != but:
                    rewrite.declare(Section.NAMES, written(use, {name: names[name]}))
            elif decoration_value(use) not in own:
                rewrite.declare(Section.ANNOTATIONS, written(use, {name: names[name]}))
