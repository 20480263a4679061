"""The TextMate grammar, the layout of the binary view and the types of the VS Code extension."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from tests.e2e.editor_support import EXTENSION, run_npm

HOSTS = ("cpp", "markdown-basics", "python", "rust")
"""Extensions of VS Code with the languages that modules stand in."""


def test_extension_passes_its_own_tests() -> None:
    output = run_npm("test")
    for path in (EXTENSION / "tests" / "grammar").glob("*.*"):
        assert re.search(rf"✓.*{re.escape(path.name)}", output), f"{path.name} was not tested:\n{output}"
    assert re.search(r"^# pass [1-9]", output, re.MULTILINE), output
    assert re.search(r"^# fail 0$", output, re.MULTILINE), output


def test_blocks_in_other_languages() -> None:
    """The injected grammars, in the grammars that VS Code has for these languages."""
    tools = os.environ.get("SPVLS_VSCODE_TOOLS", "")
    builtin = Path(tools, "node_modules", "code-server", "lib", "vscode", "extensions")
    if not tools or not builtin.is_dir():
        pytest.skip("SPVLS_VSCODE_TOOLS names no folder filled by tests/e2e/vscode/install.sh")
    grammars = [path for name in HOSTS for path in sorted((builtin / name / "syntaxes").glob("*.json"))]
    cases = sorted((EXTENSION / "tests" / "grammar" / "hosts").iterdir())
    named = [argument for path in grammars for argument in ("-g", str(path))]
    output = run_npm("exec", "--", "vscode-tmgrammar-test", *named, *(str(path.relative_to(EXTENSION)) for path in cases))
    for path in cases:
        assert re.search(rf"✓.*{re.escape(path.name)}", output), f"{path.name} was not tested:\n{output}"
