"""The smallest module that still shows something: instructions, blocks and operands go as long as it does."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tests.fuzz.words import ID_KINDS, Words, made, name_of, opcode_of

_BRANCHES = {"OpBranchConditional": (2, 3), "OpSwitch": (2,)}


class Reduction:
    """`holds` says whether a module still shows it; it is asked at most `asks` times."""

    def __init__(self, module: Words, holds: Callable[[Words], bool], asks: int = 2000) -> None:
        self.module = module
        self._holds = holds
        self._asks = asks

    def run(self) -> Words:
        """The module, of which nothing can go any more; it is the one given where that does not show it."""
        before = None
        while before != self.module.data() and self._asks > 0:
            before = self.module.data()
            for smaller in (_without_dependants, _without_runs, _without_branches, _without_operands):
                self._through(smaller)
        self._try(numbered_anew(self.module))
        return self.module

    def _through(self, smaller: Callable[[Words], Iterator[Words]]) -> None:
        """Take the first smaller module that holds, as long as there is one."""
        candidates = smaller(self.module)
        while self._asks > 0:
            candidate = next(candidates, None)
            if candidate is None:
                return
            if self._try(candidate):
                candidates = smaller(self.module)

    def _try(self, candidate: Words) -> bool:
        self._asks -= 1
        if candidate.data() == self.module.data() or not self._holds(candidate):
            return False
        self.module = candidate
        return True


def _of(module: Words, gone: set[int]) -> Words:
    return Words(list(module.header), [list(words) for place, words in enumerate(module.code) if place not in gone])


def _without_runs(module: Words) -> Iterator[Words]:
    """Without so many instructions in a row: long runs first, the last ones first."""
    size = max(1, len(module.code) // 2)
    while size:
        for end in range(len(module.code), 0, -size):
            yield _of(module, set(range(max(0, end - size), end)))
        size //= 2


def _without_dependants(module: Words) -> Iterator[Words]:
    """Without a function, a block, or a result with all that uses it; those with the most dependants go first."""
    users = _users(module)
    gone = [set(range(*span)) for span in _spans(module)]
    gone = [_closed(module, places, users) for places in gone]
    gone += [_closed(module, {place}, users) for place in module.maker.values()]
    unique = {frozenset(places) for places in gone if len(places) < len(module.code)}
    for places in sorted(unique, key=lambda places: (-len(places), sorted(places))):
        yield _of(module, set(places))


def _spans(module: Words) -> Iterator[tuple[int, int]]:
    """Where functions and blocks begin and end."""
    begun: dict[str, int] = {}
    for place, words in enumerate(module.code):
        name = name_of(words)
        if name in ("OpFunction", "OpLabel"):
            begun[name] = place
        if name == "OpFunctionEnd" and "OpFunction" in begun:
            yield begun.pop("OpFunction"), place + 1
        following = name_of(module.code[place + 1]) if place + 1 < len(module.code) else "OpFunctionEnd"
        if following in ("OpLabel", "OpFunctionEnd") and "OpLabel" in begun:
            yield begun.pop("OpLabel"), place + 1


def _users(module: Words) -> dict[int, set[int]]:
    """Where each id is used."""
    users: dict[int, set[int]] = {}
    for place, words in enumerate(module.code):
        for at, kind in _ids(module, place):
            if kind != "IdResult":
                users.setdefault(words[at], set()).add(place)
    return users


def _ids(module: Words, place: int) -> list[tuple[int, str]]:
    words = module.code[place]
    try:
        slots = module.slots(words)
    except ValueError:
        return []
    return [(slot.at, slot.kind) for slot in slots if slot.kind in ID_KINDS or slot.kind in ("IdResultType", "IdResult")]


def _closed(module: Words, places: set[int], users: dict[int, set[int]]) -> set[int]:
    """Those instructions, and all that use what they make."""
    result_of = {place: id_ for id_, place in module.maker.items()}
    gone: set[int] = set()
    pending = list(places)
    while pending:
        place = pending.pop()
        if place not in gone:
            gone.add(place)
            pending.extend(users.get(result_of.get(place, 0), ()))
    return gone


def _without_branches(module: Words) -> Iterator[Words]:
    """With a branch to one block in the place of a choice, and of the merge instruction before it."""
    for place, words in enumerate(module.code):
        for at in _BRANCHES.get(name_of(words), ()):
            if at < len(words):
                fewer = module.copy()
                fewer.code[place] = made("OpBranch", words[at])
                yield fewer
                if place and name_of(fewer.code[place - 1]) in ("OpSelectionMerge", "OpLoopMerge"):
                    yield _of(fewer, {place - 1})


def _without_operands(module: Words) -> Iterator[Words]:
    """Without one of the operands that an instruction may lack."""
    for place, words in enumerate(module.code):
        try:
            slots = [slot for slot in module.slots(words) if slot.quantifier]
        except ValueError:
            continue
        for slot in reversed(slots):
            fewer = module.copy()
            del fewer.code[place][slot.at : slot.at + slot.width]
            yield fewer


def numbered_anew(module: Words) -> Words:
    """The module with ids from 1 on, in the order in which they stand there."""
    result = module.copy()
    numbers: dict[int, int] = {}
    for place, words in enumerate(module.code):
        opcode = opcode_of(words)
        if opcode is None:
            return module
        for at, _ in _ids(module, place):
            result.code[place][at] = numbers.setdefault(words[at], len(numbers) + 1)
    result.header[3] = len(numbers) + 1
    result.survey()
    return result
