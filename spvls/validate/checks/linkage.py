"""The linkage of functions and variables (SPIR-V 2.13)."""

from __future__ import annotations

from spvls.grammar.enumerants import Decoration, LinkageType
from spvls.module.decorations import AppliedDecoration
from spvls.module.module import Module

_IMPORT = LinkageType.Import


def linkage(module: Module, name: str) -> AppliedDecoration | None:
    return module.decoration(name, Decoration.LinkageAttributes)


def is_imported(decoration: AppliedDecoration | None) -> bool:
    return decoration is not None and decoration.params[-1:] == (_IMPORT,)
