"""Parsers of arguments that are not plain, and what they say to people."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, HelpFormatter
from functools import lru_cache

from spvls.cli.console import columns
from spvls.text.escaping import log_lines, visible
from spvls.typed import Any, NoReturn


class Parser(ArgumentParser):
    """Says what is wrong with arguments in visible characters; its subcommands do so too."""

    def __init__(self, prog: str, formatter_class: Any = None, **settings: Any) -> None:
        super().__init__(prog, formatter_class=formatter_class or _Formatter, **settings)

    def error(self, message: str) -> NoReturn:
        super().error(log_lines(visible(message)))


class _Formatter(HelpFormatter):
    """Help as wide as the terminal. argparse makes one for every argument, and would import `shutil` for its width."""

    def __init__(self, prog: str, **settings: Any) -> None:
        super().__init__(prog, max_help_position=34, width=_width() - 2, **settings)


@lru_cache(maxsize=1)
def _width() -> int:
    return columns(sys.stdout) or 80
