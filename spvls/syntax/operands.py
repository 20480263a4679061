"""Instructions built of their words: by the plan of the opcode, else operand by operand, with a finding for what is wrong."""

from __future__ import annotations

from contextlib import suppress

from spvls.grammar import tables
from spvls.grammar.records import Enumerant, Opcode
from spvls.grammar.records import Operand as Declared
from spvls.grammar.specialization import SPECIALIZABLE
from spvls.syntax import number
from spvls.syntax.instruction import UNKNOWN, Fault, Instruction, Operand
from spvls.syntax.peg import pattern
from spvls.syntax.plan import ID, Plan, any_word, floating, ids, integer, lates, plan_of, string_value
from spvls.syntax.wording import bad_id, bad_string, described, enumerant_spelling, opcode_spelling, shown_word

_RAW = pattern("raw").fullmatch

#: An operand of an extended instruction, read only when its set is known.
_EXTENDED_OPERAND = Declared("ExtendedOperand", "Operand", "*")

#: The literal of a case, whose width is that of its switch's selector.
_CASE_LITERAL = Declared("LiteralContextDependentNumber", "Literal", "")

def build(text: str, start: int, end: int, result: str | None, opcode_word: str, words: list[str]) -> Instruction:
    """The instruction whose words stand in `text[start:end]`; never raises, faults are part of the instruction."""
    plan = plan_of(opcode_word)
    if plan is not None and plan.has_result is (result is not None):
        operands = plan.read(words)
        if operands is not None and (result is None or result in ids or ID(result)):
            name = ids[result] if result is not None else None
            if plan.has_type:
                return Instruction(plan.opcode, operands[0], name, operands[1:], text, start, end)  # type: ignore[arg-type]
            return Instruction(plan.opcode, None, name, operands, text, start, end)
    head_words = 1 if result is None else 3
    return _Reader(text, start, end, result, opcode_word, words, head_words).instruction()


def stray(text: str, start: int, end: int) -> Instruction:
    """Words that belong to no instruction: given as they are from the first one on, or out of place."""
    blank = Instruction(UNKNOWN, None, None, (), text, start, end)
    first = blank.words()[0]
    word = text[first.start : first.end]
    if word.startswith("!"):
        words = [text[span.start : span.end] for span in blank.words()]
        return _Reader(text, start, end, None, "", words, head_words=0).statement()
    if word.startswith("\ufeff"):
        message = "the file starts with a byte order mark; save it as UTF-8 without one"
    else:
        message = f"expected an instruction, `Op…` or `%id = Op…`, and found `{shown_word(word)}`"
        if "=" in word[1:] and word.startswith("%"):
            message += "; put white space around `=`"
    fault = Fault("syntax/expected-instruction", message, first.start, first.end)
    return Instruction(UNKNOWN, None, None, _gleaned(text, blank.words()), text, start, end, (fault,))


