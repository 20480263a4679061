"""The modules of plain constants that the importer writes beside the tables, so that a type checker knows the names.

A constant costs nothing at start-up but its assignment: no table is read for it.
"""

from __future__ import annotations

import keyword
import os
import re
from collections.abc import Iterator

from spvls.typed import Any

Document = dict[str, Any]

_OPCODES = '''"""The values of opcodes, by name and alias (SPIR-V 3.3).

Code names them by these, so that the type checker sees a name that does not exist. Only those that the code names are here: after
naming another one, run `python -m tests.shipped`, which makes this anew, as `python -m spvls.grammar.importer` does; do not edit.
"""
'''
_ENUMERANTS = '''"""The values of enumerants by operand kind, by name and alias (SPIR-V 3.2).

They are apart from the opcodes in `spvls.grammar.spv`, as making the classes takes time when a program starts. Only those that the
code names are here: after naming another one, run `python -m tests.shipped`, which makes this anew, as
`python -m spvls.grammar.importer` does; do not edit.
"""
'''
_OPERANDS = '''"""Where an operand is in `Instruction.operands`, by opcode and by its name in the grammar (SPIR-V 3.3).

The result type and the result id are not counted. Of an operand that repeats this is the first. An operand without a name has
that of its kind. Only those that the code names are here: after naming another one, run `python -m tests.shipped`, which makes
this anew, as `python -m spvls.grammar.importer` does; do not edit.
"""
'''
_NOT_COUNTED = ("IdResultType", "IdResult")


def constants(opcodes: dict[str, Document], kinds: dict[str, Document]) -> dict[str, str]:
    """The text of each module, by file name, for the entries of `opcodes.json` and `operand_kinds.json`."""
    return {
        "spv.py": _module([_OPCODES, *opcodes_named(opcodes)]),
        "enumerants.py": _module(_enumerants(kinds)),
        "operand_index.py": _module([_OPERANDS, *operands_named(opcodes)]),
    }


def module_path(name: str) -> str:
    """The path of a module of this package."""
    return os.path.join(os.path.dirname(os.path.abspath(__file__)), name)


def operand_names(operands: list[str]) -> Iterator[str]:
    """The names of an opcode's counted operands, as Python can have them: `SampledImage`, `Member0Type`."""
    given: dict[str, int] = {}
    for operand in operands:
        kind, _, name = operand.partition(" ")
        kind = kind.rstrip("?*")
        if kind in _NOT_COUNTED:
            continue
        words = re.findall(r"[A-Za-z0-9]+", name.partition(",")[0]) or [kind]
        found = "".join([word[0].upper() + word[1:] for word in words])
        given[found] = given.get(found, 0) + 1
        yield found if given[found] == 1 else f"{found}{given[found]}"


def opcodes_named(opcodes: dict[str, Document]) -> Iterator[str]:
    """A line for each opcode that a module of the package names, whole or as `traits.opcodes` puts names together."""
    named = _named(_OPCODE_NAME, "spv.py")
    prefixes, words = _named(_OPCODE_PREFIX, "spv.py"), _named(_WORD, "spv.py")
    for name, value in _values(opcodes):
        rests = [name.removeprefix(prefix) for prefix in prefixes if name.startswith(prefix)]
        if name in named or any(rest in words or _SUFFIX.sub("", rest) in words for rest in rests):
            yield f"{name} = {value}"


def _enumerants(kinds: dict[str, Document]) -> Iterator[str]:
    """A class for each kind with enumerants that a module of the package names."""
    named = _named(_ENUMERANT_NAME, "enumerants.py")
    yield _ENUMERANTS.rstrip()
    for kind, entry in kinds.items():
        found = ((_identifier(kind, name), value) for name, value in _values(entry.get("enumerants", {})))
        lines = [f"    {name} = {value}" for name, value in found if f"{kind}.{name}" in named]
        if lines:
            yield from ("", "", f"class {kind}:", *lines)


def operands_named(opcodes: dict[str, Document]) -> Iterator[str]:
    """A line for each operand that a module of the package names."""
    named = _named(_OPERAND_NAME, "operand_index.py")
    for line in _operands(opcodes):
        if line.partition(" ")[0] in named:
            yield line


def _named(pattern: re.Pattern[str], but: str) -> set[str]:
    """What matches a pattern in the modules of the package but one."""
    named: set[str] = set()
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    for folder, _, files in os.walk(package):
        for file in files:
            if file.endswith(".py") and file != but:
                with open(os.path.join(folder, file), encoding="utf-8") as source:
                    named.update(pattern.findall(source.read()))
    return named


_OPCODE_NAME = re.compile(r"\bspv\.(Op[A-Za-z0-9]+)\b")
_OPCODE_PREFIX = re.compile(r'"(Op(?:[A-Z][A-Za-z]+)?)"')
_SUFFIX = re.compile(r"(?:KHR|EXT|NV)$")
_WORD = re.compile(r"\b[A-Z][A-Za-z0-9]+\b")
_OPERAND_NAME = re.compile(r"\bOp[A-Za-z0-9]+_[A-Za-z0-9]+\b")
_ENUMERANT_NAME = re.compile(r"\b[A-Z][A-Za-z0-9]+\.[A-Za-z0-9]+_?\b")


def _operands(opcodes: dict[str, Document]) -> Iterator[str]:
    for opcode, entry in opcodes.items():
        names = list(operand_names(entry.get("operands", [])))
        for name in (opcode, *entry.get("aliases", ())):
            for index, operand in enumerate(names):
                yield f"{name}_{operand} = {index}"


def _module(lines: Iterator[str] | list[str]) -> str:
    return "\n".join([*lines, ""])


def _values(entries: dict[str, Document]) -> Iterator[tuple[str, int]]:
    """The names and aliases of entries, each with its value."""
    for key, entry in entries.items():
        for name in (key, *entry.get("aliases", ())):
            yield name, entry["value"]


def _identifier(kind: str, name: str) -> str:
    """The name of an enumerant as Python can have it: `Dim1D` for the Dim `1D`, `None_` for `None`."""
    if name[0].isdigit():
        return kind + name
    return f"{name}_" if keyword.iskeyword(name) else name
