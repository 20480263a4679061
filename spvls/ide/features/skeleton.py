"""Modules to begin with: what completion offers in an empty text."""

from __future__ import annotations

import re
from functools import cache

from spvls.grammar.data_text import data_names, data_text
from spvls.grammar.records import Version
from spvls.record import NamedTuple

_FOR_VERSIONS = re.compile(r" ; (since|before) (\d+)\.(\d+)$")
_HOLE = re.compile(r"\$\{?(?P<number>\d+)(?::(?P<word>.*?)\})?")
_KERNEL_APIS = frozenset({"opencl", "opencl_embedded"})


class Skeleton(NamedTuple):
    """`title` says the kind of module, `detail` what is in it; `lines` have the holes of a snippet."""

    title: str
    detail: str
    lines: tuple[str, ...]

    def snippet(self, version: Version) -> str:
        """The text for a version of SPIR-V, with `${1:…}` holes."""
        return "\n".join(line for raw in self.lines if (line := _of_version(raw, version)) is not None)

    def text(self, version: Version) -> str:
        """The text for a version of SPIR-V, without holes."""
        snippet = self.snippet(version)
        words = {found["number"]: found["word"] for found in _HOLE.finditer(snippet) if found["word"] is not None}
        return _HOLE.sub(lambda found: words.get(found["number"], ""), snippet)

    def suits(self, api: str) -> bool:
        """Whether modules of this kind are for a client API."""
        return (api in _KERNEL_APIS) is self.title.endswith("kernel")


@cache
def skeletons() -> tuple[Skeleton, ...]:
    """All of them, in the order of their names."""
    return tuple(_skeleton(data_text(name)) for name in data_names("skeletons"))


def _skeleton(text: str) -> Skeleton:
    head, *lines = text.splitlines()
    title, _, detail = head.removeprefix("; ").partition(": ")
    return Skeleton(title, detail, tuple(lines))


def _of_version(line: str, version: Version) -> str | None:
    found = _FOR_VERSIONS.search(line)
    if found is None:
        return line
    is_since = version >= (int(found[2]), int(found[3]))
    return line[: found.start()] if is_since is (found[1] == "since") else None
