"""Writes the files."""

from __future__ import annotations

import subprocess
import sys

from tests.shipped import rule_index

if "--rest" not in sys.argv:
    rule_index.PATH.write_text(rule_index.index_text(), encoding="utf-8", newline="\n")
    # What else is made of rules is made of those in the index, which this process has read already.
    raise SystemExit(subprocess.call([sys.executable, "-m", "tests.shipped", "--rest"]))

from tests.shipped.files import made

for path, text in made().items():
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")
