"""Answers about the instructions before the first function, which features ask for with each request."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from spvls.module.dependencies import GLOBALS
from spvls.module.module import Module
from spvls.syntax.instruction import Instruction
from spvls.typed import TypeVar

Value = TypeVar("Value")


def of_globals(module: Module, name: str, read: Callable[[Sequence[Instruction]], Value]) -> Value:
    """The answer of that name, read off these instructions unless it is known; forgotten when an edit changes one of them."""

    def noted() -> Value:
        module.reads.module.add(GLOBALS)
        return read(module.chunks[0].records)

    return module.derive(name, noted)
