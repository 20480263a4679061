"""Operands in the notation of the white paper of SPIR-V, which `glslang -H` writes, as those of assembly.

Ids are numbers, with what they are called in parentheses; literals are the words of the binary; bits of a mask follow each other.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from spvls.binary.float_text import number_text
from spvls.binary.operand_codecs import is_exact, quoted
from spvls.grammar import spv, tables
from spvls.grammar.operand_walk import (
    CONTEXT_DEPENDENT_NUMBER,
    EXTENDED_INSTRUCTION,
    INNER_OPCODE,
    OperandDecl,
    OperandWalk,
    argument_decls,
    bits_of,
)
from spvls.grammar.records import Enumerant, Opcode, OperandKind
from spvls.module.context_dependent import EXTENDED
from spvls.record import NamedTuple
from spvls.syntax.number import NumericType, encoding_of

NUMBER, WORD, STRING = "number", "word", "string"


class Token(NamedTuple):
    """A number (an id or a literal), a word, or a string without its quotes. `called` is what parentheses after a number say."""

    sort: str
    text: str
    called: str = ""


class PaperIds:
    """What the instructions that were read so far say of ids: what they are called in parentheses, the types of values, the
    numbers that types hold, and the sets that are imported."""

    def __init__(self) -> None:
        self.called: dict[str, str] = {}
        self.types: dict[str, str] = {}
        self.numeric: dict[str, NumericType] = {}
        self.imports: dict[str, str] = {}

    def note(self, opcode: Opcode, result: str | None, type_: str | None, tokens: Sequence[Token]) -> None:
        """Take note of an instruction."""
        words = [token.text for token in tokens]
        if opcode.value == spv.OpName and len(words) == 2:
            self.called[words[0]] = words[1]
        elif result is None:
            return
        elif opcode.value == spv.OpExtInstImport and words:
            self.imports[result] = self.called[result] = words[0]
        elif opcode.value in (spv.OpTypeInt, spv.OpTypeFloat) and words and words[0].isdecimal():
            self.numeric[result] = _numeric(opcode, words)
        elif type_ is not None:
            self.types[result] = type_


def _numeric(opcode: Opcode, words: list[str]) -> NumericType:
    width = min(int(words[0]), 1 << 16)
    if opcode.value == spv.OpTypeInt:
        return NumericType("int" if words[1:] == ["1"] else "uint", width)
    given = _find(tables.kind("FPEncoding"), words[1]) if len(words) > 1 else None
    return NumericType("float", width, encoding_of(given.value) if given is not None else "")


class PaperOperands:
    """Reads the operands of one instruction. `texts` are those of assembly; what the grammar has no place for is kept as it is."""

    def __init__(self, opcode: Opcode, type_: str | None, tokens: Sequence[Token], ids: PaperIds) -> None:
        self._opcode = opcode
        self._type = type_
        self._tokens = _image(tokens) if opcode.value == spv.OpTypeImage else list(tokens)
        self._ids = ids
        self._at = 0
        self.texts: list[str] = []
        self._read()

    def _read(self) -> None:
        walk = OperandWalk(argument_decls(self._opcode))
        while self._at < len(self._tokens):
            decl = walk.next()
            if decl is None:
                break
            value = self._operand(decl, walk)
            if decl.deciding and value is not None:
                walk.read(decl, value)
        self.texts += [token.text if token.sort != STRING else quoted(_bytes(token)) for token in self._tokens[self._at :]]

    def _take(self) -> Token:
        self._at += 1
        return self._tokens[self._at - 1]

    def _operand(self, decl: OperandDecl, walk: OperandWalk) -> int | None:
        """Read an operand; the value of one that decides what follows."""
        kind = decl.kind
        if kind.category == "mask":
            return self._mask(kind)
        if kind.name == CONTEXT_DEPENDENT_NUMBER:
            self._literal()
            return None
        if kind.name == "LiteralString" and self._tokens[self._at].sort == NUMBER:
            self._string_of_words()
            return None
        token = self._take()
        number = int(token.text) if token.sort == NUMBER else None
        if token.sort == STRING and kind.name == "LiteralInteger":
            self.texts.append(" ".join(map(str, _words(_bytes(token)))))
        elif token.sort == STRING:
            self.texts.append(quoted(_bytes(token)))
        elif kind.category == "id":
            self.texts.append(f"%{token.text}" if number is not None else token.text)
        elif kind.category == "value":
            return self._enumerant(kind, token)
        elif kind.name == EXTENDED_INSTRUCTION:
            self._extended(token, walk)
        elif kind.name == INNER_OPCODE:
            inner = tables.opcode_by_value(number) if number is not None else tables.opcode(f"Op{token.text}")
            self.texts.append(inner.name.removeprefix("Op") if inner is not None else token.text)
            return inner.value if inner is not None else None
        else:
            self.texts.append(token.text)
        return None

    def _enumerant(self, kind: OperandKind, token: Token) -> int | None:
        found = _find(kind, token.text)
        if found is None and self._at < len(self._tokens) and self._tokens[self._at].sort == WORD:
            found = _find(kind, token.text + self._tokens[self._at].text)
            self._at += found is not None
        self.texts.append(found.name if found is not None else token.text)
        return found.value if found is not None else None

    def _mask(self, kind: OperandKind) -> int | None:
        """The names of bits that follow each other, or a number."""
        first = self._tokens[self._at]
        if first.sort == NUMBER:
            value = int(self._take().text)
            names = [found.name for bit in bits_of(value) or (0,) if (found := kind.by_value(bit)) is not None]
            self.texts.append("|".join(names) or first.text)
            return value
        value, names = 0, []
        while self._at < len(self._tokens) and self._tokens[self._at].sort == WORD:
            found = _find(kind, self._tokens[self._at].text)
            if found is None or (names and not found.value):
                break
            self._take()
            value |= found.value
            names.append(found.name)
            if not found.value:
                break
        self.texts.append("|".join(names) if names else self._take().text)
        return value

    def _literal(self) -> None:
        """A literal of a type that another instruction declares: the rest of a constant, or one word of a switch."""
        is_constant = self._opcode.has_type
        type_ = self._type if is_constant else self._ids.types.get(self._tokens[0].text)
        numeric = self._ids.numeric.get(type_ or "")
        count = 2 if numeric is not None and numeric.width > 32 else 1
        taken = self._tokens[self._at : self._at + count]
        self._at += len(taken)
        words = [int(token.text) for token in taken if token.sort == NUMBER and int(token.text) >> 32 == 0]
        said = " ".join(f"!{word}" for word in words)
        if numeric is not None and len(words) == count:
            value = words[0] if count == 1 else tuple(words)
            if is_exact(numeric, value):
                said = number_text(numeric, value)
        self.texts.append(said or " ".join(token.text for token in taken))

    def _string_of_words(self) -> None:
        """A string whose words are given as numbers; the last one has a byte that is 0."""
        data = b""
        while self._at < len(self._tokens) and self._tokens[self._at].sort == NUMBER and b"\0" not in data[-4:]:
            data += (int(self._take().text) & 0xFFFFFFFF).to_bytes(4, "little")
        self.texts.append(quoted(data.partition(b"\0")[0]))

    def _extended(self, token: Token, walk: OperandWalk) -> None:
        """The number of an instruction of the set that the operand before it imports.

        Where parentheses name another instruction than the number, the name counts: provisional sets had other numbers.
        """
        set_id = self.texts[-1].removeprefix("%") if self._opcode.value in EXTENDED else ""
        set_ = tables.extended_set(self._ids.imports.get(set_id, ""))
        found = None if set_ is None else set_.by_value(int(token.text)) if token.sort == NUMBER else set_.get(token.text)
        if set_ is not None and token.called and (found is None or found.name.lower() != token.called.lower()):
            found = next((named for named in set_.all if named.name.lower() == token.called.lower()), found)
        self.texts.append(token.text if set_ is None or found is None or set_.numeric else found.name)
        if set_ is not None and found is not None:
            walk.extended(set_, found)


_OTHER_NAMES = {
    "NoControl": "None", "Built-In": "BuiltIn", "PrivateGlobal": "Private", "WorkgroupLocal": "Workgroup",
    "WorkgroupGlobal": "CrossWorkgroup", "Noperspective": "NoPerspective", "OpenCL1.2": "OpenCL", "OpenCL2.0": "OpenCL",
    "OpenCL2.1": "OpenCL", "ASignedComponentsKHR": "MatrixASignedComponentsKHR",
    "BSignedComponentsKHR": "MatrixBSignedComponentsKHR", "CSignedComponentsKHR": "MatrixCSignedComponentsKHR",
    "ResultSignedComponentsKHR": "MatrixResultSignedComponentsKHR", "HitLLSSRadiiNV": "HitLSSRadiiNV",
}  # fmt: skip
"""Names of the white paper that are others now, and names that glslang has for itself."""

_KINDS_OF_NAMES = {"OpenCL": {"SourceLanguage": "OpenCL_C"}}


def _find(kind: OperandKind, text: str) -> Enumerant | None:
    """The enumerant of a number, a name, or a name as it was once spelled."""
    if text.isdecimal():
        return kind.by_value(int(text))
    name = _OTHER_NAMES.get(text, text)
    found = kind.get(name) or kind.get(_KINDS_OF_NAMES.get(name, {}).get(kind.name, "")) or kind.get(name.removeprefix(kind.name))
    if found is not None:
        return found
    letters = _letters(name)
    same = (entry for entry in kind.all if letters and _letters(entry.name) in (letters, *(letters + end for end in _SUFFIXES)))
    return next(same, None)


_SUFFIXES = ("khr", "ext", "nv", "amd")


def _letters(name: str) -> str:
    return re.sub("[^a-z0-9]", "", name.lower())


def _image(tokens: Sequence[Token]) -> list[Token]:
    """The operands of OpTypeImage, of which the notation has flags for 1 and leaves out 0."""
    words = [token.text for token in tokens]
    if not any(word.startswith("format:") for word in words) or len(tokens) < 3:
        return list(tokens)
    flags = [str(int(word in words)) for word in ("depth", "array", "multi-sampled")]
    sampled = next((str(at) for at, word in enumerate(("runtime", "sampled", "nonsampled")) if word in words), "0")
    at = next(at for at, word in enumerate(words) if word.startswith("format:"))
    middle = [Token(NUMBER, number) for number in (*flags, sampled)]
    return [*tokens[:2], *middle, Token(WORD, words[at].removeprefix("format:")), *tokens[at + 1 :]]


def _words(data: bytes) -> list[int]:
    """The words of a string (SPIR-V 2.2.1)."""
    padded = data + bytes(4 - len(data) % 4)
    return [int.from_bytes(padded[at : at + 4], "little") for at in range(0, len(padded), 4)]


def _bytes(token: Token) -> bytes:
    return token.text.encode("utf-8", "surrogateescape")
