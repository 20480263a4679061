"""Storage classes by name and by value (SPIR-V 3.2.6)."""

from __future__ import annotations

from spvls.grammar import tables
from spvls.syntax.operand_decls import value


def storage(name: str) -> int:
    """The value of a storage class."""
    return value("StorageClass", name)


def storages(names: str) -> frozenset[int]:
    """The values of several storage classes."""
    return frozenset(storage(name) for name in names.split())


def storage_name(number: int | None) -> str:
    """What a storage class is called."""
    enumerant = tables.kind("StorageClass").by_value(number) if number is not None else None
    return enumerant.name if enumerant is not None else str(number)
