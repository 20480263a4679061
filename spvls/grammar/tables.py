"""The instruction tables, read when they are first asked for.

The functions of this module serve the tables that everything else uses. `replace` gives them the contents of a newer
grammar, that of a `khronos_source`, in place: records that were handed out before stay valid, and stay the same objects.
"""

from __future__ import annotations

import os.path
from collections.abc import Callable, Iterable

from spvls.grammar.data_text import data_text, loads
from spvls.grammar.entry_lines import KINDS, VALUED, EntryLines
from spvls.grammar.records import (
    Entries,
    Entry,
    Enumerant,
    ExtendedInstruction,
    ExtendedSet,
    Lookup,
    Opcode,
    Operand,
    OperandKind,
    Version,
)
from spvls.typed import Any, Final

Source = Callable[[str], Any]
"""Gives a file of the data, named relative to its folder, as JSON reads it."""


_ONE_A_LINE = {"opcodes.json": VALUED, "operand_kinds.json": KINDS}
"""How entries begin in the files that have one a line."""


def folder_source(folder: str) -> Source:
    """The data as it lies in a folder."""

    def read(name: str) -> Any:
        with open(os.path.join(folder, *name.split("/")), encoding="utf-8") as file:
            return _document(name, file.read())

    return read


def shipped_source(name: str) -> Any:
    """The data that is part of this package."""
    return _document(name, data_text(name))


def _document(name: str, text: str) -> Any:
    opening = _ONE_A_LINE.get(name)
    return EntryLines(text, opening) if opening is not None else loads(text)


_operands: dict[str, Operand] = {}
_versions: dict[str | None, Version | None] = {None: None}


def _operand(text: str) -> Operand:
    """Reads an operand as the data writes it: the kind, its quantifier, a space and the name."""
    operand = _operands.get(text)
    if operand is None:
        kind, _, name = text.partition(" ")
        quantifier = kind[-1] if kind[-1] in "?*" else ""
        operand = _operands[text] = Operand(kind.removesuffix(quantifier), name, quantifier)
    return operand


def _operand_list(texts: Iterable[str]) -> tuple[Operand, ...]:
    return tuple([_operands.get(text) or _operand(text) for text in texts])


def _version(text: str | None) -> Version | None:
    if text not in _versions:
        major, _, minor = str(text).partition(".")
        _versions[text] = int(major), int(minor)
    return _versions[text]


def _conditions(entry: Entry) -> Entry:
    """The conditions of an entity, as its record takes them."""
    return {
        "capabilities": tuple(entry.get("capabilities", ())),
        "extensions": tuple(entry.get("extensions", ())),
        "version": _version(entry.get("version", "1.0")),
        "last_version": _version(entry.get("last_version")),
        "aliases": tuple(entry.get("aliases", ())),
        "provisional": entry.get("provisional", False),
    }


def _opcode(name: str, entry: Entry) -> Opcode:
    operands = _operand_list(entry.get("operands", ()))
    return Opcode(name, entry["value"], entry["class"], operands, **_conditions(entry))


def _enumerant_maker(kind: str) -> Callable[[str, Entry], Enumerant]:
    def make(name: str, entry: Entry) -> Enumerant:
        parameters = _operand_list(entry.get("parameters", ()))
        return Enumerant(kind, name, entry["value"], parameters, **_conditions(entry))

    return make


def _instruction_maker(since: dict[str, int]) -> Callable[[str, Entry], ExtendedInstruction]:
    def make(name: str, entry: Entry) -> ExtendedInstruction:
        operands = _operand_list(entry.get("operands", ()))
        first = since.get(name, 0)
        operands_since = tuple([since.get(f"{name}.{operand.name}", first) for operand in operands])
        return ExtendedInstruction(
            name, entry["value"], operands, first, operands_since, **_conditions(entry)
        )

    return make


def _enumerants_of(entry: Entry) -> Callable[[], Entries]:
    return lambda: entry.get("enumerants", {})


def _kind(name: str, entry: Entry) -> OperandKind:
    bases = tuple(entry.get("bases", ()))
    return OperandKind(name, entry["category"], bases, _enumerants_of(entry), _enumerant_maker(name))


