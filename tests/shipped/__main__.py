"""Writes the files."""

from __future__ import annotations

from tests.shipped.files import made

for path, text in made().items():
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")
