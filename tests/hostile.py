"""Text that does harm where it is taken for more than text, modules and settings full of it, and what tells that it did none."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Any

from markdown_it import MarkdownIt

MARK = "EVIL"
"""Stands in all hostile text, and nowhere else."""

HARM = (
    f"{MARK}\x1b[2J\x1b[35m\x1b]0;title\x07\x08\x9b1m\x7f\u202e\u2066\u200b\u3164\U000e0041`![i](http://{MARK}.example/i.png)"
    f"``[l](command:{MARK})<img src=x onerror={MARK}>&lt;##[add-mask]{MARK}##vso[task.complete]]]>\r--></svg>\n"
    f"::add-mask::{MARK}\n\n# {MARK}\n```\n![i](http://{MARK}.example)"
)
"""What a string of a module, a file name, an argument or a setting can hold."""

WORD = f"{MARK}\x1b[2J\u202e\u200b`![i](http://{MARK}.example)`<img/src=x>##[add-mask]x"
"""The same without white space and marks that end words of the text."""

BLANK = {chr(code) for code in (0x34F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0)}


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def sound_module(harm: str = HARM) -> str:
    """A module that assembles, with hostile text in all its strings."""
    name = _quoted(harm)
    names = ("main", "block", "value", "constant", "struct", "buffer", "ubo", "loop", "body", "void", "position")
    return f"""; {WORD}
OpCapability Shader
OpCapability Linkage
OpExtension {name}
%set = OpExtInstImport {_quoted("NonSemantic." + harm)}
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main {name} %position
OpExecutionMode %main OriginUpperLeft
%file = OpString {name}
OpSource GLSL 450 %file {name}
OpSourceExtension {name}
{"".join(f"OpName %{one} {name}{chr(10)}" for one in names)}OpMemberName %struct 0 {name}
OpModuleProcessed {name}
OpDecorate %struct Block
OpMemberDecorate %struct 0 Offset 0
OpMemberDecorateString %struct 0 UserSemantic {name}
OpDecorateString %value UserSemantic {name}
OpDecorate %helper LinkageAttributes {name} Export
OpDecorate %ubo DescriptorSet 0
OpDecorate %ubo Binding 0
OpDecorate %position Location 0
OpDecorate %constant SpecId 1
%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%float = OpTypeFloat 32
%constant = OpSpecConstant %float 1
%true = OpConstantTrue %bool
%struct = OpTypeStruct %float
%pointer = OpTypePointer Uniform %struct
%input = OpTypePointer Input %float
%ubo = OpVariable %pointer Uniform
%position = OpVariable %input Input
%main = OpFunction %void None %fn
%block = OpLabel
%value = OpLoad %float %position
%ext = OpExtInst %void %set 1 %value
OpLine %file 1 1
OpSelectionMerge %body None
OpBranchConditional %true %loop %body
%loop = OpLabel
%called = OpFunctionCall %void %helper
OpBranch %body
%body = OpLabel
OpReturn
OpFunctionEnd
%helper = OpFunction %void None %fn
%only = OpLabel
OpReturn
OpFunctionEnd
"""


def faulty_module(harm: str = HARM) -> str:
    """The same with mistakes that findings speak of, in the words of the text."""
    mistakes = f"""OpCapability {WORD}
Op{WORD} %x
%{WORD} = OpTypeInt 32 0
OpDecorate %{WORD} Location {WORD}
OpExtension {_quoted(harm)}
OpName %nowhere {_quoted(harm)}
OpName %main {_quoted(harm)}
%set2 = OpExtInstImport {_quoted(harm)}
%y = OpExtInst %void %set2 {WORD} %x
%z = OpConstant %float {WORD}
OpEntryPoint Fragment %nowhere {_quoted(harm)} %{WORD}
"""
    return f"; spvls: target-env={WORD} ignore[{WORD}]\n{sound_module(harm)}{mistakes}\x00{WORD}"


CONFIGURATION = "".join(
    f"{line}\n"
    for harm in [HARM.encode("unicode_escape").decode().replace("\\x", "\\u00").replace('"', '\\"')]
    for line in (
        f'target-env = "{harm}"',
        f'"{harm}" = 1',
        f'[options]\n"{harm}" = "{harm}"',
        f'[rules]\n"{harm}" = "{harm}"\n"syntax/*" = "{harm}"',
        f'[device]\nversion = "{harm}"\nfeatures = ["{harm}"]\nextensions = ["{harm}"]',
    )
)
"""A `spvls.toml` with hostile keys and values."""

OWN_COLORS = re.compile(r"\x1b\[(?:0|1|2|3|9|1;3[0-6]|3[1-6])m|\r\x1b\[K")
"""Colors of findings, listings and documentation, and the line of progress. Hostile text has another color."""

FILE_NAME = f"{MARK}\x1b[2J\u202e`![i](http:)`<b>%25,:\n::add-mask::{MARK}\udcff.spvasm"


def hidden(text: str) -> list[str]:
    """Characters that are not to be seen, or that act on what is around them."""
    return [
        mark
        for at, mark in enumerate(text)
        if (mark in BLANK or unicodedata.category(mark) in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp"))
        and not (mark in "\n\t" or text[at : at + 2] == "\r\n")
    ]


def commands(text: str) -> list[str]:
    """Lines that the runners of GitHub Actions and Azure Pipelines take for commands."""
    return [line for line in text.splitlines() if line.lstrip().startswith("::") or re.search(r"##\w*\[", line)]


def strings(value: Any, leave: frozenset[str] = frozenset()) -> Iterator[str]:
    """The strings in a value of JSON, keys included; fields named in `leave` are left out."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for part in value:
            yield from strings(part, leave)
    elif isinstance(value, dict):
        for key, part in value.items():
            if key not in leave:
                yield key
                yield from strings(part, leave)


def live_markdown(markdown: str) -> list[str]:
    """What of hostile text is more than code, or left its code, once Markdown is rendered."""
    found = []
    for token in MarkdownIt("commonmark", {"html": True}).enable("strikethrough").parse(markdown):
        for part in [token, *(token.children or ())]:
            harmful = part.type in ("image", "html_inline", "html_block") or any(MARK in str(value) for value in part.attrs.values())
            if harmful or (MARK in part.content and part.type not in ("inline", "code_inline", "fence")):
                found.append(f"{part.type}: {part.content} {part.attrs}")
    return found
