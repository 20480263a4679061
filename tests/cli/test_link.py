"""`spvls lint --link`: whether the modules of several files fit together."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.corpus import FIXTURES, text_of

_EXPORTER, _IMPORTER = (text_of(FIXTURES / "linked" / name) for name in ("exporter.spvasm", "importer.spvasm"))


def _lint(run: Run, files: dict[str, str | bytes], *options: str) -> tuple[int, list[str]]:
    """The exit code, and the findings with their rules."""
    for name, content in files.items():
        Path(name).write_bytes(content if isinstance(content, bytes) else content.encode())
    done = run("lint", "--no-cache", *options, *files)
    return done.code, [line for line in done.out.splitlines() if "[link/" in line]


def test_modules_that_fit_together(run: Run) -> None:
    assert _lint(run, {"a.spvasm": _EXPORTER, "b.spvasm": _IMPORTER}, "--link") == (0, [])


def test_files_are_compared_only_when_that_is_asked_for(run: Run) -> None:
    assert _lint(run, {"b.spvasm": _IMPORTER}) == (0, [])


def test_an_import_without_an_export(run: Run) -> None:
    code, found = _lint(run, {"b.spvasm": _IMPORTER}, "--link")
    assert code == 1
    assert found == [
        'b.spvasm:6:52: error: "scale" is imported by %twice, and no module exports it [link/import-is-exported]',
        'b.spvasm:7:51: error: "origin" is imported by %zero, and no module exports it [link/import-is-exported]',
    ]


def test_an_imported_built_in_needs_no_export(run: Run) -> None:
    built_in = _IMPORTER.replace('OpDecorate %zero Link', 'OpDecorate %zero BuiltIn GlobalInvocationId\nOpDecorate %zero Link')
    assert built_in != _IMPORTER
    found = _lint(run, {"b.spvasm": built_in}, "--link")[1]
    assert found == ['b.spvasm:6:52: error: "scale" is imported by %twice, and no module exports it [link/import-is-exported]']


def test_types_that_differ(run: Run) -> None:
    changed = _IMPORTER.replace("OpTypeFunction %number %number", "OpTypeFunction %number %number %number").replace(
        "%x = OpFunctionParameter %number", "%x = OpFunctionParameter %number\n %y = OpFunctionParameter %number"
    )
    assert _lint(run, {"a.spvasm": _EXPORTER, "b.spvasm": changed}, "--link")[1] == [
        'b.spvasm:6:52: error: "scale" is imported as fn(f32, f32) → f32, but exported as fn(f32) → f32 by a.spvasm:6 '
        "[link/types-match]"
    ]


def test_types_that_differ_in_layout_alone(run: Run) -> None:
    packed = _IMPORTER.replace('"origin" Import\n', '"origin" Import\n OpDecorate %pair CPacked\n').replace("%pair", "%Point")
    (found,) = _lint(run, {"a.spvasm": _EXPORTER, "b.spvasm": packed}, "--link")[1]
    assert "the type that a.spvasm:7 exports has other members or another layout [link/types-match]" in found


_TENSOR = """\
    OpCapability Linkage
    OpCapability Shader
    OpCapability TensorsARM
    OpExtension "SPV_ARM_tensors"
    OpMemoryModel Logical GLSL450
    OpDecorate %weights LinkageAttributes "weights" {linkage}
    %uint = OpTypeInt 32 0
    %rank = OpConstant %uint 2
    %size = OpConstant %uint {size}
    %sizes = OpTypeArray %uint %rank
    %shape = OpConstantComposite %sizes %size %size
    %tensor = OpTypeTensorARM %uint %rank %shape
    %pointer = OpTypePointer UniformConstant %tensor
    %weights = OpVariable %pointer UniformConstant
"""


@pytest.mark.parametrize(("size", "count"), [(4, 0), (8, 1)])
def test_shapes_of_tensors_are_compared(run: Run, size: int, count: int) -> None:
    files = {"a.spvasm": _TENSOR.format(linkage="Export", size=4), "b.spvasm": _TENSOR.format(linkage="Import", size=size)}
    found = _lint(run, files, "--link")[1]
    assert sum("[link/types-match]" in line for line in found) == count


@pytest.mark.parametrize(("linkage", "count"), [("Export", 2), ("LinkOnceODR", 0)])
def test_names_that_are_exported_twice(run: Run, linkage: str, count: int) -> None:
    text = _EXPORTER.replace(" Export", f" {linkage}").replace(
        "OpMemoryModel", 'OpExtension "SPV_KHR_linkonce_odr"\nOpMemoryModel', int(linkage == "LinkOnceODR")
    )
    found = _lint(run, {"a.spvasm": text, "b.spvasm": text}, "--link")[1]
    assert len(found) == count
    assert all(line.startswith("b.spvasm:") and "is already exported by a.spvasm:" in line for line in found)


def test_a_weak_export_gives_way_to_another_one(run: Run) -> None:
    weak = _EXPORTER.replace('"scale" Export', '"scale" WeakAMD').replace('"origin" Export', '"other" Export')
    weak = weak.replace("OpMemoryModel", 'OpExtension "SPV_AMD_weak_linkage"\nOpMemoryModel')
    assert "WeakAMD" in weak
    assert _lint(run, {"a.spvasm": weak, "b.spvasm": _EXPORTER, "c.spvasm": _IMPORTER}, "--link")[1] == []
    assert _lint(run, {"a.spvasm": weak, "b.spvasm": weak.replace('"other" Export', '"another" Export')}, "--link")[1] == []


def test_binaries_are_linked_as_texts_are(run: Run) -> None:
    import spvls

    binary = spvls.assemble(_EXPORTER)
    assert _lint(run, {"a.spv": binary, "b.spvasm": _IMPORTER}, "--link") == (0, [])
    found = _lint(run, {"a.spv": binary, "c.spv": binary}, "--link")[1]
    assert found[0] == 'c.spv: instruction 5: error: "scale" is already exported by a.spv, instruction 5 [link/export-is-unique]'


def test_what_was_found_before_is_found_with_what_links_find(run: Run) -> None:
    Path("a.spvasm").write_text(_IMPORTER)
    Path("b.spvasm").write_text(_IMPORTER)
    for _ in range(2):
        done = run("lint", "--link", "--cache-dir", "cache", "a.spvasm", "b.spvasm")
        assert (done.code, done.out.count("[link/import-is-exported]")) == (1, 4)


def test_a_file_that_cannot_be_read_is_left_out(run: Run) -> None:
    Path("a.spv").write_bytes(b"\x03\x02\x23\x07")
    Path("b.spvasm").write_text(_EXPORTER)
    done = run("lint", "--link", "--no-cache", "a.spv", "b.spvasm", "nowhere.spvasm")
    assert (done.code, "[link/" in done.out) == (2, False)


@pytest.mark.parametrize("other", ["--watch", "--fix", "--diff", "-"])
def test_link_needs_files_as_they_are(run: Run, other: str) -> None:
    assert run("lint", "--link", other, "a.spvasm").code == 2


def test_severities_hold_for_links_too(run: Run) -> None:
    Path("spvls.toml").write_text('[rules]\n"link/*" = "off"\n')
    assert _lint(run, {"b.spvasm": _IMPORTER}, "--link") == (0, [])
