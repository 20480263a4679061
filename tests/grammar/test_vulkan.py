"""The data of the client APIs: every name in it is one of the tables, and what it says is what the tables allow."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from spvls.grammar import tables, vulkan
from spvls.grammar.data_text import data_folder
from spvls.grammar.keys import resolve
from spvls.grammar.vulkan import Bound, Enabler

FOLDER = Path(data_folder()) / "vulkan"
FILES = sorted(path.stem for path in FOLDER.glob("*.json"))
VERSION = re.compile(r"1\.[0-4]")
VERSION_OF_SPIRV = re.compile(r"1\.[1-6]")
EXTENSION = re.compile(r"VK_[A-Z]+_\w+")
TYPE = re.compile(r"(array<)*(vec[234]<(int|float)32>|mat4x3<float32>|int32|int|float32|bool)(, [234])?>*")


def entries(name: str) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return loaded


def is_canonical(kind: str, name: str) -> bool:
    found = tables.kind(kind).get(name)
    return found is not None and found.name == name


@pytest.mark.parametrize("name", FILES)
def test_one_entry_a_line(name: str) -> None:
    lines = (FOLDER / f"{name}.json").read_text(encoding="utf-8").split("\n")
    assert lines[0] == "{" and lines[-2:] == ["}", ""]
    found = dict(json.loads("{" + line.removesuffix(",") + "}").popitem() for line in lines[1:-2])
    assert found == entries(name)
    assert len(found) == len(lines) - 3


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("capabilities", "Capability"),
        ("formats", "ImageFormat"),
        ("builtins", "BuiltIn"),
        ("execution_modes", "ExecutionMode"),
    ],
)
def test_names_are_canonical_and_in_the_order_of_the_tables(name: str, kind: str) -> None:
    known = entries(name)
    assert [key for key in known if not is_canonical(kind, key)] == []
    assert list(known) == [enumerant for enumerant in tables.kind(kind).entries if enumerant in known]


def test_capabilities() -> None:
    for name in entries("capabilities"):
        enablers = vulkan.capability(name)
        assert enablers, name
        for enabler in enablers:
            if enabler.kind == "version":
                assert VERSION.fullmatch(enabler.name), name
            elif enabler.kind == "extension":
                assert EXTENSION.fullmatch(enabler.name), name
            else:
                assert re.fullmatch(r"[a-z]\w+", enabler.name), name
                assert re.fullmatch(r"VkPhysicalDevice\w+", enabler.structure), name
                assert (enabler.kind == "property") == bool(enabler.value), name
            for source in enabler.sources:
                assert VERSION.fullmatch(source) or EXTENSION.fullmatch(source), name


def test_a_capability_of_vulkan_implies_only_such() -> None:
    """Whatever a capability implies is there once it is, so Vulkan has to know it."""
    for name in entries("capabilities"):
        (value,) = tables.capability_values((name,))
        for implied in map(tables.kind("Capability").by_value, tables.implied_capabilities(value)):
            assert implied is not None and vulkan.capability(implied.name) is not None, (name, implied)


def test_uses() -> None:
    for key in entries("uses"):
        use = vulkan.use(key)
        assert use is not None and use.enablers, key
        family, _, name = key.partition(".")
        if family == "ExecutionMode":
            mode, _, width = name.partition(" ")
            assert is_canonical("ExecutionMode", mode), key
            assert width in ("", "16", "32", "64"), key
        elif family == "Writable":
            assert is_canonical("ExecutionModel", name), key
        elif family == "Initialized":
            assert is_canonical("StorageClass", name), key
        elif family == "Group":
            assert name == "ExtendedTypes", key
        else:
            assert family == "Version" and VERSION_OF_SPIRV.fullmatch(name), key
        assert use.vuid is None or re.fullmatch(r"VUID-RuntimeSpirv-\w+-[0-9]{5}", use.vuid), key
        assert (use.vuid is None) == (family == "Version"), key


def test_extensions() -> None:
    known = entries("extensions")
    assert set(known) <= tables.extension_names()
    for name in known:
        sources = vulkan.extension(name)
        assert sources, name
        assert all(VERSION.fullmatch(source) or EXTENSION.fullmatch(source) for source in sources), name


def test_formats() -> None:
    everything = {enumerant.name for enumerant in tables.kind("ImageFormat").all}
    assert everything - set(entries("formats")) == {"Unknown"}
    for name in entries("formats"):
        found = vulkan.image_format(name)
        assert found is not None
        sampled = re.search(r"_(U|S)INT", found.formats[0])
        width = "64" if "R64" in found.formats[0] else "32"
        assert found.type == ({"U": "uint", "S": "int"}[sampled[1]] if sampled else "float") + width, name
        assert all(re.fullmatch(r"VK_FORMAT_[A-Z0-9_]+", one) for one in found.formats), name


def test_precision() -> None:
    for key in entries("precision"):
        subject = resolve(key)
        assert subject is not None and subject.key == key, key
        found = vulkan.precision(key)
        assert found is not None
        for bound in (*found.single, *found.half):
            assert bound.rule in ("exact", "rounded", "rounded any way", "ulp", "absolute", "absolute below", "formula"), key
            assert bool(bound.bound) == (bound.rule in ("ulp", "absolute", "absolute below", "formula")), key
        assert len(found.single) == 1 or all(bound.where for bound in found.single), key


def test_formulas_name_instructions_that_exist() -> None:
    for key in entries("precision"):
        found = vulkan.precision(key)
        assert found is not None
        for bound in found.single:
            for name in re.findall(r"\b([A-Z]\w+)\(", bound.bound):
                assert tables.opcode(name) or resolve(f"GLSL.std.450.{name}"), (key, name)


def test_builtins() -> None:
    for name in entries("builtins"):
        found = vulkan.builtin(name)
        assert found is not None
        assert TYPE.fullmatch(found.type) and found.type.count("<") == found.type.count(">"), name
        assert found.directions, name
        for model, storage in found.directions.items():
            assert model == "*" or is_canonical("ExecutionModel", model), name
            assert storage in (("Input",), ("Output",), ("Input", "Output"), ()), name
            assert bool(storage) == (model in found.storage_vuids), name
        assert set(found.per_primitive) <= set(found.directions), name
        for vuid in filter(None, (found.models_vuid, found.type_vuid, *found.storage_vuids.values())):
            assert re.fullmatch(rf"VUID-{name}-{name}-\d{{5}}", vuid)


def test_execution_modes() -> None:
    for name in entries("execution_modes"):
        models = vulkan.execution_models(name)
        assert models and all(is_canonical("ExecutionModel", model) for model in models), name


def test_what_is_known_of_some() -> None:
    assert vulkan.capability("Geometry") == (Enabler("feature", "geometryShader", "", "VkPhysicalDeviceFeatures", ("1.0",)),)
    assert vulkan.capability("GroupNonUniform") == (
        Enabler(
            "property",
            "subgroupSupportedOperations",
            "VK_SUBGROUP_FEATURE_BASIC_BIT",
            "VkPhysicalDeviceVulkan11Properties",
            ("1.1",),
        ),
    )
    assert vulkan.capability("Kernel") is None
    assert vulkan.extension("SPV_KHR_variable_pointers") == ("1.1", "VK_KHR_variable_pointers")
    assert vulkan.image_format("Rg16i") == ("int32", ("VK_FORMAT_R16G16_SINT",))
    assert vulkan.image_format("Unknown") is None
    division = vulkan.precision("OpFDiv")
    assert division is not None
    assert division.single == (Bound("ulp", "2.5", "where |y| is 0 or in [2^-126, 2^126]"),)
    assert division.half != division.single
    assert vulkan.precision("GLSL.std.450.Determinant") is None
    position = vulkan.builtin("Position")
    assert position is not None
    assert position.directions["Vertex"] == ("Output",)
    assert position.directions["Geometry"] == ("Input", "Output")
    assert position.storage_vuids["Vertex"] == "VUID-Position-Position-04319"
    size = vulkan.builtin("WorkgroupSize")
    assert size is not None and size.directions["GLCompute"] == ()
    assert vulkan.execution_models("OriginUpperLeft") == ("Fragment",)
    assert vulkan.execution_models("DenormPreserve") is None
