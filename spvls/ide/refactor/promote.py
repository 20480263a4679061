"""A variable of a function as its values: loads and stores go, and OpPhi chooses where branches meet (SPIR-V 2.5.1).

Phis are placed by iterated dominance frontiers, where the variable is still loaded after them (Cytron, Ferrante, Rosen, Wegman,
Zadeck: Efficiently Computing Static Single Assignment Form and the Control Dependence Graph).
"""

from __future__ import annotations

from collections.abc import Iterator

from spvls.diagnostic import Edit
from spvls.grammar import spv
from spvls.grammar.operand_index import OpStore_Object
from spvls.ide.refactor.refactoring import REWRITE, Refactoring
from spvls.ide.refactor.rewrite import Rewrite
from spvls.ide.refactor.site import Site
from spvls.module.decorations import about
from spvls.module.functions import Block
from spvls.module.sections import Section
from spvls.syntax.instruction import Instruction
from spvls.validate.checks.simplification import Promotion, promotion_of
from spvls.validate.engine.finding import Delete, InsertAfter


def promote_refactorings(site: Site) -> Iterator[Refactoring]:
    """Of the variable of a function at the cursor."""
    record, function = site.record, site.function
    if record is None or function is None or record.opcode.value != spv.OpVariable or record.result is None:
        return
    promotion = promotion_of(record, function, site.module)
    if promotion is not None:
        title = f"Replace the variable %{record.result} by its values"
        yield Refactoring("variable-to-values", title, REWRITE, lambda: _promoted(site, promotion))


def _promoted(site: Site, promotion: Promotion) -> list[Edit]:
    rewrite = Rewrite(site.source, site.chunk)
    function, variable, type_, loads, stores = promotion
    values = _Values(promotion, rewrite)
    for block, phi in values.phis.items():
        chosen = [(values.out_of(parent), parent) for parent in function.predecessors[block]]
        pairs = " ".join(f"%{values.final(value)} %{parent}" for value, parent in chosen)
        rewrite.do(InsertAfter(function.blocks[block].label, f"%{phi} = OpPhi %{type_} {pairs}"))
    gone = {id(record) for record in (*loads, *stores, variable)}
    renamed = {str(load.result): values.final(str(load.result)) for load in loads}
    named = [record for load in loads for record in about(str(load.result), site.module)]
    gone.update(map(id, named))
    uses = [use for name in renamed for _, use in site.module.ids.uses(name) if id(use) not in gone]
    rewrite.rename(sorted(dict.fromkeys(uses), key=lambda use: rewrite.line(use)), renamed)
    doomed = [*loads, *stores, variable, *named, *about(str(variable.result), site.module)]
    rewrite.do(*[Delete(record) for record in dict.fromkeys(doomed)])
    return rewrite.edits()


class _Values:
    """What a variable holds: `phis` has the blocks where several values meet, and the ids of what chooses there."""

    def __init__(self, promotion: Promotion, rewrite: Rewrite) -> None:
        self._function, self._variable, self._type, loads, stores = promotion
        self._rewrite = rewrite
        self._accesses = {id(record) for record in (*loads, *stores)}
        self._loaded: dict[str, str] = {}
        self._out: dict[str, str] = {}
        name = self._variable.result
        self.phis = {block: rewrite.fresh(f"{name}_{block}") for block in self._joins(stores)}
        for block in self._function.dominators.tree:
            self._go_through(self._function.blocks[block])
        for load in loads:
            self._loaded.setdefault(str(load.result), "")  # of a block that is never reached

    def final(self, value: str) -> str:
        """The value that is left where a load, or what was stored from one, stood for it."""
        while value in self._loaded:
            value = self._loaded[value]
        return value or self._undefined()

    def out_of(self, block: str) -> str:
        """What the variable holds at the end of a block; empty where it was never stored to."""
        return self._out.get(block, "")

    def _undefined(self) -> str:
        def made() -> str:
            name = self._rewrite.fresh(f"{self._variable.result}_undefined")
            self._rewrite.declare(Section.TYPES, f"%{name} = OpUndef %{self._type}")
            return name

        return self._rewrite.once("undefined", made)

    def _go_through(self, block: Block) -> None:
        immediate = self._function.dominators.immediate
        held = self.phis.get(block.name)
        if held is None and block.name in immediate:
            held = self._out[immediate[block.name]]
        elif held is None:
            held = str(self._variable.operands[1]) if len(self._variable.operands) > 1 else ""
        for record in block.records:
            if id(record) not in self._accesses:
                continue
            if record.opcode.value == spv.OpLoad:
                self._loaded[str(record.result)] = held
            else:
                held = str(record.operands[OpStore_Object])
        self._out[block.name] = held

    def _joins(self, stores: list[Instruction]) -> list[str]:
        """The blocks where values of the variable meet that are still loaded, in the order of the text."""
        function = self._function
        storing = {function.block_of[id(store)].name for store in stores}
        frontiers = self._frontiers()
        live = self._live_blocks()
        found: set[str] = set()
        waiting = sorted(storing)
        while waiting:
            for block in frontiers.get(waiting.pop(), ()):
                if block not in found and block in live:
                    found.add(block)
                    waiting.append(block)
        return [name for name in function.blocks if name in found]

    def _frontiers(self) -> dict[str, list[str]]:
        """The dominance frontiers of blocks that are reached."""
        function, dominators = self._function, self._function.dominators
        found: dict[str, list[str]] = {}
        for block, predecessors in function.predecessors.items():
            if len(predecessors) < 2 or not dominators.reaches(block):
                continue
            for predecessor in predecessors:
                runner = predecessor if dominators.reaches(predecessor) else None
                while runner is not None and runner != dominators.immediate.get(block):
                    if block not in found.setdefault(runner, []):
                        found[runner].append(block)
                    runner = dominators.immediate.get(runner)
        return found

    def _live_blocks(self) -> set[str]:
        """The blocks at whose beginning the variable holds a value that is loaded later."""
        first = {block.name: self._first_access(block) for block in self._function.blocks.values()}
        waiting = [name for name, opcode in first.items() if opcode == spv.OpLoad]
        live = set(waiting)
        while waiting:
            for before in self._function.predecessors[waiting.pop()]:
                if before not in live and first[before] is None:
                    live.add(before)
                    waiting.append(before)
        return live

    def _first_access(self, block: Block) -> int | None:
        return next((record.opcode.value for record in block.records if id(record) in self._accesses), None)
