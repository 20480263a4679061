"""Languages whose modules stand in blocks of whole lines, between a line that opens and one that closes."""

from __future__ import annotations

import re
from collections.abc import Sequence

from spvls.grammar.environments import environments
from spvls.host.line_class import embedded
from spvls.host.reader import OUTSIDE, REMARK, environment_above, remarked
from spvls.host.span import Form, ModuleSpan
from spvls.record import NamedTuple

OPENING, CLOSING = "o", "e"

_BLOCK = re.compile(f"{OPENING}([^{OPENING}{CLOSING}{OUTSIDE}{REMARK}]*)({CLOSING}?)").finditer


class BlockSyntax(NamedTuple):
    """`opening` is searched for in lines outside of blocks; its group `env` is the environment, and `name` the name of the
    module. `closing` is searched for in the lines that follow, in which `{fence}` stands for the group `fence` of what
    opened. `ends_anywhere` where the closing word may stand in any column, and what stands before it is the module's.
    Lines of `other` open blocks that hold something else. `default` is the environment that the tools of the language take.
    With `may_be_part` a block without a memory model is a fragment.
    """

    opening: re.Pattern[str]
    closing: str
    other: re.Pattern[str] | None = None
    ends_anywhere: bool = False
    default: str | None = None
    may_be_part: bool = False
    form: Form = Form.MODULE


class Blocks:
    """The reader of a language with blocks. The state is the expression that closes the block, after a mark that says whether
    it holds a module."""

    borders = frozenset(OPENING + CLOSING + REMARK)
    passive = frozenset(OUTSIDE)

    def __init__(self, syntax: BlockSyntax) -> None:
        self._syntax = syntax

    def read(self, state: str, line: str) -> tuple[str, str]:
        syntax = self._syntax
        if state:
            is_module, closing = state[0] == "+", state[1:]
            match = re.search(closing, line)
            if match is None:
                return state, embedded(line) if is_module else OUTSIDE
            if not syntax.closing.startswith("(?="):
                return "", CLOSING if is_module else OUTSIDE
        for pattern, mark in ((syntax.opening, "+"), (syntax.other, "-")):
            match = pattern.search(line) if pattern is not None else None
            if match is not None:
                fence = match.groupdict().get("fence") or ""
                closing = syntax.closing.replace("{fence}", re.escape(fence))
                return mark + closing, OPENING if mark == "+" else OUTSIDE
        return "", REMARK if remarked(line) is not None else OUTSIDE

    def ordinary(self, text: str, at: int) -> int:
        return at

    def cut(self, lines: Sequence[str], classes: str, states: Sequence[str]) -> list[ModuleSpan]:
        return [self._span(lines, classes, *match.span(1), bool(match[2])) for match in _BLOCK(classes)]

    def _span(self, lines: Sequence[str], classes: str, first: int, end: int, has_closing: bool) -> ModuleSpan:
        syntax = self._syntax
        match = syntax.opening.search(lines[first - 1])
        groups = match.groupdict() if match is not None else {}
        named = groups.get("env")
        column, end_column = 0, None
        if syntax.ends_anywhere and has_closing:
            closing = re.search(syntax.closing, lines[end])
            if closing is not None and lines[end][: closing.start()].strip():
                end, end_column = end + 1, closing.start()
        form = syntax.form
        inner = classes[first:end]
        if form is Form.MODULE and syntax.may_be_part and "M" not in inner:
            form = Form.FRAGMENT
        is_closed = has_closing or end < len(lines) or syntax.closing.startswith("(?=")
        if not is_closed:
            form = Form.FRAGMENT
        environment = named if named in environments() else environment_above(lines, classes, first)
        return ModuleSpan(
            first,
            max(end, first),
            column,
            end_column,
            form,
            False,
            environment,
            syntax.default,
            groups.get("name") or "",
            is_closed,
        )


AMBER = Blocks(
    BlockSyntax(
        re.compile(
            r"^[ \t]*SHADER[ \t]+\w+[ \t]+(?P<name>\S+)[ \t]+SPIRV-ASM(?:[ \t]+TARGET_ENV[ \t]+(?P<env>\S+))?[ \t]*(?:#.*)?[\r\n]*$"
        ),
        "END",
        other=re.compile(r"^[ \t]*SHADER[ \t]+\w+[ \t]+\S+[ \t]+(?:GLSL|HLSL|SPIRV-HEX|OPENCL-C)\b"),
        ends_anywhere=True,
        default="spv1.0",
    )
)

VKRUNNER = Blocks(
    BlockSyntax(
        re.compile(r"^\[(?P<name>[\w ]+) shader spirv\]"),
        r"(?=^\[)^\[",
        other=re.compile(r"^\[[\w ]+\]"),
        default="spv1.0",
    )
)

MARKDOWN = Blocks(
    BlockSyntax(
        re.compile(
            r"^[ \t>]*(?P<fence>```+|~~~+)[ \t]*\{?\.?(?:spirv|spvasm|spir-v|spirv-asm)\b"
        r"(?:[^`\r\n]*?target-env=\"?(?P<env>[\w.]+))?[^`\r\n]*[\r\n]*$",
            re.IGNORECASE,
        ),
        r"^[ \t>]*{fence}+[ \t]*[\r\n]*$",
        other=re.compile(r"^[ \t>]*(?P<fence>```+|~~~+)[^`\r\n]*[\r\n]*$"),
        may_be_part=True,
    )
)

SLANG = Blocks(
    BlockSyntax(
        re.compile(r"\bspirv_asm\b[^{;]*\{[ \t]*(?:(?:;|//).*)?[\r\n]*$"),
        r"^[^\"]*\}",
        form=Form.DIALECT,
    )
)
