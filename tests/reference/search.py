"""Modules that reach sites without a witness: edits of modules that the reference takes, shown to it alone.

Seeds are the modules of the project and the examples of its documentation. `Seed.grown` puts a *palette* into one: types,
constants and variables, capabilities and extensions, as far as the reference still takes the module. `edits` replaces each
operand of a seed by others: ids by those of the module and of its palette, enumerants by the others of their kind, literals
by numbers at the edges; then each instruction goes, or stands twice. `mutants` applies the random mutations of the fuzzer.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from random import Random
from typing import NamedTuple

from spvls.grammar import docs, tables
from spvls.grammar.keys import keys
from spvls.ide.documentation.example import ExampleError, complete
from tests.fuzz.mutation import mutate
from tests.fuzz.words import HEADER, ID_KINDS, Instruction, Words, made, name_of
from tests.reference.cases import Case, own_cases
from tests.reference.driver import Driver
from tests.reference.inventory import Inventory

Takes = Callable[[bytes], bool]

LONGEST = 8_000
"""Octets of the modules that are seeds."""

EDGES = (0, 1, 2, 3, 4, 5, 7, 8, 9, 12, 16, 17, 24, 32, 64, 128, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF)
SHARE_WITH_ALL = 0.3
"""The share of seeds that get every capability and extension."""

EDITS, MUTANTS = 1000, 20
"""How many edits and mutants of a seed are shown at most."""

ALIKE = 2
"""How often the same edit of the same operand is made, in different seeds and environments of the same kind."""

_GLOBAL_END = ("OpFunction", "OpGraphARM", "OpGraphConstantARM")
_LITERALS = frozenset({"LiteralInteger", "LiteralContextDependentNumber", "LiteralFloat", "LiteralExtInstInteger"})
_POINTERS = (
    (0, "image"), (0, "simage"), (0, "sampler"), (0, "f32"), (1, "u32"), (1, "v4f32"), (1, "a2u32"), (2, "sf"), (2, "srta"), (2, "suu"),
    (3, "u32"), (3, "f32"), (3, "v4f32"), (3, "a2v4f32"), (4, "u32"), (4, "suu"), (5, "u32"), (5, "f32"), (6, "u32"), (6, "f32"),
    (6, "suu"), (6, "a2u32"), (6, "bool"), (7, "u32"), (7, "f32"), (7, "v4f32"), (7, "suu"), (7, "u64"), (8, "u32"), (12, "srta"),
    (12, "u32"), (12, "suu"), (11, "u32"), (9, "suu"), (5338, "v4f32"), (5342, "v4f32"), (5349, "u32"),
)  # fmt: skip
_NULLS = (
    "bool", "u32", "i32", "u64", "u16", "u8", "f32", "f16", "f64", "v2u32", "v3u32", "v4u32", "v3i32", "v2f32", "v3f32", "v4f32", "v2f64", "bf16", "fp8", "fp6", "v2bf16", "v4fp8", "v2fp6", "v4f16",
    "v2bool", "v4bool", "m2", "m4", "a2u32", "a2v4f32", "suu", "sf", "su4f", "sampler", "image", "simage", "event", "p7u32", "p5f32", "p12u32", "accel",
)  # fmt: skip
_TYPES: tuple[tuple[str, str, tuple[int | str, ...]], ...] = (
    ("void", "OpTypeVoid", ()),
    ("bool", "OpTypeBool", ()),
    ("u32", "OpTypeInt", (32, 0)),
    ("i32", "OpTypeInt", (32, 1)),
    ("u64", "OpTypeInt", (64, 0)),
    ("u16", "OpTypeInt", (16, 0)),
    ("u8", "OpTypeInt", (8, 0)),
    ("f32", "OpTypeFloat", (32,)),
    ("f16", "OpTypeFloat", (16,)),
    ("f64", "OpTypeFloat", (64,)),
    ("bf16", "OpTypeFloat", (16, 0)),
    ("fp8", "OpTypeFloat", (8, 4214)),
    ("fp6", "OpTypeFloat", (6, 4223)),
    ("v2bf16", "OpTypeVector", ("bf16", 2)),
    ("v4fp8", "OpTypeVector", ("fp8", 4)),
    ("v2fp6", "OpTypeVector", ("fp6", 2)),
    ("v2u32", "OpTypeVector", ("u32", 2)),
    ("v3u32", "OpTypeVector", ("u32", 3)),
    ("v4u32", "OpTypeVector", ("u32", 4)),
    ("v3i32", "OpTypeVector", ("i32", 3)),
    ("v2f32", "OpTypeVector", ("f32", 2)),
    ("v3f32", "OpTypeVector", ("f32", 3)),
    ("v4f32", "OpTypeVector", ("f32", 4)),
    ("v2f64", "OpTypeVector", ("f64", 2)),
    ("v4f16", "OpTypeVector", ("f16", 4)),
    ("v2bool", "OpTypeVector", ("bool", 2)),
    ("v4bool", "OpTypeVector", ("bool", 4)),
    ("m2", "OpTypeMatrix", ("v2f32", 2)),
    ("m4", "OpTypeMatrix", ("v4f32", 4)),
    ("m3d", "OpTypeMatrix", ("v2f64", 3)),
    ("2", "OpConstant", ("u32", 2)),
    ("3", "OpConstant", ("u32", 3)),
    ("a2u32", "OpTypeArray", ("u32", "2")),
    ("a3f32", "OpTypeArray", ("f32", "3")),
    ("a2v4f32", "OpTypeArray", ("v4f32", "2")),
    ("rta", "OpTypeRuntimeArray", ("u32",)),
    ("sf", "OpTypeStruct", ("f32",)),
    ("suu", "OpTypeStruct", ("u32", "u32")),
    ("siu", "OpTypeStruct", ("i32", "u32")),
    ("su4f", "OpTypeStruct", ("u32", "v4f32")),
    ("srta", "OpTypeStruct", ("rta",)),
    ("fn", "OpTypeFunction", ("void",)),
    ("fnu", "OpTypeFunction", ("u32", "u32")),
    ("sampler", "OpTypeSampler", ()),
    ("image", "OpTypeImage", ("f32", 1, 0, 0, 0, 1, 0)),
    ("uimage", "OpTypeImage", ("u32", 1, 0, 0, 0, 2, 3)),
    ("mimage", "OpTypeImage", ("f32", 1, 0, 0, 1, 1, 0)),
    ("cube", "OpTypeImage", ("f32", 3, 0, 1, 0, 1, 0)),
    ("buffer", "OpTypeImage", ("f32", 5, 0, 0, 0, 1, 0)),
    ("vimage", "OpTypeImage", ("void", 1, 0, 0, 0, 0, 0)),
    ("simage", "OpTypeSampledImage", ("image",)),
    ("event", "OpTypeEvent", ()),
    ("accel", "OpTypeAccelerationStructureKHR", ()),
    ("query", "OpTypeRayQueryKHR", ()),
    *((f"p{number}{pointee}", "OpTypePointer", (number, pointee)) for number, pointee in _POINTERS),
)  # fmt: skip
_VALUES: tuple[tuple[str, str, tuple[int, ...]], ...] = (
    ("u32", "OpConstant", (0,)),
    ("u32", "OpConstant", (1,)),
    ("u32", "OpConstant", (7,)),
    ("u32", "OpConstant", (64,)),
    ("u32", "OpConstant", (0x48,)),
    ("u32", "OpConstant", (99,)),
    ("u32", "OpConstant", (0xFFFFFFFF,)),
    ("i32", "OpConstant", (1,)),
    ("i32", "OpConstant", (0xFFFFFFFF,)),
    ("u64", "OpConstant", (1, 0)),
    ("u16", "OpConstant", (1,)),
    ("f32", "OpConstant", (0x3F800000,)),
    ("f64", "OpConstant", (0, 0x3FF00000)),
    ("f16", "OpConstant", (0x3C00,)),
    ("bool", "OpConstantTrue", ()),
    ("bool", "OpSpecConstantTrue", ()),
    ("u32", "OpSpecConstant", (1,)),
    ("f32", "OpSpecConstant", (0,)),
)


class Item(NamedTuple):
    """A type, constant or variable that an edit may put into a module: its name, its id, and the words of all instructions that
    define it and what it is made of; none where the module has it."""

    name: str
    id: int
    words: bytes


@dataclass(frozen=True, slots=True)
class Seed:
    """A module that the reference takes in an environment. Items of the palette go in at octet `place`."""

    name: str
    env: str
    words: bytes
    palette: tuple[Item, ...] = ()
    place: int = 0

    def grown(self, driver: Driver, chance: Random) -> Seed:
        """With a palette, and now and then with every capability and extension that the reference still takes."""
        takes: Takes = lambda words: bool(driver.validate(words, self.env).ok)  # noqa: E731
        module = Words.parse(self.words)
        if chance.random() < SHARE_WITH_ALL:
            module = _with_all(module, [made("OpExtension", *_literal(name)) for name in sorted(tables.extension_names())], takes)
            module = _with_all(module, [made("OpCapability", one.value) for one in tables.kind("Capability").all], takes)
        return _Palette(Seed(self.name, self.env, module.data()), module, takes).seed()

    def with_item(self, item: Item, at: int) -> bytes:
        """With the id of an item in the place of the word at an octet, and with its definition."""
        edited = _replaced(self.words, at, item.id)
        if not item.words:
            return edited
        bound = struct.pack("<I", self.palette[-1].id + 1)
        return b"".join((edited[:12], bound, edited[16 : self.place], item.words, edited[self.place :]))


def _replaced(words: bytes, at: int, word: int) -> bytes:
    return b"".join((words[:at], struct.pack("<I", word), words[at + 4 :]))


def _literal(text: str) -> list[int]:
    data = text.encode() + b"\0"
    return list(struct.unpack(f"<{(len(data) + 3) // 4}I", data.ljust((len(data) + 3) // 4 * 4, b"\0")))


def _with_all(module: Words, added: Sequence[Instruction], takes: Takes) -> Words:
    """With as many of some instructions, after the capabilities, as the reference takes: halves of what it does not take are
    tried."""
    place = next((at for at, words in enumerate(module.code) if name_of(words) != "OpCapability"), len(module.code))
    if added and name_of(list(added[0])) == "OpCapability":
        place = 0
    larger = Words(list(module.header), [*module.code[:place], *(list(one) for one in added), *module.code[place:]])
    if takes(larger.data()):
        return larger
    if len(added) < 2:
        return module
    middle = len(added) // 2
    return _with_all(_with_all(module, added[:middle], takes), added[middle:], takes)


class _Palette:
    """Makes the items that the reference takes in a module."""

    def __init__(self, seed: Seed, module: Words, takes: Takes) -> None:
        self._seed, self._takes = seed, takes
        ends = [at for at, one in enumerate(module.code) if name_of(one) in _GLOBAL_END]
        before = module.code[: ends[0]] if ends else module.code
        self._known = {(one[0] & 0xFFFF, *one[2:]): one[1] for one in before if name_of(one).startswith("OpType")}
        self._place = 4 * (HEADER + sum(map(len, before)))
        self._bound = module.header[3]
        self._items: dict[str, Item] = {}

    def seed(self) -> Seed:
        for name, opcode, operands in _TYPES:
            self._put(name, opcode, operands)
        for type_, opcode, literals in _VALUES:
            self._put(f"{opcode} {type_} {literals}", opcode, (type_, *literals))
        for name in _NULLS:
            for opcode in ("OpConstantNull", "OpUndef"):
                self._put(f"{opcode} {name}", opcode, (name,))
        for number, pointee in _POINTERS:
            self._put(f"OpVariable {number} {pointee}", "OpVariable", (f"p{number}{pointee}", number))
        items = sorted(self._items.values(), key=lambda item: item.id)
        return Seed(self._seed.name, self._seed.env, self._seed.words, tuple(items), self._place)

    def _put(self, name: str, opcode: str, operands: Sequence[int | str]) -> None:
        used = [self._items.get(one) for one in operands if isinstance(one, str)]
        if None in used:
            return
        numbers = [self._items[one].id if isinstance(one, str) else one for one in operands]
        is_type = opcode.startswith("OpType")
        made_of = made(opcode, self._bound, *numbers) if is_type else made(opcode, numbers[0], self._bound, *numbers[1:])
        known = self._known.get((made_of[0], *made_of[2:])) if is_type else None
        if known is not None:
            self._items[name] = Item(name, known, b"")
            return
        made_of[0] |= len(made_of) << 16
        parts: dict[bytes, None] = {}
        for one in used:
            assert one is not None
            parts.update(dict.fromkeys(_split(one.words)))
        own = struct.pack(f"<{len(made_of)}I", *made_of)
        words = b"".join([*parts, own])
        seed = self._seed.words
        bound = struct.pack("<I", self._bound + 1)
        if self._takes(b"".join((seed[:12], bound, seed[16 : self._place], words, seed[self._place :]))):
            self._items[name] = Item(name, self._bound, words)
            self._bound += 1


def _split(words: bytes) -> Iterator[bytes]:
    """The instructions of words, each by itself."""
    at = 0
    while at < len(words):
        size = 4 * (struct.unpack_from("<I", words, at)[0] >> 16)
        yield words[at : at + size]
        at += size


def seeds(driver: Driver) -> Iterator[Seed]:
    """The modules of the project that the reference takes, in their own environment and in others."""
    for case in [*own_cases(), *examples()]:
        if case.options:
            continue
        words = case.module
        if isinstance(words, str):
            words = driver.assemble(words.encode("utf-8", "surrogateescape"), case.assembled_for or case.env).payload
        if not words or len(words) > LONGEST:
            continue
        for env in dict.fromkeys([case.env, "spv1.6", "vulkan1.1", "vulkan1.4", "opencl2.2"]):
            if driver.validate(words, env).ok:
                yield Seed(case.name, env, words)


def examples() -> Iterator[Case]:
    """The examples of the documentation, as modules."""
    for key in keys():
        entry = docs.lookup(key)
        if entry is not None and entry.example is not None:
            try:
                text = complete(entry.example)
            except ExampleError:
                continue
            yield Case(key, text, entry.example.environment, own=True)


def edits(seed: Seed, done: dict[object, int], chance: Random, count: int) -> Iterator[bytes]:
    """Modules with one operand or instruction changed, at most `count`, in any order. `done` counts the edits that are alike,
    of all seeds."""
    module = Words.parse(seed.words)
    at = 4 * HEADER
    found: list[tuple[object, int, int | Item]] = []
    for place, words in enumerate(module.code):
        declared = (seed.env[:6], *words) if name_of(words) in ("OpCapability", "OpExtension") else None
        if declared is None or not done.get(declared):
            done[declared] = 1
            yield from _longer_and_shorter(seed, module, place, at)
        try:
            slots = module.slots(words)
        except ValueError:
            slots = []
        for number, slot in enumerate(slots):
            old = words[slot.at] if slot.kind not in ID_KINDS and slot.kind != "IdResultType" else 0
            same = (seed.env[:6], words[0] & 0xFFFF, *_inner(module, words), number, old)
            for label, changed in _others(seed, module, words, slot.kind, slot.at):
                if done.get((*same, label), 0) < ALIKE:
                    found.append(((*same, label), at + 4 * slot.at, changed))
        at += 4 * len(words)
    for alike, at, changed in chance.sample(found, min(count, len(found))):
        done[alike] = done.get(alike, 0) + 1
        yield seed.with_item(changed, at) if isinstance(changed, Item) else _replaced(seed.words, at, changed)


def _inner(module: Words, words: Instruction) -> tuple[object, ...]:
    """Which operation an OpExtInst or OpSpecConstantOp runs."""
    name = name_of(words)
    if name == "OpSpecConstantOp":
        return tuple(words[3:4])
    if not name.startswith("OpExtInst") or name == "OpExtInstImport" or len(words) < 5:
        return ()
    place = module.maker.get(words[3])
    return (*(tuple(module.code[place][2:]) if place is not None else ()), words[4])


def _longer_and_shorter(seed: Seed, module: Words, place: int, at: int) -> Iterator[bytes]:
    """Without an instruction, with it twice, and with fewer operands."""
    words = module.code[place]
    end = at + 4 * len(words)
    yield seed.words[:at] + seed.words[end:]
    yield seed.words[:end] + seed.words[at:]
    try:
        optional = [slot.at for slot in module.slots(words) if slot.quantifier]
    except ValueError:
        return
    for cut in optional:
        fewer = words[:cut]
        fewer[0] = fewer[0] & 0xFFFF | cut << 16
        yield seed.words[:at] + struct.pack(f"<{cut}I", *fewer) + seed.words[end:]


def _others(seed: Seed, module: Words, words: Instruction, kind: str, at: int) -> Iterator[tuple[object, int | Item]]:
    """What may stand in the place of a word, each with a name that is the same in all modules."""
    old = words[at]
    if kind == "IdResult":
        return
    if kind in ID_KINDS or kind == "IdResultType":
        yield from ((item.name, item) for item in seed.palette if item.id != old)
        for id_, maker in module.maker.items():
            if id_ != old:
                yield ("own", name_of(module.code[maker]), module.sort(id_)[0]), id_
        return
    if kind in _LITERALS:
        yield from ((number, number) for number in EDGES if number != old)
        return
    if kind == "LiteralString":
        return
    try:
        known = tables.kind(kind)
    except KeyError:
        return
    if known.category == "value":
        same = known.by_value(old)
        for one in known.all:
            if one.value != old and (same is None or len(one.parameters) == len(same.parameters)):
                yield one.name, one.value
    elif known.category == "mask":
        yield from ((one.name, old ^ one.value) for one in known.all if one.value and not one.parameters)


def mutants(seed: Seed, chance: Random, count: int) -> Iterator[bytes]:
    """Random mutants: each with one to three mutations."""
    for _ in range(count):
        module = Words.parse(seed.words)
        mutate(module, chance, chance.choice((1, 1, 2, 3)))
        yield module.data()


class Search:
    """Shows edits and mutants of seeds to the reference, and keeps the shortest module for each site that is wanted."""

    def __init__(self, inventory: Inventory, wanted: Collection[str], chance: Random) -> None:
        self._inventory, self._wanted, self._chance = inventory, wanted, chance
        self._sizes: dict[str, int] = {}
        self._done: dict[object, int] = {}

    def run(self, seed: Seed) -> Iterator[dict[str, object]]:
        """What is found with a seed: a line of `reached.jsonl` for each site that is new, or has a shorter module now."""
        grown = seed.grown(self._inventory.driver, self._chance)
        for words in chain(edits(grown, self._done, self._chance, EDITS), mutants(grown, self._chance, MUTANTS)):
            error = self._inventory.driver.validate(words, grown.env).error
            for site in {one.key for one in self._inventory.sites(error)} & {*self._wanted} if error else ():
                if len(words) < self._sizes.get(site, 1 << 30):
                    self._sizes[site] = len(words)
                    yield {"site": site, "own": True, "source": seed.name, "env": grown.env, "words": words.hex()}
