"""Refactorings of constants: hoisted out of a function, inlined into it, folded, and declared once instead of twice."""

from __future__ import annotations

import struct
from collections import defaultdict
from collections.abc import Iterator, Mapping

from spvls.binary.float_text import float_text
from spvls.diagnostic import Edit, Range
from spvls.grammar import spv, tables
from spvls.ide.refactor.refactoring import EXTRACT, INLINE, REWRITE, Refactoring, line_after, removal
from spvls.ide.refactor.site import Site
from spvls.ide.source.occurrences import occurrences
from spvls.ide.source.source_module import SourceModule
from spvls.module.constants import Value
from spvls.module.decorations import ANNOTATIONS
from spvls.module.dependencies import GLOBALS
from spvls.module.fold import fold
from spvls.module.module import Module
from spvls.module.types import Type
from spvls.record import NamedTuple
from spvls.syntax.instruction import Instruction, Operand
from spvls.syntax.number import FLOAT_FORMATS
from spvls.validate.checks.kinds import has_small_types

_COMPOSITES = {spv.OpConstantComposite: spv.OpConstant, spv.OpSpecConstantComposite: spv.OpSpecConstant}
_VARIABLES = (spv.OpVariable, spv.OpUntypedVariableKHR)
_ABOUT = ANNOTATIONS | {spv.OpName, spv.OpMemberName}


def constant_refactorings(site: Site) -> Iterator[Refactoring]:
    """What can be done with the constants at the cursor."""
    source, record = site.source, site.record
    if record is not None and record.result is not None:
        yield from _hoisting(source, record)
        yield from _folding(source, record)
    definition = source.module.ids.definition(site.name) if site.name is not None else record
    if definition is not None and definition.result is not None and not definition.faults:
        yield from _inlining(source, definition)
        yield from _merging(source, definition)


# Hoisting and folding: out of a function


class _Global(NamedTuple):
    """A constant that is to stand among the global declarations: `text` is it without its id, after all of `needs`."""

    opcode: int
    text: str
    operands: tuple[Operand, ...]
    needs: tuple[str, ...]


def _hoisting(source: SourceModule, record: Instruction) -> Iterator[Refactoring]:
    """Of a composite that is made of constants in a function."""
    module = source.module
    type_ = module.type(record.type)
    parts = [operand for operand in record.operands if isinstance(operand, str)]
    if record.opcode.value != spv.OpCompositeConstruct or type_ is None or not _fit(parts, type_, module):
        return
    if not all(module.is_constant(part) or module.opcode_of(part) == spv.OpUndef for part in parts):
        return
    specialized = any((constant := module.constant(part)) is not None and constant.specialized for part in parts)
    opcode = spv.OpSpecConstantComposite if specialized else spv.OpConstantComposite
    text = " ".join([tables.opcode_name(opcode), f"%{type_.id}", *(f"%{part}" for part in parts)])
    wanted = _Global(opcode, text, tuple(parts), (type_.id, *parts))
    if all(map(module.is_global, wanted.needs)) and _is_plain(record, module):
        title = f"Hoist %{record.result}, a constant, out of the function"
        yield Refactoring("hoist-constant", title, EXTRACT, lambda: _hoisted(source, record, wanted))


def _fit(parts: list[str], type_: Type, module: Module) -> bool:
    """Whether these are the parts of a composite one by one; a vector may be made of shorter ones, a constant not."""
    match type_.kind:
        case spv.OpTypeVector | spv.OpTypeMatrix:
            wanted = [type_.element_id] * type_.count
        case spv.OpTypeArray:
            wanted = [type_.element_id] * (module.integer(type_.length_id) or 0)
        case spv.OpTypeStruct:
            wanted = list(type_.member_ids)
        case _:
            return False
    given = [found.id if (found := module.type_of(part)) is not None else None for part in parts]
    return bool(parts) and given == wanted


def _folding(source: SourceModule, record: Instruction) -> Iterator[Refactoring]:
    """Of an operation on constants that cannot be specialized, in a function or by OpSpecConstantOp."""
    module = source.module
    type_ = module.type(record.type)
    if type_ is None or not type_.is_scalar or not _is_plain(record, module) or has_small_types(module, type_.id):
        return
    is_global = record.opcode.value == spv.OpSpecConstantOp
    operands = record.operands if is_global else (record.opcode.value, *record.operands)
    names = [operand for operand in operands if isinstance(operand, str)]
    if not names or any(constant is None or constant.specialized for constant in map(module.constant, names)):
        return
    value = fold(operands, type_, module.constant)
    literal = _literal(value, type_)
    if literal is None:
        return
    opcode, words = literal
    text = " ".join([tables.opcode_name(opcode), f"%{type_.id}", *words])
    title = f"Fold %{record.result} to {words[0] if words else str(value).lower()}"
    if is_global:
        yield Refactoring("fold-to-constant", title, REWRITE, lambda: _replaced(source, record, text))
    elif module.is_global(type_.id):
        wanted = _Global(opcode, text, (value,) if not words else tuple(words), (type_.id,))  # type: ignore[arg-type]
        yield Refactoring("fold-to-constant", title, REWRITE, lambda: _hoisted(source, record, wanted))


