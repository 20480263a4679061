"""Which files hold SPIR-V: one list for the command line and for editors.

Names of files of their own are matched as a whole; for names that other things have too, the content decides.
"""

from __future__ import annotations

import re

from spvls.text.pattern import pattern

#: Text, by the name.
TEXTS = ("*.spvasm", "*.spvasm.*", "*.spvasm32", "*.spvasm64", "*.spvas")

#: Text or binary: the content says which.
MODULES = ("*.spv", "*.spirv")

#: Assembly text where the content begins like it, such as `shader.asm.frag`; other files have such names too.
SNIFFED = ("*.asm", "*.asm.*", "*.txt")

STAGES = ("vert", "tesc", "tese", "geom", "frag", "comp", "task", "mesh", "rgen", "rint", "rahit", "rchit", "rmiss", "rcall")
"""What follows `.asm.` in names that editors, which cannot look into files, take for assembly text."""

SNIFF = 1 << 16
"""Bytes at the beginning of a file that show whether it is assembly text."""

_NAMED = pattern(r".+\.(?:spv|spirv|spvas|spvasm(?:32|64|\.\w+)?)", re.DOTALL)
_TEXT = pattern(r".+\.(?:spvas|spvasm(?:32|64|\.\w+)?)", re.DOTALL)
_SNIFFED = pattern(r".+\.(?:asm(?:\.[\w.]+)?|txt)", re.DOTALL)

_ASSEMBLY = pattern(
    rb"^[ \t]*(?:; SPIR-V[ \t]*\r?$|(?:%\w+[ \t]*=[ \t]*)?Op(?:Capability|Extension|ExtInstImport|MemoryModel)[ \t]+[A-Z\"%])",
    re.MULTILINE,
)


def is_named(name: str) -> bool:
    """Whether a file of that name holds a module, text or binary."""
    return _NAMED.fullmatch(name) is not None


def is_text_named(name: str) -> bool:
    """Whether a file of that name holds assembly text."""
    return _TEXT.fullmatch(name) is not None


def is_sniffed(name: str) -> bool:
    """Whether the content of a file of that name decides whether it holds assembly text."""
    return _SNIFFED.fullmatch(name) is not None and not is_named(name)


def is_assembly(head: bytes) -> bool:
    """Whether the first `SNIFF` bytes of a file are those of assembly text."""
    return b"\0" not in head and _ASSEMBLY.search(head) is not None
