"""The importer, on headers made up for the purpose and, where they are at hand, on the real ones."""

from __future__ import annotations

import copy
import json
import os
from pathlib import Path
from typing import Any

import pytest

from spvls.grammar import enumerants, importer, operand_index, spv, tables
from spvls.grammar.constants import constants

CORE: dict[str, Any] = {
    "major_version": 1,
    "instructions": [
        {"opname": "OpNop", "class": "Miscellaneous", "opcode": 0, "version": "1.0"},
        {
            "opname": "OpMake",
            "class": "@exclude",
            "opcode": 7,
            "operands": [
                {"kind": "IdResultType"},
                {"kind": "IdResult"},
                {"kind": "Options", "quantifier": "?"},
                {"kind": "PairIdRefIdRef", "quantifier": "*", "name": "'Part 0', +\n'Part 1',  +\n..."},
                {"kind": "IdRef", "name": "D~ref~"},
                {"kind": "IdRef", "name": "Number of <<Invocation,invocations>>"},
            ],
            "capabilities": ["First", "Second"],
            "extensions": ["SPV_MADE_up"],
            "aliases": ["OpMakeMADE"],
            "provisional": True,
            "version": "None",
        },
        {
            "opname": "OpGone",
            "class": "Memory",
            "opcode": 8,
            "operands": [{"kind": "IdRef", "name": "Target"}],
            "version": "1.1",
            "lastVersion": "1.3",
        },
    ],
    "operand_kinds": [
        {
            "category": "BitEnum",
            "kind": "Options",
            "enumerants": [
                {"enumerant": "None", "value": "0x0000", "aliases": ["NoneMADE"]},
                {
                    "enumerant": "Wide",
                    "value": "0x0010",
                    "parameters": [{"kind": "IdRef", "name": "Width"}],
                    "version": "1.2",
                },
            ],
        },
        {
            "category": "ValueEnum",
            "kind": "Capability",
            "enumerants": [
                {"enumerant": "First", "value": 1, "version": "1.0"},
                {"enumerant": "Second", "value": 2, "capabilities": ["First"], "version": "1.0"},
                {"enumerant": "SecondAgain", "value": 2, "version": "None"},
            ],
        },
        {"category": "Id", "kind": "IdRef", "doc": "An id."},
        {"category": "Id", "kind": "IdResultType", "doc": "An id."},
        {"category": "Id", "kind": "IdResult", "doc": "An id."},
        {"category": "Literal", "kind": "LiteralInteger", "doc": "A number."},
        {"category": "Composite", "kind": "PairIdRefIdRef", "bases": ["IdRef", "IdRef"]},
    ],
}

NUMBERED: dict[str, Any] = {
    "revision": 3,
    "instructions": [
        {
            "opname": "Say",
            "opcode": 1,
            "operands": [{"kind": "IdRef", "name": "Word"}],
            "capability": "First",
        },
        {"opname": "Shout", "opcode": 2},
    ],
    "operand_kinds": [
        {"category": "ValueEnum", "kind": "Tone", "enumerants": [{"enumerant": "Low", "value": 0}]}
    ],
}

UNLISTED: dict[str, Any] = {"revision": 1, "instructions": [{"opname": "Ring", "opcode": 4}]}

REGISTRY = """<registry>
<ids type="vendor" start="0" end="0xFFFF">
<id value="0" vendor="Made"/><id value="1" vendor="Made" tool="Up Compiler" comment="none"/>
<unused start="2" end="0xFFFF"/>
</ids>
<ids type="opcode" start="0" end="4095" vendor="Made"/>
</registry>"""

INDEX = {
    "Made.Speech": {
        "source": "extinst.made-speech.grammar.json",
        "prefix": "Made.Speech.",
        "since": {"Shout": 2, "Say.Word": 3},
    }
}

OPCODES_TEXT = """{
"OpNop": {"value": 0, "class": "Miscellaneous"},
"OpMake": {"value": 7, "class": "Reserved", "operands": ["IdResultType", "IdResult", "Options?", \
"PairIdRefIdRef* Part 0, Part 1, ...", "IdRef Dref", "IdRef Number of invocations"], \
"capabilities": ["First", "Second"], "extensions": ["SPV_MADE_up"], "version": null, \
"aliases": ["OpMakeMADE"], "provisional": true},
"OpGone": {"value": 8, "class": "Memory", "operands": ["IdRef Target"], "version": "1.1", "last_version": "1.3"}
}
"""

