"""The Markdown of the documentation, as a terminal shows it."""

from __future__ import annotations

import re
import textwrap

BOLD, ITALIC, STRUCK, CODE, PLAIN = "\x1b[1m", "\x1b[3m", "\x1b[9m", "\x1b[36m", "\x1b[0m"

WIDTH = 100
"""Columns that a text fills at most."""

_FENCE = re.compile(r"(?ms)^```.*?^```$")
_SPAN = re.compile(r"`(?P<code>[^`]+)`|\*\*(?P<bold>[^*]+)\*\*|\*(?=\S)(?P<italic>[^*]+?)(?<=\S)\*|~~(?P<struck>[^~]+)~~")
_LINK = re.compile(r"\[([^]]+)\]\((https?://[^)\s]+)\)")
_ITEM = re.compile(rf"(?m)^- {_LINK.pattern}$")
_STYLES = {"code": CODE, "bold": BOLD, "italic": ITALIC, "struck": STRUCK}


def render(text: str, width: int, *, color: bool) -> str:
    """A title, paragraphs, lists and code blocks, wrapped at `width`.

    With color, emphasis and code are set off by it; without, by the marks that Markdown has for them. A paragraph that is a
    link is shown as its address, an item of a list that is one with it, other links as their text.
    """
    shown: list[str] = []
    end = 0
    for fence in _FENCE.finditer(text):
        shown += _blocks(text[end : fence.start()], width, color)
        shown.append(_code(fence[0], color))
        end = fence.end()
    return "\n\n".join([*shown, *_blocks(text[end:], width, color)])


def _blocks(text: str, width: int, color: bool) -> list[str]:
    shown = []
    for block in filter(None, text.strip("\n").split("\n\n")):
        link = _LINK.fullmatch(block)
        block = link[2] if link is not None else _LINK.sub(r"\1", _ITEM.sub(_item, block))
        if block.startswith("# "):
            shown.append(f"{BOLD}{block[2:]}{PLAIN}" if color else block[2:])
        elif block.startswith("- "):
            shown.append("\n".join(_wrapped(item, width, color, "  ") for item in block.split("\n")))
        else:
            shown.append(_wrapped(block, width, color, ""))
    return shown


def _item(item: re.Match[str]) -> str:
    """An item that is a link: its text and its address, which alone says enough where it ends with the text."""
    text, address = item.groups()
    return f"- {address}" if address.endswith(f"#{text}") else f"- {text}: {address}"


def _wrapped(text: str, width: int, color: bool, indent: str) -> str:
    lines = textwrap.wrap(text, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
    return _SPAN.sub(_styled, "\n".join(lines)) if color else "\n".join(lines)


def _styled(span: re.Match[str]) -> str:
    style = span.lastgroup or ""
    return f"{_STYLES[style]}{span[style]}{PLAIN}"


def _code(fence: str, color: bool) -> str:
    lines = fence.split("\n")[1:-1]
    return "\n".join(f"    {CODE}{line}{PLAIN}" if color else f"    {line}" for line in lines)
