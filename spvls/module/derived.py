"""Answers derived from a module, kept until a fact that they were derived from changes."""

from __future__ import annotations

from collections.abc import Callable

from spvls.module.dependencies import Dependencies, Facts
from spvls.typed import Any, TypeVar

Value = TypeVar("Value")

_MANY = 1000
"""Names that changed from which on they are looked for in the order of what is known."""


class _Computed(dict[Any, Any]):
    """Answers by name, each computed when it is first asked for."""

    __slots__ = ("_compute",)

    def __init__(self, compute: Callable[[Any], Any]) -> None:
        self._compute = compute

    def __missing__(self, name: Any) -> Any:
        answer = self[name] = self._compute(name)
        return answer


class DerivedAnswers:
    """Keeps answers, and knows what each depends on.

    There are two kinds. An answer about one id, or one chunk, that follows from a single fact of the same name is kept in a
    `table` of that kind of fact, and whoever asks depends on the fact itself. Any other answer has a name of its own, and is
    kept by `derive`, which notes all that is read while it is computed; whoever asks depends on that name.

    `reads` are the facts that whoever asks at present depends on; a caller that wants to know them puts its own in place. `derived`
    counts the answers that were computed so far.
    """

    def __init__(self) -> None:
        self.reads = Facts()
        self.derived = 0
        self._tables: dict[str, list[dict[Any, Any]]] = {}
        self._answers: dict[str, Any] = {}
        self._numbers: dict[str, int] = {}
        self._dependencies = Dependencies()

    def table(self, kind: str, compute: Callable[[Any], Any] | None = None) -> dict[Any, Any]:
        """A new table of answers by the name of the fact of a kind, an attribute of `Facts`, that each follows from. What is not in
        it yet is computed when it is asked for by its key, if there is a way to."""
        made: dict[Any, Any] = {} if compute is None else _Computed(compute)
        self._tables.setdefault(kind, []).append(made)
        return made

    def known(self, name: str) -> Any:
        """The answer of that name if it is known, else None; whoever asks depends on it. The short way for what many ask."""
        self.reads.module.add(name)
        return self._answers.get(name)

    def derive(self, name: str, compute: Callable[[], Value], *, note: bool = True) -> Value:
        """The answer of that name, computed unless it is known.

        Without `note` whoever asks does not depend on it: for an index, of which each asks for the entry of a fact that it
        notes itself.
        """
        if note:
            self.reads.module.add(name)
        try:
            known: Value = self._answers[name]
            return known
        except KeyError:
            pass
        self.derived += 1
        asker, own = self.reads, Facts()
        self.reads = own
        try:
            answer = self._answers[name] = compute()
        finally:
            self.reads = asker
        self._dependencies.record(self._numbers.setdefault(name, len(self._numbers)), own.groups())
        return answer

    def invalidate(self, changed: Facts) -> None:
        """Forget what depends on facts that changed, and add the names of the answers that do to these."""
        for kind, tables in self._tables.items():
            names = getattr(changed, kind)
            for known in tables:
                # Of many, in the order in which they were made, which is where they stand in memory.
                for name in names if len(names) < _MANY else [name for name in known if name in names]:
                    known.pop(name, None)
        stale = changed
        while numbers := self._dependencies.invalidate(stale):
            stale = Facts()
            for name, number in self._numbers.items():
                if number in numbers and name in self._answers:
                    del self._answers[name]
                    stale.module.add(name)
            changed.module |= stale.module
