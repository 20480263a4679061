"""What a wheel has of `grammar/`: the data of the tables, and what is read for documentation alone, compressed: the entries in one
file, and the facts about rules.

Where the environment variable SPVLS_SMALL_WHEEL is set, as for a release, the wheel is compressed again by zopfli, of the package
zopflipy, which takes half a minute and a thirtieth off.
"""

from __future__ import annotations

import bz2
import os
import tempfile
import zipfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

TARGET = "spvls/grammar/data"
RULE_FACTS = "rule_facts.json"


class PackGrammar(BuildHookInterface):
    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version != "standard":
            return  # an editable installation reads the repository
        grammar = Path(self.root) / "grammar"
        docs = sorted((grammar / "docs").rglob("*.md"))
        self.folder = tempfile.TemporaryDirectory()
        parts = (f"\f{path.relative_to(grammar / 'docs').as_posix()}\n{path.read_text(encoding='utf-8')}" for path in docs)
        self._compress("docs.md", "".join(parts), build_data)
        self._compress(RULE_FACTS, (grammar / RULE_FACTS).read_text(encoding="utf-8"), build_data)
        for path in sorted(grammar.rglob("*")):
            if path.is_file() and path not in docs and path.name not in ("README.md", RULE_FACTS):
                build_data["force_include"][str(path)] = f"{TARGET}/{path.relative_to(grammar).as_posix()}"

    def _compress(self, name: str, text: str, build_data: dict[str, Any]) -> None:
        packed = Path(self.folder.name) / f"{name}.bz2"
        packed.write_bytes(bz2.compress(text.encode()))
        build_data["force_include"][str(packed)] = f"{TARGET}/{packed.name}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if version == "standard":
            self.folder.cleanup()
            if os.environ.get("SPVLS_SMALL_WHEEL"):
                _compress(Path(artifact_path))


def _compress(wheel: Path) -> None:
    import zopfli

    small = wheel.with_suffix(".small")
    with zipfile.ZipFile(wheel) as loose, zopfli.ZipFile(small, "w", zipfile.ZIP_DEFLATED, iterations=3) as tight:
        for entry in loose.infolist():
            tight.writestr(entry, loose.read(entry))
    small.replace(wheel)
