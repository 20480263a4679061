"""The outline of a module: sections, what they declare, functions and their blocks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import Enum

from spvls.diagnostic import Position, Range
from spvls.grammar import spv
from spvls.ide.documentation.demangle import demangled
from spvls.ide.documentation.id_markdown import demangled_name, type_text
from spvls.ide.documentation.value_text import plain_constant
from spvls.ide.source.sections import DECLARATIONS, sections
from spvls.ide.source.source_module import SourceModule
from spvls.ide.summary.kernel_text import argument_place
from spvls.ide.summary.kernels import read_kernels
from spvls.module.constants import CONSTANT_OPCODES
from spvls.module.functions import Function, declared_targets
from spvls.module.module import Module
from spvls.record import NamedTuple
from spvls.syntax.document import Chunk
from spvls.syntax.instruction import RESULT, Instruction
from spvls.syntax.operand_decls import enumerants
from spvls.syntax.report import range_in
from spvls.text.lines import position_in


class SymbolKind(Enum):
    """What a symbol is, in the terms of the module."""

    SECTION = "section"
    CAPABILITY = "capability"
    EXTENSION = "extension"
    IMPORT = "import"
    ENTRY_POINT = "entry point"
    TYPE = "type"
    STRUCT = "struct"
    CONSTANT = "constant"
    SPEC_CONSTANT = "specialization constant"
    VARIABLE = "variable"
    FUNCTION = "function"
    BLOCK = "block"
    LOOP_HEADER = "loop header"
    SELECTION_HEADER = "selection header"
    MERGE_BLOCK = "merge block"
    CONTINUE_TARGET = "continue target"
    KERNEL = "kernel"
    ARGUMENT = "argument"


class Symbol(NamedTuple):
    """`range` is all that belongs to it, `selection` its name."""

    name: str
    detail: str
    kind: SymbolKind
    range: Range
    selection: Range
    children: tuple[Symbol, ...] = ()


def document_symbols(source: SourceModule) -> Iterator[Symbol]:
    """The outline of the whole module, one symbol of its top a step."""
    chunks = source.document.chunks
    yield from _global_symbols(source, chunks[0])
    types: dict[str | None, str] = {}
    for chunk in list(chunks[1:]):
        if chunk.is_function:
            yield _function(source, chunk, types)
    yield from _kernels(source)


def _global_symbols(source: SourceModule, chunk: Chunk) -> Iterator[Symbol]:
    for title, placed in sections(source.placed(chunk)):
        (first_line, first), (last_line, last) = placed[0], placed[-1]
        span = Range(_start(first, first_line), _end(last, last_line))
        children = tuple(_children(source.module, title, placed))
        selection = range_in(first, first_line, first.start, first.end)
        yield Symbol(title, str(len(placed)), SymbolKind.SECTION, span, selection, children)


def _children(module: Module, title: str, placed: Iterable[tuple[int, Instruction]]) -> Iterable[Symbol]:
    for line, record in placed:
        if title == DECLARATIONS:
            symbol = _declaration(module, line, record)
        else:
            symbol = _header_symbol(line, record)
        if symbol is not None:
            yield symbol


_HEADER_KINDS = {
    spv.OpCapability: SymbolKind.CAPABILITY,
    spv.OpExtension: SymbolKind.EXTENSION,
    spv.OpExtInstImport: SymbolKind.IMPORT,
    spv.OpEntryPoint: SymbolKind.ENTRY_POINT,
}


def _header_symbol(line: int, record: Instruction) -> Symbol | None:
    kind = _HEADER_KINDS.get(record.opcode.value)
    if kind is None or record.faults or not record.operands:
        return None
    operand = record.operands[2] if kind is SymbolKind.ENTRY_POINT else record.operands[0]
    detail = ""
    if isinstance(operand, bytes):
        name = operand.decode("utf-8", "replace")
    else:
        name = _enumerant("Capability", operand)
    if kind is SymbolKind.ENTRY_POINT:
        detail = " · ".join(filter(None, (_enumerant("ExecutionModel", record.operands[0]), demangled(name))))
    elif record.result is not None:
        detail = f"%{record.result}"
    whole = range_in(record, line, record.start, record.end)
    return Symbol(name or record.opcode.name, detail, kind, whole, whole)


def _enumerant(kind: str, value: object) -> str:
    found = enumerants(kind, value) if isinstance(value, int) else ()
    return found[0].name if found else str(value)


def _declaration(module: Module, line: int, record: Instruction) -> Symbol | None:
    name = record.result
    if name is None or record.faults:
        return None
    opcode = record.opcode.value
    detail = type_text(module, name) or ""
    if opcode == spv.OpTypeStruct:
        kind = SymbolKind.STRUCT
    elif record.opcode.is_type:
        kind = SymbolKind.TYPE
    elif opcode in CONSTANT_OPCODES:
        kind = SymbolKind.SPEC_CONSTANT if record.opcode.is_specialization else SymbolKind.CONSTANT
        constant = module.constant(name)
        if constant is not None and constant.value is not None:
            detail += f" = {plain_constant(constant)}"
    else:
        kind = SymbolKind.VARIABLE
        detail = " · ".join(filter(None, (detail, interface_text(module, name))))
    whole = range_in(record, line, record.start, record.end)
    return Symbol(called(module, name), detail, kind, whole, range_in(record, line, *record.span(RESULT)))


def interface_text(module: Module, name: str) -> str:
    """How a variable is bound: built-in, location, descriptor set and binding."""
    parts: list[str] = []
    for decoration in module.decorations(name):
        value = decoration.params[0] if decoration.params else None
        match decoration.name:
            case "BuiltIn":
                parts.append(_enumerant("BuiltIn", value))
            case "Location" | "Binding" | "SpecId":
                parts.append(f"{decoration.name.lower()} {value!r}")
            case "DescriptorSet":
                parts.append(f"set {value!r}")
    return ", ".join(parts)


def called(module: Module, name: str) -> str:
    """An id with what OpName calls it."""
    return _with_name(name, module.declarations.names)


def _with_name(name: str, names: Mapping[str, str]) -> str:
    given = names.get(name)
    return f"%{name}" if given is None or given == name else f"%{name} {given}"


def _function(source: SourceModule, chunk: Chunk, types: dict[str | None, str]) -> Symbol:
    """The symbol of a function; `types` are the spellings of function types that are known, by their ids."""
    module = source.module
    function = module.function(chunk)
    lines = source.document.lines_of(chunk)
    names = module.declarations.names
    end = function.end or chunk.records[-1]
    head = function.record
    first_line = lines[id(chunk.records[0])]
    blocks = []
    roles = _block_roles(function)
    for block in function.blocks.values():
        line, last = lines[id(block.label)], block.records[-1]
        selection = range_in(block.label, line, *block.label.span(RESULT))
        span = Range(selection.start, _end(last, lines[id(last)]))
        own = roles.get(block.name)
        detail = block.terminator.opcode.name if block.terminator is not None else ""
        if own is not None:
            detail = " · ".join([*(role.value for role in own), *([detail] if detail else ())])
        blocks.append(Symbol(_with_name(block.name, names), detail, own[0] if own else SymbolKind.BLOCK, span, selection))
    return Symbol(
        _with_name(function.name, names),
        " · ".join(filter(None, (demangled_name(module, function.name), _function_type(module, function, types)))),
        SymbolKind.FUNCTION,
        Range(_start(head, first_line), max([_end(end, lines[id(end)]), *(block.range.end for block in blocks)])),
        range_in(head, first_line, *head.span(RESULT)),
        tuple(blocks),
    )


def _function_type(module: Module, function: Function, types: dict[str | None, str]) -> str:
    if module.function_named(function.name) is not function:
        return type_text(module, function.name) or ""
    known = types.get(function.type_id)
    if known is None:
        known = types[function.type_id] = type_text(module, function.name) or ""
    return known


def _kernels(source: SourceModule) -> Iterator[Symbol]:
    """The kernels that reflection describes, with their arguments."""
    found = []
    for kernel in read_kernels(source).kernels:
        arguments = tuple(
            Symbol(
                f"{'?' if argument.ordinal is None else argument.ordinal}{f' {argument.name}' if argument.name else ''}",
                " · ".join(filter(None, (argument.type, argument.kind, argument_place(argument)))),
                SymbolKind.ARGUMENT,
                argument.range,
                argument.range,
            )
            for argument in kernel.arguments
        )
        span = _around(kernel.range, *(argument.range for argument in arguments))
        detail = demangled(kernel.name) or ""
        found.append(Symbol(kernel.name or f"%{kernel.id}", detail, SymbolKind.KERNEL, span, kernel.range, arguments))
    if found:
        span = _around(*(kernel.range for kernel in found))
        yield Symbol("Kernels", str(len(found)), SymbolKind.SECTION, span, found[0].selection, tuple(found))


def _around(*ranges: Range) -> Range:
    """The range from the first to the last of some."""
    return Range(min(found.start for found in ranges), max(found.end for found in ranges))


def _block_roles(function: Function) -> dict[str, list[SymbolKind]]:
    """What merge instructions make of blocks (SPIR-V 2.11.1): headers first, then what these declare."""
    roles: dict[str, list[SymbolKind]] = {}
    headers = [block for block in function.blocks.values() if block.merge is not None]
    for block in headers:
        is_loop = block.merge is not None and block.merge.opcode.value == spv.OpLoopMerge
        roles.setdefault(block.name, []).append(SymbolKind.LOOP_HEADER if is_loop else SymbolKind.SELECTION_HEADER)
    for block in headers:
        for role, target in zip((SymbolKind.MERGE_BLOCK, SymbolKind.CONTINUE_TARGET), declared_targets(block), strict=False):
            roles.setdefault(target, []).append(role)
    return roles


def _start(record: Instruction, line: int) -> Position:
    return position_in(record.text, record.start, line)


def _end(record: Instruction, line: int) -> Position:
    return position_in(record.text, record.end, line)
