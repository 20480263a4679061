"""What `spvls lint` keeps of what it found: it changes no report, and nothing that is amiss with it is seen."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spvls.cli import judge, result_cache
from spvls.cli.judge import Settings
from spvls.cli.outcome import FORMATS
from spvls.cli.result_cache import Judgment, ResultCache, user_folder
from spvls.diagnostic import Diagnostic, Edit, Fix, Position, Range, Related, Severity, SourceLine
from tests.cli.conftest import Run
from tests.corpus import BINARIES, FIXTURES, ROOT, RULES

FOLDER = Path("kept")
CACHED = ("--cache-dir", str(FOLDER))


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A folder with modules: sound and faulty, texts and binaries, several in a file, and one that is no module."""
    paths = [*sorted(RULES.glob("id/*.spvasm")), *BINARIES, FIXTURES / "shaders" / "points.geom.spvasm"]
    folder = tmp_path / "tree"
    folder.mkdir()
    for path in paths:
        (folder / path.name).write_bytes(path.read_bytes())
    two = "".join((RULES / "id" / f"{name}.spvasm").read_text() for name in ("operand-is-value", "operand-is-type"))
    (folder / "two.spvasm").write_text(two.replace("OpCapability Shader", "; SPIR-V\nOpCapability Shader"))
    (folder / "bytes.spvasm").write_bytes(b"OpCapability Shader ; \xff\n")
    return folder


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that are judged, as they are."""
    seen: list[str] = []
    lint = judge._linted

    def counted(path: str, settings: Settings, cache: ResultCache | None) -> Any:
        seen.append(path)
        return lint(path, settings, cache)

    monkeypatch.setattr(judge, "_linted", counted)
    return seen


def entries() -> list[Path]:
    return sorted(path for path in FOLDER.rglob("*") if path.is_file())


@pytest.mark.parametrize("format_", FORMATS)
def test_reports_are_the_same_from_the_cache(run: Run, tree: Path, judged: list[str], format_: str) -> None:
    plain = run("lint", "tree", f"--format={format_}", "--no-cache")
    count = len(judged)
    assert count > 10 and plain.code == 1
    assert run("lint", "tree", f"--format={format_}", *CACHED) == plain
    assert len(entries()) == count
    del judged[:]
    assert run("lint", "tree", f"--format={format_}", *CACHED) == plain
    assert judged == []


def test_what_a_report_leaves_out_does_not_matter_to_the_cache(run: Run, tree: Path, judged: list[str]) -> None:
    run("lint", "tree", *CACHED)
    (tree / "spvls.toml").write_text('[rules]\n"id/*" = "off"\n')
    del judged[:]
    for options in (["--select=id/*"], ["--ignore=id/*"], ["--statistics"], ["--format=sarif"], []):
        assert run("lint", "tree", *options, *CACHED) == run("lint", "tree", *options, "--no-cache")
    assert len(judged) == 5 * len(entries())  # those without the cache


def _option(tree: Path) -> list[str]:
    return ["--max-id-bound=7"]


def _environment(tree: Path) -> list[str]:
    return ["--target-env=opencl2.2"]


def _project(tree: Path) -> list[str]:
    (tree / "spvls.toml").write_text('target-env = "vulkan1.0"\n[options]\nscalar-block-layout = true\n')
    return []


def _content(tree: Path) -> list[str]:
    for path in tree.iterdir():
        path.write_bytes(path.read_bytes() + b"\n")
    return []


def _language(tree: Path) -> list[str]:
    for path in list(tree.iterdir()):
        path.rename(path.with_suffix(".md" if path.suffix == ".spvasm" else ".spirv"))
    return ["--include=*.md"]


@pytest.mark.parametrize("change", [_option, _environment, _project, _content, _language])
def test_whatever_findings_follow_from_has_files_judged_again(
    run: Run, tree: Path, judged: list[str], change: Callable[[Path], list[str]]
) -> None:
    run("lint", "tree", *CACHED)
    count = len(judged)
    changed = change(tree)
    plain = run("lint", "tree", *changed, "--no-cache")
    del judged[:]
    assert run("lint", "tree", *changed, *CACHED) == plain
    binaries = sum(path.read_bytes()[:1] in (b"\x03", b"\x07") for path in tree.iterdir())
    assert len(judged) == (count - binaries if change is _language else count)


def test_another_version_judges_again(run: Run, tree: Path, judged: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    run("lint", "tree", *CACHED)
    count = len(judged)
    monkeypatch.setattr(result_cache, "_stamp", lambda: "another")
    run("lint", "tree", *CACHED)
    assert len(judged) == 2 * count


DAMAGE: list[Callable[[bytes], bytes]] = [
    lambda entry: b"",
    lambda entry: entry[: len(entry) // 2],
    lambda entry: b"\xff" + entry,
    lambda entry: b"[" * 100_000,
    lambda entry: b"[]",
    lambda entry: b"{}",
    lambda entry: b"9" * 5000,
    lambda entry: b"null",
    lambda entry: json.dumps(["0" * 64, *json.loads(entry)[1:]]).encode(),
    lambda entry: json.dumps([json.loads(entry)[0], True, []]).encode(),
    lambda entry: json.dumps([json.loads(entry)[0], 1, [["a"]]]).encode(),
    lambda entry: json.dumps([json.loads(entry)[0], 1, [["a", "fatal", "b", None, None, None, [], [], []]]]).encode(),
    lambda entry: json.dumps([json.loads(entry)[0], 1, [["a", "error", 1, None, None, None, [], [], []]]]).encode(),
    lambda entry: json.dumps([json.loads(entry)[0], 1, [["a", "error", "b", [[9999, 0], [9999, 1]], 9, None, [], [], []]]]).encode(),
    lambda entry: json.dumps([json.loads(entry)[0], 1, [["a", "error", "b", [[-1, 0], [0, 1]], 9, None, [], [], []]]]).encode(),
    lambda entry: b" " * (1 << 19),
]


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_entry_is_none(run: Run, tree: Path, judged: list[str], damage: Callable[[bytes], bytes]) -> None:
    plain = run("lint", "tree", *CACHED)
    sound = {path: path.read_bytes() for path in entries()}
    for path, entry in sound.items():
        path.write_bytes(damage(entry))
    assert run("lint", "tree", *CACHED) == plain
    texts = [path for path in judged if path.endswith(".spvasm")]
    assert len(texts) == 2 * len(set(texts))
    assert {path: path.read_bytes() for path in entries()} == sound


def test_an_entry_that_is_no_file_is_none(run: Run, tree: Path) -> None:
    plain = run("lint", "tree", *CACHED)
    for number, path in enumerate(entries()):
        path.unlink()
        os.mkfifo(path) if number % 2 else path.mkdir()
    assert run("lint", "tree", *CACHED) == plain


@pytest.mark.parametrize("folder", ["/dev/null/cache", "tree/two.spvasm", "a\0b"])
def test_a_folder_that_cannot_be_had_is_done_without(run: Run, tree: Path, folder: str) -> None:
    assert run("lint", "tree", "--cache-dir", folder) == run("lint", "tree", "--no-cache")


def test_what_is_read_once_or_repaired_is_not_kept(run: Run, tree: Path, judged: list[str]) -> None:
    run("lint", "-", *CACHED, stdin=b"OpNop\n")
    run("lint", "tree", "--diff", *CACHED)
    run("lint", "tree", "--fix", *CACHED)
    assert not FOLDER.exists()


def test_the_folder_of_the_user_is_for_several_files(run: Run, tree: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(result_cache, "user_folder", lambda: str(tmp_path / "kept"))
    run("lint", "tree/two.spvasm")
    assert not FOLDER.exists()
    run("lint", "tree", "--no-cache")
    assert not FOLDER.exists()
    run("lint", "tree")
    assert entries()


def test_processes_share_a_folder(run: Run, tree: Path) -> None:
    plain = run("lint", "tree", "--no-cache")
    command = [sys.executable, "-m", "spvls", "lint", "tree", "--jobs=2", *CACHED]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    runs = [subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, text=True) for _ in range(3)]
    assert [(process.communicate()[0], process.returncode) for process in runs] == [(plain.out, 1)] * 3
    assert run("lint", "tree", *CACHED) == plain


def test_the_oldest_entries_go_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(result_cache, "FOLDER_SIZE", 1000)
    cache = ResultCache(str(tmp_path))
    judgment = Judgment((Diagnostic("a/b", Severity.ERROR, "m" * 100),), 1)
    keys = [f"aa{number:062}" for number in range(10)]
    for number, key in enumerate(keys):
        cache.keep(key, judgment)
        os.utime(tmp_path / "aa" / f"{key[2:]}.json", (number, number))
    assert [cache.find(key) is not None for key in keys] == [number > 5 for number in range(10)]


def test_a_long_list_of_findings_is_not_kept(tmp_path: Path) -> None:
    cache = ResultCache(str(tmp_path))
    cache.keep("a" * 64, Judgment((Diagnostic("a/b", Severity.ERROR, "m" * result_cache.LARGEST),), 1))
    assert cache.find("a" * 64) is None and not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("platform", "environment", "expected"),
    [
        ("linux", {"XDG_CACHE_HOME": "/c", "HOME": "/h"}, "/c/spvls/lint"),
        ("linux", {"XDG_CACHE_HOME": "relative", "HOME": "/h"}, "/h/.cache/spvls/lint"),
        ("freebsd14", {"HOME": "/h"}, "/h/.cache/spvls/lint"),
        ("darwin", {"XDG_CACHE_HOME": "/c", "HOME": "/h"}, "/h/Library/Caches/spvls/lint"),
        ("win32", {"LOCALAPPDATA": "/l"}, "/l/spvls/lint"),
        ("win32", {}, None),
    ],
)
def test_the_folder_of_the_user(
    platform: str, environment: dict[str, str], expected: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    for name in ("XDG_CACHE_HOME", "LOCALAPPDATA", "HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert user_folder() == expected


_numbers = st.integers(0, 1 << 40)
_texts = st.text(st.characters(), max_size=8)
_ranges = st.builds(Range, st.builds(Position, _numbers, _numbers), st.builds(Position, _numbers, _numbers))
_diagnostics = st.builds(
    Diagnostic,
    _texts,
    st.sampled_from([*Severity]),
    _texts,
    st.none() | _ranges,
    st.none() | _numbers,
    st.none() | _texts,
    st.lists(st.builds(Related, _ranges, _texts), max_size=2).map(tuple),
    st.lists(st.builds(Fix, _texts, st.lists(st.builds(Edit, _ranges, _texts), max_size=2).map(tuple), st.booleans()), max_size=2).map(tuple),
    st.lists(_texts, max_size=2).map(tuple),
    st.none() | st.builds(SourceLine, _texts, _numbers, _numbers, _numbers, st.none() | _texts, _numbers, _numbers),
)


@given(st.lists(_diagnostics, max_size=3).map(tuple), _numbers)
def test_a_judgment_is_read_as_it_was_kept(tmp_path_factory: pytest.TempPathFactory, findings: tuple[Diagnostic, ...], modules: int) -> None:
    cache = ResultCache(str(tmp_path_factory.getbasetemp() / "judgments"))
    key = cache.key(repr(findings).encode(), modules)
    cache.keep(key, Judgment(findings, modules))
    assert cache.find(key) == Judgment(findings, modules)
