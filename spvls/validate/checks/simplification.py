"""What the form of a function makes possible without another result, which hints advise and refactorings do."""

from __future__ import annotations

from spvls.grammar import spv
from spvls.grammar.enumerants import Decoration, MemoryAccess, SelectionControl, StorageClass
from spvls.grammar.operand_index import OpCopyObject_Operand, OpLoad_Pointer, OpStore_Object
from spvls.module.decorations import ANNOTATIONS, about, is_about, is_grouped
from spvls.module.functions import Block, Function
from spvls.module.module import Module
from spvls.module.operand_at import id_at, word_at
from spvls.module.purity import is_pure
from spvls.module.sections import SOURCE_LINES
from spvls.module.types import Type
from spvls.record import NamedTuple
from spvls.syntax.instruction import Instruction
from spvls.validate.checks.kinds import has_small_types

# Values

_VALUES = frozenset(
    {
        spv.OpTypeBool, spv.OpTypeInt, spv.OpTypeFloat, spv.OpTypeVector, spv.OpTypeMatrix, spv.OpTypeArray, spv.OpTypeStruct,
    }
)  # fmt: skip


def holds_values(type_: str | None, module: Module) -> bool:
    """Whether a type is made of booleans and numbers alone."""
    return _kinds(type_, module) <= _VALUES


def is_value(type_: Type, module: Module, *, pointers: bool = False) -> bool:
    """Whether any instruction takes the values of a type, which is made of booleans and numbers, and of `pointers` if allowed."""
    kinds = _VALUES | {spv.OpTypePointer} if pointers else _VALUES
    return not has_small_types(module, type_.id) and _kinds(type_.id, module) <= kinds


def _kinds(type_: str | None, module: Module) -> set[int]:
    return {kind for kind in module.contents(type_) if isinstance(kind, int)}


_UNSAFE = frozenset(
    {
        spv.OpSDiv, spv.OpUDiv, spv.OpSRem, spv.OpSMod, spv.OpUMod, spv.OpVectorExtractDynamic, spv.OpVectorInsertDynamic,
        spv.OpInBoundsAccessChain, spv.OpConvertFToU, spv.OpConvertFToS, spv.OpConvertUToPtr, spv.OpCooperativeMatrixMulAddKHR,
        spv.OpCooperativeMatrixMulAddNV, spv.OpCooperativeMatrixConvertUseEXT, spv.OpCooperativeMatrixTransposeNV,
    }
)  # fmt: skip
"""Instructions whose behavior is undefined for some operands, which the condition may rule out, or that work in a scope."""

_NO_WRAP = (Decoration.NoSignedWrap, Decoration.NoUnsignedWrap)
"""With these the behavior of arithmetic is undefined where it overflows."""


def is_speculatable(record: Instruction, module: Module) -> bool:
    """Whether an instruction can be computed where its result may not be needed: it has no effect, and no undefined behavior."""
    opcode = record.opcode.value
    if opcode == spv.OpExtInst:
        known = module.extended_instruction(record)
        given = [module.type_of(operand) for operand in record.operands[2:]]
        if known is None or known[0] != "GLSL.std.450" or any(type_ is None or type_.is_pointer for type_ in given):
            return False
    elif opcode == spv.OpLoad:
        is_of_variable = module.opcode_of(str(record.operands[0])) == spv.OpVariable
        return is_of_variable and is_pure(record, module) and holds_values(record.type, module)
    elif opcode in _UNSAFE or opcode == spv.OpVariable or not is_pure(record, module):
        return opcode in SOURCE_LINES
    elif opcode == spv.OpAccessChain:
        return all(module.opcode_of(str(index)) == spv.OpConstant for index in record.operands[1:])
    return not any(module.has_decoration(record.result or "", wraps) for wraps in _NO_WRAP)


# Copies

Origins = dict[tuple[str, str | None], str | None]
"""What is known of copies: by what they copy and their type, the first value of which that is a copy; None where there is none."""


def origin_of(copy: Instruction, module: Module, known: Origins | None = None) -> str | None:
    """What an OpCopyObject, or a copy of a copy, is of; None where the copy has decorations of its own, or is of OpUndef, each use
    of which may have another value. Who asks about many copies hands over what is `known`, which is added to."""
    if copy.result is None or is_grouped(copy.result, module):
        return None
    if {found.value for found in module.decorations(copy.result)} - {Decoration.RelaxedPrecision}:
        return None
    known = {} if known is None else known
    passed: Origins = {}
    type_, name, origin = copy.type, id_at(copy, OpCopyObject_Operand), None
    while name is not None and (name, type_) not in passed:
        if (name, type_) in known:
            origin = known[name, type_]
            break
        passed[name, type_] = None
        made = module.definition(name)
        if made is None or made.type != type_:
            break
        if made.opcode.value != spv.OpCopyObject or made.faults:
            origin = name if made.opcode.value != spv.OpUndef else None
            break
        name = id_at(made, OpCopyObject_Operand)
    known.update(dict.fromkeys(passed, origin))
    return origin if origin != copy.result else None


