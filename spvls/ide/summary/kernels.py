"""The kernels that NonSemantic.ClspvReflection describes, with what a runtime needs to start them.

The set describes an OpenCL program that was compiled for Vulkan: its kernels with their arguments, and what all kernels of the
module have in common, such as push constants, literal samplers and the formats of printf.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from spvls.diagnostic import Range
from spvls.grammar import spv, tables
from spvls.grammar.clspv import KERNEL_ROLES, REFLECTION
from spvls.ide.source.source_module import SourceModule
from spvls.module.module import Module
from spvls.record import NamedTuple
from spvls.syntax.instruction import Instruction, Operand

_MAY_USE_PRINTF = 1
_ADDRESS_SPACES = {0x119B: "global", 0x119C: "local", 0x119D: "constant", 0x119E: "private"}
_ACCESS = {0x11A0: "read_only", 0x11A1: "write_only", 0x11A2: "read_write", 0x11A3: ""}
_TYPE_QUALIFIERS = ("const", "restrict", "volatile", "pipe")
_ADDRESSING = ("none", "clamp to edge", "clamp", "repeat", "mirrored repeat")
_FILTERS = {1: "nearest", 2: "linear"}
_WORDS = re.compile(r"[A-Z][a-z]+|[A-Z]+(?![a-z])")


class KernelArgument(NamedTuple):
    """An argument, or a value about one, such as the channel order of an image.

    `kind` is what its instruction says, in words. A descriptor has a `set` and a `binding`; `offset` and `size`, in bytes, are
    those in the push constants or in a buffer. Workgroup memory has the `spec_id` of its length and an `element_size`. `name`,
    `type` and `qualifiers` are those of ArgumentInfo.
    """

    ordinal: int | None
    kind: str
    name: str
    type: str
    qualifiers: tuple[str, ...]
    set: int | None
    binding: int | None
    offset: int | None
    size: int | None
    spec_id: int | None
    element_size: int | None
    range: Range


class Kernel(NamedTuple):
    """`id` is that of the Kernel instruction, `function` that of the entry point. Revisions before 5 give no `argument_count`,
    `flags` and `attributes`. `required_size` is the workgroup size that the kernel requires."""

    id: str
    name: str
    function: str
    argument_count: int | None
    flags: tuple[str, ...]
    attributes: str
    required_size: tuple[int | None, ...] | None
    arguments: tuple[KernelArgument, ...]
    range: Range


class ReflectedValue(NamedTuple):
    """What holds for all kernels: a range of push constants, a buffer, or ids of specialization constants.

    `size` is that of the range, or how many bytes the buffer has; `data_size` how many bytes of data it begins with.
    """

    kind: str
    set: int | None
    binding: int | None
    offset: int | None
    size: int | None
    data_size: int | None
    spec_ids: tuple[int | None, ...]
    range: Range


class LiteralSampler(NamedTuple):
    """A sampler that the program declares; `addressing` and `filter` are empty where the mask has no known value."""

    set: int | None
    binding: int | None
    normalized: bool
    addressing: str
    filter: str
    range: Range


class PrintfFormat(NamedTuple):
    """A format by its PrintfID, with the sizes of its arguments in bytes."""

    id: int | None
    format: str
    sizes: tuple[int | None, ...]
    range: Range


class Kernels(NamedTuple):
    """All that the set describes, in the order of the text; arguments by their ordinals."""

    kernels: tuple[Kernel, ...] = ()
    shared: tuple[ReflectedValue, ...] = ()
    samplers: tuple[LiteralSampler, ...] = ()
    formats: tuple[PrintfFormat, ...] = ()


def read_kernels(source: SourceModule) -> Kernels:
    """What a module says of its kernels; nothing without the set."""
    module = source.module
    imports = [name for name, imported in module.declarations.imports.items() if imported.startswith(REFLECTION)]
    return _Reader(source).read(imports) if imports else Kernels()


class _Record(NamedTuple):
    """A reflection instruction: its name and its operands by what they are for. Those after the last one that is named are in
    `rest`."""

    name: str
    operands: dict[str, str]
    rest: tuple[str, ...]
    instruction: Instruction
    range: Range


class _Reader:
    def __init__(self, source: SourceModule) -> None:
        self._source = source
        self._module: Module = source.module
        self._infos: dict[str, _Record] = {}

    def read(self, imports: list[str]) -> Kernels:
        records = list(self._records(imports))
        self._infos = {str(found.instruction.result): found for found in records if found.name == "ArgumentInfo"}
        of_kernel: dict[str, list[_Record]] = {}
        for found in records:
            kernel = found.operands.get("Decl") or (found.operands.get("Kernel") if found.name != "Kernel" else None)
            if kernel is not None:
                of_kernel.setdefault(kernel, []).append(found)
        return Kernels(
            tuple(
                self._kernel(found, of_kernel.get(found.instruction.result or "", []))
                for found in records
                if found.name == "Kernel"
            ),
            tuple(self._shared(found) for found in records if _is_shared(found)),
            tuple(self._sampler(found) for found in records if found.name == "LiteralSampler"),
            tuple(self._format(found) for found in records if found.name == "PrintfInfo"),
        )

    def _records(self, imports: list[str]) -> Iterator[_Record]:
        ids = self._module.ids
        used = {id(record) for name in imports for _, record in ids.uses(name) if record.opcode.value == spv.OpExtInst}
        for chunk in self._module.chunks:
            if not any(chunk in ids.using_chunks(name) for name in imports):
                continue
            for line, record in self._source.placed(chunk):
                found = self._record(line, record) if id(record) in used else None
                if found is not None:
                    yield found

    def _record(self, line: int, record: Instruction) -> _Record | None:
        named = self._module.extended_instruction(record) if not record.faults else None
        known = tables.extended_set(named[0]) if named is not None else None
        number = self._module.resolved(record).operands[1] if known is not None else None
        declared = known.by_value(number) if known is not None and isinstance(number, int) else None
        if declared is None:
            return None
        roles = [operand.name.replace(" ", "") for operand in declared.operands]
        given = [operand for operand in record.operands[2:] if isinstance(operand, str)]
        where = self._source.range_of(record, None, line)
        return _Record(declared.name, dict(zip(roles, given, strict=False)), tuple(given[len(roles) - 1 :]), record, where)

    def _number(self, found: _Record, role: str) -> int | None:
        return self._module.integer(found.operands.get(role))

    def _text(self, found: _Record | None, role: str) -> str:
        name = found.operands.get(role) if found is not None else None
        definition = self._module.definition(name) if name is not None else None
        if definition is None or definition.opcode.value != spv.OpString:
            return ""
        text: Operand = definition.operands[0] if definition.operands else b""
        return text.decode("utf-8", "replace") if isinstance(text, bytes) else ""

    def _kernel(self, found: _Record, about: list[_Record]) -> Kernel:
        flags = self._number(found, "Flags") or 0
        required = next((other for other in about if other.name == "PropertyRequiredWorkgroupSize"), None)
        arguments = [self._argument(other) for other in about if "Ordinal" in other.operands]
        return Kernel(
            found.instruction.result or "",
            self._text(found, "Name"),
            found.operands.get("Kernel", ""),
            self._number(found, "NumArguments"),
            ("MayUsePrintf",) if flags & _MAY_USE_PRINTF else (),
            self._text(found, "Attributes").strip(),
            tuple(self._number(required, axis) for axis in "XYZ") if required is not None else None,
            tuple(sorted(arguments, key=lambda argument: (argument.ordinal is None, argument.ordinal or 0))),
            found.range,
        )

    def _argument(self, found: _Record) -> KernelArgument:
        info = self._infos.get(found.operands.get("ArgInfo", ""))
        return KernelArgument(
            self._number(found, "Ordinal"),
            _spoken(found.name.removeprefix("Argument")),
            self._text(info, "Name"),
            self._text(info, "TypeName"),
            self._qualifiers(info) if info is not None else (),
            self._number(found, "DescriptorSet"),
            self._number(found, "Binding"),
            self._number(found, "Offset"),
            self._number(found, "Size"),
            self._number(found, "SpecId"),
            self._number(found, "ElemSize"),
            found.range,
        )

    def _qualifiers(self, info: _Record) -> tuple[str, ...]:
        space = _ADDRESS_SPACES.get(self._number(info, "AddressQualifier") or 0, "")
        access = _ACCESS.get(self._number(info, "AccessQualifier") or 0, "")
        bits = self._number(info, "TypeQualifier") or 0
        return tuple(filter(None, (space, access, *(name for at, name in enumerate(_TYPE_QUALIFIERS) if bits >> at & 1))))

    def _shared(self, found: _Record) -> ReflectedValue:
        is_specialized = found.name.startswith("SpecConstant")
        data = self._text(found, "Data") if "Data" in found.operands else None
        size = self._number(found, "BufferSize" if "Binding" in found.operands else "Size") if not is_specialized else None
        return ReflectedValue(
            _spoken(found.name.removeprefix("PushConstant").removeprefix("SpecConstant")),
            self._number(found, "DescriptorSet"),
            self._number(found, "Binding"),
            self._number(found, "Offset"),
            size,
            len(data) // 2 if data is not None else None,
            tuple(self._module.integer(name) for name in found.operands.values()) if is_specialized else (),
            found.range,
        )

    def _sampler(self, found: _Record) -> LiteralSampler:
        mask = self._number(found, "Mask") or 0
        mode = mask >> 1 & 7
        return LiteralSampler(
            self._number(found, "DescriptorSet"),
            self._number(found, "Binding"),
            bool(mask & 1),
            _ADDRESSING[mode] if mode < len(_ADDRESSING) else "",
            _FILTERS.get(mask >> 4 & 3, ""),
            found.range,
        )

    def _format(self, found: _Record) -> PrintfFormat:
        sizes = tuple(self._module.integer(name) for name in found.rest)
        return PrintfFormat(self._number(found, "PrintfID"), self._text(found, "FormatString"), sizes, found.range)


def _is_shared(found: _Record) -> bool:
    """Whether an instruction holds for all kernels, and has no list of its own."""
    return not (KERNEL_ROLES | {"ArgInfo"}) & found.operands.keys() and found.name not in (
        "ArgumentInfo", "LiteralSampler", "PrintfInfo", "ProgramScopeVariablePointerRelocation", "WorkgroupVariableSize"
    )  # fmt: skip


def _spoken(name: str) -> str:
    """The words that a name is put together from: `storage buffer` of StorageBuffer."""
    return " ".join(_WORDS.findall(name)).lower()
