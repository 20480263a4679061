"""The assembler: text to a binary module."""

from __future__ import annotations

from spvls.binary.direct import assemble_directly
from spvls.binary.encode import encode
from spvls.binary.gc_pause import paused_gc
from spvls.binary.preserved_ids import NOTHING_PRESERVED, read_preserved
from spvls.binary.words import little_endian
from spvls.diagnostic import Diagnostic
from spvls.grammar.environments import Environment
from spvls.syntax.header import read_header
from spvls.syntax.report import diagnostic
from spvls.syntax.scanner import scan, scan_runs
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
    with paused_gc():
        return _assembled(text, target_env, preserve_numeric_ids)


def _assembled(text: str, target_env: str | None, preserve_numeric_ids: bool) -> tuple[bytes, dict[str, int]]:
    lines = split_lines(text)
    environment: Environment = read_header(lines).environment(target_env)
    preserved = read_preserved(lines)
    if not preserve_numeric_ids and preserved == NOTHING_PRESERVED:
        made = assemble_directly(lines, environment.version)
        if made is not None:
            return little_endian(made[0]), made[1]
    records = [record for _, run in scan_runs(lines) for record in run if record is not None]
    encoding = encode(
        records,
        environment.version,
        preserve_numeric_ids=preserve_numeric_ids,
        preserved=preserved,
    )
    if encoding.faults:
        from spvls.binary.paper_listing import notation_finding  # for few texts

        if (notation := notation_finding(lines)) is not None:
            raise AssembleError([notation])
        starts = [line for line, _ in scan(lines)]
        raise AssembleError([diagnostic(records[at], fault, starts[at], at + 1) for at, fault in encoding.faults])
    return encoding.data(), dict(encoding.numbering)
