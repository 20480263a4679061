"""argparse, whose words nobody translates: without `gettext` and `locale`, which it would look for translations with."""

from __future__ import annotations

import sys

from spvls.typed import TYPE_CHECKING

if TYPE_CHECKING or "argparse" in sys.modules or "gettext" in sys.modules:
    from argparse import ArgumentParser, HelpFormatter
else:
    from types import SimpleNamespace

    sys.modules["gettext"] = SimpleNamespace(gettext=str, ngettext=lambda one, many, count: one if count == 1 else many)
    try:
        from argparse import ArgumentParser, HelpFormatter
    finally:
        del sys.modules["gettext"]

__all__ = ["ArgumentParser", "HelpFormatter"]
