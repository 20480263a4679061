"""The linkage of functions and variables (SPIR-V 2.13)."""

from __future__ import annotations

from spvls.module.decorations import Decoration
from spvls.module.module import Module
from spvls.syntax.operand_decls import value

_IMPORT = value("LinkageType", "Import")


def linkage(module: Module, name: str) -> Decoration | None:
    return module.decoration(name, "LinkageAttributes")


def is_imported(decoration: Decoration | None) -> bool:
    return decoration is not None and decoration.params[-1:] == (_IMPORT,)
