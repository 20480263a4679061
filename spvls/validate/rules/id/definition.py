"""Ids: defined once, before they are used, and where the definition dominates the use (SPIR-V 2.4, 2.16.1)."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from itertools import dropwhile, islice, takewhile

from spvls.grammar import sections, spv
from spvls.grammar.traits import TAKES_FUNCTIONS
from spvls.module.forward_reference import may_be_forward
from spvls.module.functions import Function
from spvls.module.module import Module
from spvls.steps import PORTION
from spvls.syntax.instruction import RESULT, TYPE, Instruction
from spvls.validate.checks.dominance import dominates_block, is_of_other_function
from spvls.validate.engine.finding import PAUSE, Finding, FindingFix, Note, Replace, pausing
from spvls.validate.engine.rule import Findings, RuleContext, function_rule, instruction_rule

#: How many ids of a chunk that are not defined where they are used have fixes.
_MOST_SUGGESTIONS = 8

_MANY = 8 * PORTION

#: An id that more functions use is not misspelt in each of them: its definition is gone.
_MOST_FUNCTIONS = 8

#: Uses that a finding names beside its own.
_MOST_NOTES = 8


def _ids(inst: Instruction) -> Iterator[tuple[int, str]]:
    if inst.type is not None:
        yield TYPE, inst.type
    for operand_index, operand in enumerate(inst.operands):
        if operand.__class__ is str:
            yield operand_index, operand


@instruction_rule("id/is-defined-before-use", section=sections.UNIVERSAL_VALIDATION_RULES, every=True, doubtful=True)
def is_defined_before_use(inst: Instruction, context: RuleContext) -> Findings:
    """Every id must be defined, and before its use unless the operand permits a forward reference.

    An id without a definition has no type and no value. A consumer that reads the module once needs the definition first.

    For example, labels, functions that are called, the operands of OpPhi, pointers that OpTypeForwardPointer announces to later
    type declarations, and ids in names, entry points, execution modes and most decorations may be defined later.

    Other rules report some of these faults, for example structure members that are declared later
    (`type/struct-members-are-declared-first`), types that contain themselves (`type/is-not-recursive`) and ids of another function
    (`id/stays-in-its-function`).

    Not every use of an id has a finding of its own. Names and decorations of an id without a definition are reported only if
    nothing else uses it.
    """
    if inst.type is None and not inst.operands:
        return
    seen = context.defined_ids
    module = context.module
    inside = context.is_in_function
    cycle: tuple[str, ...] = ()
    if module.has_recursive_types:
        cycle = module.cycle_without_pointer(inst.result) if inst.result is not None else ()
        own = module.cycle_of(inst.result) if inst.result is not None else ()
        context.has_undefined_operand = any(module.cycle_of(name) and name not in own for _, name in _ids(inst))
    for at, (operand_index, name) in enumerate(_ids(inst), 1):
        if not (at + 1) % PORTION:
            yield PAUSE
        if name in cycle:
            continue  # said of the cycle
        if name in seen or (inside and module.is_global(name)):
            continue
        definition = module.defining_instruction(name)
        if definition is None:
            context.has_undefined_operand = True
            reported = context.chunk_state("id/is-defined-before-use", _Told)
            if name not in reported and not reported.elsewhere(inst, name, context):
                reported.add(name)
                near = (yield from _nearest(name, context)) if len(reported) <= _MOST_SUGGESTIONS else None
                if near is not None and not _fits(inst, operand_index, near, context.module):
                    near = None
                from spvls.validate.fixes.undefined import declarations

                fixes = declarations(name, inst, operand_index, context) if len(reported) <= _MOST_SUGGESTIONS else ()
                message = f"%{name} is not defined"
                if near is not None:
                    spelled = FindingFix(f"Change to %{near}", (Replace(inst, operand_index, f"%{near}"),), preferred=not fixes)
                    fixes = fixes if spelled.title in {fix.title for fix in fixes} else (*fixes, spelled)
                    message += f"; did you mean %{near}?"
                yield Finding(inst, operand_index, message, fixes=fixes)
            continue
        if inside and is_of_other_function(name, context):
            continue
        opcode = inst.opcode.value
        if may_be_forward(opcode, operand_index) or (
            definition.opcode.value == spv.OpTypePointer and _announced(name, inst, context)
        ):
            continue
        is_function = definition.opcode.value == spv.OpFunction and definition is not context.record
        if is_function and (inside or opcode == spv.OpFunction) and not (opcode in TAKES_FUNCTIONS and _is_later(name, context)):
            continue  # wherever it stands: that it is a function is the fault
        if opcode in (spv.OpExtInst,) and inst.operands[1:2] and operand_index >= 2 and module.is_non_semantic(inst):
            continue
        context.has_undefined_operand = True
        yield from _early_use(inst, operand_index, name, definition, context)


def _is_later(function: str, context: RuleContext) -> bool:
    return context.function is not None and context.module.follows(function, context.function.name)


def _early_use(inst: Instruction, operand_index: int, name: str, definition: Instruction, context: RuleContext) -> Findings:
    """A use of what is defined later, of several the first; one as a type that is not one has a finding that says so."""
    if operand_index == TYPE and not definition.opcode.is_type:
        return
    note = Note(definition, RESULT, f"%{name} is defined here")
    if definition is context.record:
        yield Finding(inst, operand_index, f"%{name} must not be an operand of the instruction that defines %{name}", (note,))
        return
    early: set[str] = context.chunk_state("early uses", set)
    if name not in early:
        from spvls.validate.fixes.order import moving  # for faulty modules alone

        early.add(name)
        notes = (note, *_further_uses(context.record or inst, name, definition, context))
        few = len(early) <= _MOST_SUGGESTIONS
        fixes = moving(context.record or inst, definition, context.function, context.module) if few else ()
        yield Finding(inst, operand_index, f"%{name} is used before it is defined", notes, fixes)


def _further_uses(first: Instruction, name: str, definition: Instruction, context: RuleContext) -> Iterator[Note]:
    """Some of the uses between the first one and the definition, for the finding on the first."""
    module = context.module
    records = context.function.records if context.function is not None else module.chunks[0].records
    between = takewhile(lambda record: record is not definition, dropwhile(lambda record: record is not first, records))
    others = ((record, at) for record in islice(between, 1, None) for at, used in _ids(record) if used == name)
    for record, at in islice(others, _MOST_NOTES):
        if not may_be_forward(record.opcode.value, at):
            yield Note(record, at, f"%{name} is used here as well")


@instruction_rule("id/stays-in-its-function", section=sections.UNIVERSAL_VALIDATION_RULES, every=True, doubtful=True)
def stays_in_its_function(inst: Instruction, context: RuleContext) -> Findings:
    """An id that is defined in a function must not be used in another function.

    The value exists only during a call of its function, and a branch to a label of another function would leave the call without
    returning. Pass the value as an argument or through memory. Only uses within functions are checked, not names and decorations. A
    function has one such finding for each other function, at the first use.
    """
    if not context.is_in_function or (inst.type is None and not inst.operands):
        return
    seen = context.defined_ids
    for at, (operand_index, name) in enumerate(_ids(inst), 1):
        if not (at + 1) % PORTION:
            yield PAUSE
        if name not in seen and is_of_other_function(name, context):
            owner = context.module.owner_of(name)
            reported: set[str | None] = context.chunk_state("ids of other functions", set)
            if owner in reported:
                continue
            reported.add(owner)
            message = f"%{name} is defined in the function %{owner} and must not be used outside of %{owner}"
            yield Finding(inst, operand_index, message, _made_here(name, context))


def _announced(name: str, user: Instruction, context: RuleContext) -> bool:
    """Whether OpTypeForwardPointer lets `user` name a pointer type before it is declared: type declarations after it may."""
    return user.opcode.is_type and context.module.is_forward_pointer(name) and name in context.announced_ids


def _nearest(name: str, context: RuleContext) -> Generator[Finding, None, str | None]:
    """The id of the function or the global one that `name` may stand for; numbers stand for nothing else."""
    from spvls.syntax.nearest import nearest_among

    if name.isdigit() or context.module.ids.using_count(name) > _MOST_FUNCTIONS:
        return None
    local = context.function.names if context.function is not None else frozenset()
    known = [*local, *context.module.global_names()]
    alike: list[str] = []
    for at in range(0, len(known), _MANY):
        yield PAUSE
        some = known[at : at + _MANY]
        alike += [other for other in some if abs(len(other) - len(name)) < 2 and (other[0] == name[0] or other[-1] == name[-1])]
    return (yield from pausing(nearest_among(name, sorted(alike))))


def _fits(inst: Instruction, operand_index: int, name: str, module: Module) -> bool:
    """Whether an id is of the sort that a place asks for: a label, a type, or neither."""
    opcode = module.opcode_of(name)
    if operand_index == TYPE:
        return module.is_type(name)
    if inst.opcode.value in _OF_ALL_SORTS:
        return True
    wanted = operand_index >= _LABELS.get(inst.opcode.value, len(inst.operands))
    return wanted is (opcode == spv.OpLabel)


_LABELS = {spv.OpBranch: 0, spv.OpBranchConditional: 1, spv.OpLoopMerge: 0, spv.OpSelectionMerge: 0}
"""Where instructions name labels, to their end."""

_OF_ALL_SORTS = (spv.OpName, spv.OpPhi, spv.OpSwitch)
"""Instructions that name labels among other ids."""


_ABOUT = frozenset({"Debug", "Annotation"})


class _Told(set[str]):
    """The undefined ids that something has been said of."""

    def __init__(self) -> None:
        super().__init__()
        self._used: dict[str, bool] = {}

    def elsewhere(self, inst: Instruction, name: str, context: RuleContext) -> bool:
        """Whether a name or a decoration of an undefined id is the lesser evil: the id is used otherwise as well."""
        if inst.opcode.class_ not in _ABOUT:
            return False
        if name not in self._used:
            self._used[name] = any(use.opcode.class_ not in _ABOUT for _, use in context.module.ids.uses(name))
        return self._used[name]


@instruction_rule("id/is-defined-once", section=sections.UNIVERSAL_VALIDATION_RULES, every=True, doubtful=True)
def is_defined_once(inst: Instruction, context: RuleContext) -> Findings:
    """Every id must be the result of only one instruction.

    An id stands for one result. With two definitions, a consumer may use either value for all uses of the id.
    """
    if inst.result is not None:
        first = context.module.definition(inst.result)
        if first is not None and first is not context.record:
            note = Note(first, RESULT, f"%{inst.result} is first defined here")
            yield Finding(inst, RESULT, f"%{inst.result} is defined more than once", (note,))


@function_rule("id/definition-dominates-uses", section=sections.UNIVERSAL_VALIDATION_RULES)
def definition_dominates_uses(function: Function, context: RuleContext) -> Findings:
    """The block of a definition must dominate every block that uses the result, except in OpPhi.

    If control can reach the use without passing the definition, the value may not have been computed there. For a Variable of
    OpPhi, the definition must dominate the parent block that the operand is paired with. Uses in blocks that control
    cannot reach are not checked, nor a Variable that is paired with such a block. For a use before the definition in the text, see
    `id/is-defined-before-use`, and for one in another function `id/stays-in-its-function`.
    """
    if len(function.blocks) < 2 and spv.OpPhi not in function.opcodes:
        return
    dominators, home = function.dominators, function.home
    passed = 0
    for here, block in function.blocks.items():
        reachable = dominators.reaches(here)
        for record in block.records:
            passed += 1
            if not passed % PORTION:
                yield PAUSE
            if record.opcode.value == spv.OpPhi:
                yield from _phi_dominance(record, function)
            elif reachable:
                for name in record.operands if record.type not in home else record.uses():
                    where = home.get(name, here) if name.__class__ is str else here
                    if where is not here and not dominators.dominates(where, here):
                        yield from _not_dominated(record, function, here, context)
                        break


def _not_dominated(record: Instruction, function: Function, here: str, context: RuleContext) -> Findings:
    """The uses in a record, which stands in the block `here`, of what is defined in a block that does not dominate this one."""
    for operand_index, name in _ids(record):
        where = function.home.get(name, here)
        if where == here or function.dominators.dominates(where, here):
            continue
        definition = next(record for record in function.blocks[where].records[1:] if record.result == name)
        if function.order[id(definition)] < function.order[id(record)]:  # a use before the definition is a finding of its own
            message = f"%{name} is defined in block %{where}, which must dominate block %{here}, where %{name} is used"
            from spvls.validate.fixes.order import hoisting  # for faulty modules alone

            hoisted: set[str] = context.chunk_state("hoisted definitions", set)
            hoisted.add(name)
            fixes = hoisting(record, name, function, context.module) if len(hoisted) <= _MOST_SUGGESTIONS else ()
            yield Finding(record, operand_index, message, _made_here(name, context), fixes)


def _phi_dominance(record: Instruction, function: Function) -> Findings:
    for operand_index in range(0, len(record.operands) - 1, 2):
        name, parent = record.operands[operand_index : operand_index + 2]
        if isinstance(name, str) and isinstance(parent, str) and not dominates_block(function, name, parent):
            where = function.home[name]
            message = f"%{name} is defined in block %{where}, which must dominate block %{parent}, "
            message += f"the predecessor that OpPhi pairs with %{name}"
            yield Finding(record, operand_index, message)


def _made_here(name: str, context: RuleContext) -> tuple[Note, ...]:
    definition = context.module.definition(name)
    return (Note(definition, RESULT, f"%{name} is defined here"),) if definition is not None else ()
