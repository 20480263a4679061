"""A selection construct that only chooses among values as OpSelect, and OpSelect as a selection construct."""

from __future__ import annotations

from collections.abc import Iterator

from spvls.diagnostic import Edit
from spvls.grammar import spv
from spvls.grammar.enumerants import Capability
from spvls.ide.refactor.blocks import may_be_split, phis_after
from spvls.ide.refactor.refactoring import REWRITE, Refactoring
from spvls.ide.refactor.rewrite import Rewrite, about, is_grouped
from spvls.ide.refactor.site import Site
from spvls.ide.refactor.values import holds_values, is_value
from spvls.module.decorations import ANNOTATIONS
from spvls.module.functions import Block, Function
from spvls.module.module import Module
from spvls.module.purity import is_pure
from spvls.module.sections import SOURCE_LINES, Section
from spvls.record import NamedTuple
from spvls.syntax.instruction import Instruction
from spvls.validate.engine.finding import Delete
from spvls.validate.fixes.common import declared

_ANY_COMPOSITE = (1, 4)
"""The version of SPIR-V since which OpSelect chooses among composites by one boolean (SPIR-V 3.3.15)."""

_UNSAFE = frozenset(
    {
        spv.OpSDiv, spv.OpUDiv, spv.OpSRem, spv.OpSMod, spv.OpUMod, spv.OpVectorExtractDynamic, spv.OpVectorInsertDynamic,
        spv.OpInBoundsAccessChain,
    }
)  # fmt: skip
"""Instructions whose behavior is undefined for some operands, which the condition may rule out."""

_LABEL_USES = ANNOTATIONS | {spv.OpPhi, spv.OpName}


class _Choice(NamedTuple):
    """A block whose branch only chooses the values of `phis`: `sides` are the blocks between it and `merge`, at most two."""

    block: Block
    merge: Block
    sides: list[Block]
    phis: list[Instruction]


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
        choice = _choice(site, function, block)
        if choice is not None:
            yield Refactoring("if-to-select", "Turn the branch into OpSelect", REWRITE, lambda: _selecting(site, choice))


# To OpSelect


def _choice(site: Site, function: Function, block: Block) -> _Choice | None:
    terminator = block.terminator
    if terminator is None or terminator.opcode.value != spv.OpBranchConditional or len(block.successors) != 2:
        return None
    targets = [function.blocks.get(name) for name in block.successors]
    if any(target is None for target in targets) or (block.merge is not None and block.merge.opcode.value == spv.OpLoopMerge):
        return None
    one, other = (target for target in targets if target is not None)
    merge = _meeting(one, other, function)
    if merge is None or merge is block or (block.merge is not None and block.merge.operands[0] != merge.name):
        return None
    sides = [side for side in (one, other) if side is not merge]
    ways = {side.name for side in sides} | ({block.name} if len(sides) < 2 else set())
    if set(function.predecessors[merge.name]) != ways or not all(_is_side(side, block, function, site) for side in sides):
        return None
    phis = [record for record in merge.records if record.opcode.value == spv.OpPhi]
    if not phis or not all(_is_selectable(record, site.module) and len(record.operands) == 4 for record in phis):
        return None
    terminators = [terminator, *([block.merge] if block.merge is not None else [])]
    return _Choice(block, merge, sides, phis) if site.has_lines_alone([*terminators, *phis]) else None


def _meeting(one: Block, other: Block, function: Function) -> Block | None:
    """The block where the two ways meet."""
    if other.successors == (one.name,) and one.successors != (other.name,):
        return one
    if one.successors == (other.name,):
        return other
    return function.blocks.get(one.successors[0]) if len(one.successors) == 1 and one.successors == other.successors else None


def _is_side(side: Block, block: Block, function: Function, site: Site) -> bool:
    """Whether a block only computes, so that it can be computed always."""
    module = site.module
    if function.predecessors[side.name] != [block.name] or side.merge is not None or is_grouped(side.name, module):
        return False
    if not all(is_speculatable(record, module) for record in side.records[1:-1]) or not site.has_lines_alone(side.records):
        return False
    branch = {id(block.terminator)}
    return all(id(use) in branch or use.opcode.value in _LABEL_USES for _, use in module.ids.uses(side.name))


def is_speculatable(record: Instruction, module: Module) -> bool:
    """Whether an instruction can be computed where its result may not be needed: it has no effect, and no undefined behavior."""
    opcode = record.opcode.value
    if opcode == spv.OpExtInst:
        known = module.extended_instruction(record)
        given = [module.type_of(operand) for operand in record.operands[2:]]
        return known is not None and known[0] == "GLSL.std.450" and not any(type_ is None or type_.is_pointer for type_ in given)
    if opcode == spv.OpLoad:
        return is_pure(record) and module.opcode_of(str(record.operands[0])) == spv.OpVariable and holds_values(record.type, module)
    return opcode in SOURCE_LINES or (opcode not in _UNSAFE and opcode != spv.OpVariable and is_pure(record))


def _is_selectable(phi: Instruction, module: Module) -> bool:
    type_ = module.type(phi.type)
    if type_ is None or not is_value(type_, module):
        return False
    return type_.is_scalar or module.version >= _ANY_COMPOSITE or (type_.kind == spv.OpTypeVector and module.is_global(type_.id))


def _selecting(site: Site, choice: _Choice) -> list[Edit]:
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
        if type_ is not None and type_.is_vector and module.version < _ANY_COMPOSITE:
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
