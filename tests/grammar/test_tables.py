"""The tables as they are shipped."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from spvls.grammar import tables
from spvls.grammar.enumerants import Capability
from spvls.grammar.records import ExtendedSet, Operand

CORE_KINDS = {kind.name for kind in tables.kinds()}


def operands_of(item: Any) -> tuple[Operand, ...]:
    found: tuple[Operand, ...] = getattr(item, "operands", ()) or getattr(item, "parameters", ())
    return found


def test_counts() -> None:
    assert len(tables.opcodes()) == 876
    assert sum(len(kind.all) for kind in tables.kinds()) == 1110
    assert len(tables.kinds()) == 72
    assert sum(len(opcode.aliases) for opcode in tables.opcodes()) == 58


def test_opcode_values_are_unique() -> None:
    values = Counter(opcode.value for opcode in tables.opcodes())
    assert [value for value, count in values.items() if count > 1] == []


def test_enumerant_values_are_unique_within_a_kind() -> None:
    kinds = [*tables.kinds(), *(kind for of in tables.extended_sets() for kind in of.kinds.values())]
    for kind in kinds:
        values = Counter(enumerant.value for enumerant in kind.all)
        assert [value for value, count in values.items() if count > 1] == [], kind.name


def test_bits_of_masks() -> None:
    for kind in tables.kinds():
        if kind.category == "mask":
            for enumerant in kind.all:
                assert enumerant.value.bit_count() <= 1, enumerant


def test_every_alias_leads_to_its_opcode() -> None:
    for opcode in tables.opcodes():
        assert tables.opcode(opcode.name) is tables.opcode_by_value(opcode.value) is opcode
        for alias in opcode.aliases:
            assert tables.opcode(alias) is opcode


def test_every_alias_leads_to_its_enumerant() -> None:
    for kind in tables.kinds():
        for enumerant in kind.all:
            assert enumerant.kind == kind.name
            assert kind.get(enumerant.name) is kind.by_value(enumerant.value) is enumerant
            for alias in enumerant.aliases:
                assert kind.get(alias) is enumerant


def test_every_operand_kind_named_exists() -> None:
    items = [*tables.opcodes(), *(enumerant for kind in tables.kinds() for enumerant in kind.all)]
    used = {operand.kind for item in items for operand in operands_of(item)}
    used |= {base for kind in tables.kinds() for base in kind.bases}
    assert used <= CORE_KINDS


@pytest.mark.parametrize("extended", tables.extended_sets(), ids=lambda extended: extended.name)
def test_extended_set(extended: ExtendedSet) -> None:
    assert extended.all
    known = CORE_KINDS | set(extended.kinds)
    for instruction in extended.all:
        assert extended.get(instruction.name) is extended.by_value(instruction.value) is instruction
        assert {operand.kind for operand in instruction.operands} <= known
        assert len(instruction.operands_since) == len(instruction.operands)
    for kind in extended.kinds.values():
        assert {operand.kind for enumerant in kind.all for operand in enumerant.parameters} <= known
    for import_name in extended.import_names:
        assert tables.extended_set(import_name) is extended


def test_revisions_named_in_the_index_belong_to_entries() -> None:
    index = tables.shipped_source("extended_sets.json")
    for name, entry in index.items():
        extended = next(known for known in tables.extended_sets() if known.name == name)
        places = {instruction.name for instruction in extended.all}
        places |= {f"{item.name}.{operand.name}" for item in extended.all for operand in item.operands}
        assert set(entry.get("since", ())) <= places
        for revision in entry.get("since", {}).values():
            assert extended.first_revision < revision <= extended.revision


def test_capabilities_named_exist_by_their_canonical_name() -> None:
    capabilities = {capability.name for capability in tables.kind("Capability").all}
    items: list[Any] = [*tables.opcodes()]
    items += [enumerant for kind in tables.kinds() for enumerant in kind.all]
    items += [instruction for extended in tables.extended_sets() for instruction in extended.all]
    for item in items:
        assert set(item.capabilities) <= capabilities, item


def test_operands_and_quantifiers() -> None:
    phi = tables.opcode("OpPhi")
    assert phi is not None and phi.has_type and phi.has_result
    assert [(operand.kind, operand.quantifier) for operand in phi.arguments] == [("PairIdRefIdRef", "*")]
    assert tables.kind("PairIdRefIdRef").bases == ("IdRef", "IdRef")
    load = tables.opcode("OpLoad")
    assert load is not None
    assert [(operand.kind, operand.name, operand.quantifier) for operand in load.arguments] == [
        ("IdRef", "Pointer", ""),
        ("MemoryAccess", "", "?"),
    ]


def test_parameters_of_enumerants() -> None:
    grad = tables.kind("ImageOperands").get("Grad")
    assert grad is not None and grad.value == 4
    assert [operand.kind for operand in grad.parameters] == ["IdRef", "IdRef"]
    none = tables.kind("ImageOperands").by_value(0)
    assert none is not None and none.name == "None" and none.version == (1, 0)


def test_versions() -> None:
    weak = tables.opcode("OpAtomicCompareExchangeWeak")
    assert weak is not None and (weak.version, weak.last_version) == ((1, 0), (1, 3))
    copy = tables.opcode("OpCopyLogical")
    assert copy is not None and (copy.version, copy.last_version) == ((1, 4), None)
    reserved = tables.opcode("OpTypeAccelerationStructureKHR")
    assert reserved is not None and reserved.version is None


def test_no_class_is_a_mark_of_the_headers() -> None:
    assert {opcode.class_ for opcode in tables.opcodes() if not opcode.class_[0].isalpha()} == set()
    subgroup = tables.opcode("OpSubgroupBlockReadINTEL")
    assert subgroup is not None and subgroup.class_ == "Group"


def test_unknown_names() -> None:
    assert tables.opcode("OpNone") is None
    assert tables.opcode("opload") is None
    assert tables.opcode_by_value(65535) is None
    assert tables.kind("Decoration").get("None") is None
    with pytest.raises(KeyError):
        tables.kind("Unknown")


def test_implied_capabilities() -> None:
    assert tables.implied_capabilities(Capability.Matrix) == frozenset()
    assert tables.implied_capabilities(Capability.Shader) == {Capability.Matrix}
    assert tables.implied_capabilities(Capability.GeometryStreams) == {
        Capability.Geometry, Capability.Shader, Capability.Matrix
    }  # fmt: skip
    assert tables.implied_capabilities(2**32 - 1) == frozenset()


def test_capability_values() -> None:
    """Aliases have the value of what they stand for; names that the grammar does not have are left out."""
    names = ("Shader", "StorageUniformBufferBlock16", "Unknown", "Matrix")
    assert tables.capability_values(names) == (Capability.Shader, Capability.StorageBuffer16BitAccess, Capability.Matrix)


def test_generators() -> None:
    assert tables.generator(1) == "LunarG"
    assert tables.generator(8) == "Khronos Glslang Reference Front End"
    assert tables.generator(65535) is None


def test_extension_names() -> None:
    names = tables.extension_names()
    assert {"SPV_KHR_ray_query", "SPV_KHR_variable_pointers", "SPV_KHR_non_semantic_info"} <= names
    extended = {name for of in tables.extended_sets() for item in of.all for name in item.extensions}
    assert extended <= names
    listed = tables.shipped_source("extensions.json")
    assert listed == sorted(set(listed))


@pytest.mark.parametrize(
    ("import_name", "name"),
    [
        ("GLSL.std.450", "GLSL.std.450"),
        ("NonSemantic.ClspvReflection.5", "NonSemantic.ClspvReflection"),
        ("NonSemantic.ClspvReflection.", "NonSemantic.ClspvReflection"),
        ("NonSemantic.Shader.DebugInfo.9999", "NonSemantic.Shader.DebugInfo"),
        ("NonSemantic.DebugPrintf", "NonSemantic.DebugPrintf"),
        ("NonSemantic.ClspvReflection", None),
        ("NonSemantic.DebugPrintf.1", None),
        ("NonSemantic.Unheard", None),
        ("glsl.std.450", None),
        ("", None),
    ],
)
def test_import_names(import_name: str, name: str | None) -> None:
    extended = tables.extended_set(import_name)
    assert (extended and extended.name) == name


def test_revisions_of_a_set() -> None:
    clspv = tables.extended_set("NonSemantic.ClspvReflection.5")
    assert clspv is not None and clspv.non_semantic and not clspv.numeric
    assert clspv.revision_of("NonSemantic.ClspvReflection.5") == 5
    assert clspv.revision_of("NonSemantic.ClspvReflection.") is None
    assert clspv.revision_of("NonSemantic.ClspvReflection.x") is None
    kernel, maximum = clspv.get("Kernel"), clspv.get("SpecConstantSubgroupMaxSize")
    assert kernel is not None and (kernel.since, kernel.operands_since) == (0, (0, 0, 5, 5, 5))
    assert maximum is not None and (maximum.since, maximum.operands_since) == (2, (2,))
    glsl = tables.extended_set("GLSL.std.450")
    assert glsl is not None and glsl.revision_of("GLSL.std.450") is None and not glsl.non_semantic


def test_extended_kinds_do_not_hide_core_kinds() -> None:
    for extended in tables.extended_sets():
        assert CORE_KINDS.isdisjoint(extended.kinds)


def test_only_what_is_asked_for_is_read() -> None:
    read: list[str] = []
    shipped = tables.shipped_source

    def source(name: str) -> Any:
        read.append(name)
        return shipped(name)

    own = tables.Tables(source)
    assert read == []
    assert own.opcode("OpLoad") and own.opcode("OpStore")
    assert read == ["opcodes.json"]
    assert own.kind("StorageClass").get("Function") and own.kind("Dim").get("2D")
    assert read == ["opcodes.json", "operand_kinds.json"]
    assert own.extended_set("GLSL.std.450")
    assert read[2:] == ["extended_sets.json", "extended/GLSL.std.450.json"]


def test_loading_the_tables_stays_light() -> None:
    code = """if True:
        import sys
        import spvls
        before = set(sys.modules)
        from spvls.grammar import tables
        tables.opcode("OpLoad"), tables.kind("Dim").all
        heavy = {"inspect", "dataclasses", "xml", "argparse", "importlib.resources", "pathlib"}
        print(*sorted(heavy & (set(sys.modules) - before)))
    """
    root = Path(tables.__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
