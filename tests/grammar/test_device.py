"""Devices: read from text, tables and profiles."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spvls.grammar import vulkan
from spvls.grammar.device import Device, device_described, device_in_profile, device_of
from spvls.grammar.vulkan import Enabler

_NAMES = st.frozensets(st.from_regex(r"[a-z][A-Za-z0-9]{0,8}", fullmatch=True).filter(lambda n: n not in ("features", "extensions")))
_EXTENSIONS = st.frozensets(st.from_regex(r"VK_[A-Z]{2}_[a-z]{1,5}", fullmatch=True))
_PROPERTIES = st.dictionaries(
    st.from_regex(r"[a-z][A-Za-z]{0,8}", fullmatch=True), st.frozensets(st.from_regex(r"VK_[A-Z_]{1,8}", fullmatch=True), min_size=1)
)


@given(
    st.none() | st.tuples(st.just(1), st.integers(0, 20)),
    st.none() | _NAMES,
    st.none() | _EXTENSIONS,
    _PROPERTIES.map(lambda found: tuple(sorted(found.items()))),
)
def test_the_text_of_a_device_tells_all_of_it(version: Any, features: Any, extensions: Any, properties: Any) -> None:
    device = Device(version, features, extensions, properties)
    assert device_of(str(device)) == device


def test_words_of_each_sort() -> None:
    assert device_of(" 1.2.198, shaderInt64,VK_KHR_ray_query ,") == Device(
        (1, 2), frozenset({"shaderInt64"}), frozenset({"VK_KHR_ray_query"})
    )
    assert device_of("") == Device()


@pytest.mark.parametrize("text", ["2.0", "1", "ShaderInt64", "a b", "a=b", "=VK_A"])
def test_what_is_no_word_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not a version, feature, extension or property"):
        device_of(text)


_FEATURE = Enabler("feature", "f", "", "VkS", ("1.2", "VK_A"))


@pytest.mark.parametrize(
    ("device", "has"),
    [
        ("", None),
        ("f", True),
        ("features", False),
        ("1.1", None),
        ("1.1,extensions", False),
        ("1.1,VK_A", None),
        ("1.2,extensions", None),
    ],
)
def test_a_feature_comes_with_what_brings_it(device: str, has: bool | None) -> None:
    assert device_of(device).has(_FEATURE) is has


def test_what_may_be_there_is_not_lacking() -> None:
    ways = (_FEATURE, Enabler("extension", "VK_B"))
    assert not device_of("features").lacks(ways)
    assert device_of("features,extensions").lacks(ways)
    assert not device_of("features,VK_B").lacks(ways)


_PROFILE = {
    "$schema": "https://schema.khronos.org/vulkan/profiles-0.8-latest.json#",
    "capabilities": {
        "base": {
            "extensions": {"VK_KHR_ray_query": 1},
            "features": {
                "VkPhysicalDeviceFeatures": {"shaderInt64": True, "geometryShader": False},
                "VkPhysicalDeviceVulkan12Features": {"shaderFloat16": True},
            },
            "properties": {
                "VkPhysicalDeviceProperties": {"limits": {"maxBoundDescriptorSets": 4}},
                "VkPhysicalDeviceSubgroupProperties": {"supportedOperations": ["VK_SUBGROUP_FEATURE_BASIC_BIT"]},
                "VkPhysicalDeviceVulkan12Properties": {"shaderDenormPreserveFloat16": True},
            },
        },
        "more": {"features": {"VkPhysicalDeviceFeatures2KHR": {"features": {"shaderInt16": True}}}},
    },
    "profiles": {
        "VP_A": {"version": 1, "api-version": "1.3.204", "capabilities": ["base"]},
        "VP_B": {"version": 1, "api-version": "1.2.198", "capabilities": ["base", "more"]},
    },
}


def test_a_profile() -> None:
    device = device_in_profile(json.dumps(_PROFILE))
    assert device == Device(
        (1, 2),
        frozenset({"shaderInt64", "shaderFloat16", "shaderInt16"}),
        frozenset({"VK_KHR_ray_query"}),
        (
            ("shaderDenormPreserveFloat16", frozenset({"VK_TRUE"})),
            ("subgroupSupportedOperations", frozenset({"VK_SUBGROUP_FEATURE_BASIC_BIT"})),
        ),
    )
    assert device_of(str(device)) == device


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"capabilities": []}', "{", "[" * 100_000])
def test_what_is_no_profile_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="this is not a profile"):
        device_in_profile(text)


@pytest.mark.parametrize("text", ['{"capabilities": {"a": 1, "b": {"features": 2, "extensions": []}}, "profiles": 3}'])
def test_parts_of_another_shape_do_not_count(text: str) -> None:
    assert device_in_profile(text) == Device(None, frozenset(), frozenset())


def test_a_table() -> None:
    given: dict[str, Any] = {"version": "1.1", "features": ["a"], "extensions": []}
    assert device_described(given, str) == Device((1, 1), frozenset({"a"}), frozenset())
    added = {"profile": "x", "version": "1.4", "features": ["a"]}
    device = device_described(added, lambda path: json.dumps(_PROFILE))
    assert device.version == (1, 4)
    assert device.features == frozenset({"shaderInt64", "shaderFloat16", "shaderInt16", "a"})
    assert device.extensions == frozenset({"VK_KHR_ray_query"})


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"version": 1.2}, "version is 1.2, and must be"),
        ({"version": "9"}, "version is '9', and must be"),
        ({"features": "a"}, "features is 'a', and must be a list"),
        ({"extensions": ["a"]}, "extensions is"),
        ({"profile": 1}, "profile is 1, and must be a path"),
        ({"paint": "red"}, "there is no device setting paint"),
    ],
)
def test_tables_that_are_wrong(table: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        device_described(table, str)


def test_every_use_names_what_can_be_had() -> None:
    use = vulkan.use("ExecutionMode.LocalSizeId")
    assert use is not None
    assert use.vuid == "VUID-RuntimeSpirv-LocalSizeId-06434"
    assert use.enablers[0].name == "maintenance4"
    assert vulkan.use("ExecutionMode.LocalSize") is None
