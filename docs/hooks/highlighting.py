"""SPIR-V in code blocks, colored as editors color it: by the semantic tokens of the language server."""

from __future__ import annotations

from html import escape
from typing import Any

from spvls.ide.features.tokens import TYPES, WIDTH, tokens_in_lines
from spvls.ide.source.source_module import SourceModule

_CLASSES = {
    "type": "nc", "struct": "nc", "variable": "n", "parameter": "n", "function": "nf", "label": "nl", "namespace": "nn",
    "keyword": "k", "enumMember": "nb", "string": "s", "number": "m", "method": "nf", "operator": "o",
}  # fmt: skip
"""What the theme calls the types of tokens."""


def fence(source: str, language: str, css_class: str, options: dict[str, Any], md: object, **_: object) -> str:
    """A code block as the theme expects one."""
    return f'<div class="{css_class}"><pre><code class="language-{language}">{highlighted(source)}</code></pre></div>'


def highlighted(text: str) -> str:
    """A text with its words in elements of HTML."""
    module = SourceModule(text)
    lines = module.document.lines
    words: list[list[tuple[int, int, str]]] = [[] for _ in lines]
    line = column = 0
    data = tokens_in_lines(module, 0, len(lines) - 1, lambda _, column: column)
    for below, right, length, type_, _ in zip(*[iter(data)] * WIDTH, strict=True):
        line, column = line + below, right if below else column + right
        words[line].append((column, column + length, _CLASSES[TYPES[type_]]))
    return "".join(map(_line, lines, words))


def _line(line: str, words: list[tuple[int, int, str]]) -> str:
    parts: list[str] = []
    at = 0
    for start, end, class_ in words:
        parts += [escape(line[at:start]), f'<span class="{class_}">{escape(line[start:end])}</span>']
        at = end
    text = line.rstrip("\r\n")
    rest, mark, comment = text[at:].partition(";")
    parts.append(escape(rest) + (f'<span class="c1">{escape(mark + comment)}</span>' if mark else "") + line[len(text) :])
    return "".join(parts)