def _literal(value: Value | None, type_: Type) -> tuple[int, list[str]] | None:
    """The opcode of the constant of a value, and its literal."""
    if isinstance(value, bool) and type_.is_bool:
        return (spv.OpConstantTrue if value else spv.OpConstantFalse), []
    if isinstance(value, int) and type_.is_int:
        return spv.OpConstant, [str(value)]
    if isinstance(value, int | float) and type_.is_float and type_.encoding is None:
        format_, code = FLOAT_FORMATS.get((type_.width, "")), _FLOATS.get(type_.width)
        if format_ is not None and code is not None:
            return spv.OpConstant, [float_text(int.from_bytes(struct.pack(code, value), "little"), format_)]
    return None


_FLOATS = {16: "<e", 32: "<f", 64: "<d"}


def _is_plain(record: Instruction, module: Module) -> bool:
    """Whether no group and no decoration with operands of its own speaks of a result."""
    decorations = module.decorations(record.result or "")
    return all(found.group is None and not found.params for found in decorations)


def _hoisted(source: SourceModule, record: Instruction, wanted: _Global) -> list[Edit]:
    """The edits that put a global constant in the place of an instruction of a function: one that there is, or a new one."""
    module = source.module
    name = record.result or ""
    known = _existing(record, wanted, module)
    about = [use for _, use in module.ids.uses(name) if use.opcode.value in _ABOUT]
    if known is not None:
        return [*_put(source, name, known, {id(use) for use in about}), *removal(source, [*dict.fromkeys(about), record])]
    last: tuple[int, Instruction] | None = None
    for line, other in source.placed(source.document.chunks[0]):
        if other.result in wanted.needs:
            last = line, other
    if last is None:
        return []
    decorating = dict.fromkeys(use for use in about if use.opcode.value in ANNOTATIONS)
    return [line_after(source, *last, f"%{name} = {wanted.text}"), *removal(source, [*decorating, record])]


def _existing(record: Instruction, wanted: _Global, module: Module) -> str | None:
    """A constant that is the same, and that nothing decorates."""
    for _, other in module.ids.uses(record.type or ""):
        if other.opcode.value != wanted.opcode or other.type != record.type or other.result is None or other.faults:
            continue
        if module.is_global(other.result) and not module.decorations(other.result) and _says(other, wanted, module):
            return other.result
    return None


def _says(record: Instruction, wanted: _Global, module: Module) -> bool:
    if wanted.opcode in _COMPOSITES:
        return record.operands == wanted.operands
    constant = module.constant(record.result)
    type_ = module.type(record.type)
    literal = _literal(constant.value, type_) if constant is not None and type_ is not None else None
    return literal is not None and " ".join([tables.opcode_name(literal[0]), f"%{record.type}", *literal[1]]) == wanted.text


def _replaced(source: SourceModule, record: Instruction, text: str) -> list[Edit]:
    whole = source.range_of(record)
    decorating = [use for _, use in source.module.ids.uses(record.result or "") if use.opcode.value in ANNOTATIONS]
    return [Edit(whole, f"%{record.result} = {text}"), *removal(source, dict.fromkeys(decorating))]


def _put(source: SourceModule, name: str, other: str, but: set[int]) -> list[Edit]:
    """The edits that put another id in the place of one where it is used, `but` in some instructions."""
    places = occurrences(source, name)
    return [Edit(place.range, f"%{other}") for place in places if not place.defines and id(place.record) not in but]


# Inlining: into the functions


def _inlining(source: SourceModule, record: Instruction) -> Iterator[Refactoring]:
    """Of a composite constant that only functions use, and where no constant has to be."""
    module = source.module
    name = record.result or ""
    if record.opcode.value not in _COMPOSITES or module.decorations(name) or not module.is_global(name):
        return
    uses = [(chunk, use) for chunk, use in module.ids.uses(name) if use.opcode.value not in _ABOUT]
    if not uses or not all(chunk.is_function and _takes_any_value(use, module) for chunk, use in uses):
        return
    yield Refactoring("inline-constant", f"Inline %{name} where it is used", INLINE, lambda: _inlined(source, record))


def _takes_any_value(use: Instruction, module: Module) -> bool:
    """Whether the values that an instruction takes need not be constants."""
    if use.faults or use.opcode.value in _VARIABLES or use.opcode.class_ in ("Image", "Group", "Non-Uniform"):
        return False
    return use.opcode.value not in (spv.OpExtInst, spv.OpExtInstWithForwardRefsKHR) or not module.is_non_semantic(use)


