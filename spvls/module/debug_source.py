"""The source texts that debug information carries (NonSemantic.Shader.DebugInfo, DebugSource and DebugSourceContinued)."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from spvls.module.context_dependent import EXTENDED
from spvls.syntax.instruction import Instruction

Named = Callable[[Instruction], tuple[str, str] | None]


class DebugSources:
    """The texts of DebugSource instructions, by id, each with what continues it."""

    def __init__(self, records: Iterable[Instruction], named: Named, string: Callable[[str], bytes | None]) -> None:
        self._texts: dict[str, list[bytes]] = {}
        self._lines: dict[str, list[bytes]] = {}
        current: list[bytes] | None = None
        for record in records:
            if record.opcode.value not in EXTENDED or record.faults:
                continue
            found = named(record)
            if found is None or found[1] not in ("DebugSource", "DebugSourceContinued"):
                continue
            at = 3 if found[1] == "DebugSource" else 2
            operand = record.operands[at] if at < len(record.operands) else None
            text = string(operand) if isinstance(operand, str) else None
            if found[1] == "DebugSource":
                current = [text] if text is not None else None
                if record.result is not None and current is not None:
                    self._texts[record.result] = current
            elif current is not None and text is not None:
                current.append(text)

    def lines(self, source: str) -> list[bytes] | None:
        """The lines of a source, without their ends; None where its text is not there."""
        if source not in self._texts:
            return None
        if source not in self._lines:
            self._lines[source] = b"".join(self._texts[source]).split(b"\n")
        return self._lines[source]
