"""Keys of the tables' entries."""

from __future__ import annotations

import pytest

from spvls.grammar import tables
from spvls.grammar.keys import keys, resolve


def test_every_key_leads_to_its_entry() -> None:
    everything = keys()
    assert len(set(everything)) == len(everything)
    for key in everything:
        subject = resolve(key)
        assert subject is not None and subject.key == key
        assert key.endswith(subject.record.name)


def test_an_instruction() -> None:
    subject = resolve("OpFAdd")
    assert subject is not None
    assert subject.record is tables.opcode("OpFAdd")
    assert subject.set is None


@pytest.mark.parametrize("name", ["NonSemantic.Shader.DebugInfo", "NonSemantic.Shader.DebugInfo.100"])
def test_a_set_in_revisions(name: str) -> None:
    subject = resolve(f"{name}.DebugInfoFlags.FlagIsPublic")
    assert subject is not None
    assert subject.key == "NonSemantic.Shader.DebugInfo.DebugInfoFlags.FlagIsPublic"
    assert subject.set is tables.extended_set("NonSemantic.Shader.DebugInfo.100")


def test_aliases() -> None:
    for alias, key in [
        ("OpTypeAccelerationStructureNV", "OpTypeAccelerationStructureKHR"),
        ("Decoration.NonUniformEXT", "Decoration.NonUniform"),
    ]:
        subject = resolve(alias)
        assert subject is not None and subject.key == key


@pytest.mark.parametrize("key", ["", ".", "OpFad", "StorageClass", "StorageClass.", "Kind.Private", "GLSL.std.450.sqrt"])
def test_what_names_nothing(key: str) -> None:
    assert resolve(key) is None
