"""How text of a module, a file name, an argument or a setting is written where a reader gives characters a meaning.

One function for each kind of reader: terminals and logs, GitHub workflow commands, JSON, Markdown, notifications of editors,
XML, Mermaid, DOT. All but `json_text` show control characters, characters that change the direction of text, and characters
that are not to be seen as escapes (`\\x1b`, `\\u202e`).
"""

from __future__ import annotations

from spvls.text.pattern import pattern
from spvls.typed import Any

#: What `str.isprintable` takes for printable although nothing is to be seen of it.
_BLANK = pattern(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U0001d159\U000e0100-\U000e01ef]"
)
_STYLING = pattern("(\x1b\\[[0-9;]*m)")
_SHORT = {"\t": "\\t", "\n": "\\n", "\r": "\\r"}

#: Where a log begins a command: `::` at the start of a line (GitHub), and `##[`, `##vso[` or the like anywhere (GitHub, Azure).
_COMMAND = pattern(r"(?m)^(\s*):(?=:)|#(#(?=\w*\[))")

_LINES = pattern(r"[^\r\n]+")
_BACKTICKS = pattern("`+")

_XML = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;", "#": "&#35;"})
_DOT = str.maketrans({"\\": "\\\\", '"': '\\"', "&": "&amp;", "#": "&#35;"})


def visible(text: str) -> str:
    """A text as one line in which every character can be seen. An octet that is not UTF-8, held as a lone surrogate, is
    shown as `\\xff`."""
    if text.isprintable() and (text.isascii() or _BLANK.search(text) is None):
        return text
    return "".join([mark if mark.isprintable() and not _BLANK.match(mark) else _escape(mark) for mark in text])


def visible_lines(text: str) -> str:
    """As `visible`, but line breaks and tabs stay."""
    if text.isprintable() and text.isascii():
        return text
    *lines, last = text.split("\n")
    return "\n".join([*map(_line, lines), "\t".join(map(visible, last.split("\t")))])


def styled_lines(text: str) -> str:
    """As `visible_lines`, but the sequences that color a text stay; what is colored must have been made visible before."""
    return "".join([part if at % 2 else visible_lines(part) for at, part in enumerate(_STYLING.split(text))])


def log_lines(text: str) -> str:
    """Lines of which a log of continuous integration takes none for a command."""
    if "::" not in text and "##" not in text:
        return text
    return _COMMAND.sub(lambda found: f"#\\x23{found[2][1:]}" if found[2] else f"{found[1]}\\x3a", text)


def _line(line: str) -> str:
    """A line before its break, of which a carriage return may be a part."""
    end = "\r" if line.endswith("\r") else ""
    return "\t".join(map(visible, line.removesuffix("\r").split("\t"))) + end


def _escape(mark: str) -> str:
    code = ord(mark)
    if mark in _SHORT:
        return _SHORT[mark]
    if code < 0x80:
        return f"\\x{code:02x}"
    if 0xDC80 <= code <= 0xDCFF:
        return f"\\x{code - 0xDC00:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


# Workflow commands of GitHub, which decodes these characters and no others


def workflow_data(text: str) -> str:
    """What stands after the `::` that closes a workflow command."""
    return _workflow(text, "%\r\n")


def workflow_property(text: str) -> str:
    """The value of a property of a workflow command."""
    return _workflow(text, "%\r\n:,")


def _workflow(text: str, special: str) -> str:
    """Line breaks reach GitHub as they are."""
    shown = _LINES.sub(lambda part: visible(part[0]), text)
    for mark in special:
        shown = shown.replace(mark, f"%{ord(mark):02X}")
    return shown


# JSON


def json_text(value: Any, indent: int | None = None) -> str:
    """A value as JSON in printable ASCII, its strings exact. No string in it is a command to a log."""
    import json

    return json.dumps(value, indent=indent).replace("\x7f", "\\u007f").replace("##", "#\\u0023")


# Markdown


def code_span(text: str) -> str:
    """A text as code on one line, whatever backticks it has (CommonMark 6.1)."""
    shown = visible(text) or " "
    fence = "`" * (max(map(len, _BACKTICKS.findall(shown)), default=0) + 1)
    padding = " " if shown.startswith("`") or shown.endswith("`") or (shown[0] == shown[-1] == " " and shown.strip()) else ""
    return f"{fence}{padding}{shown}{padding}{fence}"


def code_block(text: str, language: str) -> str:
    """Lines of code, whatever backticks they have (CommonMark 4.5)."""
    fence = "`" * max(3, max(map(len, _BACKTICKS.findall(text)), default=0) + 1)
    return f"{fence}{language}\n{visible_lines(text).rstrip()}\n{fence}"


def code_link(text: str, address: str | None) -> str:
    """Code that leads to an address of the project's own making; without one, the code alone."""
    return code_span(text) if address is None else link(code_span(text), address)


def link(text: str, address: str) -> str:
    """Words, not of a module, that lead to an address, not of a module."""
    return f"[{text}]({address})"


def strong(text: str) -> str:
    """Words, not of a module, in bold."""
    return f"**{text}**"


def emphasis(text: str) -> str:
    """Words, not of a module, in italics."""
    return f"*{text}*"


def struck(text: str) -> str:
    """Words, not of a module, struck out."""
    return f"~~{text}~~"


_PLAIN = pattern(r"[A-Za-z%][A-Za-z0-9 %,.;:?'()/=+-]*")
_AUTOLINK = pattern(r"://|www\.|:\w+:")


def sentence(text: str) -> str:
    """Words as they are where Markdown gives no part of them a meaning, else as code (CommonMark 6)."""
    return text if _PLAIN.fullmatch(text) and not _AUTOLINK.search(text) else code_span(text)


def notification(text: str) -> str:
    """A message that an editor shows to its user, and in which VS Code would make links of `[text](address)`."""
    return visible_lines(text).replace("](", "] (")


# Pictures and the languages of tools that draw them


def xml_text(text: str) -> str:
    """Text of an element of XML, or of an attribute between quotes."""
    return visible(text).translate(_XML)


def xml_element(name: str, attributes: dict[str, str], *children: str) -> str:
    """An element of XML by a name of the project's own, around text from `xml_text` or around elements, one a line."""
    given = "".join(f' {key}="{xml_text(value)}"' for key, value in attributes.items())
    if not children:
        return f"<{name}{given}/>"
    inner = "\n".join(children)
    return f"<{name}{given}>\n{inner}\n</{name}>" if inner.startswith("<") else f"<{name}{given}>{inner}</{name}>"


def mermaid_string(*lines: str) -> str:
    """Lines as a string of Mermaid, in which characters with a meaning are given by their numbers."""
    return '"' + "<br>".join("".join(map(_mermaid, visible(line))) for line in lines) + '"'


def _mermaid(mark: str) -> str:
    return mark if mark.isalnum() or mark in " %_.,:·-" else f"#{ord(mark)};"


def dot_string(*lines: str) -> str:
    """Lines as a string of DOT, whose labels may have entities of HTML."""
    return '"' + "\\n".join(visible(line).translate(_DOT) for line in lines) + '"'
