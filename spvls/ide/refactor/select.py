"""A selection construct that only chooses among values as OpSelect, and OpSelect as a selection construct."""

from __future__ import annotations

from collections.abc import Iterator

from spvls.diagnostic import Edit
from spvls.grammar import spv
from spvls.grammar.enumerants import Capability
from spvls.ide.refactor.blocks import may_be_split, phis_after
from spvls.ide.refactor.refactoring import REWRITE, Refactoring
from spvls.ide.refactor.rewrite import Rewrite
from spvls.ide.refactor.site import Site
from spvls.module.decorations import about
from spvls.module.functions import Block, Function
from spvls.module.sections import Section
from spvls.syntax.instruction import Instruction
from spvls.validate.checks.simplification import ANY_COMPOSITE, Choice, choice_of
from spvls.validate.engine.finding import Delete
from spvls.validate.fixes.common import declared


def select_refactorings(site: Site) -> Iterator[Refactoring]:
    """Of the branch or of the OpSelect at the cursor."""
    record, function, block = site.record, site.function, site.block
    if record is None or function is None or block is None:
        return
    if record.opcode.value == spv.OpSelect:
        condition = site.module.type_of(record.operands[0])
        if condition is not None and condition.is_bool and may_be_split(block, record, site.module):
            title = "Turn OpSelect into a branch"
            yield Refactoring("select-to-if", title, REWRITE, lambda: _branching(site, function, block, record))
    elif record in (block.merge, block.terminator):
        choice = choice_of(block, function, site.module)
        if choice is not None:
            yield Refactoring("if-to-select", "Turn the branch into OpSelect", REWRITE, lambda: _selecting(site, choice))


# To OpSelect


def _selecting(site: Site, choice: Choice) -> list[Edit]:
    module, rewrite = site.module, Rewrite(site.source, site.chunk)
    block, merge, sides, phis = choice
    terminator = block.terminator
    assert terminator is not None
    condition = str(terminator.operands[0])
    lines = [line.strip() for side in sides if side.records[1:-1] for line in rewrite.lines(side.records[1:-1], {}).splitlines()]
    vectors: dict[int, str] = {}
    taken, otherwise = (name if name != merge.name else block.name for name in map(str, terminator.operands[1:3]))
    for phi in phis:
        type_ = module.type(phi.type)
        by = condition
        if type_ is not None and type_.is_vector and module.version < ANY_COMPOSITE:
            if type_.count not in vectors:
                vectors[type_.count] = rewrite.fresh(f"{condition}_each")
                every = " ".join([f"%{condition}"] * type_.count)
                made = f"OpCompositeConstruct %{_booleans(rewrite, condition, type_.count)} {every}"
                lines.append(f"%{vectors[type_.count]} = {made}")
            by = vectors[type_.count]
        values = {str(parent): str(value) for value, parent in zip(phi.operands[::2], phi.operands[1::2], strict=True)}
        lines.append(f"%{phi.result} = OpSelect %{phi.type} %{by} %{values[taken]} %{values[otherwise]}")
    rewrite.replace(terminator, "\n".join([*lines, f"OpBranch %{merge.name}"]))
    gone = [*([block.merge] if block.merge is not None else []), *phis]
    for side in sides:
        rewrite.cut(*rewrite.extent(side.records))
        gone += about(side.name, module)
    rewrite.do(*[Delete(record) for record in gone])
    return rewrite.edits()


def _booleans(rewrite: Rewrite, condition: str, count: int) -> str:
    """The type of a vector of so many booleans, which is declared if need be."""
    boolean = rewrite.module.value_type(condition) or ""
    known = declared(rewrite.module, spv.OpTypeVector, boolean, count)
    if known is not None:
        return known.id
    name = rewrite.fresh(f"v{count}{boolean}")
    rewrite.declare(Section.TYPES, f"%{name} = OpTypeVector %{boolean} {count}")
    return name


# From OpSelect


def _branching(site: Site, function: Function, block: Block, record: Instruction) -> list[Edit]:
    rewrite = Rewrite(site.source, site.chunk)
    condition, one, other = (f"%{operand!s}" for operand in record.operands[:3])
    then, otherwise, end = (rewrite.fresh(f"{record.result}_{what}") for what in ("then", "else", "end"))
    lines = [
        *([f"OpSelectionMerge %{end} None"] if site.module.has_capability(Capability.Shader) else []),
        f"OpBranchConditional {condition} %{then} %{otherwise}",
        f"%{then} = OpLabel",
        f"OpBranch %{end}",
        f"%{otherwise} = OpLabel",
        f"OpBranch %{end}",
        f"%{end} = OpLabel",
        f"%{record.result} = OpPhi %{record.type} {one} %{then} {other} %{otherwise}",
    ]
    rewrite.replace(record, "\n".join(lines))
    rewrite.rename(phis_after(function, block), {block.name: end})
    return rewrite.edits()
