"""The texts of the data folder, which an installed package has in fewer files: most of them in one, and large ones compressed, with
bytes for frequent words; and what they say as JSON."""

from __future__ import annotations

import os.path
from codecs import charmap_decode
from functools import cache

from spvls.typed import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

PACKED = "packed.txt"
"""The file of an installed package that holds others."""

SINGLE = 146
"""How many words of a compressed text are single bytes."""


def data_folder() -> str:
    """The folder with the data: beside this module when installed, at the top of the repository else."""
    here = os.path.dirname(os.path.abspath(__file__))
    installed = os.path.join(here, "data")
    if os.path.isdir(installed):
        return installed
    return os.path.join(os.path.dirname(os.path.dirname(here)), "grammar")


def data_text(name: str) -> str:
    """The text of a file of the data folder, from `packed.txt` or `NAME.bz2` where that is; empty where it is in the latter and
    Python was built without bz2.

    Raises FileNotFoundError when there is none of these.
    """
    path = os.path.join(data_folder(), *name.split("/"))
    if os.path.exists(path):
        with open(path, encoding="utf-8") as stream:
            return stream.read()
    if name in _packed():
        return _packed()[name]
    if not os.path.exists(f"{path}.bz2"):
        raise FileNotFoundError(path)
    try:
        import bz2
    except ImportError:
        return ""
    with bz2.open(f"{path}.bz2") as compressed:
        return spelled(compressed.read())


def spelled(coded: bytes) -> str:
    """A text in which words, which its first line has, are single bytes, from 14 to 31 and from 128 on, or two, one of 2 to 8 and
    one from 128 on; and 1 stands before a letter that is a capital one. Tabs, and all characters that break lines or pages, are
    themselves."""
    listed, _, text = coded.partition(b"\n")
    *words, rare = listed.split(b" ", SINGLE)
    pairs = rare.split(b" ")
    for lead in range(2, 9):
        first, *others = text.split(bytes((lead,)))
        text = first + b"".join([pairs[128 * (lead - 3) + part[0]] + part[1:] for part in others])
    known = iter(words)
    table = dict(enumerate(next(known).decode() if 13 < byte < 32 or byte > 127 else chr(byte) for byte in range(256)))
    head, *tails = charmap_decode(text, "strict", table)[0].split("\x01")
    return head + "".join([tail[0].upper() + tail[1:] for tail in tails])


def data_names(folder: str) -> list[str]:
    """The names, with that of the folder, of the files of a folder of the data folder, in order."""
    path = os.path.join(data_folder(), folder)
    if os.path.isdir(path):
        return sorted(f"{folder}/{name}" for name in os.listdir(path))
    return [name for name in _packed() if name.startswith(f"{folder}/")]


def parts(text: str) -> dict[str, str]:
    """The files of a text that holds several, by name: each after a form feed and its name."""
    files = (part.partition("\n") for part in text.split("\f")[1:])
    return {name: contents for name, _, contents in files}


@cache
def _packed() -> dict[str, str]:
    path = os.path.join(data_folder(), PACKED)
    if not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8") as stream:
        return parts(stream.read())


_SPACE = " \t\n\r"


class _Plain:
    """What `json.JSONDecoder` says to the reader in C. The module `json` compiles six expressions when it is imported."""

    strict = True
    object_hook = object_pairs_hook = array_hook = None
    parse_float = parse_constant = float
    parse_int = int


_scan: Callable[[str, int], tuple[Any, int]] | None
try:
    from _json import make_scanner

    _scan = make_scanner(_Plain)  # type: ignore[arg-type]
except (ImportError, AttributeError, TypeError):  # another Python than that of C, or another reader
    _scan = None


def loads(text: str) -> Any:
    """As `json.loads`, of a text; raises what that does."""
    if _scan is not None:
        try:
            value, end = _scan(text, len(text) - len(text.lstrip(_SPACE)))
        except StopIteration:
            end = 0
        if end and not text[end:].strip(_SPACE):
            return value
    import json

    return json.loads(text)