def _gleaned(text: str, spans: list[tuple[int, int]] | list) -> tuple[Operand, ...]:  # type: ignore[type-arg]
    """The ids among words that could not be read, so that they still count as uses."""
    found = (text[start:end] for start, end in spans)
    return tuple(ids[word] for word in found if ID(word))


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
        plan = plan_of(self.opcode_word)
        opcode = plan.opcode if plan else UNKNOWN
        result: str | None = None
        try:
            result = self._result(plan)
            if plan is None:
                if self.opcode_word != "OpUnknown":
                    self._unknown_opcode()
                opcode = self._unknown_form()
            else:
                self._arguments(plan, result)
        except _StopError:
            pass
        if self.faults and not self.raw:
            rest = [word for word in self.words[self.next :] if ID(word)]
            self.operands += [ids[word] for word in rest]
        return Instruction(
            opcode, self.type, result, tuple(self.operands), self.text, self.start, self.end, tuple(self.faults), self.raw
        )

    def statement(self) -> Instruction:
        """Words that stand as they are, without an opcode's name."""
        with suppress(_StopError):
            self._raw_tail()
        operands, faults = tuple(self.operands), tuple(self.faults)
        return Instruction(UNKNOWN, None, None, operands, self.text, self.start, self.end, faults, raw=True)

    # Findings

    def _span(self, word: int) -> tuple[int, int]:
        """The span of a word of the operands; -1 is the opcode, and one past the last is the end of what is there."""
        spans = Instruction(UNKNOWN, None, None, (), self.text, self.start, self.end).words()
        index = self.head_words + word
        if index >= len(spans):
            return spans[-1]
        return spans[index]

    def _fault(self, rule: str, message: str, word: int, suggestion: str | None = None) -> None:
        start, end = self._span(word)
        self.faults.append(Fault(rule, message, start, end, suggestion))

    def _result(self, plan: Plan | None) -> str | None:
        word = self.result_word
        if word is not None and ID(word) is None:
            self._fault("syntax/id", bad_id(word), -3)
            word = None
        if plan is None:
            return word[1:] if word else None
        name = self.opcode_word
        if plan.has_result and self.result_word is None and not any(w.startswith("!") for w in self.words):
            self._fault("syntax/missing-result", f"{name} makes a result; write `%id = {name} …`", -1)
        if not plan.has_result and self.result_word is not None:
            self._fault("syntax/surplus-result", f"{name} makes no result; write it without `{self.result_word} =`", -3)
            return None
        return ids[word] if word else None

    def _unknown_opcode(self) -> None:
        near = opcode_spelling().nearest(self.opcode_word)
        hint = f"; did you mean {near}?" if near else ""
        self._fault("syntax/unknown-opcode", f"there is no opcode {shown_word(self.opcode_word)}{hint}", -1, near)
        raise _StopError

    # Operands

    def _word(self, wanted: Declared) -> str:
        if self.next >= len(self.words):
            self._fault("syntax/missing-operand", f"{self.opcode_word} lacks {described(wanted)}", self.next - 1)
            raise _StopError
        word = self.words[self.next]
        self.next += 1
        return word

    def _arguments(self, plan: Plan, result: str | None) -> None:
        if plan.has_result and self.result_word is None and self.faults:
            raise _StopError
        if plan.has_type:
            wanted = plan.opcode.operands[0]
            word = self._word(wanted)
            if _RAW(word):
                self.next -= 1
                self._raw_words(plan, result)
                return
            self.type = self._id(word, wanted)
        pending = list(reversed(plan.opcode.arguments))
        while pending:
            wanted = pending.pop()
            if self.next >= len(self.words) and wanted.quantifier:
                continue
            if wanted.quantifier == "*":
                pending.append(wanted)
            if self.next < len(self.words) and _RAW(self.words[self.next]):
                self._raw_tail()
                return
            pending.extend(reversed(self._operand(wanted)))
        if self.next < len(self.words):
            word = self.words[self.next]
            if _RAW(word):
                self.end = self._span(self.next - 1)[1]
                return
            message = f"`{shown_word(word)}` is one operand more than {self.opcode_word} takes"
            if word == "=":
                message = "`=` stands between a result id and an opcode, and no opcode follows here"
            self._fault("syntax/surplus-operand", message, self.next)

    def _operand(self, wanted: Declared) -> tuple[Declared, ...]:
        """Read one operand; the operands that its value calls for."""
        if wanted is _EXTENDED_OPERAND:
            self.operands.append(self._extended_operand(self._word(wanted)))
            return ()
        kind = tables.kind(wanted.kind)
        if wanted.kind == "PairLiteralIntegerIdRef":
            return (_CASE_LITERAL, Declared("IdRef", wanted.name, ""))
        if kind.category == "composite":
            return tuple(Declared(base, wanted.name, "") for base in kind.bases)
        word = self._word(wanted)
        match kind.category:
            case "id":
                self.operands.append(self._id(word, wanted))
            case "literal" if wanted.kind == "LiteralSpecConstantOpInteger":
                return self._inner_opcode(word)
            case "literal":
                self.operands.append(self._literal(word, wanted))
                if wanted.kind == "LiteralExtInstInteger":
                    return (_EXTENDED_OPERAND,)
            case "mask":
                return self._mask(word, wanted)
            case _:
                found = kind.get(word)
                if found is None:
                    self._no_enumerant(word, wanted)
                    raise _StopError
                self.operands.append(found.value)
                return found.parameters
        return ()

    def _extended_operand(self, word: str) -> Operand:
        try:
            return any_word(word)
        except ValueError:
            self._fault("syntax/string", bad_string(word), self.next - 1)
        except KeyError:
            self._fault("syntax/id", bad_id(word), self.next - 1)
        raise _StopError

    def _id(self, word: str, wanted: Declared) -> str:
        if ID(word) is None:
            if word.startswith("%"):
                self._fault("syntax/id", bad_id(word), self.next - 1)
            else:
                self._expected(wanted, word)
            raise _StopError
        return ids[word]

    def _expected(self, wanted: Declared, word: str) -> None:
        if word == "=":
            message = f"{self.opcode_word} lacks {described(wanted)}, and `=` stands in its place"
        else:
            message = f"expected {described(wanted)}, and found `{shown_word(word)}`"
        self._fault("syntax/operand-kind", message, self.next - 1)

    def _literal(self, word: str, wanted: Declared) -> Operand:
        try:
            if wanted.kind == "LiteralString":
                return string_value(word)
            if wanted.kind == "LiteralInteger":
                return integer(word)
            if wanted.kind == "LiteralFloat":
                return floating(word)
            return lates[word]
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
            self._expected(wanted, word)
        raise _StopError

    def _mask(self, word: str, wanted: Declared) -> tuple[Declared, ...]:
        kind = tables.kind(wanted.kind)
        value = 0
        chosen: dict[int, Enumerant] = {}
        for name in word.split("|"):
            enumerant = kind.get(name)
            if enumerant is None:
                self._no_enumerant(name, wanted)
                raise _StopError
            value |= enumerant.value
            chosen[enumerant.value] = enumerant
        self.operands.append(value)
        return tuple(parameter for bit in sorted(chosen) for parameter in chosen[bit].parameters)

    def _no_enumerant(self, name: str, wanted: Declared) -> None:
        if not name or name.startswith(("%", '"')) or "=" in name:
            self._expected(wanted, self.words[self.next - 1])
            return
        if number.is_integer(name):
            hint = f"; enumerants are written by name, or a bare word as !{shown_word(name.lstrip('+'))}"
            near = None
        else:
            near = enumerant_spelling(wanted.kind).nearest(name)
            hint = f"; did you mean {near}?" if near else ""
        message = f"{wanted.kind} has no enumerant `{shown_word(name)}`{hint}"
        start, end = self._span(self.next - 1)
        at = self.text.find(name, start, end)
        if at >= 0:
            start, end = at, at + len(name)
        self.faults.append(Fault("syntax/unknown-enumerant", message, start, end, near))

    def _inner_opcode(self, word: str) -> tuple[Declared, ...]:
        inner = tables.opcode("Op" + word)
        if inner is None or word.startswith("Op"):
            near = opcode_spelling().nearest(word if word.startswith("Op") else "Op" + word)
            near = near.removeprefix("Op") if near else None
            hint = f"; did you mean {near}?" if near else ""
            message = f"`{shown_word(word)}` is no opcode, which stands here without its Op{hint}"
            self._fault("syntax/unknown-opcode", message, self.next - 1, near)
            raise _StopError
        if inner.name not in SPECIALIZABLE:
            message = f"{inner.name} is no operation on specialization constants"
            self._fault("syntax/specialized-opcode", message, self.next - 1)
            raise _StopError
        self.operands.append(inner.value)
        return inner.arguments

    # Words given as they are

    def _unknown_form(self) -> Opcode:
        """OpUnknown(opcode, word count) and as many operands."""
        self.raw = True
        if self.result_word is not None:
            self._fault("syntax/surplus-result", "OpUnknown cannot follow `=`; its words are given one by one", -3)
            raise _StopError
        shape = ["(", None, ",", None, ")"]
        values: list[int] = []
        for index, mark in enumerate(shape):
            word = self.words[index] if index < len(self.words) else ""
            if mark is None and (value := _short(word)) is not None:
                values.append(value)
            elif word != mark or mark is None:
                wanted = f"`{mark}`" if mark else "a number of 16 bits"
                self._fault("syntax/op-unknown", f"expected {wanted} in OpUnknown(opcode, word count)", index)
                raise _StopError
        opcode, count = values
        if count == 0:
            self._fault("syntax/op-unknown", "the word count of an instruction is at least 1", 3)
            raise _StopError
        self.next = len(shape)
        given = self.words[self.next :]
        if len(given) > count - 1 and _RAW(given[count - 1]):
            self.end = self._span(self.next + count - 2)[1]  # a statement of `!N` follows
            self.words = self.words[: self.next + count - 1]
        self._raw_tail()
        if not self.faults and len(self.operands) != count - 1:
            message = f"OpUnknown says {count} words, which takes {count - 1} operands, and has {len(self.operands)}"
            self._fault("syntax/op-unknown", message, len(self.words) - 1)
        known = tables.opcode_by_value(opcode)
        return known if known is not None else Opcode("OpUnknown", opcode, "", ())

    def _raw_words(self, plan: Plan, result: str | None) -> None:
        """`!N` in the place of the result type: the result id keeps its slot behind it."""
        self.raw = True
        self.operands.append(self._raw_word(self.words[self.next]))
        self.next += 1
        if plan.has_result and result is not None:
            self.operands.append(result)
        self._raw_tail()

    def _raw_tail(self) -> None:
        self.raw = True
        while self.next < len(self.words):
            self.operands.append(self._raw_word(self.words[self.next]))
            self.next += 1

    def _raw_word(self, word: str) -> Operand:
        try:
            if word.startswith("%"):
                return ids[word]
            if word.startswith('"'):
                return string_value(word)
            if word.startswith("!"):
                if _RAW(word) is None:
                    raise number.NumberError(f"`{shown_word(word)}` is not a word given as it is; write ! and an unsigned number")
                return number.words_of_number(word[1:], number.UINT32)
            if number.is_integer(word):
                return number.words_of_number(word, number.NumericType("int", 32) if word.startswith("-") else number.UINT32)
            if number.is_float(word):
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
        message = f"after `!N` the rest of an instruction is numbers, strings, ids and `!N`; `{shown_word(word)}` is none of them"
        self._fault("syntax/operand-kind", message, self.next)
        raise _StopError


def _short(word: str) -> int | None:
    """The number of 16 bits that a word is, if it is one."""
    try:
        value = number.words_of_number(word, number.UINT16)
    except number.NumberError:
        return None
    assert isinstance(value, int)
    return value
