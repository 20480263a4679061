"""One version and one address of the repository: those of `spvls.__version__` and of pyproject.toml."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

import spvls
from tests.corpus import ROOT
from tests.tree import files_of_the_tree

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
ADDRESS: str = PROJECT["urls"]["Repository"]
SLUG = ADDRESS.removeprefix("https://github.com/")
"""OWNER/NAME, as actions name a repository."""
SITE = "https://{}.github.io/{}/".format(*SLUG.split("/"))
"""Where GitHub publishes the site of the repository."""

JSON = r'^  "version": "([^"]+)"'
TOML = r'^version = "([^"]+)"'
VERSIONS = {
    "editors/bundle/package.json": JSON,
    "editors/bundle/package-lock.json": JSON,
    "editors/emacs/spirv-mode.el": r"^;; Version: (\S+)",
    "editors/helix/languages.toml": r'rev = "v([^"]+)"',
    "editors/tree-sitter-spirv/CMakeLists.txt": r'VERSION "([^"]+)"',
    "editors/tree-sitter-spirv/Cargo.toml": TOML,
    "editors/tree-sitter-spirv/Makefile": r"^VERSION := (\S+)",
    "editors/tree-sitter-spirv/package.json": JSON,
    "editors/tree-sitter-spirv/pyproject.toml": TOML,
    "editors/tree-sitter-spirv/tree-sitter.json": r'^    "version": "([^"]+)"',
    "editors/vscode/CHANGELOG.md": r"^## (\d\S+)",
    "editors/vscode/package.json": JSON,
    "editors/vscode/package-lock.json": JSON,
    "editors/web/package.json": JSON,
    "editors/web/package-lock.json": JSON,
    "editors/zed/Cargo.toml": TOML,
    "editors/zed/extension.toml": TOML,
    "README.md": rf"(?:{re.escape(SLUG)}@|rev: )v(\S+)",
    "share/man/man1/spvls.1": r'"spvls (\S+)"',
}
"""Where the version stands in other files; the first of several in a list of versions is the newest."""


def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", VERSIONS)
def test_the_version_is_the_same_everywhere(name: str) -> None:
    shown = re.findall(VERSIONS[name], text(name), re.MULTILINE)
    assert shown
    assert set(shown if name == "README.md" else shown[:1]) == {spvls.__version__}


def texts() -> list[tuple[str, str]]:
    """Names and contents of the files that name a place in some repository of the name of this one."""
    found = []
    for name in files_of_the_tree():
        content = (ROOT / name).read_bytes()
        if b"/spvls" in content and b"github" in content:
            found.append((name, content.decode("utf-8")))
    return found


def test_the_address_is_the_same_everywhere() -> None:
    owner = r"(?:github\.com|githubusercontent\.com|pkg:github)/([\w.-]+/spvls)\b"
    wrong = {(name, slug) for name, content in texts() for slug in re.findall(owner, content) if slug != SLUG}
    assert wrong == set()
    sites = {(name, site) for name, content in texts() for site in re.findall(r"https://[\w-]+\.github\.io/spvls/", content)}
    assert sites == {("README.md", SITE), ("pyproject.toml", SITE), ("spvls/grammar/glossary.py", SITE)}
    used = {(name, slug) for name, content in texts() for slug in re.findall(r"uses: ([\w.-]+/spvls)@", content)}
    assert used == {("README.md", SLUG)}


def with_owner(content: str) -> str:
    return content.replace("OWNER/spvls", SLUG).replace(SITE.replace(SLUG.partition("/")[0], "OWNER", 1), SITE)


def test_the_command_of_the_release_guide_changes_the_address_and_nothing_else(tmp_path: Path) -> None:
    [command] = re.findall(r"xargs -0 sed -E -i '([^']+)'", text("RELEASING.md"))
    copies = {}
    for number, (_, content) in enumerate(texts()):
        copies[tmp_path / str(number)] = content
        (tmp_path / str(number)).write_text(content, encoding="utf-8", newline="")
    if shutil.which("sed") is None:
        pytest.skip("there is no sed")
    subprocess.run(["sed", "-E", "-i", command, *copies], check=True)
    for path, before in copies.items():
        after = path.read_bytes().decode("utf-8")
        assert with_owner(after) == with_owner(before)
        assert re.findall(rf"(?:github\.com/|githubusercontent\.com/|uses: ){re.escape(SLUG)}\b", after) == []
        assert SITE not in after
        assert after.count("share/spvls/spvls.schema.json") == before.count("share/spvls/spvls.schema.json")


def test_addresses_of_files_lead_to_files() -> None:
    place = rf"(?:{re.escape(ADDRESS)}/(?:blob|tree|raw)|https://raw\.githubusercontent\.com/{re.escape(SLUG)})/main/([\w./-]+\w)"
    places = {(name, path) for name, content in texts() for path in re.findall(place, content)}
    assert len(places) > 8
    assert {(name, path) for name, path in places if not (ROOT / path).exists()} == set()


def test_the_project_leads_to_its_repository() -> None:
    assert re.fullmatch(r"https://github\.com/[\w.-]+/spvls", ADDRESS)
    assert {url.removeprefix(ADDRESS) for url in PROJECT["urls"].values()} == {"", "/blob/main/CHANGELOG.md", "/issues", SITE}
