"""Findings that are made to be listed: those that are shown in full are as they are without a list."""

from __future__ import annotations

from collections import Counter

import pytest

import spvls
from spvls.diagnostic import SHOWN_IN_FULL, Diagnostic
from spvls.validate.validator import validate_for_list
from tests.bench.worst_cases import CASES, Case, block_members_that_overlap, group_decorations_and_targets, module

_MANY = 3 * SHOWN_IN_FULL


def _backwards(comment: str = "") -> str:
    """Decorations that are repeated, the last variable first, so that what is said of it is made first and listed last."""
    names = [f"seen_{i}" for i in range(_MANY)]
    return module(
        annotations=(f"OpDecorate %{name} Restrict\nOpDecorate %{name} Restrict" for name in reversed(names)),
        types=("%pointer = OpTypePointer Private %int", *(f"%{name} = OpVariable %pointer Private{comment}" for name in names)),
    )


def _short(found: Diagnostic) -> tuple[object, ...]:
    return found.rule, found.severity, found.message, found.range, found.instruction, found.vuid, any(f.preferred for f in found.fixes)


@pytest.mark.parametrize(
    "text", [_backwards(), block_members_that_overlap(_MANY), group_decorations_and_targets(_MANY)], ids=["backwards", "members", "group"]
)
def test_what_is_shown_in_full_has_all_that_belongs_to_it(text: str) -> None:
    whole = spvls.validate(text, target_env="vulkan1.3")
    listed = validate_for_list(text, _MANY, target_env="vulkan1.3")
    assert [*map(_short, listed)] == [*map(_short, whole)]
    seen: Counter[str] = Counter()
    for one, other in zip(listed, whole, strict=True):
        seen[one.rule] += 1
        if seen[one.rule] <= SHOWN_IN_FULL:
            assert one.related == other.related
            assert [fix.title for fix in one.fixes] == [fix.title for fix in other.fixes]
    assert max(seen.values()) > SHOWN_IN_FULL
    assert any(other.related and not one.related for one, other in zip(listed, whole, strict=True))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.make.__name__)
def test_the_first_findings_of_a_rule_are_listed_and_all_are_counted(case: Case) -> None:
    most, text = SHOWN_IN_FULL + 2, case.make(_MANY)
    whole, listed = spvls.validate(text, target_env="vulkan1.3"), validate_for_list(text, most, target_env="vulkan1.3")
    assert len(listed) == len(whole)
    for rule in {found.rule for found in whole}:
        every, some = ([_short(found) for found in found_there if found.rule == rule] for found_there in (whole, listed))
        assert some[:most] == every[:most]
        assert Counter((severity, sure) for _, severity, *_, sure in some) == Counter((severity, sure) for _, severity, *_, sure in every)


def test_the_only_one_that_no_comment_sets_aside_has_its_notes() -> None:
    text = _backwards("  ; spvls: ignore[decoration/decorations-do-not-conflict]").replace(
        "  ; spvls: ignore[decoration/decorations-do-not-conflict]", "", 1
    )
    rule = "decoration/decorations-do-not-conflict"
    [whole] = [found for found in spvls.validate(text, target_env="vulkan1.3") if found.rule == rule]
    [listed] = [found for found in validate_for_list(text, _MANY, target_env="vulkan1.3") if found.rule == rule]
    assert listed.related == whole.related != ()
