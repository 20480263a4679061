"""The TextMate grammar, the layout of the binary view and the types of the VS Code extension."""

from __future__ import annotations

import re

from tests.e2e.editor_support import EXTENSION, run_npm


def test_extension_passes_its_own_tests() -> None:
    output = run_npm("test")
    for path in (EXTENSION / "tests" / "grammar").glob("*.spvasm"):
        assert re.search(rf"✓.*{re.escape(path.name)}", output), f"{path.name} was not tested:\n{output}"
    assert re.search(r"^# pass [1-9]", output, re.MULTILINE), output
    assert re.search(r"^# fail 0$", output, re.MULTILINE), output
