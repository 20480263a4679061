"""Mutations of a binary module, each with knowledge of the grammar: what changes still has whole instructions.

A mutation takes a module, which it changes, and a source of chance; it returns what it did, or None where it does not apply.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from random import Random

from spvls.grammar import tables
from spvls.grammar.records import Enumerant, Opcode, Operand
from tests.fuzz.words import ID_KINDS, Instruction, Slot, Words, made, name_of, opcode_of

Mutation = Callable[[Words, Random], str | None]

TRIES = 30
"""Instructions that are looked at for an operand of the wanted kind, and mutations for one that applies."""

_LITERALS = frozenset({"LiteralInteger", "LiteralContextDependentNumber", "LiteralFloat", "LiteralExtInstInteger"})
_ANNOTATIONS = ("OpDecorate", "OpMemberDecorate", "OpDecorateId", "OpExecutionMode", "OpExecutionModeId", "OpExtension")
_SHAPING = ("OpSelectionMerge", "OpLoopMerge", "OpCapability", "OpEntryPoint", "OpMemoryModel", "OpName", "OpExtInstImport")
_SCALARS = ("OpTypeInt", "OpTypeFloat", "OpTypeBool", "OpTypeVector", "OpTypeArray", "OpTypeImage", "OpTypePointer", "OpTypeMatrix")


def mutate(module: Words, chance: Random, times: int) -> list[str]:
    """Change a module so many times, and say what was done; fewer where little applies."""
    done: list[str] = []
    for _ in range(TRIES * times):
        if len(done) == times or not module.code:
            break
        what = chance.choices(list(MUTATIONS), list(MUTATIONS.values()))[0](module, chance)
        if what is not None:
            done.append(what)
            module.survey()
    return done


def _operand(module: Words, chance: Random, wanted: Callable[[Slot, Instruction], bool]) -> tuple[Instruction, Slot] | None:
    for _ in range(TRIES):
        words = chance.choice(module.code)
        try:
            slots = [slot for slot in module.slots(words) if wanted(slot, words)]
        except ValueError:
            continue
        if slots:
            return words, chance.choice(slots)
    return None


def _replace(
    module: Words, chance: Random, what: str, others: Callable[[int], Iterable[int]], kinds: Iterable[str] = ID_KINDS
) -> str | None:
    """Put one of others in the place of an id."""
    hit = _operand(module, chance, lambda slot, words: slot.kind in kinds)
    if hit is None:
        return None
    words, slot = hit
    old = words[slot.at]
    candidates = [id_ for id_ in others(old) if id_ != old]
    if not candidates:
        return None
    words[slot.at] = chance.choice(candidates)
    return f"{what} of {name_of(words)}"


def another_id_alike(module: Words, chance: Random) -> str | None:
    return _replace(module, chance, "another id alike", lambda old: _alike(module, module.sort(old)))


def another_value(module: Words, chance: Random) -> str | None:
    def values(old: int) -> list[int]:
        return list(module.type_of) if old in module.type_of else []

    return _replace(module, chance, "another value", values)


def another_id(module: Words, chance: Random) -> str | None:
    return _replace(module, chance, "another id", lambda old: module.maker)


def another_type(module: Words, chance: Random) -> str | None:
    return _replace(module, chance, "another type", lambda old: _alike(module, ("type", 0)), ("IdResultType",))


def unknown_id(module: Words, chance: Random) -> str | None:
    return _replace(module, chance, "an id that nothing defines", lambda old: [module.fresh()])


def _alike(module: Words, sort: tuple[str, int]) -> list[int]:
    return [id_ for id_ in module.maker if module.sort(id_) == sort]


def instruction_gone(module: Words, chance: Random) -> str | None:
    return f"{name_of(module.code.pop(chance.randrange(len(module.code))))} gone"


def annotation_gone(module: Words, chance: Random) -> str | None:
    places = module.places(*_ANNOTATIONS, *_SHAPING)
    return f"{name_of(module.code.pop(chance.choice(places)))} gone" if places else None


def instruction_doubled(module: Words, chance: Random) -> str | None:
    place = chance.randrange(len(module.code))
    words = list(module.code[place])
    opcode = opcode_of(words)
    if opcode is not None and opcode.has_result and chance.random() < 0.8:
        words[1 + opcode.has_type] = module.fresh()
    module.code.insert(place + 1 if chance.random() < 0.7 else chance.randrange(len(module.code)), words)
    return f"{name_of(words)} doubled"


def instruction_moved(module: Words, chance: Random) -> str | None:
    place = chance.randrange(len(module.code))
    words = module.code.pop(place)
    to = place + chance.choice((-12, -5, -2, -1, 1, 2, 5, 12)) if chance.random() < 0.8 else chance.randrange(len(module.code) + 1)
    module.code.insert(max(0, min(len(module.code), to)), words)
    return f"{name_of(words)} moved"


def another_enumerant(module: Words, chance: Random) -> str | None:
    hit = _operand(
        module, chance, lambda slot, words: tables.kind(slot.kind).category in ("value", "mask") if slot.kind in _kinds() else False
    )
    return _other_enumerant(module, chance, *hit) if hit else None


def another_decoration(module: Words, chance: Random) -> str | None:
    places = module.places("OpDecorate", "OpMemberDecorate", "OpDecorateId", "OpDecorateString")
    return _other_enumerant_at(module, chance, places, ("Decoration", "BuiltIn", "FuncParamAttr"))


def another_execution_mode(module: Words, chance: Random) -> str | None:
    places = module.places("OpExecutionMode", "OpExecutionModeId", "OpEntryPoint")
    return _other_enumerant_at(module, chance, places, ("ExecutionMode", "ExecutionModel"))


def another_image_type(module: Words, chance: Random) -> str | None:
    places = module.places("OpTypeImage")
    if not places or chance.random() < 0.5:
        return _other_enumerant_at(module, chance, places, ("Dim", "ImageFormat", "AccessQualifier"))
    words = module.code[chance.choice(places)]
    words[chance.randrange(4, 8)] = chance.randrange(4)
    return "another number of OpTypeImage"


def another_storage_class(module: Words, chance: Random) -> str | None:
    """Of a variable and its pointer type together, or of one of them."""
    places = module.places("OpVariable", "OpTypePointer", "OpUntypedVariableKHR", "OpTypeUntypedPointerKHR", "OpTypeForwardPointer")
    if not places:
        return None
    words = module.code[chance.choice(places)]
    slot = next((slot for slot in module.slots(words) if slot.kind == "StorageClass"), None)
    if slot is None:
        return None
    classes = [one.value for one in tables.kind("StorageClass").all]
    common = [value for value in classes if value < 13]
    words[slot.at] = chance.choice(common if chance.random() < 0.8 else classes)
    maker = module.maker.get(words[1])
    if name_of(words) == "OpVariable" and maker is not None and chance.random() < 0.6 and len(module.code[maker]) > 2:
        module.code[maker][2] = words[slot.at]
    return f"another storage class of {name_of(words)}"


def _other_enumerant_at(module: Words, chance: Random, places: Sequence[int], kinds: Sequence[str]) -> str | None:
    if not places:
        return None
    words = module.code[chance.choice(places)]
    try:
        slots = [slot for slot in module.slots(words) if slot.kind in kinds]
    except ValueError:
        return None
    return _other_enumerant(module, chance, words, chance.choice(slots)) if slots else None


def _other_enumerant(module: Words, chance: Random, words: Instruction, slot: Slot) -> str | None:
    """Another value, or one bit more or less, with the parameters that it takes in the place of those of the old one."""
    kind = tables.kind(slot.kind)
    old = words[slot.at]
    if kind.category == "mask":
        bits = [one for one in kind.all if one.value]
        if not bits:
            return None
        new = old ^ chance.choice(bits).value
    else:
        alike = [one.value for one in kind.all if one.value != old and one.parameters == _parameters(kind.by_value(old))]
        others = [one.value for one in kind.all if one.value != old]
        pool = alike if alike and chance.random() < 0.7 else others
        if not pool:
            return None
        new = chance.choice(pool)
    before, after = (_parameters_of(slot.kind, value) for value in (old, new))
    words[slot.at] = new
    if before != after:
        end = _end_of(module, [*words[: slot.at], old, *words[slot.at + 1 :]], slot, len(before))
        if end is None:
            words[slot.at] = old
            return None
        words[slot.at + 1 : end] = [word for parameter in after for word in _drawn(module, chance, parameter)]
    return f"another {slot.kind} of {name_of(words)}"


def _end_of(module: Words, words: Instruction, slot: Slot, parameters: int) -> int | None:
    """Where the parameters of an enumerant end; None where they cannot be read."""
    try:
        slots = module.slots(words)
    except ValueError:
        return None
    place = next(number for number, one in enumerate(slots) if one.at == slot.at)
    if place + parameters >= len(slots):
        return len(words) if place + parameters + 1 == len(slots) else None
    return slots[place + parameters].at + slots[place + parameters].width


def _parameters(enumerant: Enumerant | None) -> tuple[Operand, ...]:
    return enumerant.parameters if enumerant else ()


def _parameters_of(kind: str, value: int) -> list[Operand]:
    known = tables.kind(kind)
    values = [value] if known.category == "value" else [1 << at for at in range(32) if value >> at & 1]
    return [operand for value in values for operand in _parameters(known.by_value(value))]


def _drawn(module: Words, chance: Random, operand: Operand) -> list[int]:
    """Words for an operand that is new; none for one that may be lacking."""
    kind = tables.kind(operand.kind)
    if operand.quantifier:
        return []
    if kind.category == "id":
        return [chance.choice([*module.maker] or [1])]
    if kind.category in ("value", "mask"):
        plain = [one.value for one in kind.all if not one.parameters]
        return [chance.choice(plain)]
    if kind.category == "composite":
        return [word for base in kind.bases for word in _drawn(module, chance, Operand(base, "", ""))]
    return [0x61] if operand.kind == "LiteralString" else [chance.choice((0, 1, 2, 4, 16))]


def another_literal(module: Words, chance: Random) -> str | None:
    hit = _operand(module, chance, lambda slot, words: slot.kind in _LITERALS)
    if hit is None:
        return None
    words, slot = hit
    at = slot.at + chance.randrange(slot.width)
    old = words[at]
    words[at] = (
        chance.choice((old + 1, old - 1, 0, 1, 2, 3, 4, 8, 16, 32, 64, old ^ 1 << chance.randrange(32), 0xFFFFFFFF)) & 0xFFFFFFFF
    )
    return f"another {slot.kind} of {name_of(words)}" if words[at] != old else None


def another_opcode(module: Words, chance: Random) -> str | None:
    """An opcode with operands of the same kinds."""
    for _ in range(TRIES):
        words = chance.choice(module.code)
        opcode = opcode_of(words)
        others = [one for one in _of_form(_form(opcode)) if one is not opcode] if opcode else []
        if others:
            words[0] = words[0] & 0xFFFF0000 | chance.choice(others).value
            return f"another opcode than {opcode.name}" if opcode else None
    return None


def fewer_or_more_operands(module: Words, chance: Random) -> str | None:
    words = chance.choice(module.code)
    try:
        slots = module.slots(words)
    except ValueError:
        return None
    if slots and slots[-1].quantifier and chance.random() < 0.6:
        del words[slots[-1].at :]
        return f"{name_of(words)} with an operand less"
    opcode = opcode_of(words)
    last = opcode.operands[-1] if opcode and opcode.operands else None
    if last is None or not last.quantifier:
        return None
    words.extend(_drawn(module, chance, Operand(last.kind, last.name, "")))
    return f"{name_of(words)} with an operand more"


def new_decoration(module: Words, chance: Random) -> str | None:
    places = module.places("OpDecorate", "OpMemberDecorate", *_SCALARS, "OpTypeVoid")
    targets = [*module.maker]
    if not places or not targets:
        return None
    every = tables.kind("Decoration").all
    common = [one for one in every if one.value < 45]
    decoration = chance.choice(common if chance.random() < 0.7 else every)
    structs = module.places("OpTypeStruct")
    parameters = [word for operand in decoration.parameters for word in _drawn(module, chance, operand)]
    words = made("OpDecorate", chance.choice(targets), decoration.value, *parameters)
    if structs and chance.random() < 0.3:
        target = module.code[chance.choice(structs)]
        member = chance.randrange(max(1, len(target) - 2))
        words = made("OpMemberDecorate", target[1], member, decoration.value, *parameters)
    module.code.insert(places[0], words)
    return f"new decoration {decoration.name}"


def new_execution_mode(module: Words, chance: Random) -> str | None:
    entries = module.places("OpEntryPoint")
    if not entries or len(module.code[entries[0]]) < 3:
        return None
    mode = chance.choice(tables.kind("ExecutionMode").all)
    parameters = [word for operand in mode.parameters for word in _drawn(module, chance, operand)]
    by_id = any(operand.kind.startswith("Id") for operand in mode.parameters)
    name = "OpExecutionModeId" if by_id else "OpExecutionMode"
    module.code.insert(entries[-1] + 1, made(name, module.code[entries[0]][2], mode.value, *parameters))
    return f"new execution mode {mode.name}"


def another_capability(module: Words, chance: Random) -> str | None:
    value = chance.choice(tables.kind("Capability").all).value
    places = module.places("OpCapability")
    if places and chance.random() < 0.5:
        module.code[chance.choice(places)][1:] = [value]
        return "another capability"
    module.code.insert(0, made("OpCapability", value))
    return "new capability"


def another_version(module: Words, chance: Random) -> str | None:
    old = module.header[1]
    module.header[1] = 0x10000 | chance.randrange(7) << 8
    return "another version" if module.header[1] != old else None


MUTATIONS: dict[Mutation, int] = {
    another_id_alike: 14,
    another_value: 12,
    another_id: 8,
    another_type: 9,
    unknown_id: 1,
    instruction_gone: 8,
    annotation_gone: 8,
    instruction_doubled: 6,
    instruction_moved: 9,
    another_enumerant: 10,
    another_decoration: 6,
    another_execution_mode: 4,
    another_image_type: 3,
    another_storage_class: 6,
    another_literal: 8,
    another_opcode: 9,
    fewer_or_more_operands: 4,
    new_decoration: 6,
    new_execution_mode: 3,
    another_capability: 2,
    another_version: 2,
}
"""How often each is tried, beside the others."""


@cache
def _kinds() -> frozenset[str]:
    return frozenset(kind.name for kind in tables.kinds())


def _form(opcode: Opcode) -> tuple[tuple[str, str], ...]:
    return tuple((operand.kind, operand.quantifier) for operand in opcode.operands)


@cache
def _of_form(form: tuple[tuple[str, str], ...]) -> tuple[Opcode, ...]:
    return tuple(opcode for opcode in tables.opcodes() if _form(opcode) == form)
