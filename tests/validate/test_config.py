"""`spvls.toml`: what is wrong in it is a finding at its line, and all else counts."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spvls.diagnostic import Position
from spvls.validate import toml_places
from spvls.validate.config import Config, config_for, read_config
from spvls.validate.engine.options import MAX_LIMIT, Options
from spvls.validate.toml_places import KeyPlaces


def config_of(folder: Path, text: str | bytes) -> Config:
    path = folder / "spvls.toml"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    read_config.cache_clear()
    return config_for(str(folder / "a.spvasm"))


def marked(config: Config) -> list[tuple[str, int, str]]:
    """The rule of each problem, its line from 1, and what is marked there."""
    lines = config.text.split("\n")
    found = []
    for problem in config.problems:
        assert problem.range is not None
        start, end = problem.range
        found.append((problem.rule, start.line + 1, lines[start.line][start.column : end.column]))
    return found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('target-env = ["a"]', [("config/target-env", 1, "target-env")]),
        ("target-env = 1979-05-27", [("config/target-env", 1, "target-env")]),
        ("target-env = {}", [("config/target-env", 1, "target-env")]),
        ("\ntarget-env = 0x" + "f" * 100_000, [("config/target-env", 2, "target-env")]),
        ("\n\nx = " + "[" * 100_000 + "]" * 100_000, [("config/unreadable", 3, "[")]),
        ("x = " + "{a=" * 100_000, [("config/unreadable", 1, "{")]),
        ("\nx = " + "1" * 5000, [("config/unreadable", 2, "1")]),
        ("\n  " + "a." * 50_000 + "a = 1", [("config/unreadable", 2, "a")]),
        ("[a]\n[" + '"a" . ' * 50_000 + "a]", [("config/unreadable", 2, '"')]),
        ("a = 1\nb = \n", [("config/unreadable", 2, "")]),
        ("a = 1\na = 1\n", [("config/unreadable", 2, "")]),
        ('x = """', [("config/unreadable", 1, "")]),
        ("options = 1\nrules = []\ndevice = true", [("config/unknown-key", n + 1, k) for n, k in enumerate(("options", "device", "rules"))]),
        ("[options]\nmax-struct-depth = true", [("config/option", 2, "max-struct-depth")]),
        (f"[options]\nmax-struct-depth = {MAX_LIMIT + 1}", [("config/option", 2, "max-struct-depth")]),
        ("[options]\nmax-struct-depth = -1", [("config/option", 2, "max-struct-depth")]),
        ('[options]\nimage-descriptor-layout = "²:²"', [("config/option", 2, "image-descriptor-layout")]),
        ("options = { skip-block-layout = 5 }", [("config/option", 1, "skip-block-layout")]),
        ("options.skip-block-layout = 5", [("config/option", 1, "skip-block-layout")]),
        ('# "a/b"\n[rules] # "a/b"\n"a/b" = "off"', [("config/unknown-rule", 3, "a/b")]),
        ("[rules]\n'syntax/*' = [[[]]]", [("config/severity", 2, "syntax/*")]),
        ("[device]\nversion = 1.2", [("config/device", 2, "version")]),
        ('[device]\nfeatures = [["a"]]', [("config/device", 2, "features")]),
        ('[device]\nprofile = "a\\u0000b"', [("config/device", 2, "profile")]),
    ],
    ids=range(24),
)  # fmt: skip
def test_what_is_wrong_is_a_finding_at_its_line(tmp_path: Path, text: str, expected: list[tuple[str, int, str]]) -> None:
    config = config_of(tmp_path, text)
    found = marked(config)
    assert sorted((rule, line) for rule, line, _ in found) == sorted((rule, line) for rule, line, _ in expected)
    assert {mark for *_, mark in expected} - {""} <= {mark for *_, mark in found}
    assert all(len(problem.message) < 3000 for problem in config.problems)
    assert (config.target_env, config.options, config.rules) == (None, {}, {})


def test_what_is_right_counts_beside_what_is_wrong(tmp_path: Path) -> None:
    config = config_of(tmp_path, 'target-env = 5\n[options]\nmax-struct-depth = 7\nfoo = 1\n[rules]\n"syntax/*" = "off"\n[device]\nversion = 1\n')
    assert (config.options, config.rules) == ({"max_struct_depth": 7}, {"syntax/*": "off"})
    assert [rule for rule, _, _ in marked(config)] == ["config/target-env", "config/option", "config/device"]


