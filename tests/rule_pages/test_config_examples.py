"""The examples of findings about `spvls.toml` are settings that have these findings, and settings that have none."""

from __future__ import annotations

from pathlib import Path

import pytest

from spvls.validate.config import read_config
from spvls.validate.engine.explanation import explained, explanation

_TABLES = {"config/option": "options", "config/device": "device", "config/severity": "rules", "config/unknown-rule": "rules"}
"""The table that the lines of an example are in."""

_IDS = [id_ for id_ in explained() if id_.startswith("config/")]


def _found(id_: str, example: str, folder: Path) -> list[str]:
    path = folder / "spvls.toml"
    table = f"[{_TABLES[id_]}]\n" if id_ in _TABLES else ""
    path.write_text(f"{table}{example.strip('`')}\n", encoding="utf-8")
    return [problem.rule for problem in read_config(str(path), hash(example)).problems]


@pytest.mark.parametrize("id_", _IDS)
def test_an_example_of_a_setting_shows_its_finding(id_: str, tmp_path: Path) -> None:
    found = explanation(id_)
    assert found is not None
    assert _found(id_, found.example, tmp_path) == [id_]
    assert _found(id_, found.instead, tmp_path) == []
