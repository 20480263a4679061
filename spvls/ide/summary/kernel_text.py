"""What NonSemantic.ClspvReflection says of kernels, as lines of text."""

from __future__ import annotations

from collections.abc import Iterator

from spvls.ide.documentation.demangle import demangled
from spvls.ide.summary.kernels import Kernel, KernelArgument, Kernels, LiteralSampler, PrintfFormat, ReflectedValue
from spvls.ide.summary.table import Row, SummaryLine, section, table
from spvls.validate.checks.wording import counted


def reflection_lines(found: Kernels) -> Iterator[SummaryLine]:
    """A section for each kernel, then what all kernels have in common."""
    for kernel in found.kernels:
        yield from _kernel(kernel)
    yield from section("For all kernels", [_shared(value) for value in found.shared])
    yield from section("Literal samplers", [_sampler(sampler) for sampler in found.samplers])
    yield from section("Formats of printf", [_format(entry) for entry in found.formats])


def _kernel(kernel: Kernel) -> Iterator[SummaryLine]:
    yield SummaryLine("")
    spelled = demangled(kernel.name)
    title = [f'Kernel "{kernel.name}"', *([spelled] if spelled is not None else []), f"%{kernel.function}"]
    if kernel.argument_count is not None:
        title.append(counted(kernel.argument_count, "argument"))
    yield SummaryLine(" · ".join([*title, *kernel.flags]), kernel.range)
    if kernel.required_size is not None:
        size = " × ".join("?" if part is None else str(part) for part in kernel.required_size)
        yield SummaryLine(f"  workgroup   {size} (required)", kernel.range)
    if kernel.attributes:
        yield SummaryLine(f"  attributes  {kernel.attributes}", kernel.range)
    yield from table(_argument(argument) for argument in kernel.arguments)


def _argument(argument: KernelArgument) -> Row:
    ordinal = "?" if argument.ordinal is None else str(argument.ordinal)
    shown = [*([argument.type] if argument.type else []), *argument.qualifiers]
    return (ordinal, argument.kind, argument_place(argument), argument.name, ", ".join(shown)), argument.range


def argument_place(value: KernelArgument | ReflectedValue) -> str:
    """Where a runtime puts a value: a descriptor, bytes of it or of the push constants, or ids of specialization constants."""
    parts = [f"{name} {number}" for name, number in (("set", value.set), ("binding", value.binding)) if number is not None]
    if value.offset is not None:
        parts.append(f"offset {value.offset}")
    if value.size is not None:
        parts.append(counted(value.size, "byte"))
    if isinstance(value, KernelArgument):
        if value.spec_id is not None:
            parts.append(f"SpecId {value.spec_id}")
        if value.element_size is not None:
            parts.append(f"elements of {counted(value.element_size, 'byte')}")
    elif value.spec_ids:
        parts.append("SpecId " + " ".join("?" if number is None else str(number) for number in value.spec_ids))
    return " ".join(parts)


def _shared(value: ReflectedValue) -> Row:
    data = f"begins with {counted(value.data_size, 'byte')} of data" if value.data_size is not None else ""
    return (value.kind, argument_place(value), data), value.range


def _sampler(sampler: LiteralSampler) -> Row:
    place = " ".join(
        f"{name} {number}" for name, number in (("set", sampler.set), ("binding", sampler.binding)) if number is not None
    )
    coordinates = "normalized" if sampler.normalized else "not normalized"
    cells = (place, coordinates, sampler.addressing or "unknown addressing", sampler.filter or "unknown filter")
    return cells, sampler.range


def _format(entry: PrintfFormat) -> Row:
    sizes = " ".join("?" if size is None else str(size) for size in entry.sizes)
    return ("?" if entry.id is None else str(entry.id), f'"{entry.format}"', f"sizes {sizes}" if sizes else ""), entry.range
