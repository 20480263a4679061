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
from random import Random

from spvls.grammar import docs, tables
from spvls.grammar.keys import keys
from spvls.ide.documentation.example import ExampleError, complete
from tests.fuzz.mutation import mutate
from tests.fuzz.words import HEADER, ID_KINDS, Instruction, Words, made, name_of, opcode_of
from tests.reference.cases import Case, own_cases
from tests.reference.driver import Driver

Takes = Callable[[Words], bool]

LONGEST = 8_000
"""Octets of the modules that are seeds."""

EDGES = (0, 1, 2, 3, 4, 5, 7, 8, 9, 12, 16, 17, 24, 32, 64, 128, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF)
ALIKE = 2
"""How often the same edit of the same operand is made, in different seeds and environments of the same kind."""

_GLOBAL_END = ("OpFunction", "OpGraphARM", "OpGraphConstantARM")
_LITERALS = frozenset({"LiteralInteger", "LiteralContextDependentNumber", "LiteralFloat", "LiteralExtInstInteger"})
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
    *((f"p{number}{pointee}", "OpTypePointer", (number, pointee)) for number in (0, 1, 2, 3, 4, 5, 6, 7, 8, 12)
      for pointee in ("u32", "f32", "v4f32", "suu", "a2u32", "bool", "image", "uimage")),
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


@dataclass(frozen=True, slots=True)
class Seed:
    """A module that the reference takes in an environment, and the names of the ids of its palette."""

    name: str
    env: str
    words: bytes
    palette: tuple[tuple[str, int], ...] = ()

    def grown(self, driver: Driver, chance: Random) -> Seed:
        """With a palette, and now and then with every capability and extension that the reference still takes."""
        takes: Takes = lambda module: bool(driver.validate(module.data(), self.env).ok)  # noqa: E731
        module = Words.parse(self.words)
        if chance.random() < 0.5:
            module = _with_all(module, [made("OpExtension", *_literal(name)) for name in sorted(tables.extension_names())], takes)
            module = _with_all(module, [made("OpCapability", one.value) for one in tables.kind("Capability").all], takes)
        module, palette = _with_palette(module, takes)
        return Seed(self.name, self.env, module.data(), tuple(palette))


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
    if takes(larger):
        return larger
    if len(added) < 2:
        return module
    middle = len(added) // 2
    return _with_all(_with_all(module, added[:middle], takes), added[middle:], takes)


def _with_palette(module: Words, takes: Takes) -> tuple[Words, list[tuple[str, int]]]:
    """With the types of the palette that the module lacks, and constants, values and variables of them."""
    named: dict[str, int] = {}
    ids: list[tuple[str, int]] = []

    def put(name: str, words: Instruction) -> bool:
        nonlocal module
        place = next((at for at, one in enumerate(module.code) if name_of(one) in _GLOBAL_END), len(module.code))
        larger = Words(list(module.header), [*module.code[:place], words, *module.code[place:]])
        larger.header[3] = module.header[3] + 1
        if not takes(larger):
            return False
        module = larger
        ids.append((name, module.header[3] - 1))
        return True

    for name, opcode, operands in _TYPES:
        if any(isinstance(one, str) and one not in named for one in operands):
            continue
        numbers = [named[one] if isinstance(one, str) else one for one in operands]
        has_type = opcode == "OpConstant"
        result = module.header[3]
        words = made(opcode, numbers[0], result, *numbers[1:]) if has_type else made(opcode, result, *numbers)
        known = next((one for one in module.code if not has_type and one[0] & 0xFFFF == words[0] and one[2:] == words[2:]), None)
        if known is not None:
            named[name] = known[1]
            ids.append((name, known[1]))
        elif put(name, words):
            named[name] = result
    for name, opcode, literals in _VALUES:
        if name in named:
            put(f"{name} {opcode} {literals}", made(opcode, named[name], module.header[3], *literals))
    for name, type_ in list(named.items()):
        for opcode in ("OpConstantNull", "OpUndef"):
            put(f"{name} {opcode}", made(opcode, type_, module.header[3]))
        if name.startswith("p"):
            put(f"{name} variable", made("OpVariable", type_, module.header[3], module.code[module.maker[type_]][2]))
    return module, ids


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
    kind = seed.env[:6]
    at = 4 * HEADER
    found: list[tuple[object, int, int]] = []
    for place, words in enumerate(module.code):
        if not any(words[1:2] == [id_] or words[2:3] == [id_] for _, id_ in seed.palette):
            yield from _longer_and_shorter(seed, module, place, at)
        try:
            slots = module.slots(words)
        except ValueError:
            slots = []
        name = name_of(words)
        for number, slot in enumerate(slots):
            old = words[slot.at] if slot.kind not in ID_KINDS and slot.kind != "IdResultType" else 0
            for label, changed in _others(seed, module, words, slot.kind, slot.at):
                alike = (kind, name, number, old, label)
                if done.get(alike, 0) < ALIKE:
                    found.append((alike, at + 4 * slot.at, changed))
        at += 4 * len(words)
    for alike, at, changed in chance.sample(found, min(count, len(found))):
        done[alike] = done.get(alike, 0) + 1
        yield b"".join((seed.words[:at], struct.pack("<I", changed), seed.words[at + 4 :]))


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


def _others(seed: Seed, module: Words, words: Instruction, kind: str, at: int) -> Iterator[tuple[object, int]]:
    """What may stand in the place of a word, each with a name that is the same in all modules."""
    old = words[at]
    if kind == "IdResult":
        return
    if kind in ID_KINDS or kind == "IdResultType":
        yield from ((label, id_) for label, id_ in seed.palette if id_ != old)
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


__all__ = ["Collection", "Seed", "edits", "examples", "mutants", "opcode_of", "seeds"]
