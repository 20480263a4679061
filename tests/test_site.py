"""The site: built once into a folder of its own, its links followed, its links to the playground read as that reads them."""

from __future__ import annotations

import json
import os
import posixpath
import re
import shutil
import subprocess
import sys
import zlib
from base64 import urlsafe_b64decode
from collections.abc import Iterator
from html import unescape
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from urllib.parse import unquote, urlsplit

import pytest
import yaml

from spvls.grammar import tables
from spvls.grammar.docs import lookup
from spvls.ide.documentation.docs_markdown import docs_markdown
from spvls.validate.engine.explanation import explained, explanation
from tests.corpus import ROOT, RULES, text_of

HOOKS = ROOT / "docs" / "hooks"
LINK = re.compile(r'(?:href|src)="?([^" >]*)')
ANCHOR = re.compile(r'\b(?:id|name)="?([^" >]+)')
FROM_FIXTURE = re.compile(r'href="[^"]*playground/#module=([\w-]+)"')


@pytest.fixture(scope="module")
def hooks() -> Iterator[dict[str, ModuleType]]:
    """The modules of the hook, which import each other as MkDocs has them do."""
    sys.path.insert(0, str(HOOKS))
    names = ("guides", "highlighting", "playground", "reference", "rule_pages")
    yield {name: import_module(name) for name in names}
    sys.path.remove(str(HOOKS))
    for name in names:
        del sys.modules[name]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, with a page in the place of the playground."""
    for module in ("mkdocs", "material"):
        if find_spec(module) is None:
            pytest.skip(f"{module} is not installed: the extra `site` has it")
    folder = tmp_path_factory.mktemp("site")
    (folder / "playground" / "server").mkdir(parents=True)
    (folder / "playground" / "index.html").write_text("<!DOCTYPE html><title>Playground</title>", encoding="utf-8")
    (folder / "playground" / "server" / "NOTICE.md").write_text("# Notice\n", encoding="utf-8")
    settings = folder / "mkdocs.yml"
    inherited = {"INHERIT": str(ROOT / "mkdocs.yml"), "docs_dir": str(ROOT / "docs"), "hooks": [str(HOOKS / "pages.py")], "extra": {"playground": str(folder / "playground")}}
    settings.write_text(yaml.safe_dump(inherited), encoding="utf-8")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--config-file", str(settings), "--site-dir", str(folder / "site")]
    done = subprocess.run(command, cwd=ROOT, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "site"


def page(site: Path, name: str) -> str:
    return (site / name / "index.html").read_text(encoding="utf-8")


def test_every_rule_instruction_set_and_kind_has_its_page(site: Path) -> None:
    for id_ in explained():
        found = explanation(id_)
        assert found is not None
        shown = page(site, f"rules/{id_}")
        assert f">{id_}<" in shown
        assert [reference.address for reference in found.references if reference.address not in unescape(shown)] == []
    for opcode in tables.opcodes():
        assert (site / "reference" / "instructions" / opcode.name / "index.html").is_file(), opcode.name
    for kind in tables.kinds():
        shown = page(site, f"reference/enumerants/{kind.name}") if kind.entries else ""
        assert [name for name in kind.entries if f'id="{name.lower()}' not in shown] == []
    for known in tables.extended_sets():
        shown = page(site, f"reference/extended/{known.name}")
        assert [name for name in known.entries if f'id="{name.lower()}' not in shown] == []


def test_links_lead_somewhere(site: Path) -> None:
    """Links inside of the site, with their anchors."""
    texts = {path.relative_to(site).as_posix(): path.read_text(encoding="utf-8") for path in site.rglob("*.html")}
    anchors = {name: {unescape(anchor) for anchor in ANCHOR.findall(text)} for name, text in texts.items()}
    followed = 0
    broken: list[str] = []
    for name, text in texts.items():
        if name == "404.html":  # shown at any address, so its links are absolute
            continue
        for target in {unescape(found) for found in LINK.findall(text)}:
            address = urlsplit(target)
            if address.scheme or address.netloc:
                continue
            followed += 1
            file, anchor = resolved(name, unquote(address.path)), unquote(address.fragment)
            if not (site / file).is_file() or (anchor and not anchor.startswith("module=") and anchor not in anchors[file]):
                broken.append(f"{name}: {target}")
    assert broken == []
    assert followed > 10_000


def resolved(name: str, path: str) -> str:
    """The file that a path on a page leads to; that of a folder is its index."""
    if not path:
        return name
    file = posixpath.normpath(posixpath.join(posixpath.dirname(name), path))
    return posixpath.normpath(f"{file}/index.html") if path.endswith(("/", ".")) else file


def unpacked(fragment: str) -> dict[str, str]:
    packed = urlsafe_b64decode(fragment + "=" * (-len(fragment) % 4))
    found: dict[str, str] = json.loads(zlib.decompress(packed, -zlib.MAX_WBITS))
    return found


def test_the_examples_of_a_rule_open_in_the_playground(site: Path) -> None:
    id_ = "id/definition-dominates-uses"
    wanted = [{"text": text_of(RULES / f"{id_}{end}.spvasm"), "environment": ""} for end in ("", ".clean")]
    assert [unpacked(fragment) for fragment in FROM_FIXTURE.findall(page(site, f"rules/{id_}"))] == wanted
    assert (site / "playground" / "server" / "NOTICE.md").is_file()


def test_the_site_loads_nothing_from_elsewhere(site: Path) -> None:
    for name in ("", "rules/id/definition-dominates-uses", "try"):
        loaded = re.findall(r'<(?:script|img|iframe|link rel="?(?:stylesheet|icon)"?)[^>]*?(?:src|href)="?([^" >]+)', page(site, name))
        assert loaded and [address for address in loaded if "://" in address] == []


def test_the_playground_reads_the_links_that_the_site_makes(hooks: dict[str, ModuleType], tmp_path: Path) -> None:
    """`share.ts` reads a fragment made here, and one that it makes is read here."""
    esbuild = ROOT / "editors" / "web" / "node_modules" / ".bin" / "esbuild"
    if not esbuild.exists() or shutil.which("node") is None:
        pytest.skip("esbuild is not there: `npm ci` in editors/web installs it")
    program = subprocess.run([esbuild, ROOT / "editors/web/src/share.ts", "--format=esm"], capture_output=True, text=True, check=True).stdout
    shared = {"text": '%ä = OpString "\U0001f600 <&>+/="\n' * 40, "environment": "vulkan1.3"}
    made = hooks["playground"].fragment(shared["text"], shared["environment"])
    (tmp_path / "share.mjs").write_text(
        f"{program}\nconsole.log(JSON.stringify([await fromFragment({json.dumps(made)}), await toFragment({json.dumps(shared)})]));\n", encoding="utf-8"
    )
    done = subprocess.run(["node", tmp_path / "share.mjs"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    read, written = json.loads(done.stdout)
    assert read == shared
    assert unpacked(written.removeprefix("#module=")) == unpacked(made.removeprefix("#module=")) == shared


def test_links_are_as_long_as_the_playground_allows(hooks: dict[str, ModuleType]) -> None:
    [longest] = re.findall(r"LONGEST_LINK = ([\d_]+);", (ROOT / "editors/web/src/share.ts").read_text(encoding="utf-8"))
    assert int(longest) == hooks["playground"].LONGEST
    assert hooks["playground"].link("Open", "a/b.md", os.urandom(40_000).hex()) == ""


def test_an_instruction_is_shown_as_hover_shows_it(hooks: dict[str, ModuleType]) -> None:
    shown = dict(hooks["reference"].pages(has_playground=False))
    for opcode in tables.opcodes():
        assert shown[f"reference/instructions/{opcode.name}.md"].endswith(docs_markdown(opcode, with_signature=opcode.has_result or bool(opcode.operands)))
    entry = lookup("StorageClass.Private")
    assert entry is not None and entry.summary in shown["reference/enumerants/StorageClass.md"]


def test_lists_are_indented_as_python_markdown_has_them(hooks: dict[str, ModuleType]) -> None:
    text = "text\n- a\n  more\n  - b\n\n    ```sh\n    - c\n    ```\n1. d\n\n   e\n\nf\n\n    code\n"
    wanted = "text\n\n- a\n    more\n    - b\n\n        ```sh\n        - c\n        ```\n1. d\n\n    e\n\nf\n\n    code\n"
    assert hooks["guides"].as_python_markdown(text) == wanted


def test_code_is_colored_and_no_character_of_it_is_lost(hooks: dict[str, ModuleType]) -> None:
    text = '%a = OpTypeInt 32 0 ; <b>\n  OpName %a "<&>"\n; %ä\n%result = OpFoo [%x …]\n'
    shown = hooks["highlighting"].highlighted(text)
    assert unescape(re.sub(r"<[^>]*>", "", shown)) == text
    assert '<span class="k">OpTypeInt</span>' in shown and '<span class="c1">; &lt;b&gt;</span>' in shown
