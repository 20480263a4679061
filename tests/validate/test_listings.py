"""Listings of modules, in every form, have the findings of the module and no others."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

import spvls
from spvls.cli.disassemble import SWITCHES

SHADERS = sorted(Path("fixtures/shaders").glob("*.spvasm"))
FORMS = [{}, *({switch.parameter: switch.value} for switch in SWITCHES.values()), {"friendly_names": False, "keep_ids": True}]


def _rules(module: str | bytes, version: str) -> Counter[str]:
    """The rules of the findings; a listing without a header does not give its version, so that is the environment's."""
    return Counter(finding.rule for finding in spvls.validate(module, target_env=f"spv{version}"))


@pytest.mark.parametrize("path", SHADERS, ids=lambda path: path.stem)
def test_a_listing_has_the_findings_of_its_module(path: Path) -> None:
    binary = spvls.assemble(path.read_text(encoding="utf-8"))
    version = f"{binary[6]}.{binary[5]}"
    of_words = _rules(binary, version)
    for form in FORMS:
        assert _rules(spvls.disassemble(binary, **form), version) == of_words, form
