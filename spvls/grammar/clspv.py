"""What rules and summaries share about NonSemantic.ClspvReflection."""

from __future__ import annotations

from spvls.typed import Final

REFLECTION: Final = "NonSemantic.ClspvReflection"
"""The name of the set, without its revision."""

KERNEL_ROLES: Final = frozenset({"Decl", "Kernel"})
"""The names of operands that are the Kernel instruction which an instruction is about."""
