"""The pages of the SPIR-V Registry, and the anchors on them: what a link may point to.

    python -m spvls.grammar.registry [--check] PATH

makes `registry.json` of the sources of these pages: PATH is a folder with `extensions/VENDOR/NAME.asciidoc`,
`nonsemantic/NAME.asciidoc` and `extended/NAME.asciidoc`. With `--check` nothing is written: the exit status is 1 when the file
differs.
"""

from __future__ import annotations

import json
import os.path
import re
import sys
from collections.abc import Iterator, Mapping
from functools import cache

from spvls.grammar.data_text import data_folder, data_text
from spvls.grammar.keys import keys
from spvls.grammar.tables import kinds
from spvls.record import NamedTuple
from spvls.text.files import read_text

ADDRESS = "https://github.khronos.org/SPIRV-Registry/"


class Page(NamedTuple):
    """The page of an extension or of an extended instruction set; `anchors` are those of entries and of operand kinds."""

    address: str
    anchors: frozenset[str]

    def at(self, *anchors: str) -> str:
        """The address of the first of the anchors that the page has, else of the page."""
        return next((f"{self.address}#{anchor}" for anchor in anchors if anchor in self.anchors), self.address)


def page(name: str) -> Page | None:
    """The page of an extension or of a set; None where none is published."""
    return _pages().get(name)


def named_extensions(name: str) -> tuple[str, ...]:
    """The extensions, any one of which brings an operand kind or an entry, where the grammar names none or too many."""
    return tuple(_document("named_extensions.json").get(name, ()))


def section_anchor(kind: str) -> str:
    """The anchor of the section on an operand kind: its name in words."""
    words = "".join(f"_{letter}" if letter.isupper() else letter for letter in kind).lstrip("_")
    return words.replace("F_P_", "FP_")


def read_sources(path: str) -> dict[str, list[str]]:
    """The anchors of each page by its path in the registry, of the sources in a folder."""
    names = {key.rpartition(".")[2] for key in keys()}
    sections = {form for kind in kinds() for form in (section_anchor(kind.name), section_anchor(kind.name).lower())}
    found = {}
    for file in _sources(path):
        text = read_text(os.path.join(path, file))
        anchors = dict.fromkeys(re.findall(r"\[\[([\w.-]+)\]\]", text))
        kept = [anchor for anchor in anchors if anchor in sections or anchor.removeprefix("bookmark-") in names]
        found[file.removesuffix(".asciidoc")] = kept
    return found


def _sources(path: str) -> Iterator[str]:
    from glob import iglob  # for those who make the file

    for pattern in ("extensions/*/*.asciidoc", "nonsemantic/*.asciidoc", "extended/*.asciidoc"):
        yield from sorted(file.replace(os.sep, "/") for file in iglob(pattern, root_dir=path))


def _written(pages: Mapping[str, list[str]]) -> str:
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(anchors)}" for name, anchors in pages.items())
    return f"{{\n{lines}\n}}\n"


@cache
def _document(name: str) -> dict[str, list[str]]:
    document: dict[str, list[str]] = json.loads(data_text(name))
    return document


@cache
def _pages() -> dict[str, Page]:
    found: dict[str, Page] = {}
    for place, anchors in _document("registry.json").items():
        found[place.rpartition("/")[2]] = Page(f"{ADDRESS}{place}.html", frozenset(anchors))
    return found


def main() -> int:
    import argparse  # for those who make the file

    parser = argparse.ArgumentParser(prog="python -m spvls.grammar.registry", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing, and say whether the file differs")
    parser.add_argument("path", help="the folder of the registry")
    options = parser.parse_args()
    text = _written(read_sources(options.path))
    file = os.path.join(data_folder(), "registry.json")
    if options.check:
        return int(text != read_text(file))
    with open(file, "w", encoding="utf-8") as stream:
        stream.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
