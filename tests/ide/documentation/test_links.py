"""Links lead to pages that there are, and to what brings an entry."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from spvls.grammar import registry, tables
from spvls.grammar.keys import keys, resolve
from spvls.grammar.records import Enumerant, Opcode
from spvls.ide.documentation import links

SECTIONS = {
    *("Access_Qualifier", "Addressing_Model", "BuiltIn", "Capability", "Decoration", "Dim", "Execution_Mode", "Execution_Model"),
    *("FP_Fast_Math_Mode", "FP_Rounding_Mode", "Function_Control", "Function_Parameter_Attribute", "Group_Operation"),
    *("Image_Channel_Data_Type", "Image_Channel_Order", "Image_Format", "Image_Operands", "Kernel_Enqueue_Flags"),
    *("Kernel_Profiling_Info", "Linkage_Type", "Loop_Control", "Memory_Model", "Memory_Operands", "Memory_Semantics_-id-"),
    *("Packed_Vector_Format", "Sampler_Addressing_Mode", "Sampler_Filter_Mode", "Scope_-id-", "Selection_Control"),
    *("Source_Language", "Storage_Class"),
}
"""The sections of SPIR-V 1.6, revision 6, on operand kinds of the core (3.2), as their anchors."""

RESERVED = {f"OpImageSparseSampleProj{form}" for form in ("ImplicitLod", "ExplicitLod", "DrefImplicitLod", "DrefExplicitLod")}
"""What the core specification reserves, and no extension brings."""


def addresses() -> Iterator[tuple[str, str | None]]:
    for key in keys():
        subject = resolve(key)
        assert subject is not None
        yield key, links.of_entity(subject.record, subject.set)


def pages() -> dict[str, registry.Page]:
    names = [place.rpartition("/")[2] for place in registry._document("registry.json")]
    return {page.address: page for name in names if (page := registry.page(name)) is not None}


def test_a_link_leads_to_a_page_that_is_published_and_an_anchor_that_is_there() -> None:
    published = pages()
    assert len(published) > 180
    for key, address in addresses():
        if address is None:
            continue
        page, _, anchor = address.partition("#")
        if page == links.SPECIFICATION:
            assert anchor in SECTIONS or anchor == ("" if key in RESERVED else key), key
        elif page.startswith(registry.ADDRESS):
            assert page in published and (not anchor or anchor in published[page].anchors), key
        else:
            assert page in links._SETS.values() and not anchor, key


def test_only_what_the_core_has_leads_to_the_core() -> None:
    for key, address in addresses():
        subject = resolve(key)
        assert subject is not None
        if subject.set is not None or not isinstance(subject.record, Opcode | Enumerant):
            continue
        leads_there = address is not None and address.startswith(links.SPECIFICATION)
        assert leads_there == (links.in_core(subject.record) or key in RESERVED), key


def test_an_entry_leads_to_an_extension_that_brings_it() -> None:
    for key, address in addresses():
        subject = resolve(key)
        assert subject is not None
        if subject.set is not None or not isinstance(subject.record, Opcode | Enumerant) or key in RESERVED:
            continue
        brought = links.extensions_of(subject.record)
        assert bool(brought) != links.in_core(subject.record), key
        published = [page.address for name in brought if (page := registry.page(name)) is not None]
        if brought:
            assert (address is None) == (not published), key
            assert address is None or address.partition("#")[0] in published, key


@pytest.mark.parametrize(
    ("key", "declared", "page"),
    [
        ("OpTypeAccelerationStructureKHR", (), "KHR/SPV_KHR_ray_tracing.html"),
        ("OpTypeAccelerationStructureKHR", ("SPV_NV_ray_tracing",), "NV/SPV_NV_ray_tracing.html"),
        ("BuiltIn.BaryCoordKHR", (), "KHR/SPV_KHR_fragment_shader_barycentric.html"),
        ("BuiltIn.BaryCoordKHR", ("SPV_NV_fragment_shader_barycentric",), "NV/SPV_NV_fragment_shader_barycentric.html"),
        ("Decoration.NodeMaxPayloadsAMDX", (), "AMD/SPV_AMDX_shader_enqueue.html"),
        ("BuiltIn.PositionPerViewNV", (), "NVX/SPV_NVX_multiview_per_view_attributes.html"),
        ("ComponentType.Float16NV", (), "NV/SPV_NV_cooperative_vector.html"),
        ("RayFlags.OpaqueKHR", (), "KHR/SPV_KHR_ray_query.html"),
        ("RayFlags.OpaqueKHR", ("SPV_KHR_ray_tracing",), "KHR/SPV_KHR_ray_tracing.html"),
        ("LoadCacheControl.CachedINTEL", (), "INTEL/SPV_INTEL_cache_controls.html#Load_Cache_Control"),
        ("Capability.PoisonFreezeKHR", (), "KHR/SPV_KHR_poison_freeze.html#PoisonFreezeKHR"),
    ],
)
def test_which_of_several_extensions(key: str, declared: tuple[str, ...], page: str) -> None:
    subject = resolve(key)
    assert subject is not None
    address = links.of_entity(subject.record, None, declared)
    assert address is not None and address.startswith(f"{registry.ADDRESS}extensions/{page}")


def test_what_has_no_page() -> None:
    opcode = tables.opcode("OpAsmINTEL")
    assert opcode is not None and links.of_entity(opcode) is None
    assert links.of_extension("SPV_INTEL_inline_assembly") is None
    assert links.of_extension("NonSemantic.DebugPrintf") is None
    assert links.of_set(None, "SPV_AMD_gcn_shader") == f"{registry.ADDRESS}extensions/AMD/SPV_AMD_gcn_shader.html"


def test_sources_of_pages_are_read(tmp_path: Path) -> None:
    folder = tmp_path / "extensions" / "KHR"
    folder.mkdir(parents=True)
    source = "[[Terms]]Terms\n|[[OpAbortKHR]]*OpAbortKHR* +\n|[[bookmark-OpNop]]OpNop [[Storage_Class]] [[ray_flags]] [[OpX]]\n"
    (folder / "SPV_KHR_a.asciidoc").write_text(source, encoding="utf-8")
    (tmp_path / "README.md").write_text("[[OpNop]]", encoding="utf-8")
    found = registry.read_sources(str(tmp_path))
    assert found == {"extensions/KHR/SPV_KHR_a": ["OpAbortKHR", "bookmark-OpNop", "Storage_Class", "ray_flags"]}
