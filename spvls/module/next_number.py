"""The number that comes next where numbers are given in turn: locations, descriptor sets and bindings, SpecIds."""

from __future__ import annotations

from collections.abc import Iterator

from spvls.grammar import spv
from spvls.grammar.enumerants import Decoration
from spvls.module.interface import is_per_vertex
from spvls.module.module import Module
from spvls.module.types import Type
from spvls.module.variable import held_by

IN_TURN = frozenset({Decoration.Location, Decoration.DescriptorSet, Decoration.Binding, Decoration.SpecId})
"""Decorations with such a number."""

_WIDE = 64


def next_number(module: Module, target: str, decoration: int) -> int:
    """The number for `target`: a location after those of the others of its storage class, the first free binding of its
    descriptor set, the last descriptor set in use, a SpecId after all others."""
    if decoration == Decoration.Location:
        return next_location(module, _storage(module, target), but=target)
    taken = dict(_decorated(module, decoration, but=target))
    if decoration == Decoration.DescriptorSet:
        return max(taken.values(), default=0)
    if decoration == Decoration.Binding:
        return _next_binding(module, taken, number_of(module, target, Decoration.DescriptorSet) or 0)
    return max(taken.values(), default=-1) + 1


def next_descriptor(module: Module) -> tuple[int, int]:
    """The last descriptor set in use, and its first free binding."""
    last = max((number for _, number in _decorated(module, Decoration.DescriptorSet, but="")), default=0)
    return last, _next_binding(module, dict(_decorated(module, Decoration.Binding, but="")), last)


def _next_binding(module: Module, taken: dict[str, int], descriptor_set: int) -> int:
    same = {number for name, number in taken.items() if (number_of(module, name, Decoration.DescriptorSet) or 0) == descriptor_set}
    return next(number for number in range(len(same) + 1) if number not in same)


def next_location(module: Module, storage: int, *, but: str = "") -> int:
    """The first location after those of the variables of a storage class, one of them excepted."""
    others = _decorated(module, Decoration.Location, but=but)
    ends = [number + _locations(module, name) for name, number in others if _storage(module, name) == storage]
    return max([*ends, *_ends_of_blocks(module, storage)], default=0)


def _ends_of_blocks(module: Module, storage: int) -> Iterator[int]:
    """The locations after those that members of blocks have of their own."""
    for variable in module.declarations.records(spv.OpVariable):
        held = module.without_arrays(held_by(variable, module)) if variable.operands[:1] == (storage,) else None
        if held is None or not held.is_struct:
            continue
        for found in module.decorations(held.id):
            number = found.params[0] if found.params else None
            if found.value == Decoration.Location and found.member is not None and isinstance(number, int):
                member = held.member(found.member) if found.member < len(held.member_ids) else None
                yield number + _taken_by(module, member)


def number_of(module: Module, name: str, decoration: int) -> int | None:
    """The number that an id has by a decoration."""
    found = module.decoration(name, decoration)
    number = found.params[0] if found is not None and found.params else None
    return number if isinstance(number, int) else None


def _decorated(module: Module, decoration: int, *, but: str) -> Iterator[tuple[str, int]]:
    for name in module.decorated_with(decoration):
        number = number_of(module, name, decoration) if name != but else None
        if number is not None:
            yield name, number


def _storage(module: Module, name: str) -> int:
    pointer = module.type_of(name)
    return pointer.storage if pointer is not None and pointer.is_pointer else -1


def _locations(module: Module, name: str) -> int:
    pointer = module.type_of(name)
    held = pointer.pointee if pointer is not None and pointer.is_pointer else None
    return _taken_by(module, held.element if held is not None and held.is_array and _is_per_vertex(module, name) else held)


def _is_per_vertex(module: Module, name: str) -> bool:
    """Whether a variable has an element for each vertex, whichever entry point has it."""
    storage, decorations = _storage(module, name), {found.value for found in module.decorations(name)}
    models = module.declarations.models
    return bool(models) and all(is_per_vertex(model, storage, decorations) for model in models)


def _taken_by(module: Module, held: Type | None) -> int:
    """The locations that a value takes (Vulkan, Location and Component Assignment)."""
    count = 1
    while held is not None and (held.is_array or held.kind == spv.OpTypeMatrix):
        count *= (held.count if held.kind == spv.OpTypeMatrix else module.integer(held.length_id or "")) or 1
        held = held.element
    return count * (_members(held) if held is not None and held.is_struct else _slots(held))


def _members(struct: Type) -> int:
    return sum(map(_slots, struct.members)) or 1


def _slots(type_: Type | None) -> int:
    is_wide = type_ is not None and type_.is_vector and type_.scalar is not None and type_.scalar.width == _WIDE
    return 2 if is_wide and type_ is not None and type_.length > 2 else 1
