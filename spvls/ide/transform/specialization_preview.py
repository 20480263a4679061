"""What a text would be with values for its specialization constants, shown in it as it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from spvls.diagnostic import Diagnostic, Range, Severity
from spvls.ide.documentation.value_text import plain_value
from spvls.ide.features.inlay import Hint, HintKind
from spvls.ide.source.source_module import SourceModule
from spvls.module.constants import Constant
from spvls.module.specialization import Specialization
from spvls.module.specialization_values import known_values
from spvls.steps import Steps
from spvls.syntax.report import range_in

UNREACHABLE = "specialization/unreachable-block"
"""The code of the findings that gray out blocks."""


def preview_of(source: SourceModule, values: Mapping[str, str]) -> Specialization:
    """A module with some values of constants, and with the defaults of all others. What it does not take does not count."""
    given = {name: found.value for name, found in known_values(source.module, values).items()}
    return Specialization(source.module, given, full=True)


def preview_hints(source: SourceModule, preview: Specialization, span: Range) -> Iterator[Hint]:
    """The values of specialization constants after their declarations, and of what functions make of constants alone."""
    results: dict[int, Mapping[str, Constant]] = {}
    functions = {id(chunk): chunk for chunk in source.document.chunks if chunk.is_function}
    for line in range(max(span.start.line, 0), min(span.end.line, len(source.document.lines) - 1) + 1):
        for record in source.document.records_on(line):
            if record.result is None or record.faults:
                continue
            constant = preview.constants.get(record.result) if record.opcode.is_specialization else None
            chunk = functions.get(id(source.document.chunk_at(line)))
            if chunk is not None:
                if id(chunk) not in results:
                    results[id(chunk)] = preview.results(source.module.function(chunk))
                constant = results[id(chunk)].get(record.result)
            if constant is not None and constant.value is not None:
                end = range_in(record, line, record.start, record.end).end
                yield Hint(end, f"= {plain_value(constant.value, constant.type)}", HintKind.VALUE)


def unreachable_blocks(source: SourceModule, preview: Specialization) -> Steps[list[Diagnostic]]:
    """Hints that gray out the blocks which branches on constants no longer lead to."""
    found = []
    for function in source.module.functions():
        for block in preview.unreachable(function):
            first, last = (source.range_of(record) for record in (block.label, block.records[-1]))
            message = f"with the values that are shown, no branch leads to %{block.name}"
            where = Range(first.start, last.end)
            found.append(Diagnostic(UNREACHABLE, Severity.HINT, message, where, tags=("unnecessary",)))
        yield
    return found
