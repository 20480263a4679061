"""`spvls as`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import spvls
from tests.cli.conftest import Run
from tests.corpus import FIXTURES, TEXTS, is_faulty, name_of, text_of

SOUND = [path for path in TEXTS if not is_faulty(path)]
SHADER = FIXTURES / "shaders" / "transform.vert.spvasm"
TYPES = b"%10 = OpTypeVoid\n%fn = OpTypeFunction %10\n"


@pytest.mark.parametrize("path", SOUND, ids=name_of)
def test_the_binary_goes_where_it_is_told(run: Run, path: Path) -> None:
    expected = spvls.assemble(text_of(path))
    for arguments in (["-o", "named.spv"], ["-onamed.spv"], []):
        assert run("as", path, *arguments) == (0, "", "")
        assert Path("named.spv" if arguments else "out.spv").read_bytes() == expected
    done = run("as", path, "-o", "-")
    assert done.out.encode("utf-8", "surrogateescape") == expected


def test_the_standard_input(run: Run) -> None:
    for arguments in ([], ["-"]):
        assert run("as", *arguments, stdin=SHADER.read_bytes()).code == 0
        assert Path("out.spv").read_bytes() == spvls.assemble(text_of(SHADER))


def test_the_environment_chooses_the_version(run: Run) -> None:
    run("as", "--target-env", "spv1.2", "-o", "-", stdin=TYPES)
    done = run("as", "--target-env", "spv1.2", "-o", "-", stdin=TYPES)
    assert done.out.encode("utf-8", "surrogateescape") == spvls.assemble(TYPES.decode(), target_env="spv1.2")


def test_a_version_that_is_not_written_is_named(run: Run) -> None:
    done = run("as", "--target-env", "vulkan1.3", "-o", "named.spv", stdin=b"; Version: 1.1\n" + TYPES)
    assert (done.code, done.err) == (0, "the text declares SPIR-V 1.1, and the binary is SPIR-V 1.6, that of vulkan1.3\n")


def test_numbers_of_ids_are_kept_and_told(run: Run) -> None:
    assert run("as", "--preserve-numeric-ids", "--id-map", "ids.json", stdin=TYPES).code == 0
    assert json.loads(Path("ids.json").read_text()) == {"10": 10, "fn": 1}
    done = run("as", "--id-map", "-", stdin=TYPES)
    assert json.loads(done.out) == {"10": 1, "fn": 2}


def test_two_outputs_do_not_go_to_one_place(run: Run) -> None:
    done = run("as", "-o", "-", "--id-map", "-", stdin=TYPES)
    assert (done.code, done.out) == (2, "")
    assert done.err == "spvls: the binary and the map of ids cannot both go to -\n"


def test_all_errors_are_listed_and_nothing_is_written(run: Run) -> None:
    Path("out.spv").write_bytes(b"as it was")
    done = run("as", stdin=b"OpNopp\nOpCapability Shadr\n")
    assert (done.code, done.out) == (1, "")
    assert done.err == (
        "<stdin>:1:1: error: there is no opcode OpNopp; did you mean OpNop? [syntax/unknown-opcode]\n"
        "    1 | OpNopp\n"
        "      | ^^^^^^\n"
        "      fix: Change to OpNop\n"
        "<stdin>:2:14: error: Capability has no enumerant `Shadr`; did you mean Shader? [syntax/unknown-enumerant]\n"
        "    2 | OpCapability Shadr\n"
        "      |              ^^^^^\n"
        "      fix: Change to Shader\n"
        "2 errors\n"
    )
    assert Path("out.spv").read_bytes() == b"as it was"


@pytest.mark.parametrize("path", [path for path in TEXTS if is_faulty(path)], ids=name_of)
def test_faults_of_the_text_and_only_these_are_errors(run: Run, path: Path) -> None:
    done = run("as", path, "-o", "-")
    expected = "error: syntax/" in text_of(path)
    assert done.code == expected
    assert bool(done.out) != expected
