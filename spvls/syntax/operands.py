"""Words to instructions: by the fast path of the opcode, else operand by operand, with a fault for what is wrong."""

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache

from spvls.grammar import tables
from spvls.grammar.operand_walk import EXTENDED_INSTRUCTION, INNER_OPCODE, OperandDecl, OperandWalk, text_decls
from spvls.grammar.records import Enumerant, Opcode
from spvls.grammar.records import Operand as Declared
from spvls.grammar.specialization import SPECIALIZABLE
from spvls.syntax import number
from spvls.syntax.fast_path import (
    ID,
    MARKS,
    FastPath,
    any_word,
    context_dependent,
    fast_path,
    floating,
    ids,
    integer,
    string_value,
)
from spvls.syntax.instruction import UNKNOWN, ContextDependent, Fault, Instruction, Operand
from spvls.syntax.peg import pattern
from spvls.syntax.wording import (
    bad_id,
    bad_string,
    did_you_mean,
    expected,
    lacks,
    no_enumerant,
    opcode_spelling,
    shown_word,
    surplus,
)

_RAW = pattern("raw")


def _is_raw(word: str) -> bool:
    """Whether a word is a literal word, `!N`."""
    return word.startswith("!") and _RAW.fullmatch(word) is not None


def build(text: str, start: int, end: int, words: list[str]) -> Instruction:
    """The instruction of `words`, all that stand in `text[start:end]`: its opcode, or its result, `=` and its opcode come first.

    Never raises, faults are part of the instruction.
    """
    head = 3 if words[0].startswith("%") else 1
    opcode_word = words[head - 1]
    path = fast_path(opcode_word)
    if path is not None and path.has_result is (head == 3):
        record = path.instruction(text, start, end, words)
        if record is not None:
            return record
    elif path is None and head == 1 and opcode_word != "OpUnknown":
        message, near = _no_opcode(opcode_word)
        fault = Fault("syntax/unknown-opcode", message, 0, len(opcode_word), near)
        operands = tuple([ids[word] for word in words if ID.fullmatch(word)])
        return Instruction(UNKNOWN, None, None, operands, text, start, end, (fault,))
    return _Reader(text, start, end, words[0] if head == 3 else None, opcode_word, words[head:], head).instruction()


@lru_cache(maxsize=1024)
def _no_opcode(name: str) -> tuple[str, str | None]:
    """What is wrong with a name that no opcode has, and the nearest one that there is."""
    near = opcode_spelling().nearest(name)
    return f"there is no opcode {shown_word(name)}{did_you_mean(near)}", near


def orphan_words(text: str, start: int, end: int) -> Instruction:
    """Words without an opcode: a statement of literal words (`!N`), or words out of place."""
    blank = Instruction(UNKNOWN, None, None, (), text, start, end)
    first = blank.words()[0]
    word = text[first.start : first.end]
    if word.startswith("!"):
        words = [text[span.start : span.end] for span in blank.words()]
        return _Reader(text, start, end, None, "", words, head_words=0).statement()
    if word.startswith("\ufeff"):
        message = "the file starts with a byte order mark; save it as UTF-8 without one"
    else:
        message = f"expected an instruction (`Op…` or `%id = Op…`), found `{shown_word(word)}`"
        if "=" in word[1:] and word.startswith("%"):
            message += "; put white space around `=`"
    fault = Fault("syntax/expected-instruction", message, first.start - start, first.end - start)
    return Instruction(UNKNOWN, None, None, _gleaned(text, blank.words()), text, start, end, (fault,))


def _gleaned(text: str, spans: list[tuple[int, int]] | list) -> tuple[Operand, ...]:  # type: ignore[type-arg]
    """The ids among words that could not be read, so that they still count as uses."""
    found = (text[start:end] for start, end in spans)
    return tuple(ids[word] for word in found if ID.fullmatch(word))


class _StopError(Exception):
    """The rest of the instruction cannot be read."""