def test_a_file_that_is_not_text_or_too_large(tmp_path: Path) -> None:
    (problem,) = config_of(tmp_path, b"a = 1\nb = '\xff'\n").problems
    assert (problem.message, problem.range and problem.range.start) == ("this file cannot be read: it is not UTF-8", Position(1, 0))
    (problem,) = config_of(tmp_path, b"#" * ((2 << 20) + 1)).problems
    assert (problem.message, problem.range) == ("this file cannot be read: this is larger than 2 MB", None)
    (tmp_path / "spvls.toml").unlink()
    os.mkfifo(tmp_path / "spvls.toml")
    (problem,) = config_for(str(tmp_path / "a.spvasm")).problems
    assert problem.message == "this file cannot be read: this is a named pipe, not a regular file"


@pytest.mark.parametrize("head", ["", "[options]\n", "[rules]\n", "[device]\n"])
def test_many_wrong_keys_are_counted_and_located_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, head: str) -> None:
    looks: list[int] = []
    find = toml_places._LINE.match

    def counted(line: str) -> Any:
        looks.append(1)
        return find(line)

    monkeypatch.setattr(toml_places._LINE, "match", counted)
    config = config_of(tmp_path, head + "".join(f"key-{number} = 1\n" for number in range(60_000)))
    assert len(looks) == 100 + bool(head)
    assert marked(config)[:100] == [(config.problems[0].rule, n + 1 + bool(head), f"key-{n}") for n in range(100)]
    assert config.problems[100].message == "59900 more settings of this file are wrong"
    assert len(config.problems) == 101


def test_the_settings_of_a_profile_that_make_no_device(tmp_path: Path) -> None:
    for features in ({"a,b c": True}, {"a b": True}):
        (tmp_path / "p.json").write_text(json.dumps({"capabilities": {"x": {"features": {"y": features}}}}))
        config = config_of(tmp_path, '[device]\nprofile = "p.json"\n')
        assert [rule for rule, _, _ in marked(config)] == ["config/device"]
        assert config.options == {}


_VALUES = st.recursive(
    st.one_of(st.booleans(), st.integers(-(2**70), 2**70), st.floats(allow_nan=False), st.text("a/*\"'.é ", max_size=6), st.just("off")),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text("ab-/", min_size=1, max_size=4), inner, max_size=3)),
    max_leaves=5,
)
_KEYS = st.sampled_from(
    ["target-env", "options", "rules", "device", "skip-block-layout", "max-struct-depth", "buffer-descriptor-layout", "version", "profile", "features", "syntax/*", "x"]
)  # fmt: skip
_TABLES = st.dictionaries(_KEYS, st.one_of(_VALUES, st.dictionaries(_KEYS, _VALUES, max_size=4)), max_size=4)


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {_toml(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return json.dumps(value)


@given(_TABLES, st.text(max_size=3))
def test_any_file_gives_options_that_the_validator_takes(tmp_path_factory: pytest.TempPathFactory, data: dict[str, Any], tail: str) -> None:
    text = "".join(f"{json.dumps(key)} = {_toml(value)}\n" for key, value in data.items()) + tail
    config = config_of(tmp_path_factory.mktemp("project"), text.encode("utf-8", "surrogatepass"))
    Options.of(config.options)
    assert config.applied([]) == []
    marked(config)
    wrong = {key for key in data if key not in ("target-env", "options", "rules", "device")}
    unreadable = any(problem.rule == "config/unreadable" for problem in config.problems)
    assert unreadable or wrong <= {mark for rule, _, mark in marked(config) if rule == "config/unknown-key"}


def test_keys_are_found_where_they_stand() -> None:
    places = KeyPlaces('a = 1\n"q.r" . s = 2\n[t]\n  b.c = { d = 1 }\n[[u]]\n[ v . w ]\nx=[\n"a = 1"\n]\n')

    def at(*path: str) -> tuple[int, int, int]:
        place = places.place(*path)
        return place.start.line, place.start.column, place.end.column

    assert at("a") == (0, 0, 1)
    assert at("q.r", "s") == (1, 8, 9)
    assert at("q.r") == (1, 1, 4)
    assert at("t", "b", "c") == (3, 4, 5)
    assert at("t", "b", "c", "d") == (3, 10, 11)
    assert at("v", "w", "x") == (6, 0, 1)
    assert at("u", "nonesuch") == (4, 2, 3)
    assert at("nonesuch") == (0, 0, 0)