# Variables

_CHAINS = frozenset({spv.OpAccessChain, spv.OpInBoundsAccessChain})
_LOAD_MASK, _STORE_MASK = OpLoad_Pointer + 1, OpStore_Object + 1


class Promotion(NamedTuple):
    """A variable whose values can take its place, what loads and stores it, and the type of its values."""

    function: Function
    variable: Instruction
    type: str
    loads: list[Instruction]
    stores: list[Instruction]


def promotion_of(variable: Instruction, function: Function, module: Module) -> Promotion | None:
    """The values of an OpVariable of a function, where nothing but whole loads and stores uses it, and a load does."""
    pointer = module.type(variable.type)
    held = pointer.pointee if pointer is not None else None
    name = variable.result or ""
    if held is None or variable.operands[:1] != (StorageClass.Function,) or not is_value(held, module):
        return None
    if not _is_plain(name, module):
        return None
    loads: list[Instruction] = []
    stores: list[Instruction] = []
    for use in module.users(name):
        if id(use) not in function.block_of:
            if not is_about(use, name):
                return None
        elif use.opcode.value == spv.OpLoad and use.type == held.id and _is_simple(use, _LOAD_MASK):
            if not _is_plain(use.result or "", module):
                return None
            loads.append(use)
        elif use.opcode.value == spv.OpStore and use.operands[OpStore_Object] != name and _is_simple(use, _STORE_MASK):
            if module.value_type(str(use.operands[OpStore_Object])) != held.id:
                return None
            stores.append(use)
        else:
            return None
    return Promotion(function, variable, held.id, loads, stores) if loads else None


def _is_simple(access: Instruction, memory: int) -> bool:
    """Whether a load or store, whose memory operands are from a place on, concerns no one else."""
    return not access.faults and not _memory_access(access, memory) & ~(MemoryAccess.Aligned | MemoryAccess.Nontemporal)


def _memory_access(access: Instruction, place: int) -> int:
    mask = access.operands[place] if len(access.operands) > place else 0
    return mask if isinstance(mask, int) else MemoryAccess.Volatile


def _is_plain(name: str, module: Module) -> bool:
    """Whether an id has no decoration that would be lost; RelaxedPrecision only permits."""
    decorations = {found.value for found in module.decorations(name)}
    return decorations <= {Decoration.RelaxedPrecision} and not is_grouped(name, module)


def unread(variable: Instruction, module: Module) -> list[Instruction]:
    """A variable that is stored to and never loaded, and what goes with it; empty where something else uses it, or nothing does."""
    gone: list[Instruction] = []
    stores = 0
    waiting, seen = [variable], {variable.result}
    while waiting:
        pointer = waiting.pop()
        name = str(pointer.result)
        if is_grouped(name, module):
            return []
        gone += [pointer, *about(name, module)]
        for use in module.users(name):
            if use.faults or (use.opcode.value == spv.OpStore and not _is_own_store(use, name)):
                return []
            if use.opcode.value == spv.OpStore:
                stores += 1
                gone.append(use)
            elif use.opcode.value in _CHAINS and use.operands[0] == name and use.result is not None:
                if use.result in seen:
                    return []  # two definitions of an id, or a chain that leads to itself
                seen.add(use.result)
                waiting.append(use)
            elif not is_about(use, name):
                return []
    return list(dict.fromkeys(gone)) if stores else []


def _is_own_store(store: Instruction, pointer: str) -> bool:
    return store.operands[OpStore_Object] != pointer and not _memory_access(store, _STORE_MASK) & MemoryAccess.Volatile


# Branches

ANY_COMPOSITE = (1, 4)
"""The version of SPIR-V since which OpSelect chooses among composites by one boolean (SPIR-V 3.3.15)."""

_LABEL_USES = ANNOTATIONS | {spv.OpPhi, spv.OpName}


class Choice(NamedTuple):
    """A block whose branch only chooses the values of `phis`: `sides` are the blocks between it and `merge`, at most two."""

    block: Block
    merge: Block
    sides: list[Block]
    phis: list[Instruction]


