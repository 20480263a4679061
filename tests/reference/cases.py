"""Modules to ask both sides about: the project's own, and those that files of recorded cases hold."""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

from spvls.grammar.environments import DEFAULT, environments
from spvls.syntax.header import read_header
from tests.corpus import BINARIES, ROOT
from tests.validate.cases import Case as Marked
from tests.validate.cases import case_files, read_cases, settings

WITNESSES = Path(__file__).with_name("witnesses")
"""Cases for sites that no other module of the project reaches, by the file of the sources; the title is the site."""

_MAGIC_AS_DIGITS = "07230203"


@dataclass(frozen=True, slots=True)
class Case:
    """A module and what it is checked for. `own` says that it is the project's, which `name` leads to: a path from the root,
    with `#ID` for a part of a file. `assembled_for` is the environment that a text is assembled for, None where it is `env`."""

    name: str
    module: str | bytes
    env: str
    options: Mapping[str, Any] = field(default_factory=dict)
    assembled_for: str | None = None
    preserve_numeric_ids: bool = False
    own: bool = False


_INHERITANCE = """\
               OpCapability Shader
               OpCapability Linkage
         %10 = OpExtInstImport "NonSemantic.Shader.DebugInfo.100"
               OpMemoryModel Logical GLSL450
         %11 = OpString "name"
       %void = OpTypeVoid
        %u32 = OpTypeInt 32 0
          %1 = OpConstant %u32 1
         %12 = OpConstant %u32 2
         %13 = OpConstant %u32 32
         %14 = OpExtInst %void %10 DebugSource %11
         %15 = OpExtInst %void %10 DebugCompilationUnit %1 %1 %14 %12
         %16 = OpExtInst %void %10 DebugTypeComposite %11 %1 %14 %1 %1 %15 %11 %13 %12
         %17 = OpExtInst %void %10 DebugTypeInheritance %16 %16 %1 %13 %11
"""
"""DebugTypeInheritance, of which the reference reads the id of the constant as if it were a literal."""

_MADE: dict[str, str | bytes] = {
    "no-magic-number": bytes(20),
    "half-a-header": bytes.fromhex(_MAGIC_AS_DIGITS)[::-1] + bytes(4),
    "string-of-all-words": f'%1 = OpString "{"a" * ((1 << 18) - 10)}"\n',
    "inheritance-of-1": _INHERITANCE,
}
"""Modules that no file with marks can hold, or none of a size to be read."""


def own_cases() -> Iterator[Case]:
    """The modules with marks, the binaries among the fixtures, and what is made here; ids of digits stay in the last."""
    for path in case_files():
        yield from map(own_case, read_cases(path))
    for path in BINARIES:
        yield Case(path.relative_to(ROOT).as_posix(), path.read_bytes(), DEFAULT, own=True)
    here = Path(__file__).relative_to(ROOT).as_posix()
    for name, module in _MADE.items():
        yield Case(f"{here}#{name}", module, DEFAULT, preserve_numeric_ids=True, own=True)


def own_case(case: Marked) -> Case:
    """A text of the project, checked for what its first lines say."""
    asked = settings(case.text)
    return Case(case.name, case.text, _environment(case.text), asked.options, asked.assemble, own=True)


def _environment(text: str) -> str:
    return read_header(text.split("\n")).environment().name


def recorded_cases(path: Path) -> Iterator[Case]:
    """The cases of a file of JSON lines, which may be packed as `.xz`.

    A line has `text` or `words`, these as hexadecimal digits, eight a word or two an octet; `env`, and maybe `id` or `key`,
    `options`, `assembled_for`, `preserve_numeric_ids`. Lines without a module are passed over.
    """
    with _opened(path) as lines:
        for line in lines:
            entry = json.loads(line)
            module = _module(entry)
            env = entry.get("env", DEFAULT)
            if module is not None and env in environments():
                name = f"{path.name}#{entry.get('id') or entry.get('key')}"
                numeric = bool(entry.get("preserve_numeric_ids"))
                options = {name.replace("-", "_"): value for name, value in entry.get("options", {}).items()}
                yield Case(name, module, env, options, entry.get("assembled_for"), numeric)


def _opened(path: Path) -> TextIO:
    return lzma.open(path, "rt", encoding="utf-8") if path.suffix == ".xz" else path.open(encoding="utf-8")


def _module(entry: Mapping[str, Any]) -> str | bytes | None:
    words = entry.get("words")
    if words and "text" not in entry:
        data = bytes.fromhex(words)
        if not words.startswith(_MAGIC_AS_DIGITS):
            return data
        return b"".join([data[at : at + 4][::-1] for at in range(0, len(data), 4)])
    text = entry.get("text")
    if text is None:
        return None
    try:
        return str(text).encode("latin-1").decode("utf-8")
    except (UnicodeEncodeError, UnicodeDecodeError):
        return str(text)
