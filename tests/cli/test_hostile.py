"""All commands, in all formats, on modules, names, arguments and settings made to do harm: what is printed does none."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ElementTree
from argparse import ArgumentParser
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

import spvls
from spvls.cli.disassemble import SWITCHES
from spvls.cli.main import COMMANDS
from spvls.syntax.document import Document
from tests.cli.conftest import Done, Run
from tests.hostile import CONFIGURATION, FILE_NAME, HARM, OWN_COLORS, WORD, commands, faulty_module, hidden, sound_module

TEXT, FAULTY, BINARY, DAMAGED, MISSING = (f"{kind}{FILE_NAME}" for kind in ("sound", "faulty", "binary", "damaged", "missing"))
INPUTS = (TEXT, FAULTY, BINARY, DAMAGED, MISSING, ".")

ARGUMENTS: dict[str, list[tuple[str, ...]]] = {
    "lint": [
        *[(path,) for path in INPUTS],
        ("--jobs", "2", TEXT, BINARY, FAULTY),
        *[(f"--{flag}", HARM, TEXT) for flag in ("target-env", "device", "max-id-bound", "image-descriptor-layout", "jobs")],
        ("--device", f"{HARM}.json", TEXT),
        ("--select", HARM, TEXT),
        ("--ignore", f"{WORD}/*", TEXT),
        ("--baseline", f"no/{HARM}", TEXT),
        ("--output", f"no/{HARM}", TEXT),
        ("--diff", TEXT, FAULTY, BINARY),
        ("--statistics", "."),
    ],
    "as": [
        *[(path, "-o", "out.spv") for path in INPUTS],
        (TEXT, "-o", f"no/{HARM}"),
        (TEXT, "-o", HARM, "--id-map", HARM),
        (TEXT, "-o", "out.spv", "--id-map", f"no/{HARM}"),
        ("--target-env", HARM, TEXT),
    ],
    "dis": [
        *[(path, *more) for path in INPUTS for more in ((), ("--recover",), ("--color",), ("--no-color",))],
        *[(path, "--source", *more) for path in INPUTS for more in ((), ("--color",), ("--recover",))],
        *[(BINARY, f"--{flag}", color) for flag in SWITCHES for color in ("--color", "--no-color")],
        (BINARY, "-o", f"no/{HARM}"),
    ],
    "fmt": [
        *[(path, *more) for path in INPUTS for more in (("--diff",), ("--check",), ("--diff", "--style", "nested"))],
        ("--style", HARM, TEXT),
    ],
    "import": [*[(path,) for path in INPUTS], (TEXT, "-o", f"no/{HARM}")],
    "strip": [*[(path, *more, "-o", "-") for path in INPUTS for more in ((), ("--debug",))], (TEXT, "-o", f"no/{HARM}")],
    "specialize": [
        *[(path, *more, "-o", "-") for path in INPUTS for more in ((), ("0=1",), (f"{HARM}=1",), (f"0={HARM}",), (HARM,))],
        (TEXT, "--values", HARM),
        (TEXT, "--values", TEXT),
        (TEXT, "-o", f"no/{HARM}"),
    ],
    "requirements": [*[(path,) for path in INPUTS], ("--target-env", HARM, TEXT)],
    "cfg": [
        *[(path, *more) for path in INPUTS for more in ((), ("--function", HARM), ("--function", f"{HARM}{HARM}"))],
        (TEXT, "-o", f"no/{HARM}"),
    ],
    "reflect": [*[(path,) for path in INPUTS], ("--target-env", HARM, TEXT)],
    "sources": [
        *[(path,) for path in INPUTS],
        *[(path, "--extract", f"out{at}") for at, path in enumerate(INPUTS)],
        (TEXT, "--extract", HARM),
        (TEXT, "--extract", HARM, "--force"),
    ],
    "rules": [(), (HARM,), ("cfg/*",)],
    "explain": [(HARM,), ("syntax/string",)],
    "doc": [(HARM,), ("OpPhi", HARM), (WORD,)],
    "serve": [("--tcp", HARM), ("--ws", HARM), (f"--{HARM}",)],
}
"""What each command is given, besides its formats."""


def formats(command: str) -> list[tuple[str, ...]]:
    """The ways to choose a format that a command has."""
    parser = ArgumentParser()
    import_module(COMMANDS[command].module).arguments(parser)
    for action in parser._actions:
        if "--format" in action.option_strings:
            return [("--format", choice) for choice in (*(action.choices or ()), HARM)]
    return [()]


def invocations() -> Iterator[tuple[str, ...]]:
    for name, command in COMMANDS.items():
        for called in (name, *command.aliases):
            yield from ((called, *given, *chosen) for given in ARGUMENTS[name] for chosen in formats(name))
            yield called, f"--{HARM}"
    yield (HARM,)
    yield (f"--{HARM}",)


@pytest.fixture
def modules(tmp_path: Path) -> Path:
    """A folder with hostile modules of hostile names under hostile settings."""
    try:
        (tmp_path / TEXT).write_text(sound_module(), newline="")
    except OSError:
        pytest.skip("names of files are restricted here")
    (tmp_path / FAULTY).write_bytes(faulty_module().encode() + b"\xff\x9b")
    (tmp_path / "spvls.toml").write_text(CONFIGURATION, newline="")
    binary = spvls.assemble(sound_module())
    (tmp_path / BINARY).write_bytes(binary)
    (tmp_path / DAMAGED).write_bytes(binary[:-6])
    return tmp_path


def escaped(done: Done, terminal: bool) -> Iterator[str]:
    """What is wrong with what a command printed."""
    for text in (done.out, done.err):
        shown = OWN_COLORS.sub("", text) if terminal else text
        yield from map(repr, hidden(shown))
        if not terminal and not shown.startswith(("::error", "::warning", "::notice")):
            yield from commands(shown)


def test_every_command_is_among_those_that_are_run() -> None:
    assert ARGUMENTS.keys() == COMMANDS.keys()


@pytest.mark.parametrize("terminal", [False, True], ids=["pipe", "terminal"])
@pytest.mark.parametrize("command", [*COMMANDS, "other"])
def test_nothing_acts_on_the_terminal_or_the_log(
    run: Run, modules: Path, command: str, terminal: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    own = {command, *(COMMANDS[command].aliases if command in COMMANDS else ())}
    count = 0
    for arguments in invocations():
        if arguments[0] not in own and not (command == "other" and arguments[0] not in COMMANDS and arguments[0] != "validate"):
            continue
        if not terminal and (arguments[0] == "dis" or arguments[-2:] == ("-o", "-")):
            continue  # a module is exact unless it is shown on a terminal
        done = run(*arguments, terminal=terminal)
        assert list(escaped(done, terminal)) == [], arguments
        assert "internal error" not in done.err, (arguments, done.err)
        count += 1
    assert count or (command, terminal) == ("dis", False)


def test_a_listing_that_is_not_shown_is_exact(run: Run, modules: Path) -> None:
    data = (modules / BINARY).read_bytes()
    assert HARM in spvls.disassemble(data)
    assert run("dis", BINARY).out == spvls.disassemble(data)
    assert run("dis", BINARY, "--color").out == spvls.disassemble(data, color=True)
    run("dis", BINARY, "-o", "out.spvasm", terminal=True)
    assert Path("out.spvasm").read_bytes().decode() == spvls.disassemble(data)
    shown = run("dis", BINARY, terminal=True, stdin=b"").out
    assert r"\x1b[2J" in shown and "\x1b[32m" in shown


def test_formatting_is_exact_unless_it_is_shown(run: Run, modules: Path) -> None:
    text = (modules / TEXT).read_bytes()
    piped = run("fmt", stdin=text).out
    assert HARM in piped and Document(piped).text == piped
    shown = run("fmt", stdin=text, terminal=True).out
    assert hidden(shown) == [] and r"\x1b[2J" in shown
    run("fmt", TEXT, terminal=True)
    assert (modules / TEXT).read_bytes().decode() == piped


def test_words_are_not_shown_on_a_terminal(run: Run, modules: Path) -> None:
    done = run("as", TEXT, "-o", "-", terminal=True)
    assert (done.code, done.out) == (2, "")
    assert "redirect" in done.err


def test_findings_for_github_are_one_command_each(run: Run, modules: Path) -> None:
    lines = run("lint", "--format", "github", FAULTY, TEXT, BINARY).out.splitlines()
    count = len(json.loads(run("lint", "--format", "json", FAULTY, TEXT, BINARY).out)["findings"])
    assert count > 10
    assert len(lines) == count
    assert all(re.match(r"::(error|warning|notice) file=[^:,]*,title=[^:,]*(,\w+=\d+)*::[^\n]*$", line) for line in lines)


def test_json_has_what_the_module_says(run: Run, modules: Path) -> None:
    done = run("reflect", "--format", "json", TEXT)
    assert done.out.isascii()
    assert HARM in [point["name"] for point in json.loads(done.out)["entryPoints"]]
    assert json.loads(run("lint", "--format", "json", TEXT).out)["findings"][-1]["path"] == TEXT


def test_a_picture_has_texts_and_shapes_alone(run: Run, modules: Path) -> None:
    picture = ElementTree.fromstring(run("cfg", "--format", "svg", TEXT).out)
    tags = {element.tag.rpartition("}")[2] for element in picture.iter()}
    assert tags == {"svg", "style", "rect", "g", "path", "text", "title"}
    names = {name for element in picture.iter() for name in element.attrib}
    assert not [name for name in names if name.startswith("on") or "href" in name]
    assert any("![i](http" in (element.text or "") for element in picture.iter())
