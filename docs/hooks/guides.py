"""The documents of the repository as pages of the site, their links led to pages where there are some."""

from __future__ import annotations

import posixpath
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_ADDRESSES = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["urls"]
REPOSITORY: str = _ADDRESSES["Repository"]
SITE: str = _ADDRESSES["Documentation"]

PICTURES = ("editors/vscode/images", "editors/web/images")
"""The folders of pictures that the site takes."""

_TOP = ("ARCHITECTURE", "CHANGELOG", "CONTRIBUTING", "RELEASING", "SECURITY")
_EDITORS = ("vscode", "neovim", "emacs", "helix", "kate", "sublime", "zed", "tree-sitter-spirv", "web")

PAGES = {
    "README.md": "index.md",
    **{f"{name}.md": f"project/{name.lower()}.md" for name in _TOP},
    "editors/README.md": "editors/index.md",
    **{f"editors/{name}/README.md": f"editors/{name}.md" for name in _EDITORS},
}
"""Documents, and the pages that they become."""

_FENCED = re.compile(r"^([ ]*(?:```|~~~).*?^[ ]*(?:```|~~~)[ ]*$)", re.MULTILINE | re.DOTALL)
_TARGET = re.compile(r"(\]\(|^\[[^]]+\]: )([^)\s]+)", re.MULTILINE)
_RAW = REPOSITORY.replace("https://github.com/", "https://raw.githubusercontent.com/") + "/main/"
_MARKER = re.compile(r"( *)([-*]|\d+\.)( +)(?=\S)")
_FENCE = re.compile(r" *(```|~~~)")


def pages() -> Iterator[tuple[str, str]]:
    """Names and contents of the pages."""
    for document, page in PAGES.items():
        text = (ROOT / document).read_text(encoding="utf-8")
        parts = _FENCED.split(text)
        parts[::2] = [_TARGET.sub(lambda found, at=document: found[1] + _address(found[2], at), part) for part in parts[::2]]
        yield page, as_python_markdown("".join(parts))


def asset(picture: str) -> str:
    """Where a picture of the repository is on the site."""
    return f"assets/{picture}"


def _address(target: str, document: str) -> str:
    """Where a link of a document leads to on the site, or else in the repository."""
    path, mark, anchor = target.partition("#")
    for own in (f"{REPOSITORY}/blob/main/", f"{REPOSITORY}/tree/main/", _RAW):
        if path.startswith(own):
            path = path.removeprefix(own)
            break
    else:
        if not path or ":" in path:
            return target
        path = posixpath.normpath(posixpath.join(posixpath.dirname(document), path))
    home = posixpath.dirname(PAGES[document])
    page = PAGES.get(path) or PAGES.get(f"{path}/README.md")
    if page is not None:
        return posixpath.relpath(page, home or ".") + mark + anchor
    if path.startswith(PICTURES):
        return posixpath.relpath(asset(path), home or ".")
    return f"{REPOSITORY}/{'tree' if (ROOT / path).is_dir() else 'blob'}/main/{path}{mark}{anchor}"


def as_python_markdown(text: str) -> str:
    """A text of CommonMark as the parser of MkDocs reads it: what belongs to an item of a list is indented by four for each level,
    and an empty line stands before a list."""
    lines: list[str] = []
    offsets: list[int] = []  # columns at which the contents of the open items begin
    is_fenced = False
    for line in text.split("\n"):
        indent = len(line) - len(line.lstrip(" "))
        if line.strip() and not is_fenced:
            while offsets and indent < offsets[-1]:
                offsets.pop()
        within = offsets[-1] if offsets else 0
        shown = " " * (4 * len(offsets) + max(indent - within, 0)) + line.lstrip(" ") if line.strip() else ""
        marker = None if is_fenced else _MARKER.match(line)
        if marker is not None and indent - within < 4:
            if lines and lines[-1].strip() and not _MARKER.match(lines[-1]) and not lines[-1].startswith(" "):
                lines.append("")
            offsets.append(marker.end())
        is_fenced ^= _FENCE.match(line) is not None
        lines.append(shown)
    return "\n".join(lines)