class _Reader:
    """Reads one instruction operand by operand."""

    def __init__(
        self, text: str, start: int, end: int, result: str | None, opcode_word: str, words: list[str], head_words: int
    ) -> None:
        self.text, self.start, self.end = text, start, end
        self.result_word, self.opcode_word, self.words = result, opcode_word, words
        self.next = 0
        self.operands: list[Operand] = []
        self.faults: list[Fault] = []
        self.raw = False
        self.type: str | None = None
        self.head_words = head_words

    def instruction(self) -> Instruction:
        path = fast_path(self.opcode_word)
        opcode = path.opcode if path else UNKNOWN
        result: str | None = None
        try:
            result = self._result(path)
            if path is None:
                if self.opcode_word != "OpUnknown":
                    self._unknown_opcode()
                opcode = self._unknown_form()
            else:
                self._arguments(opcode, result)
        except _StopError:
            pass
        if self.faults and not self.raw:
            rest = [word for word in self.words[self.next :] if ID.fullmatch(word)]
            self.operands += [ids[word] for word in rest]
        return Instruction(
            opcode, self.type, result, tuple(self.operands), self.text, self.start, self.end, tuple(self.faults), self.raw
        )

    def statement(self) -> Instruction:
        """A statement of literal words, which has no opcode."""
        with suppress(_StopError):
            self._raw_tail()
        operands, faults = tuple(self.operands), tuple(self.faults)
        return Instruction(UNKNOWN, None, None, operands, self.text, self.start, self.end, faults, raw=True)

    # Findings

    def _span(self, word: int) -> tuple[int, int]:
        """The span of a word of the operands; -1 is the opcode, and one past the last is the end of the instruction."""
        if word == -1 and self.head_words == 1:
            return self.start, self.start + len(self.opcode_word)
        spans = Instruction(UNKNOWN, None, None, (), self.text, self.start, self.end).words()
        index = self.head_words + word
        if index >= len(spans):
            return spans[-1]
        return spans[index]

    def _fault(self, rule: str, message: str, word: int, suggestion: str | None = None) -> None:
        start, end = self._span(word)
        self.faults.append(Fault(rule, message, start - self.start, end - self.start, suggestion))

    def _result(self, path: FastPath | None) -> str | None:
        word = self.result_word
        if word is not None and ID.fullmatch(word) is None:
            self._fault("syntax/id", bad_id(word), -3)
            word = None
        if path is None:
            return word[1:] if word else None
        name = self.opcode_word
        if path.has_result and self.result_word is None:
            rest = " …" if self.words else ""
            self._fault("syntax/missing-result", f"{name} requires a result id; write `%id = {name}{rest}`", -1)
        if not path.has_result and self.result_word is not None:
            self._fault("syntax/surplus-result", f"{name} has no result; remove `{self.result_word} =`", -3)
            return None
        return ids[word] if word else None

    def _unknown_opcode(self) -> None:
        message, near = _no_opcode(self.opcode_word)
        self._fault("syntax/unknown-opcode", message, -1, near)
        raise _StopError

    # Operands

    def _arguments(self, opcode: Opcode, result: str | None) -> None:
        if opcode.has_result and self.result_word is None and self.faults:
            raise _StopError
        walk = OperandWalk(text_decls(opcode))
        words = self.words
        while self.next < len(words):
            decl = walk.next()
            word = words[self.next]
            if decl is None:
                self._beyond(word)
                return
            if _is_raw(word):
                if decl.kind.name == "IdResultType":
                    self._raw_type(opcode, result)
                self._raw_tail()
                return
            self.next += 1
            value = self._operand(decl, word)
            if decl.kind.name == EXTENDED_INSTRUCTION:
                self._extended_operands()
                return
            if decl.deciding and isinstance(value, int):
                walk.read(decl, value)
        missing = walk.missing()
        if missing is not None:
            owner = missing.owner
            name = f"{owner.kind} {owner.name}" if isinstance(owner, Enumerant) else self.opcode_word
            self._fault("syntax/missing-operand", lacks(name, missing.declared), self.next - 1)
            raise _StopError

    def _beyond(self, word: str) -> None:
        """A word after the last operand: a statement of `!N` begins there, or it is a mistake."""
        if _is_raw(word):
            self.end = self._span(self.next - 1)[1]
            del self.words[self.next :]
            return
        message = surplus(self.opcode_word, word)
        if word == "=":
            message = "`=` must be between a result id and an opcode; no opcode follows here"
        self._fault("syntax/surplus-operand", message, self.next)

    def _operand(self, decl: OperandDecl, word: str) -> Operand:
        """Read one operand, and add it to those of the instruction."""
        category = decl.kind.category
        if category == "id":
            operand: Operand = self._id(word, decl.declared)
            if decl.kind.name == "IdResultType":
                self.type = ids[word]
                return operand
        elif category == "literal":
            inner = decl.kind.name == INNER_OPCODE
            operand = self._inner_opcode(word) if inner else self._literal(word, decl.declared)
        else:
            operand = self._enumerants(word, decl)
        self.operands.append(operand)
        return operand

    def _extended_operands(self) -> None:
        """The operands of an extended instruction, which are resolved when its set is known."""
        while self.next < len(self.words):
            word = self.words[self.next]
            if _is_raw(word):
                self._raw_tail()
                return
            self.next += 1
            self.operands.append(self._extended_operand(word))

    def _extended_operand(self, word: str) -> Operand:
        try:
            return any_word(word)
        except ValueError:
            self._fault("syntax/string", bad_string(word), self.next - 1)
        except KeyError:
            if word[:1] not in MARKS:
                return ContextDependent(word)
            self._fault("syntax/id", bad_id(word), self.next - 1)
        raise _StopError

    def _id(self, word: str, wanted: Declared) -> str:
        try:
            return ids[word]
        except KeyError:
            if word.startswith("%"):
                self._fault("syntax/id", bad_id(word), self.next - 1)
            else:
                self._expected(wanted, word)
            raise _StopError from None

    def _expected(self, wanted: Declared, word: str) -> None:
        if word == "=":
            message = f"{lacks(self.opcode_word, wanted)}; `=` is in its place"
        else:
            message = expected(wanted, word)
        self._fault("syntax/operand-kind", message, self.next - 1)

    def _literal(self, word: str, wanted: Declared) -> Operand:
        try:
            if wanted.kind == "LiteralString":
                return string_value(word)
            if wanted.kind == "LiteralInteger":
                return integer(word)
            if wanted.kind == "LiteralFloat":
                return floating(word)
            return context_dependent[word]
        except number.NumberError as error:
            if word[:1] in "%\"!" or not any(c.isdigit() for c in word):
                self._expected(wanted, word)
            else:
                self._fault("syntax/number", f"{error}", self.next - 1)
        except ValueError:
            if word.startswith('"'):
                self._fault("syntax/string", bad_string(word), self.next - 1)
            else:
                self._expected(wanted, word)
        except KeyError:
            if word[:1] not in MARKS:
                return ContextDependent(word)
            self._expected(wanted, word)
        raise _StopError

    def _enumerants(self, word: str, decl: OperandDecl) -> int:
        value = 0
        for name in word.split("|") if decl.is_mask else (word,):
            enumerant = decl.kind.get(name)
            if enumerant is None:
                self._no_enumerant(name, decl)
                raise _StopError
            value |= enumerant.value
        return value

    def _no_enumerant(self, name: str, decl: OperandDecl) -> None:
        if not name or name.startswith(("%", '"')) or "=" in name:
            self._expected(decl.declared, self.words[self.next - 1])
            return
        message, near = no_enumerant(decl.kind, name)
        start, end = self._span(self.next - 1)
        at = self.text.find(name, start, end)
        if at >= 0:
            start, end = at, at + len(name)
        self.faults.append(Fault("syntax/unknown-enumerant", message, start - self.start, end - self.start, near))

    def _inner_opcode(self, word: str) -> int:
        inner = tables.opcode("Op" + word)
        if inner is None or word.startswith("Op"):
            near = opcode_spelling().nearest(word if word.startswith("Op") else "Op" + word)
            near = near.removeprefix("Op") if near else None
            message = f"`{shown_word(word)}` is not an opcode; write the opcode without `Op` here{did_you_mean(near)}"
            self._fault("syntax/unknown-opcode", message, self.next - 1, near)
            raise _StopError
        if inner.value not in SPECIALIZABLE:
            message = f"{inner.name} is not an operation that OpSpecConstantOp may perform"
            self._fault("syntax/specialized-opcode", message, self.next - 1)
            raise _StopError
        return inner.value

    # Literal words (`!N`)

    def _unknown_form(self) -> Opcode:
        """OpUnknown(opcode, word count) and as many operands."""
        self.raw = True
        if self.result_word is not None:
            self._fault("syntax/surplus-result", "OpUnknown cannot follow `=`; write the result id as an operand", -3)
            raise _StopError
        shape = ["(", None, ",", None, ")"]
        values: list[int] = []
        for index, mark in enumerate(shape):
            word = self.words[index] if index < len(self.words) else ""
            if mark is None and (value := _short(word)) is not None:
                values.append(value)
            elif word != mark or mark is None:
                wanted = f"`{mark}`" if mark else "a 16-bit number"
                found = f", found `{shown_word(word)}`" if word else ""
                self._fault("syntax/op-unknown", f"expected {wanted} in OpUnknown(opcode, word count){found}", index)
                raise _StopError
        opcode, count = values
        if count == 0:
            self._fault("syntax/op-unknown", "the word count of OpUnknown is 0, expected at least 1", 3)
            raise _StopError
        self.next = len(shape)
        self._raw_tail(count - 1)
        written = sum(map(_filled, self.operands))
        if not self.faults and written != count - 1:
            wanted = f"{count - 1} word{'s' * (count != 2)} of operands"
            message = f"OpUnknown with a word count of {count} requires {wanted}, but has {written}"
            self._fault("syntax/op-unknown", message, len(self.words) - 1)
        known = tables.opcode_by_value(opcode)
        return known if known is not None else Opcode("OpUnknown", opcode, "", ())

    def _raw_type(self, opcode: Opcode, result: str | None) -> None:
        """`!N` in the place of the result type: the result id follows it in the words."""
        self.operands.append(self._raw_word(self.words[self.next]))
        self.next += 1
        if opcode.has_result and result is not None:
            self.operands.append(result)

    def _raw_tail(self, most: int | None = None) -> None:
        """The operands up to a `!N` after those that fill `most` words, which begins another statement."""
        self.raw = True
        filled = 0
        while self.next < len(self.words):
            word = self.words[self.next]
            if filled == most and _is_raw(word):
                self.end = self._span(self.next - 1)[1]
                self.words = self.words[: self.next]
                return
            self.operands.append(self._raw_word(word))
            filled += _filled(self.operands[-1])
            self.next += 1

    def _raw_word(self, word: str) -> Operand:
        try:
            if word.startswith("%"):
                return ids[word]
            if word.startswith('"'):
                return string_value(word)
            if word.startswith("!"):
                if not _is_raw(word):
                    raise number.NumberError(f"`{shown_word(word)}` is not a raw word; write `!` and an unsigned number")
                return number.words_of_number(word[1:], number.UINT32)
            if number.is_integer(word):
                return number.words_of_number(word, number.NumericType("int", 32) if word.startswith("-") else number.UINT32)
            if "." in word and number.is_float(word):
                return floating(word)
        except number.NumberError as error:
            self._fault("syntax/number", str(error), self.next)
            raise _StopError from None
        except ValueError:
            self._fault("syntax/string", bad_string(word), self.next)
            raise _StopError from None
        except KeyError:
            self._fault("syntax/id", bad_id(word), self.next)
            raise _StopError from None
        allowed = "an instruction may have only integers, floats with a point, strings, ids and raw words"
        message = f"after a raw word (`!N`), {allowed}; `{shown_word(word)}` is none of these"
        self._fault("syntax/operand-kind", message, self.next)
        raise _StopError


def _filled(operand: Operand) -> int:
    """How many words an operand of a raw instruction fills."""
    return len(operand) // 4 + 1 if isinstance(operand, bytes) else 1


def _short(word: str) -> int | None:
    """The number of 16 bits that a word is, if it is one."""
    try:
        value = number.words_of_number(word, number.UINT16)
    except number.NumberError:
        return None
    assert isinstance(value, int)
    return value


tables.on_replace(_no_opcode.cache_clear)
