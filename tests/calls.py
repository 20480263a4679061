"""Calls of functions, counted."""

from __future__ import annotations

from typing import Any

import pytest


def counted(monkeypatch: pytest.MonkeyPatch, owner: object, name: str) -> list[tuple[Any, ...]]:
    """The positional arguments of each call of a function of a module or a class from now on; the list grows."""
    calls: list[tuple[Any, ...]] = []
    called = getattr(owner, name)

    def noted(*arguments: Any, **named: Any) -> Any:
        calls.append(arguments)
        return called(*arguments, **named)

    monkeypatch.setattr(owner, name, noted)
    return calls
