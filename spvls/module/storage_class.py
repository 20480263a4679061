"""Storage classes by their values (SPIR-V 3.2.6)."""

from __future__ import annotations

from spvls.syntax.operand_decls import enumerant_name


def storage_name(number: int | None) -> str:
    """What a storage class is called."""
    return enumerant_name("StorageClass", number) if number is not None else str(number)