SPEECH_TEXT = """{"revision": 3, "instructions": {
"Say": {"value": 1, "operands": ["IdRef Word"], "capabilities": ["First"]},
"Shout": {"value": 2}
}, "kinds": {
"Tone": {"category": "value", "enumerants": {
"Low": {"value": 0}
}}
}}
"""


@pytest.fixture
def headers(tmp_path: Path) -> Path:
    """A made-up folder of headers, with the registry one folder above."""
    folder = tmp_path / "spirv" / "unified1"
    folder.mkdir(parents=True)
    put(folder / importer.CORE, CORE)
    put(folder / "extinst.made-speech.grammar.json", NUMBERED)
    put(folder / "extinst.made-bell.grammar.json", UNLISTED)
    (folder.parent / importer.REGISTRY).write_text(REGISTRY, encoding="utf-8")
    return folder


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder of data that holds nothing yet but the index of extended sets."""
    folder = tmp_path / "grammar"
    folder.mkdir()
    put(folder / "extended_sets.json", INDEX)
    return folder


def put(file: Path, document: Any) -> None:
    file.write_text(json.dumps(document), encoding="utf-8")


def run(*arguments: object, folder: Path) -> int:
    return importer.main([str(argument) for argument in arguments], str(folder))


def test_files_written(headers: Path, data: Path) -> None:
    assert run(headers, folder=data) == 0
    assert (data / "opcodes.json").read_text(encoding="utf-8") == OPCODES_TEXT
    assert (data / "extended" / "Made.Speech.json").read_text(encoding="utf-8") == SPEECH_TEXT
    assert (data / "generators.json").read_text(encoding="utf-8") == (
        '{\n"0": "Made",\n"1": "Made Up Compiler"\n}\n'
    )


def test_tables_of_what_was_written(headers: Path, data: Path) -> None:
    run(headers, folder=data)
    own = tables.Tables(tables.folder_source(str(data)))
    made = own.opcode("OpMakeMADE")
    assert made is not None and made is own.opcode("OpMake") is own.opcode_by_value(7)
    assert (made.class_, made.version, made.provisional) == ("Reserved", None, True)
    assert (made.capabilities, made.extensions) == (("First", "Second"), ("SPV_MADE_up",))
    assert [(operand.kind, operand.name, operand.quantifier) for operand in made.arguments] == [
        ("Options", "", "?"),
        ("PairIdRefIdRef", "Part 0, Part 1, ...", "*"),
        ("IdRef", "Dref", ""),
        ("IdRef", "Number of invocations", ""),
    ]
    gone = own.opcode("OpGone")
    assert gone is not None and (gone.version, gone.last_version) == ((1, 1), (1, 3))
    options = own.kind("Options")
    none, wide = options.get("NoneMADE"), options.by_value(16)
    assert none is not None and none is options.by_value(0) and none.version == (1, 0)
    assert wide is not None and wide.version == (1, 2) and wide.parameters[0].name == "Width"
    second = own.kind("Capability").by_value(2)
    assert second is not None and second.name == "Second"
    assert [(kind.name, kind.category) for kind in own.kinds()][-2:] == [
        ("LiteralInteger", "literal"),
        ("PairIdRefIdRef", "composite"),
    ]
    assert own.implied_capabilities(2) == {1}
    assert own.generator(1) == "Made Up Compiler"


def test_numbered_set(headers: Path, data: Path) -> None:
    run(headers, folder=data)
    own = tables.Tables(tables.folder_source(str(data)))
    speech = own.extended_set("Made.Speech.2")
    assert speech is not None and speech is own.extended_set("Made.Speech.9")
    assert speech.import_names == ("Made.Speech.1", "Made.Speech.2", "Made.Speech.3")
    say, shout = speech.get("Say"), speech.by_value(2)
    assert say is not None and (say.since, say.operands_since, say.capabilities) == (0, (3,), ("First",))
    assert shout is not None and shout.since == 2
    assert speech.kinds["Tone"].get("Low") is speech.kinds["Tone"].by_value(0)


def test_unlisted_set_answers_to_the_name_of_its_file(headers: Path, data: Path) -> None:
    run(headers, folder=data)
    own = tables.Tables(tables.folder_source(str(data)))
    bell = own.extended_set("Made_Bell")
    assert bell is not None and bell is own.extended_set("MADE-Bell.7") and bell.get("Ring")
    assert own.extended_set("Made_Bells") is None


def test_same_headers_write_the_same_bytes(headers: Path, data: Path) -> None:
    run(headers, folder=data)
    first = {file: file.read_bytes() for file in data.rglob("*.json")}
    run(headers, folder=data)
    assert first == {file: file.read_bytes() for file in data.rglob("*.json")}


def test_check_agrees_after_an_import(headers: Path, data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(headers, folder=data)
    assert run("--check", headers, folder=data) == 0
    assert "agree" in capsys.readouterr().out


def changed_core(change: str) -> dict[str, Any]:
    core = copy.deepcopy(CORE)
    match change:
        case "added":
            core["instructions"].append(
                {"opname": "OpLater", "class": "Memory", "opcode": 9, "version": "1.7"}
            )
        case "removed":
            del core["instructions"][0]
        case "altered":
            core["instructions"][2]["version"] = "1.2"
        case "reordered":
            core["operand_kinds"][1]["enumerants"].reverse()
    return core


@pytest.mark.parametrize(
    ("change", "line"),
    [
        ("added", "opcodes.json OpLater: only in the headers"),
        ("removed", "opcodes.json OpNop: not in the headers"),
        ("altered", 'opcodes.json OpGone version: "1.1" here, "1.2" in the headers'),
        ("reordered", "operand_kinds.json Capability enumerants: the order differs"),
    ],
)
def test_check_reports_a_change(
    headers: Path, data: Path, capsys: pytest.CaptureFixture[str], change: str, line: str
) -> None:
    run(headers, folder=data)
    before = {file: file.read_bytes() for file in data.rglob("*.json")}
    put(headers / importer.CORE, changed_core(change))
    assert run("--check", headers, folder=data) == 1
    assert capsys.readouterr().out.splitlines() == [line]
    assert before == {file: file.read_bytes() for file in data.rglob("*.json")}


def test_check_reports_files_missing_on_either_side(
    headers: Path, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(headers, folder=data)
    (data / "extended" / "Made.Speech.json").unlink()
    (headers / "extinst.made-bell.grammar.json").unlink()
    (headers.parent / importer.REGISTRY).unlink()
    assert run("--check", headers, folder=data) == 1
    assert capsys.readouterr().out.splitlines() == [
        "extended/Made.Speech.json: only in the headers",
        "extended/made-bell.json: extinst.made-bell.grammar.json is not in the headers",
        "generators.json: spir-v.xml is not in the headers",
    ]


def test_check_reports_a_layout_of_another_hand(
    headers: Path, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(headers, folder=data)
    put(data / "opcodes.json", json.loads((data / "opcodes.json").read_text(encoding="utf-8")))
    assert run("--check", headers, folder=data) == 1
    assert capsys.readouterr().out.startswith("opcodes.json: the layout differs")


@pytest.mark.parametrize("content", ["{}", "[]", "no JSON", '{"instructions": [{}], "operand_kinds": []}'])
def test_what_is_no_grammar_is_refused(
    tmp_path: Path, data: Path, capsys: pytest.CaptureFixture[str], content: str
) -> None:
    (tmp_path / importer.CORE).write_text(content, encoding="utf-8")
    with pytest.raises(ValueError):
        importer.convert(str(tmp_path), {})
    with pytest.raises(SystemExit) as stop:
        run(tmp_path, folder=data)
    assert stop.value.code == 2
    assert capsys.readouterr().err
    assert not (data / "opcodes.json").exists()


def test_missing_headers_are_refused(tmp_path: Path, data: Path) -> None:
    with pytest.raises(SystemExit) as stop:
        run(tmp_path / "nowhere", folder=data)
    assert stop.value.code == 2


def test_tables_take_newer_headers_in_place(headers: Path) -> None:
    own = tables.Tables(tables.shipped_source)
    lookup = own.opcode
    nop, load, first = own.opcode("OpNop"), own.opcode("OpLoad"), own.kind("Capability")
    shader, glsl = first.get("Shader"), own.extended_set("GLSL.std.450")
    core = changed_core("added")
    core["instructions"][0]["aliases"] = ["OpNothing"]
    put(headers / importer.CORE, core)
    own.use_khronos(str(headers))
    assert lookup("OpNothing") is lookup("OpNop") is nop
    assert nop is not None and nop.aliases == ("OpNothing",)
    later = lookup("OpLater")
    assert later is not None and later.version == (1, 7) and own.opcode_by_value(9) is later
    assert lookup("OpLoad") is None and load is not None and load.name == "OpLoad"
    assert own.kind("Capability") is first and first.get("Shader") is None and shader is not None
    assert first.by_value(2) is first.get("Second")
    assert own.extended_set("GLSL.std.450") is glsl, "a set that the headers lack stays"
    assert own.extended_set("made-bell") is not None
    assert own.generator(1) == "Made Up Compiler"


def test_sets_take_newer_contents_in_place(headers: Path, data: Path, tmp_path: Path) -> None:
    run(headers, folder=data)
    own = tables.Tables(tables.folder_source(str(data)))
    speech = own.extended_set("Made.Speech.1")
    assert speech is not None
    say, tone = speech.get("Say"), speech.kinds["Tone"]
    newer = copy.deepcopy(NUMBERED)
    newer["revision"] = 4
    newer["instructions"].append({"opname": "Whisper", "opcode": 3})
    newer["operand_kinds"][0]["enumerants"].append({"enumerant": "High", "value": 1})
    put(headers / "extinst.made-speech.grammar.json", newer)
    documents = importer.convert(str(headers), INDEX)
    own.replace(documents.__getitem__)
    assert own.extended_set("Made.Speech.4") is speech and speech.revision == 4
    assert speech.get("Say") is say and speech.get("Whisper") is speech.by_value(3) is not None
    assert speech.kinds["Tone"] is tone and tone.get("High") is not None


def test_shipped_tables_agree_with_the_headers(capsys: pytest.CaptureFixture[str]) -> None:
    path = os.environ.get("SPVLS_HEADERS")
    if path is None:
        pytest.skip("SPVLS_HEADERS names no folder include/spirv/unified1 of SPIRV-Headers")
    assert importer.main(["--check", path]) == 0, capsys.readouterr().out


def test_constants_are_those_of_the_shipped_tables() -> None:
    shipped = tables.shipped_source
    made = constants(shipped("opcodes.json"), shipped("operand_kinds.json"))
    for name, text in made.items():
        assert Path(importer.__file__).with_name(name).read_text(encoding="utf-8") == text, name
    assert (operand_index.OpStore_Object, operand_index.OpTypeInt_Signedness, operand_index.OpEntryPoint_EntryPoint) == (1, 1, 1)
    assert spv.OpLoad == 61 and spv.OpTypeVectorIdEXT == spv.OpTypeCooperativeVectorNV and not hasattr(spv, "OpNop")
    assert enumerants.Dim.Dim1D == 0 and not hasattr(enumerants.MemoryAccess, "None_")


def test_an_import_elsewhere_leaves_the_constants(headers: Path, data: Path) -> None:
    before = Path(spv.__file__).read_bytes()
    run(headers, folder=data)
    assert Path(spv.__file__).read_bytes() == before


def test_set_has_all_of_the_sets_that_it_includes() -> None:
    path = os.environ.get("SPVLS_HEADERS")
    if path is None:
        pytest.skip("SPVLS_HEADERS names no folder include/spirv/unified1 of SPIRV-Headers")
    for name, entry in tables.shipped_source("extended_sets.json").items():
        extended = next(known for known in tables.extended_sets() if known.name == name)
        for file in entry.get("includes", ()):
            for item in json.loads((Path(path) / file).read_text(encoding="utf-8"))["instructions"]:
                instruction = extended.get(item["opname"])
                assert instruction is not None and instruction.value == item["opcode"]
                assert instruction.since == 0
                first = [
                    operand.kind
                    for operand, since in zip(instruction.operands, instruction.operands_since, strict=True)
                    if since == 0
                ]
                assert first == [operand["kind"] for operand in item.get("operands", ())]


def test_headers_that_are_no_regular_files_or_too_deep_are_refused(tmp_path: Path) -> None:
    core = tmp_path / "spirv.core.grammar.json"
    core.write_text("[" * 100_000)
    with pytest.raises(ValueError, match="nested too deeply"):
        importer.convert(str(tmp_path), {})
    core.unlink()
    os.mkfifo(core)
    with pytest.raises(OSError, match="named pipe"):
        importer.convert(str(tmp_path), {})
