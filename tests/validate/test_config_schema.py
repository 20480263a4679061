"""The schema of `spvls.toml`: it is one, and what reads it here agrees with what reads it in editors."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft7Validator

from spvls.diagnostic import Severity
from spvls.schema import explained, violations
from spvls.validate.config_schema import config_schema, published_schema
from spvls.validate.engine.rule_patterns import known_patterns

PUBLISHED = published_schema()
READER = Draft7Validator(PUBLISHED)

KEYS = st.sampled_from(
    ["target-env", "options", "rules", "device", "skip-block-layout", "skip_block_layout", "max-struct-depth", "image-descriptor-layout", "version", "profile", "features", "extensions", "syntax/*", "x"]
)  # fmt: skip
SCALARS = st.one_of(
    st.booleans(),
    st.integers(-(2**40), 2**40),
    st.floats(allow_nan=False).filter(lambda number: not number.is_integer()),  # to JSON 1.0 is an integer, to TOML it is none
    st.sampled_from(["off", "error", "vulkan1.2", "1.2", "8:8", "shaderInt64", "VK_KHR_ray_query", ""]),
    st.text("a:1.\n é", max_size=4).filter(lambda text: not text.endswith("\n")),  # `$` lets one pass in Python
)
VALUES = st.one_of(SCALARS, st.lists(SCALARS, max_size=3))
SETTINGS = st.dictionaries(KEYS, st.one_of(VALUES, st.dictionaries(KEYS, VALUES, max_size=4)), max_size=4)


def test_it_is_a_schema() -> None:
    Draft7Validator.check_schema(PUBLISHED)
    assert json.loads(json.dumps(PUBLISHED)) == PUBLISHED


@given(SETTINGS)
def test_both_readers_allow_the_same(settings: dict[str, Any]) -> None:
    assert READER.is_valid(settings) == (list(violations(config_schema(), settings)) == [])


@given(SETTINGS)
def test_all_that_is_wrong_is_told(settings: dict[str, Any]) -> None:
    places = {(*map(str, error.absolute_path),)[:2] for error in READER.iter_errors(settings) if error.validator != "additionalProperties"}
    found = {violation.path for violation in violations(config_schema(), settings) if violation.known is None}
    assert found == {place[:2] for place in places}
    for violation in violations(config_schema(), settings):
        assert explained(violation, "thing").isprintable()


@pytest.mark.parametrize("severity", ["off", *(severity.value for severity in Severity)])
def test_every_pattern_takes_every_severity(severity: str) -> None:
    assert READER.is_valid({"rules": dict.fromkeys(known_patterns(), severity)})


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"x": 1}, "there is no thing x; there are target-env, include, exclude, options, device, rules"),
        ({"options": 1}, "options is 1, and must be a table"),
        ({"options": {"max-struct-depth": -1}}, "max-struct-depth is -1, and must be a number from 0 to 4294967295"),
        ({"options": {"advice": "yes"}}, "advice is 'yes', and must be true or false"),
        ({"options": {"image-descriptor-layout": "8"}}, "image-descriptor-layout is '8', and must be a size and an alignment such as 8:8"),
        ({"device": {"features": ["a b"]}}, "features is ['a b'], and must be a list of names such as shaderInt64"),
        ({"rules": {"syntax/*": 1}}, "syntax/* is 1, and must be one of off, error, warning, information, hint"),
    ],
)
def test_messages_say_what_would_be_right(settings: dict[str, Any], message: str) -> None:
    assert [explained(violation, "thing") for violation in violations(config_schema(), settings)] == [message]