class Tables:
    """Every table that one source of data gives."""

    def __init__(self, source: Source) -> None:
        self._opcodes: Lookup[Opcode] = Lookup(lambda: self._file("opcodes.json"), _opcode)
        self._kinds: dict[str, OperandKind] = {}
        self._sets: dict[str, ExtendedSet] = {}
        self._on_replace: list[Callable[[], object]] = []
        self._replaced = False
        self._take(source)
        self.opcode: Callable[[str], Opcode | None] = self._opcodes.get
        self.opcode_by_value: Callable[[int], Opcode | None] = self._opcodes.by_value

    def _take(self, source: Source) -> None:
        self._source = source
        self._files: dict[str, Any] = {}
        self._imports: dict[str, ExtendedSet | None] = {}
        self._implied: dict[int, frozenset[int]] = {}
        self._extension_names: frozenset[str] | None = None

    def _file(self, name: str) -> Any:
        """A file of the data, read once."""
        if name not in self._files:
            self._files[name] = self._source(name)
        return self._files[name]

    def replace(self, source: Source) -> None:
        """Takes the contents of another source; what was handed out stays the same objects."""
        fresh = Tables(source)
        self._replaced = True
        self._take(source)
        self._opcodes.become(fresh._opcodes)
        for name, kind in self._kinds.items():
            if name in fresh._file("operand_kinds.json"):
                kind.become(fresh.kind(name))
        for name, known in self._sets.items():
            if name in fresh._file("extended_sets.json"):
                known.become(fresh._set(name))
        for forget in self._on_replace:
            forget()

    def are_shipped(self) -> bool:
        """Whether the contents are still those that the tables began with."""
        return not self._replaced

    def on_replace(self, forget: Callable[[], object]) -> None:
        """Have `forget` called whenever other contents are taken, for whoever keeps what follows from the old ones."""
        self._on_replace.append(forget)

    def use_khronos(self, path: str) -> None:
        """Takes the grammar of a SPIRV-Headers folder; see `khronos_source`."""
        self.replace(khronos_source(path))

    def opcodes(self) -> tuple[Opcode, ...]:
        """Every opcode once."""
        return self._opcodes.all

    def kind(self, name: str) -> OperandKind:
        """The operand kind of that name; KeyError when the core grammar has none."""
        kind = self._kinds.get(name)
        if kind is None:
            kind = self._kinds[name] = _kind(name, self._file("operand_kinds.json")[name])
        return kind

    def kinds(self) -> tuple[OperandKind, ...]:
        """Every operand kind of the core grammar."""
        return tuple([self.kind(name) for name in self._file("operand_kinds.json")])

    def extended_set(self, import_name: str) -> ExtendedSet | None:
        """The set that `OpExtInstImport` of that string imports, None when it is unknown."""
        if import_name not in self._imports:
            name = self._set_name(import_name)
            self._imports[import_name] = None if name is None else self._set(name)
        return self._imports[import_name]

    def extended_sets(self) -> tuple[ExtendedSet, ...]:
        """Every extended instruction set."""
        return tuple([self._set(name) for name in self._file("extended_sets.json")])

    def generator(self, tool: int) -> str | None:
        """Vendor and name of the tool with that number, the upper half of a module's generator word."""
        name: str | None = self._file("generators.json").get(str(tool))
        return name

    def extension_names(self) -> frozenset[str]:
        """Every extension that the grammar names, and the registered ones that add nothing to it."""
        if self._extension_names is None:
            named = [self._file("opcodes.json")]
            named += [entry.get("enumerants", {}) for entry in self._file("operand_kinds.json").values()]
            listed = [entry["extensions"] for of in named for entry in of.values() if "extensions" in entry]
            self._extension_names = frozenset().union(self._file("extensions.json"), *listed)
        return self._extension_names

    def implied_capabilities(self, capability: int) -> frozenset[int]:
        """The capabilities that declaring one declares along with it, in any number of steps; not itself."""
        implied = self._implied.get(capability)
        if implied is None:
            known = self.kind("Capability")
            found: set[int] = set()
            waiting = [capability]
            while waiting:
                enumerant = known.by_value(waiting.pop())
                for other in map(known.get, enumerant.capabilities if enumerant is not None else ()):
                    if other is not None and other.value not in found:
                        found.add(other.value)
                        waiting.append(other.value)
            implied = self._implied[capability] = frozenset(found)
        return implied

    def _set_name(self, import_name: str) -> str | None:
        index: Entries = self._file("extended_sets.json")
        if import_name in index and "prefix" not in index[import_name]:
            return import_name
        folded = import_name.lower().replace("_", "-")
        for name, entry in index.items():
            if import_name.startswith(entry.get("prefix", "\0")):
                return name
            if "folded" in entry and f"{folded}.".startswith(entry["folded"] + "."):
                return name
        return None

    def _set(self, name: str) -> ExtendedSet:
        if name not in self._sets:
            entry = self._file("extended_sets.json")[name]
            document = self._file(f"extended/{name}.json")
            first = entry.get("first_revision", 1)
            self._sets[name] = ExtendedSet(
                name,
                entry.get("prefix"),
                first,
                document.get("revision", first),
                entry.get("numeric", False),
                {kind: _kind(kind, of) for kind, of in document.get("kinds", {}).items()},
                lambda: document["instructions"],
                _instruction_maker(entry.get("since", {})),
            )
        return self._sets[name]


def khronos_source(path: str) -> Source:
    """The grammar of a SPIRV-Headers folder `include/spirv/unified1`; what that lacks is that of the shipped one.

    Raises OSError when the folder or its core grammar cannot be read, ValueError when it is none.
    """
    from spvls.grammar.importer import convert

    documents = convert(path, shipped_source("extended_sets.json"))
    return lambda name: documents[name] if name in documents else shipped_source(name)


_tables = Tables(shipped_source)



def opcode_name(value: int) -> str:
    """The name of the opcode with that value, as texts have it; KeyError when there is none."""
    found = _tables.opcode_by_value(value)
    if found is None:
        raise KeyError(value)
    return found.name


def capability_values(names: Iterable[str]) -> tuple[int, ...]:
    """The values of capabilities that the grammar names; those that it does not have are left out."""
    return tuple(found.value for found in map(_tables.kind("Capability").get, names) if found is not None)


NO_OPCODE: Final = -1
"""The value in place of an opcode's: of an instruction whose opcode is unknown, of an id that nothing defines."""

opcode = _tables.opcode
opcode_by_value = _tables.opcode_by_value
opcodes = _tables.opcodes
kind = _tables.kind
kinds = _tables.kinds
extended_set = _tables.extended_set
extended_sets = _tables.extended_sets
generator = _tables.generator
extension_names = _tables.extension_names
implied_capabilities = _tables.implied_capabilities
on_replace = _tables.on_replace
are_shipped = _tables.are_shipped
replace = _tables.replace