def _inlined(source: SourceModule, record: Instruction) -> list[Edit]:
    module = source.module
    name = record.result or ""
    uses = module.ids.uses(name)
    chunks = dict.fromkeys(chunk for chunk, use in uses if use.opcode.value not in _ABOUT)
    homes = {id(use): id(chunk) for chunk, use in uses}
    places: defaultdict[int, list[Range]] = defaultdict(list)
    for place in occurrences(source, name):
        if not place.defines:
            places[homes[id(place.record)]].append(place.range)
    parts = " ".join(f"%{operand}" for operand in record.operands if isinstance(operand, str))
    edits = removal(source, [record])
    for count, chunk in enumerate(sorted(chunks, key=lambda chunk: chunk.first)):
        own = name if count == 0 else _unused(f"{name}_{count}", module)
        following: tuple[int, Instruction] | None = None
        for line, other in source.placed(chunk):
            if other.opcode.value == spv.OpLabel and following is not None:
                break
            if other.opcode.value in (spv.OpLabel, *_VARIABLES):
                following = line, other
        if following is None:
            return []
        edits.append(line_after(source, *following, f"%{own} = OpCompositeConstruct %{record.type} {parts}"))
        if own != name:
            edits.extend(Edit(where, f"%{own}") for where in places[id(chunk)])
    return edits


def _unused(wanted: str, module: Module) -> str:
    name = wanted
    while module.ids.definition(name) is not None or module.ids.uses(name):
        name += "_"
    return name


# Declared once


def _merging(source: SourceModule, record: Instruction) -> Iterator[Refactoring]:
    """Of a type or a constant that other declarations repeat."""
    name = record.result or ""
    same = _alike(record, source.module)
    if len(same) < 2:
        return
    first, others = same[0], same[1:]
    shown = " and ".join(f"%{other.result}" for other in others)
    title = f"Use %{first.result} instead of {shown}" if len(others) < 4 else f"Merge the {len(same)} declarations of %{name}"
    kept = {str(other.result): str(first.result) for other in others}
    yield Refactoring("merge-duplicates", title, REWRITE, lambda: merged(source, kept))


def _alike(record: Instruction, module: Module) -> list[Instruction]:
    """The global types or constants that say the same, in order, where nothing distinguishes them."""
    if not (record.opcode.is_type or record.opcode.value in _MERGED) or not module.is_global(record.result or ""):
        return []
    said = module.resolved(record).operands
    return [
        other
        for other in module.chunks[0].records
        if other.opcode is record.opcode
        and other.type == record.type
        and other.result is not None
        and not other.faults
        and module.resolved(other).operands == said
        and not module.decorations(other.result)
        and not module.is_forward_pointer(other.result)
    ]


_MERGED = frozenset(
    {
        spv.OpConstant, spv.OpConstantTrue, spv.OpConstantFalse, spv.OpConstantNull, spv.OpConstantComposite,
        spv.OpSpecConstantComposite,
    }
)


_MAY_REPEAT = frozenset({spv.OpTypeStruct, spv.OpTypeArray, spv.OpTypeRuntimeArray, spv.OpTypePointer, spv.OpTypeForwardPointer})
"""Types that may be declared twice (SPIR-V 2.8)."""


def duplicates(module: Module) -> dict[str, str]:
    """The global types and constants that repeat earlier ones, and these; structures may be meant to be two."""
    return module.derive("duplicate declarations", lambda: _duplicates(module), note=False)


def _duplicates(module: Module) -> dict[str, str]:
    module.reads.module.add(GLOBALS)
    seen: dict[tuple[int, str | None, tuple[Operand, ...]], str] = {}
    kept: dict[str, str] = {}
    for record in module.chunks[0].records:
        name = record.result
        if name is None or record.faults or not (record.opcode.is_type or record.opcode.value in _MERGED):
            continue
        if record.opcode.value == spv.OpTypeStruct or module.decorations(name) or module.is_forward_pointer(name):
            continue
        operands = module.resolved(record).operands
        said = tuple(kept.get(operand, operand) if isinstance(operand, str) else operand for operand in operands)
        type_ = kept.get(record.type or "", record.type)
        earlier = seen.setdefault((record.opcode.value, type_, said), name)
        if earlier != name:
            kept[name] = earlier
    return kept


def merged(source: SourceModule, repeated: Mapping[str, str]) -> list[Edit]:
    """The edits that leave the first of some declarations, and of the types that are the same once it is the only one."""
    module = source.module
    kept = dict(repeated)
    gone = [record for name in kept if (record := module.ids.definition(name)) is not None]
    seen: dict[tuple[int, tuple[Operand, ...]], str] = {}
    for record in module.chunks[0].records:
        name = record.result
        if name is None or not record.opcode.is_type or record.opcode.value in _MAY_REPEAT or name in kept:
            continue
        said = tuple(kept.get(operand, operand) if isinstance(operand, str) else operand for operand in record.operands)
        earlier = seen.setdefault((record.opcode.value, said), name)
        if earlier != name and not module.decorations(name) and not module.decorations(earlier):
            kept[name] = earlier
            gone.append(record)
    about = {use: None for name in kept for _, use in module.ids.uses(name) if use.opcode.value in _ABOUT}
    doomed = [*about, *gone]
    but = {id(record) for record in doomed}
    edits = [edit for name, other in kept.items() for edit in _put(source, name, other, but)]
    return [*edits, *removal(source, doomed)]
