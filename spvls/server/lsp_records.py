"""The records of lsprotocol, each completed when it is first used.

`lsprotocol.types` defines some 550 classes, and attrs compiles the methods of each; a session uses a tenth of them. That was half
of the time from the start of the server to its answer to `initialize`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import RLock
from typing import Any

import attrs

_lock = RLock()
_define = attrs.define


class _Fields:
    """Stands for the fields of a record that is not complete yet: who asks for them has it completed."""

    def __get__(self, _: object, owner: type) -> Any:
        for base in owner.__mro__:
            _complete(base)
        return owner.__attrs_attrs__  # type: ignore[attr-defined]


def _init(self: Any, *args: Any, **kwargs: Any) -> None:
    for base in type(self).__mro__:
        _complete(base)
    type(self).__init__(self, *args, **kwargs)


def is_pending(record: type) -> bool:
    """Whether a record is not complete yet."""
    return isinstance(vars(record).get("__attrs_attrs__"), _Fields)


def _complete(record: Any) -> None:
    with _lock:
        if not is_pending(record):
            return
        del record.__attrs_attrs__, record.__init__
        _define(record, slots=False)  # with slots it would be another class
        names = vars(sys.modules[record.__module__])
        attrs.resolve_types(record, names, {})


def _defined_later(record: Any = None, **options: Any) -> Any:
    """As `attrs.define`."""
    if record is None or options:
        return _define(record, **options)
    record.__attrs_attrs__ = _Fields()
    record.__init__ = _init
    return record


@contextmanager
def _defining_later() -> Iterator[None]:
    attrs.define = _defined_later  # type: ignore[assignment]
    try:
        yield
    finally:
        attrs.define = _define


def load() -> None:
    """Import `lsprotocol.types`, unless somebody has."""
    if "lsprotocol.types" in sys.modules:
        return
    with _defining_later():
        import lsprotocol.types  # noqa: F401
    from lsprotocol import _hooks

    # It would resolve the types of all records, which completes them; `_complete` resolves those of each.
    _hooks._resolved_forward_references = True