def choice_of(block: Block, function: Function, module: Module) -> Choice | None:
    """The values that the branch of a block chooses; None where it does more, or a side of it must not always be computed."""
    terminator = block.terminator
    if terminator is None or terminator.opcode.value != spv.OpBranchConditional or len(block.successors) != 2:
        return None
    targets = [function.blocks.get(name) for name in block.successors]
    if any(target is None for target in targets) or (block.merge is not None and block.merge.opcode.value == spv.OpLoopMerge):
        return None
    one, other = (target for target in targets if target is not None)
    if block.merge is not None and (word_at(block.merge, 1) or 0) & SelectionControl.DontFlatten:
        return None
    merge = _meeting(one, other, function)
    if merge is None or merge is block or (block.merge is not None and block.merge.operands[0] != merge.name):
        return None
    sides = [side for side in (one, other) if side is not merge]
    ways = {side.name for side in sides} | ({block.name} if len(sides) < 2 else set())
    before = function.predecessors[merge.name]
    if len(before) != len(ways) or set(before) != ways or not all(_is_side(side, block, function, module) for side in sides):
        return None
    phis = [record for record in merge.records if record.opcode.value == spv.OpPhi]
    if not phis or not all(_is_selectable(record, module) and len(record.operands) == 4 for record in phis):
        return None
    shared = [terminator, *([block.merge] if block.merge is not None else []), *phis]
    return Choice(block, merge, sides, phis) if all(record.stands_alone for record in shared) else None


def _meeting(one: Block, other: Block, function: Function) -> Block | None:
    """The block where the two ways meet."""
    if other.successors == (one.name,) and one.successors != (other.name,):
        return one
    if one.successors == (other.name,):
        return other
    return function.blocks.get(one.successors[0]) if len(one.successors) == 1 and one.successors == other.successors else None


def _is_side(side: Block, block: Block, function: Function, module: Module) -> bool:
    """Whether a block only computes, so that it can be computed always."""
    if function.predecessors[side.name] != [block.name] or side.merge is not None or is_grouped(side.name, module):
        return False
    if not all(record.stands_alone for record in side.records):
        return False
    if not all(is_speculatable(record, module) for record in side.records[1:-1]):
        return False
    branch = {id(block.terminator)}
    return all(id(use) in branch or use.opcode.value in _LABEL_USES for use in module.users(side.name))


def _is_selectable(phi: Instruction, module: Module) -> bool:
    type_ = module.type(phi.type)
    if type_ is None or not is_value(type_, module):
        return False
    return type_.is_scalar or module.version >= ANY_COMPOSITE or (type_.kind == spv.OpTypeVector and module.is_global(type_.id))


# Loops

class _Loop(NamedTuple):
    """A loop: where it ends, the one block outside that leads to it, None where there are several, and the loop around it."""

    merge: str
    before: Block | None
    outer: _Loop | None


def blocks_before_loops(function: Function) -> dict[str, Block]:
    """The one block that leads to the innermost loop around a block, by the name of the latter; of blocks in no such loop, none."""
    dominators = function.dominators
    innermost: dict[str, _Loop | None] = {}
    for name in dominators.tree:
        loop = innermost.get(dominators.immediate.get(name, ""))
        while loop is not None and dominators.dominates(loop.merge, name):
            loop = loop.outer  # the loop is over
        block = function.blocks[name]
        if block.merge is not None and block.merge.opcode.value == spv.OpLoopMerge:
            merge = str(block.merge.operands[0])
            if not dominators.dominates(merge, name):
                loop = _Loop(merge, _block_before(name, function), loop)
        innermost[name] = loop
    return {name: loop.before for name, loop in innermost.items() if loop is not None and loop.before is not None}


def _block_before(header: str, function: Function) -> Block | None:
    dominators = function.dominators
    outside = [before for before in function.predecessors[header] if not dominators.dominates(header, before)]
    return function.blocks[outside[0]] if len(outside) == 1 and dominators.reaches(outside[0]) else None


def is_invariant(record: Instruction, function: Function, before: Block, module: Module) -> bool:
    """Whether an instruction with a result can be computed in a block before the loop, even if the loop never gets to it."""
    if record.result is None or record.opcode.value in (spv.OpLoad, spv.OpUndef) or not record.stands_alone:
        return False  # what is loaded may change in the loop, and what is undefined at each use
    dominators, home = function.dominators, function.home
    for name in record.uses():
        if name in home and not dominators.dominates(home[name], before.name):
            return False
    return is_speculatable(record, module)
