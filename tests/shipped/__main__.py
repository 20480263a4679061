"""Writes the files."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from spvls.grammar import tables
from spvls.grammar.constants import constants, module_path

if "--rest" not in sys.argv:
    # First the constants that rules import, without which no rule can be loaded.
    shipped = tables.shipped_source
    for name, text in constants(shipped("opcodes.json"), shipped("operand_kinds.json")).items():
        Path(module_path(name)).write_text(text, encoding="utf-8", newline="\n")
    from tests.shipped import rule_index

    rule_index.PATH.write_text(rule_index.index_text(), encoding="utf-8", newline="\n")
    # What else is made of rules is made of those in the index, which this process has read already.
    raise SystemExit(subprocess.call([sys.executable, "-m", "tests.shipped", "--rest"]))

from tests.shipped.files import made

for path, text in made().items():
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")
