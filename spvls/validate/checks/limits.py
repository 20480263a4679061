"""Instructions that only some execution models may reach, or only entry points with some execution mode.

Families register what their instructions ask of the entry points that reach them, through calls as well; one rule
holds each function against it (SPIR-V 2.16.1: the static function-call graph of an entry point).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from functools import cache

from spvls.grammar.enumerants import ExecutionModel
from spvls.module.declarations import EntryPoint
from spvls.module.module import Module
from spvls.record import NamedTuple
from spvls.syntax.instruction import Instruction
from spvls.typed import TypeVar
from spvls.validate.engine.rule import FOLDERS, load
from spvls.validate.engine.rule_index import LIMITING


def _nothing(entry: EntryPoint, module: Module) -> str:
    return ""


class Limit(NamedTuple):
    """`holds` says whether an entry point may reach the instruction; `why` is what it says otherwise, and `found` what is there,
    without a full stop. With `each`, execution modes of the same names may decide otherwise by their operands."""

    holds: Callable[[EntryPoint, Module], bool]
    why: str
    vuid: str | None = None
    found: Callable[[EntryPoint, Module], str] = _nothing
    each: bool = False


LimitMaker = Callable[[Instruction, Module], Iterable[Limit]]
_Maker = TypeVar("_Maker", bound=LimitMaker)

LIMITS: dict[int, list[LimitMaker]] = {}
"""By opcode; filled by the families that are loaded."""


@cache
def limits_on(opcode: int) -> tuple[LimitMaker, ...]:
    """What gives the limits of instructions of an opcode. Loads the families that have any."""
    modules = LIMITING.get(opcode, ())
    for module in modules:
        load(module)
    order = {f"{FOLDERS}.{module}": place for place, module in enumerate(modules)}
    return tuple(sorted(LIMITS.get(opcode, ()), key=lambda maker: order[maker.__module__]))


def limits(*opcodes: int) -> Callable[[_Maker], _Maker]:
    """Registers a function that gives the limits of instructions of these opcodes."""

    def add(maker: _Maker) -> _Maker:
        for opcode in opcodes:
            LIMITS.setdefault(opcode, []).append(maker)
        return maker

    return add


def only(models: Collection[int], why: str, vuid: str | None = None) -> Limit:
    """Nothing but these execution models."""
    return Limit(lambda entry, module: entry.model in models, why, vuid)


def never(models: Collection[int], why: str, vuid: str | None = None) -> Limit:
    """None of these execution models."""
    return Limit(lambda entry, module: entry.model not in models, why, vuid)


def with_mode(models: Collection[int], modes: Collection[int], why: str, vuid: str | None = None) -> Limit:
    """One of the execution modes, where the model is one of these."""
    return Limit(
        lambda entry, module: entry.model not in models
        or any(mode.value in modes for mode in module.execution_modes(entry.function)),
        why,
        vuid,
    )


RAY_TRACING_MODELS = (
    ExecutionModel.RayGenerationKHR, ExecutionModel.IntersectionKHR, ExecutionModel.AnyHitKHR,
    ExecutionModel.ClosestHitKHR, ExecutionModel.MissKHR, ExecutionModel.CallableKHR,
)  # fmt: skip
