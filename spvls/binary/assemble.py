"""The assembler: text to a binary module."""

from __future__ import annotations

from spvls.binary.encode import encode
from spvls.binary.preserved_ids import read_preserved
from spvls.diagnostic import Diagnostic
from spvls.grammar.environments import Environment
from spvls.syntax.header import read_header
from spvls.syntax.report import diagnostic
from spvls.syntax.scanner import scan
from spvls.text.lines import split_lines


class AssembleError(ValueError):
    """A text that does not assemble; `diagnostics` are all its errors, in the order of the text."""

    def __init__(self, diagnostics: list[Diagnostic]) -> None:
        self.diagnostics = diagnostics
        first = diagnostics[0]
        where = f"{first.range.start.line + 1}:{first.range.start.column + 1}: " if first.range else ""
        more = f" (and {len(diagnostics) - 1} more)" if len(diagnostics) > 1 else ""
        super().__init__(f"{where}{first.message}{more}")


def assemble(
    text: str, *, target_env: str | None = None, preserve_numeric_ids: bool = False
) -> bytes:
    """The binary module of a text, as little-endian words.

    `target_env` names the environment whose SPIR-V version the module takes; None means what the text's header says.
    With `preserve_numeric_ids`, ids written as numbers keep these. Raises AssembleError with all errors of the text, and
    ValueError for an environment that does not exist.
    """
    return assemble_with_ids(text, target_env=target_env, preserve_numeric_ids=preserve_numeric_ids)[0]


def assemble_with_ids(
    text: str, *, target_env: str | None = None, preserve_numeric_ids: bool = False
) -> tuple[bytes, dict[str, int]]:
    """As `assemble`, with the number of each id by the name it has in the text."""
    lines = split_lines(text)
    environment: Environment = read_header(lines).environment(target_env)
    found = list(scan(lines))
    encoding = encode(
        [record for _, record in found],
        environment.version,
        preserve_numeric_ids=preserve_numeric_ids,
        preserved=read_preserved(lines),
    )
    if encoding.faults:
        raise AssembleError(
            [diagnostic(found[at][1], fault, found[at][0], at + 1) for at, fault in encoding.faults]
        )
    return encoding.data(), dict(encoding.numbering)
