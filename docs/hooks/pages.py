"""The hook of MkDocs that makes the pages of rules, instructions and other names, and takes the documents of the repository.

Nothing that it makes is committed, so the site shows what hover, `spvls explain` and `spvls doc` show.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import guides
import playground
import reference
import rule_pages
from highlighting import fence
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from spvls.grammar.glossary import PAGE as GLOSSARY

PLAYGROUND = "editors/web/dist"
"""Where the playground is built; `extra.playground` in mkdocs.yml names another folder."""


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Addresses are those of pyproject.toml; SPIR-V is colored by the language server."""
    config.repo_url = guides.REPOSITORY
    config.repo_name = guides.REPOSITORY.removeprefix("https://github.com/")
    config.site_url = guides.SITE
    config.theme["logo"] = config.theme["favicon"] = guides.asset("editors/vscode/images/file.svg")
    superfences = config.mdx_configs.setdefault("pymdownx.superfences", {})
    superfences["custom_fences"] = [{"name": "spirv", "class": "highlight", "format": fence}]
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds what is made."""
    start = _playground(config) / "index.html"
    has_playground = start.is_file()
    if has_playground:
        files.append(File.generated(config, f"{playground.FOLDER}/index.html", abs_src_path=str(start)))
    pages = {
        "try.md": playground.page(has_playground=has_playground),
        **dict(guides.pages()),
        **dict(rule_pages.pages(has_playground=has_playground)),
        **dict(reference.pages(has_playground=has_playground)),
    }
    for name, content in pages.items():
        own = content.replace(f"]({GLOSSARY}", f"]({'../' * name.count('/')}reference/glossary.md")
        files.append(File.generated(config, name, content=_beside(name) + own))
    for name, picture in _pictures():
        files.append(File.generated(config, name, abs_src_path=str(picture)))
    return files


def on_post_build(config: MkDocsConfig) -> None:
    """Copies the playground as it is: MkDocs would make pages of its Markdown files."""
    if _playground(config).is_dir():
        shutil.copytree(_playground(config), Path(config.site_dir, playground.FOLDER), dirs_exist_ok=True)


def _beside(name: str) -> str:
    """The metadata that leaves out what would be empty beside a page, such as the other pages of a tab that has one."""
    is_entry = name.startswith("reference/") and name.count("/") == 2 and not name.endswith("/index.md")
    if name == "try.md" or (is_entry and name.startswith("reference/instructions/")):
        hidden = "navigation, toc"
    elif name == "index.md" or name.startswith("rules/") or is_entry:
        hidden = "navigation"
    else:
        return ""
    return f"---\nhide: [{hidden}]\n---\n\n"


def _playground(config: MkDocsConfig) -> Path:
    return Path(guides.ROOT, config.extra.get("playground", PLAYGROUND))


def _pictures() -> Iterator[tuple[str, Path]]:
    for folder in guides.PICTURES:
        for path in sorted((guides.ROOT / folder).iterdir()):
            yield guides.asset(path.relative_to(guides.ROOT).as_posix()), path
