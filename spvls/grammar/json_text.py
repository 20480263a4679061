"""JSON of the data files, read without the module `json`: it compiles six expressions when it is imported, and then C reads."""

from __future__ import annotations

from spvls.typed import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

_SPACE = " \t\n\r"


class _Plain:
    """What `json.JSONDecoder` says to the reader."""

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
