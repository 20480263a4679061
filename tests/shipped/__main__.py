"""Writes the files."""

from __future__ import annotations

from importlib import reload
from pathlib import Path

from spvls.validate.engine import rule, rule_index
from tests.shipped.rule_index import PATH, index_text


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")


# The index comes first: without it, what else is made of rules would lack the new ones.
_write(PATH, index_text())
rule.RULES.clear()
rule.RULES.update(reload(rule_index).RULES)

from tests.shipped.files import made  # noqa: E402

for path, text in made().items():
    _write(path, text)
