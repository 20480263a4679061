"""Records of the instruction tables.

The records are frozen: their attributes are `Final` and checked by the type checker, which costs nothing when
a module of many instructions is read. There is one record per opcode, enumerant and operand kind, whatever
name or number it was asked for by, so records compare and hash by identity.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from spvls.grammar.entry_lines import EntryLines
from spvls.typed import Any, Final, Generic, TypeVar

Entry = dict[str, Any]
"""What the data says of one record, see `grammar/README.md`."""

Entries = Mapping[str, Entry]
"""Entries by canonical name, in the order of the data."""

Version = tuple[int, int]
"""A version of SPIR-V, major and minor."""


class Operand:
    """What an instruction, or an enumerant as its parameter, takes at one place.

    `kind` names an `OperandKind`, `name` says what the operand is for and may be empty, `quantifier` is empty
    (exactly one), `?` (none or one) or `*` (any number).
    """

    __slots__ = ("kind", "name", "quantifier")

    def __init__(self, kind: str, name: str, quantifier: str) -> None:
        self.kind: Final = kind
        self.name: Final = name
        self.quantifier: Final = quantifier

    def __repr__(self) -> str:
        return f"<Operand {self.kind}{self.quantifier} {self.name!r}>"


class Entity:
    """What opcodes, enumerants and extended instructions have in common: a name, a value, and their conditions.

    Any one of `capabilities` enables the entity, and so does any one of `extensions`. `version` is the first
    version of SPIR-V that has it in the core, None when no version has; `last_version` is the last one that has
    it, None when it was not removed. `provisional` entities may still change (Unified Specification, section 3).
    """

    __slots__ = (
        "aliases",
        "capabilities",
        "extensions",
        "last_version",
        "name",
        "provisional",
        "value",
        "version",
    )

    def __init__(
        self,
        name: str,
        value: int,
        *,
        capabilities: tuple[str, ...] = (),
        extensions: tuple[str, ...] = (),
        version: Version | None = (1, 0),
        last_version: Version | None = None,
        aliases: tuple[str, ...] = (),
        provisional: bool = False,
    ) -> None:
        self.name: Final = name
        self.value: Final = value
        self.capabilities: Final = capabilities
        self.extensions: Final = extensions
        self.version: Final = version
        self.last_version: Final = last_version
        self.aliases: Final = aliases
        self.provisional: Final = provisional

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name} {self.value}>"


class Opcode(Entity):
    """An instruction of SPIR-V (Unified Specification, section 3.3, "Instructions").

    `class_` is the group of the specification that the instruction stands in, "Reserved" when in none.
    `operands` are all of them in the order of the binary; `arguments` are those without the result type and
    the result, that is, what stands to the right of the opcode in the text, the result type aside. `is_type` says that it
    declares a type (OpTypeForwardPointer does), `is_constant` that it makes a constant, and `is_specialization` one that can be
    specialized.
    """

    __slots__ = ("arguments", "class_", "has_result", "has_type", "is_constant", "is_specialization", "is_type", "operands")

    def __init__(
        self, name: str, value: int, class_: str, operands: tuple[Operand, ...], **conditions: Any
    ) -> None:
        super().__init__(name, value, **conditions)
        kinds = [operand.kind for operand in operands[:2]]
        self.class_: Final = class_
        self.operands: Final = operands
        self.has_type: Final = "IdResultType" in kinds
        self.has_result: Final = "IdResult" in kinds
        self.is_type: Final = name.startswith("OpType")
        self.is_specialization: Final = name.startswith("OpSpecConstant")
        self.is_constant: Final = self.is_specialization or name.startswith("OpConstant")
        self.arguments: Final = operands[self.has_type + self.has_result :]


class Enumerant(Entity):
    """A value or a bit of an operand kind; `parameters` are the operands that follow when it is used.

    A Capability's `capabilities` are the ones that it implies, all of them.
    """

    __slots__ = ("kind", "parameters")

    def __init__(
        self, kind: str, name: str, value: int, parameters: tuple[Operand, ...], **conditions: Any
    ) -> None:
        super().__init__(name, value, **conditions)
        self.kind: Final = kind
        self.parameters: Final = parameters


class ExtendedInstruction(Entity):
    """An instruction of an extended instruction set; `operands` follow the set and the instruction's number.

    `since` is the first revision of the set that has the instruction, 0 when every one has;
    `operands_since` says the same of each operand.
    """

    __slots__ = ("operands", "operands_since", "since")

    def __init__(
        self,
        name: str,
        value: int,
        operands: tuple[Operand, ...],
        since: int,
        operands_since: tuple[int, ...],
        **conditions: Any,
    ) -> None:
        super().__init__(name, value, **conditions)
        self.operands: Final = operands
        self.since: Final = since
        self.operands_since: Final = operands_since


def _overwrite(record: object, fresh: object) -> None:
    for owner in type(record).__mro__:
        for slot in getattr(owner, "__slots__", ()):
            setattr(record, slot, getattr(fresh, slot))


R = TypeVar("R", bound=Entity)


class Lookup(Generic[R]):
    """Records by name and by value, each made from its entry when it is first asked for.

    `load` gives the entries by name; it is called when the first record is asked for, and must put, of several
    entries with one value, the name that a disassembler is to show first. `make` makes a record of an entry.
    """

    __slots__ = ("_aliases", "_by_name", "_by_value", "_entries", "_load", "_make", "_values")

    def __init__(self, load: Callable[[], Entries], make: Callable[[str, Entry], R]) -> None:
        self._load = load
        self._make = make
        self._entries: Entries | None = None
        self._by_name: dict[str, R] = {}
        self._by_value: dict[int, R] = {}
        self._aliases: dict[str, str] | None = None
        self._values: dict[int, str] | None = None

    @property
    def entries(self) -> Entries:
        """The entries as the data has them, by canonical name."""
        if self._entries is None:
            self._entries = self._load()
        return self._entries

    def get(self, name: str) -> R | None:
        """The record of that name or alias, None when there is none. Upper and lower case differ."""
        return self._by_name.get(name) or self._find(name)

    def by_value(self, value: int) -> R | None:
        """The record that a disassembler shows for that value, None when there is none."""
        return self._by_value.get(value) or self._find_value(value)

    @property
    def all(self) -> tuple[R, ...]:
        """Every record once, in the order of the data."""
        return tuple([self._record(name) for name in self.entries])

    def become(self, fresh: Lookup[R]) -> None:
        """Takes the contents of `fresh`. Records already handed out stay the same objects and take the new
        contents too; those that `fresh` has no more keep the old ones."""
        handed_out = set(self._by_name.values())
        _overwrite(self, fresh)
        kept = []
        for record in handed_out:
            renewed = self.get(record.name)
            if renewed is not None:
                _overwrite(record, renewed)
                kept.append(record)
        self._by_name = {record.name: record for record in kept}
        self._by_value = {}

    def _record(self, name: str) -> R:
        record = self._by_name.get(name)
        if record is None:
            record = self._by_name[name] = self._make(name, self.entries[name])
        return record

    def _find(self, name: str) -> R | None:
        if name in self.entries:
            return self._record(name)
        if self._aliases is None:
            self._aliases = {
                alias: canonical
                for canonical, entry in self.entries.items()
                for alias in entry.get("aliases", ())
            }
        if name not in self._aliases:
            return None
        record = self._by_name[name] = self._record(self._aliases[name])
        return record

    def _find_value(self, value: int) -> R | None:
        named = self._name_of(value)
        if named is None:
            return None
        record = self._by_value[value] = self._record(named)
        return record

    def _name_of(self, value: int) -> str | None:
        entries = self.entries
        if isinstance(entries, EntryLines) and not entries.is_read:
            named = entries.name_of(value)
            if named is not None:
                return named
        if self._values is None:
            self._values = {}
            for name, entry in entries.items():
                self._values.setdefault(entry["value"], name)
        return self._values.get(value)


class OperandKind(Lookup[Enumerant]):
    """A kind of operand and its enumerants (Unified Specification, section 3.2).

    `category` is "value" (one of the enumerants), "mask" (any of them, as bits), "id", "literal" or
    "composite"; the parts of a composite are the kinds that `bases` names.
    """

    __slots__ = ("_parameter_kinds", "bases", "category", "name")

    def __init__(
        self,
        name: str,
        category: str,
        bases: tuple[str, ...],
        load: Callable[[], Entries],
        make: Callable[[str, Entry], Enumerant],
    ) -> None:
        super().__init__(load, make)
        self.name: Final = name
        self.category: Final = category
        self.bases: Final = bases
        self._parameter_kinds: frozenset[str] | None = None

    @property
    def parameter_kinds(self) -> frozenset[str]:
        """The kinds of the parameters of its enumerants."""
        if self._parameter_kinds is None:
            written = [text for entry in self.entries.values() for text in entry.get("parameters", ())]
            self._parameter_kinds = frozenset([text.partition(" ")[0].rstrip("*?") for text in written])
        return self._parameter_kinds

    def __repr__(self) -> str:
        return f"<OperandKind {self.name}>"


class ExtendedSet(Lookup[ExtendedInstruction]):
    """An extended instruction set, as `OpExtInstImport` imports it.

    A set is imported by its `name`, or, when it comes in numbered revisions, by `prefix` and a revision between
    `first_revision` and `revision`. `numeric` sets are shown by number, not by name, in the disassembly.
    `kinds` are the operand kinds that only this set has.
    """

    __slots__ = ("first_revision", "kinds", "name", "numeric", "prefix", "revision")

    def __init__(
        self,
        name: str,
        prefix: str | None,
        first_revision: int,
        revision: int,
        numeric: bool,
        kinds: dict[str, OperandKind],
        load: Callable[[], Entries],
        make: Callable[[str, Entry], ExtendedInstruction],
    ) -> None:
        super().__init__(load, make)
        self.name: Final = name
        self.prefix: Final = prefix
        self.first_revision: Final = first_revision
        self.revision: Final = revision
        self.numeric: Final = numeric
        self.kinds: Final = kinds

    def __repr__(self) -> str:
        return f"<ExtendedSet {self.name}>"

    @property
    def non_semantic(self) -> bool:
        """Whether the instructions may be left out without changing what the module does."""
        return self.name.startswith("NonSemantic.")

    @property
    def import_names(self) -> tuple[str, ...]:
        """The strings by which the known revisions of the set are imported."""
        if self.prefix is None:
            return (self.name,)
        return tuple([f"{self.prefix}{number}" for number in range(self.first_revision, self.revision + 1)])

    def become(self, fresh: Lookup[ExtendedInstruction]) -> None:
        kinds = self.kinds
        super().become(fresh)
        for name, kind in kinds.items():
            if name in self.kinds:
                kind.become(self.kinds[name])
                self.kinds[name] = kind

    def revision_of(self, import_name: str) -> int | None:
        """The revision that an import string asks for, None when the set has none or the string says none."""
        number = import_name[len(self.prefix) :] if self.prefix is not None else ""
        return int(number) if number.isascii() and number.isdigit() else None
