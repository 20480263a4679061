"""The entries for other projects' registries, as `registries/fill.py` makes them of a source distribution."""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent
from typing import Any
from xml.etree import ElementTree

import pytest
import yaml
from jsonschema import Draft7Validator
from packaging.requirements import Requirement

import spvls
from registries import fill
from tests.cli.conftest import Run, run
from tests.corpus import ROOT
from tests.e2e.editor_support import require, server_environment, write_launcher
from tests.schemas import published
from tests.test_identity import ADDRESS, PROJECT, SLUG
from tests.tree import files_of_the_tree

__all__ = ["run"]

TAGGED = f"https://raw.githubusercontent.com/{SLUG}/v{spvls.__version__}/"
LATEST = f"https://raw.githubusercontent.com/{SLUG}/main/"
MANIFEST = json.loads((ROOT / "editors/vscode/package.json").read_text(encoding="utf-8"))
[LANGUAGE] = [one for one in MANIFEST["contributes"]["languages"] if one["id"] == "spirv"]


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    files_of_the_tree()
    path = tmp_path_factory.mktemp("dist") / f"spvls-{spvls.__version__}.tar.gz"
    path.write_bytes(b"what is hashed")
    return path


@pytest.fixture(scope="module")
def entries(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with all entries."""
    folder = tmp_path_factory.mktemp("entries")
    fill.fill(sdist, folder)
    return folder


def text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


# All of them


def test_nothing_is_left_to_fill_in(entries: Path) -> None:
    made = [path for path in entries.rglob("*") if path.is_file() and path.suffix != ".sublime-package"]
    assert {path.relative_to(entries).parts[0] for path in made} == set(fill.ENTRIES)
    assert [path for path in made if re.search(r"@[A-Z]\w+@", text(path))] == []


def test_every_registry_is_in_the_guide() -> None:
    guide = text(ROOT / "registries" / "README.md")
    assert {name for name in fill.ENTRIES if f"`{name}/`" in guide} == set(fill.ENTRIES)
    assert {path.name for path in (ROOT / "registries").iterdir() if path.is_dir() and path.name != "__pycache__"} == set(fill.ENTRIES)


def test_a_source_distribution_of_another_version_is_refused(tmp_path: Path) -> None:
    (tmp_path / "spvls-9.9.9.tar.gz").touch()
    with pytest.raises(SystemExit, match=r"9\.9\.9.*is not the source distribution of version"):
        fill.fill(tmp_path / "spvls-9.9.9.tar.gz", tmp_path / "out")
    assert not (tmp_path / "out").exists()


# Editors


def test_nvim_lspconfig_starts_the_server(entries: Path, tmp_path: Path) -> None:
    """With the Neovim of SPVLS_NVIM that has vim.lsp.enable; without one the entry is only loaded."""
    programs = [found for name in os.environ.get("SPVLS_NVIM", "nvim").split(os.pathsep) if (found := shutil.which(name))]
    if not programs:
        pytest.skip("nvim is not installed")
    write_launcher(tmp_path)
    (tmp_path / "a.spvasm").write_text("%void = OpTypeViod\n")
    script = f"""
        local entry = dofile({str(entries / "nvim-lspconfig/lsp/spvls.lua")!r})
        assert(vim.deep_equal(entry.cmd, {{ 'spvls', 'serve' }}) and vim.deep_equal(entry.filetypes, {{ 'spirv' }}))
        if not vim.lsp.enable then return print('LOADED') end
        vim.opt.runtimepath:append({str(entries / "nvim-lspconfig")!r})
        vim.filetype.add({{ extension = {{ spvasm = 'spirv' }}, pattern = {{ ['.*%.spvasm%..*'] = 'spirv' }} }})
        vim.lsp.enable('spvls')
        vim.cmd.edit({str(tmp_path / "a.spvasm")!r})
        assert(vim.wait(30000, function() return #vim.diagnostic.get(0) > 0 end, 50), 'no finding')
        print('FOUND')
    """
    (tmp_path / "check.lua").write_text(dedent(script))
    environment = {**server_environment(), "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    environment |= {f"XDG_{kind}_HOME": str(tmp_path / kind) for kind in ("CONFIG", "DATA", "STATE", "CACHE")}
    for program in programs:
        command = [program, "--headless", "--clean", "-c", f"luafile {tmp_path / 'check.lua'}", "-c", "qall!"]
        done = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
        assert re.search("FOUND|LOADED", done.stdout + done.stderr), done.stdout + done.stderr


def test_mason_installs_the_package_of_this_version(entries: Path) -> None:
    entry = yaml.safe_load(text(entries / "mason-registry/packages/spvls/package.yaml"))
    assert entry["source"] == {"id": f"pkg:pypi/spvls@{spvls.__version__}"}
    assert (entry["homepage"], entry["licenses"]) == (ADDRESS, [PROJECT["license"]])
    assert set(entry["categories"]) <= {"Compiler", "DAP", "Formatter", "LSP", "Linter", "Runtime"}
    assert entry["bin"] == {name: f"pypi:{name}" for name in PROJECT["scripts"]}
    schema = entry["schemas"]["lsp"].replace("{{version}}", spvls.__version__)
    assert schema == f"vscode:{TAGGED}editors/vscode/package.json"
    assert (entries / f"nvim-lspconfig/lsp/{entry['neovim']['lspconfig']}.lua").is_file()


def test_helix_knows_the_language_and_the_server(entries: Path, tmp_path: Path) -> None:
    entry = tomllib.loads(text(entries / "helix/languages.toml"))
    own = tomllib.loads(text(ROOT / "editors/helix/languages.toml"))
    [language], [mine] = entry["language"], own["language"]
    assert language["file-types"] == mine["file-types"] and language["injection-regex"] == mine["injection-regex"]
    [grammar] = entry["grammar"]
    assert grammar["source"]["git"] == ADDRESS and (ROOT / grammar["source"]["subpath"] / "grammar.js").is_file()
    assert re.fullmatch(r"[0-9a-f]{40}", grammar["source"]["rev"])
    helix = require(os.environ.get("SPVLS_HELIX", "hx"))
    shutil.copytree(entries / "helix", tmp_path / "config" / "helix")
    write_launcher(tmp_path)
    folders = {"XDG_CONFIG_HOME": str(tmp_path / "config"), "XDG_CACHE_HOME": str(tmp_path), "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run([helix, "--health", "spirv"], env={**os.environ, **folders}, capture_output=True, text=True, timeout=60, check=False)
    assert re.search(r"✓\S* spvls", done.stdout), done.stdout + done.stderr


def test_zed_finds_the_extension(entries: Path) -> None:
    entry = tomllib.loads(text(entries / "zed/extensions.toml"))["spvls"]
    extension = tomllib.loads(text(ROOT / entry["path"] / "extension.toml"))
    assert (entry["version"], extension["id"], extension["version"]) == (spvls.__version__, "spvls", spvls.__version__)
    assert f"url = {ADDRESS}.git\n" in text(entries / "zed/gitmodules") and entry["submodule"] in text(entries / "zed/gitmodules")
    assert extension["repository"] == extension["grammars"]["spirv"]["repository"] == ADDRESS


def test_the_grammar_that_zed_compiles_is_that_of_the_tree() -> None:
    files_of_the_tree()
    grammar = tomllib.loads(text(ROOT / "editors/zed/extension.toml"))["grammars"]["spirv"]
    commit, source = grammar["rev"], f"{grammar['path']}/src"
    if subprocess.run(["git", "cat-file", "-e", f"{commit}^{{commit}}"], cwd=ROOT, capture_output=True, check=False).returncode:
        pytest.skip(f"this clone does not have the commit {commit}")
    changed = subprocess.run(["git", "diff", "--name-only", commit, "--", source], cwd=ROOT, capture_output=True, text=True, check=True)
    assert changed.stdout == "", "set rev in editors/zed/extension.toml to the last commit that changed the grammar"


def test_melpa_takes_the_mode_alone(entries: Path) -> None:
    recipe = text(entries / "melpa/recipes/spirv-mode")
    assert f':repo "{SLUG}"' in recipe
    [file] = re.findall(r':files \("([^"]+)"\)', recipe)
    header = text(ROOT / file)
    assert f";; URL: {ADDRESS}\n" in header and "(provide 'spirv-mode)" in header and ";;;###autoload\n" in header
    read = "(let ((recipe (read (current-buffer)))) (princ (list (car recipe) (plist-get (cdr recipe) :fetcher))))"
    command = [require("emacs"), "--batch", str(entries / "melpa/recipes/spirv-mode"), "--eval", read]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout == "(spirv-mode github)", done.stderr


def test_package_control_gets_the_syntax(entries: Path) -> None:
    [package] = json.loads(text(entries / "package-control/repository.json"))["packages"]
    [release] = package["releases"]
    assert release["version"] == spvls.__version__
    assert release["url"] == f"{ADDRESS}/releases/download/v{spvls.__version__}/{package['name']}.sublime-package"
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", release["date"])
    assert package["homepage"] == ADDRESS and (ROOT / package["readme"].removeprefix(TAGGED)).is_file()
    with zipfile.ZipFile(entries / "package-control" / f"{package['name']}.sublime-package") as archive:
        assert archive.testzip() is None
        assert archive.read("SPIR-V.sublime-syntax") == (ROOT / "editors/sublime/SPIR-V.sublime-syntax").read_bytes()


def test_kate_starts_the_server_for_its_highlighting(entries: Path) -> None:
    [(_, server)] = json.loads(text(entries / "kate/addons/lspclient/settings.json"))["servers"].items()
    language = ElementTree.parse(entries / "kate/data/syntax/spirv.xml").getroot()
    assert re.fullmatch(server["highlightingModeRegex"], language.attrib["name"])
    assert (server["command"], server["documentLanguageId"]) == (["spvls", "serve"], LANGUAGE["id"])


# GitHub


def test_linguist_knows_what_the_editors_know(entries: Path, run: Run) -> None:
    [(name, entry)] = yaml.safe_load(text(entries / "linguist/lib/linguist/languages.yml")).items()
    assert name == LANGUAGE["aliases"][0]
    assert set(entry["aliases"]) < set(LANGUAGE["aliases"]) and set(entry["extensions"]) < set(LANGUAGE["extensions"])
    [grammar] = [one for one in MANIFEST["contributes"]["grammars"] if one.get("language") == LANGUAGE["id"]]
    assert entry["tm_scope"] == grammar["scopeName"]
    assert yaml.safe_load(text(entries / "linguist/grammars.yml")) == {"vendor/grammars/spvls": [entry["tm_scope"]]}
    samples = sorted((entries / "linguist/samples" / name).iterdir())
    assert len(samples) == 3
    assert run("lint", "--strict", *map(str, samples)).code == 0


def test_schemastore_gets_a_valid_entry(entries: Path) -> None:
    catalog = json.loads(text(entries / "schemastore/src/api/json/catalog.json"))
    Draft7Validator(published("https://json.schemastore.org/schema-catalog.json")).validate(catalog)
    [entry] = catalog["schemas"]
    assert entry["fileMatch"] == ["spvls.toml"]
    schema = json.loads(text(ROOT / entry["url"].removeprefix(LATEST)))
    Draft7Validator.check_schema(schema)
    assert schema["$schema"] == "http://json-schema.org/draft-07/schema#"


# Package managers


def test_homebrew_installs_the_source_distribution_with_all_that_it_needs(entries: Path, sdist: Path) -> None:
    formula = text(entries / "homebrew/Formula/s/spvls.rb")
    resources = json.loads(text(ROOT / "registries/homebrew/resources.json"))
    assert f'/spvls-{spvls.__version__}.tar.gz"' in formula and hashlib.sha256(sdist.read_bytes()).hexdigest() in formula
    assert re.findall(r'resource "([^"]+)" do', formula) == [resource["name"] for resource in resources]
    versions = {resource["name"]: resource["version"] for resource in resources}
    needed = dict(requirements("spvls"))
    assert set(versions) == set(needed)
    assert [name for name, version in versions.items() if not needed[name].specifier.contains(version)] == []
    for resource in resources:
        assert re.fullmatch(r"https://files\.pythonhosted\.org/packages/\w\w/\w\w/\w{60}/[\w.-]+\.tar\.gz", resource["url"])
        assert resource["version"] in resource["url"] and re.fullmatch(r"[0-9a-f]{64}", resource["sha256"])
    description = re.findall(r'^  desc "([^"]+)"$', formula, re.MULTILINE)[0]
    assert len(description) < 80 and not description.startswith(("A ", "The "))
    for installed in re.findall(r'libexec/"(share/[^"]+)"', formula):
        assert (ROOT / installed).is_file(), installed


def requirements(name: str, seen: frozenset[str] = frozenset()) -> Iterator[tuple[str, Requirement]]:
    """What a package needs at run time, and what that needs, by normalized names."""
    for line in importlib.metadata.requires(name) or ():
        requirement = Requirement(line)
        if requirement.marker and not requirement.marker.evaluate({"extra": "", "python_version": "3.14", "python_full_version": "3.14.0"}):
            continue
        key = requirement.name.replace("_", "-").lower()
        yield key, requirement
        if key not in seen:
            yield from requirements(key, seen | {key})


def test_the_test_of_the_formula_passes(entries: Path, run: Run) -> None:
    formula = text(entries / "homebrew/Formula/s/spvls.rb")
    [module] = re.findall(r"<<~SPIRV\n(.*?)\n    SPIRV", formula, re.DOTALL)
    Path("a.spvasm").write_text(dedent(module) + "\n")
    [expected] = re.findall(r'assert_match "([^"]+)", shell_output\("#\{bin\}/spvls lint a\.spvasm", 1\)', formula)
    done = run("lint", "a.spvasm")
    assert done.code == 1 and expected in done.out
    assert 'system bin/"spvls", "lint", "--fix", "a.spvasm"' in formula
    assert run("lint", "--fix", "a.spvasm").code == 0


def test_the_formula_is_ruby(entries: Path) -> None:
    done = subprocess.run([require("ruby"), "-c", entries / "homebrew/Formula/s/spvls.rb"], capture_output=True, text=True, check=False)
    assert done.stdout == "Syntax OK\n", done.stderr


def test_conda_forge_builds_the_source_distribution(entries: Path, sdist: Path, run: Run) -> None:
    recipe: dict[str, Any] = yaml.safe_load(text(entries / "conda-forge/recipes/spvls/recipe.yaml"))
    context = recipe["context"]
    assert (context["version"], f">={context['python_min']}") == (spvls.__version__, PROJECT["requires-python"])
    assert recipe["source"]["sha256"] == hashlib.sha256(sdist.read_bytes()).hexdigest()
    assert recipe["about"]["homepage"] == ADDRESS and recipe["about"]["license"] == PROJECT["license"]
    needed = [requirement.replace(" ", "") for requirement in recipe["requirements"]["run"][1:]]
    assert needed == PROJECT["dependencies"]
    assert recipe["build"]["python"]["entry_points"] == [f"{name} = {target}" for name, target in PROJECT["scripts"].items()]
    for command in recipe["tests"][1]["script"]:
        done = subprocess.run([sys.executable, "-m", *command.split()], cwd=ROOT, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
