"""Walks over what types are made of: iterative, each type looked at once, whatever a module nests (SPIR-V 2.2.2).

No type that `Module.type` gives contains itself, but by a pointer that OpTypeForwardPointer announces; so walks that do not
follow pointers end by themselves. `known` has the answers for other types, and takes those that are found on the way.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, MutableMapping

from spvls.grammar import spv
from spvls.module.recursion import Steps, evaluate, evaluation_steps
from spvls.module.types import Lookup, Type
from spvls.syntax.number import encoding_of

Enters = Callable[[Type], bool]


def without_arrays(type_: Type, known: dict[str, Type | None]) -> Type | None:
    """What an array, or an array of arrays, is made of."""
    passed: list[str] = []
    inner: Type | None = type_
    while inner is not None and inner.is_array and inner.id not in known:
        passed.append(inner.id)
        inner = inner.element
    found = known[inner.id] if inner is not None and inner.is_array else inner
    known.update(dict.fromkeys(passed, found))
    return found


def behind_pointers(type_: Type | None) -> tuple[Type | None, int]:
    """What a pointer, or a pointer to pointers, leads to, and the storage class of the last of them, -1 where there is none.

    None where pointers lead back to themselves.
    """
    storage, seen = -1, set()
    while type_ is not None and type_.kind == spv.OpTypePointer:
        if type_.id in seen:
            return None, storage
        seen.add(type_.id)
        storage = type_.storage
        type_ = type_.pointee
    return type_, storage


def parts(type_: Type | None, enters: Enters | None = None) -> Iterator[Type]:
    """A type and all that it is made of, members of structures and elements of composites, each once, in the order of the
    text that spells them. Only types that `enters` holds for are looked into."""
    return _each(type_, lambda found: parts_of(found) if enters is None or enters(found) else ())


def parts_of(type_: Type) -> tuple[Type | None, ...]:
    """What a type is made of directly: the members of a structure, or the one element. Pointers and functions hold nothing."""
    if type_.is_struct:
        return type_.members
    return () if type_.element_id is None or type_.kind in (spv.OpTypePointer, spv.OpTypeFunction) else (type_.element,)


def parts_and_pointees(type_: Type | None, enters: Enters) -> Iterator[Type]:
    """As `parts`, also through typed pointers; each type once, so that pointers may lead back."""

    def step(found: Type) -> tuple[Type | None, ...]:
        if not enters(found):
            return ()
        return (found.pointee,) if found.kind == spv.OpTypePointer else parts_of(found)

    return _each(type_, step)


def _each(type_: Type | None, step: Callable[[Type], tuple[Type | None, ...]]) -> Iterator[Type]:
    """A type and those that `step` leads to from it, each once, the nearer first."""
    seen: set[str] = set()
    waiting = [type_]
    while waiting:
        found = waiting.pop()
        if found is None or found.id in seen:
            continue
        seen.add(found.id)
        yield found
        waiting.extend(reversed(dict.fromkeys(step(found))))


def members_nested(name: str, find: Lookup, known: dict[str, int]) -> int:
    """How many structures stand in each other as members, arrays not followed; 0 for what is not a structure."""

    def steps(name: str) -> Steps[str, int]:
        type_ = find(name)
        if type_ is None or not type_.is_struct:
            return 0
        deepest = 0
        for member in dict.fromkeys(type_.member_ids):
            deepest = max(deepest, (yield member))
        return deepest + 1

    return evaluate(steps, name, known, 0)


def alike(one: Type | None, other: Type | None, same: Callable[[Type, Type], bool | None]) -> bool:
    """Whether two types are built alike, part for part, down to parts of which `same` says whether they match.

    `same` is None for arrays or structures that match as far as what they are made of does.
    """
    seen: set[tuple[str, str]] = set()
    waiting = [(one, other)]
    while waiting:
        first, second = waiting.pop()
        if first is None or second is None:
            continue
        if (first.id, second.id) in seen:
            continue
        seen.add((first.id, second.id))
        verdict = same(first, second)
        if verdict is False:
            return False
        if verdict is None:
            mine, theirs = parts_of(first), parts_of(second)
            if len(mine) != len(theirs):
                return False
            waiting.extend(dict.fromkeys(zip(mine, theirs, strict=True)))
    return True


def contents(
    name: str,
    find: Lookup,
    is_forward: Callable[[str], bool],
    behind_pointers: bool,
    known: MutableMapping[str, frozenset[int | str]],
) -> Generator[None, None, frozenset[int | str]]:
    """In short steps, what a type is made of; see `Module.contents`."""

    def steps(name: str) -> Steps[str, frozenset[int | str]]:
        type_ = find(name)
        if type_ is None:
            return frozenset()
        own = _kinds(type_)
        for part in _content_ids(type_, follows=behind_pointers and not is_forward(name)):
            own |= yield part
        return frozenset(own)

    return evaluation_steps(steps, name, known, frozenset())


def _kinds(type_: Type) -> set[int | str]:
    found: set[int | str] = {type_.kind}
    if type_.is_numeric and type_.encoding is None:
        found.add(f"{'Int' if type_.is_int else 'Float'}{type_.width}")
    elif type_.kind == spv.OpTypeFloat:
        found.add(encoding_of(type_.word(1)) or str(type_.word(1)))
    return found


def _content_ids(type_: Type, *, follows: bool) -> tuple[str, ...]:
    if type_.kind == spv.OpTypeStruct:
        return tuple(dict.fromkeys(type_.member_ids))
    if type_.kind in (spv.OpTypePointer, spv.OpTypeFunction):
        return tuple(operand for operand in type_.operands if isinstance(operand, str)) if follows else ()
    if type_.kind in (spv.OpTypeTensorARM, spv.OpTypeNodePayloadArrayAMDX):
        return ()
    return (type_.element_id,) if type_.element_id is not None else ()
