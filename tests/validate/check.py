"""One helper for the tests of rules: the expectations stand in the module that they are about."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import spvls
from spvls.diagnostic import Diagnostic
from tests.validate.fixes import broken

_EXPECTED = re.compile(r";\s*(error|warning|information|hint):\s*([\w./-]+)(?:\s+`([^`]*)`)?")


def check(text: str, *, env: str | None = None, options: Mapping[str, Any] | None = None) -> list[Diagnostic]:
    """Validate `text` and hold its findings against its comments; the findings.

    `; error: rule/id` at the end of a line expects that finding on that line; a following `` `…` `` names the text that it
    underlines. What is expected must be found, and nothing else; and the fixes must mend what they are for.
    """
    lines = text.split("\n")
    expected = {
        (number, match[1], match[2], match[3])
        for number, line in enumerate(lines)
        for match in _EXPECTED.finditer(line)
    }
    underlined = {(number, rule): part for number, _, rule, part in expected if part is not None}
    diagnostics = spvls.validate(text, target_env=env, options=options)
    found = set()
    for diagnostic in diagnostics:
        assert diagnostic.range is not None, diagnostic
        start, end = diagnostic.range
        part = lines[start.line][start.column : end.column] if start.line == end.line else None
        if (start.line, diagnostic.rule) not in underlined:
            part = None
        found.add((start.line, diagnostic.severity.value, diagnostic.rule, part))
    assert found == expected, "\n".join(f"{d.range and d.range.start}: [{d.rule}] {d.message}" for d in diagnostics)
    faults = list(broken(text, diagnostics, env=env, options=options))
    assert not faults, "\n\n".join(faults)
    return diagnostics
