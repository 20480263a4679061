"""What a wheel has of `grammar/`: the data of the tables, and the documentation in one file, which takes less room than many."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

TARGET = "spvls/grammar/data"


class PackGrammar(BuildHookInterface):
    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version != "standard":
            return  # an editable installation reads the repository
        grammar = Path(self.root) / "grammar"
        docs = sorted((grammar / "docs").rglob("*.md"))
        self.folder = tempfile.TemporaryDirectory()
        packed = Path(self.folder.name) / "docs.md"
        parts = (f"\f{path.relative_to(grammar / 'docs').as_posix()}\n{path.read_text(encoding='utf-8')}" for path in docs)
        packed.write_text("".join(parts), encoding="utf-8", newline="\n")
        build_data["force_include"][str(packed)] = f"{TARGET}/docs.md"
        for path in sorted(grammar.rglob("*")):
            if path.is_file() and path not in docs and path.name != "README.md":
                build_data["force_include"][str(path)] = f"{TARGET}/{path.relative_to(grammar).as_posix()}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if version == "standard":
            self.folder.cleanup()
