"""Names as compilers mangle them by the rules of the Itanium C++ ABI, spelled as people write them.

Kernels, their built-in functions and functions with linkage have such names: `_Z3dotDv4_fS_` is `dot(float4, float4)`. Vectors are
spelled as in OpenCL, address spaces by the numbers of the target SPIR. A name that is not understood in full is left alone, and so
is one whose spelling would be long or nested deeply: names are untrusted.
"""

from __future__ import annotations

from functools import lru_cache

LONGEST = 1000
"""Characters that a mangled name may have, and that its spelling may have."""

_DEEPEST = 40
"""Levels of types in types, and of names in names."""

_BUILTIN = {
    "v": "void", "w": "wchar_t", "b": "bool", "c": "char", "a": "signed char", "h": "unsigned char", "s": "short",
    "t": "unsigned short", "i": "int", "j": "unsigned int", "l": "long", "m": "unsigned long", "x": "long long",
    "y": "unsigned long long", "n": "__int128", "o": "unsigned __int128", "f": "float", "d": "double", "e": "long double",
    "g": "__float128", "z": "...", "Dh": "half", "Di": "char32_t", "Ds": "char16_t", "Du": "char8_t", "Da": "auto",
    "Dn": "std::nullptr_t", "DF16_": "_Float16", "DF16b": "__bf16",
}  # fmt: skip
_SHORT = {
    "signed char": "char", "unsigned char": "uchar", "unsigned short": "ushort", "unsigned int": "uint", "unsigned long": "ulong",
    "long long": "long", "unsigned long long": "ulong", "_Float16": "half",
}  # fmt: skip
"""What OpenCL calls the components of vectors."""

_SPACES = ("private", "global", "constant", "local", "generic")
_STANDARD = {
    "St": "std", "Sa": "std::allocator", "Sb": "std::basic_string", "Ss": "std::string", "Si": "std::istream",
    "So": "std::ostream", "Sd": "std::iostream",
}  # fmt: skip
_OPERATORS = {
    "nw": " new", "na": " new[]", "dl": " delete", "da": " delete[]", "ps": "+", "ng": "-", "ad": "&", "de": "*", "co": "~",
    "pl": "+", "mi": "-", "ml": "*", "dv": "/", "rm": "%", "an": "&", "or": "|", "eo": "^", "aS": "=", "pL": "+=", "mI": "-=",
    "mL": "*=", "dV": "/=", "rM": "%=", "aN": "&=", "oR": "|=", "eO": "^=", "ls": "<<", "rs": ">>", "lS": "<<=", "rS": ">>=",
    "eq": "==", "ne": "!=", "lt": "<", "gt": ">", "le": "<=", "ge": ">=", "ss": "<=>", "nt": "!", "aa": "&&", "oo": "||",
    "pp": "++", "mm": "--", "cm": ",", "pm": "->*", "pt": "->", "cl": "()", "ix": "[]", "qu": "?",
}  # fmt: skip
_SPECIAL = {"TS": "typeinfo name for ", "TI": "typeinfo for ", "TV": "vtable for ", "TT": "VTT for "}
_SUFFIXES = {"j": "u", "l": "l", "m": "ul", "x": "ll", "y": "ull", "i": ""}


class _NotUnderstoodError(Exception):
    """The name has a form that this module does not read."""


def demangled(name: str) -> str | None:
    """The spelling of a mangled name, with the types of its parameters; None for a name that is not mangled, or not understood."""
    if not name.startswith("_Z") or len(name) > LONGEST:
        return None
    return _demangled(name)


@lru_cache(maxsize=1000)
def _demangled(name: str) -> str | None:
    mangled, dot, suffix = name.partition(".")
    try:
        reader = _Reader(mangled)
        text = reader.encoding()
        if reader.at < len(mangled):
            return None
    except _NotUnderstoodError:
        return None
    return f"{text} ({dot}{suffix})" if dot else text


forget_names = _demangled.cache_clear


class _Reader:
    """Reads a name from left to right; each method reads what the grammar of the ABI has under its name."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 2
        self.depth = 0
        self.known: list[str] = []
        self.arguments: list[str] = []
        self.qualifiers = ""

    def encoding(self) -> str:
        self._deeper()
        for code, words in _SPECIAL.items():
            if self._takes(code):
                return self._checked(words + self.type())
        name, templated = self.name()
        qualifiers, self.qualifiers = self.qualifiers, ""
        text = name
        if self._peek() not in ("", "E"):
            result = f"{self.type()} " if templated and not _has_no_result(name) else ""
            text = f"{result}{name}({self._parameters()}){qualifiers}"
        self.depth -= 1
        return self._checked(text)

    def name(self) -> tuple[str, bool]:
        """A name, and whether it ends with template arguments."""
        if self._takes("N"):
            return self._nested()
        if self._takes("Z"):
            return self._local()
        if self._peek() == "S" and not self._is_at("St"):
            name = self._substitution()
        else:
            name = "std::" + self._unqualified() if self._takes("St") else self._unqualified()
            if self._peek() == "I":
                self._know(name)
        if self._peek() != "I":
            return name, False
        return self._checked(name + self._template_arguments()), True

    def type(self) -> str:
        self._deeper()
        text = self._checked(self._type())
        self.depth -= 1
        return text

    def _type(self) -> str:
        for length in (1, 2, 5):
            code = self.text[self.at : self.at + length]
            if code in _BUILTIN:
                self.at += length
                return _BUILTIN[code]
        if self._takes("Dp"):
            return self.type() + "..."
        first = self._peek()
        if first == "S" and not self._is_at("St"):
            return self._substituted_type()
        if first == "T":
            return self._parameter_type()
        return self._know(self._compound(first))

    def _compound(self, first: str) -> str:
        if first in ("K", "V", "r", "U"):
            return self._qualified()
        for code, mark in (("P", "*"), ("R", "&"), ("O", "&&")):
            if self._takes(code):
                return _pointer(self.type(), mark)
        if self._takes("Dv"):
            return self._vector()
        if self._takes("A"):
            count = self._number()
            self._expect("_")
            return f"{self.type()}[{count}]"
        if self._takes("F"):
            text = f"{self.type()} ({self._parameters()})"
            self._expect("E")
            return text
        if self._takes("u"):
            return self._source_name()
        if first in "NZ" or first.isdigit() or self._is_at("St"):
            return self.name()[0]
        raise _NotUnderstoodError

    def _substituted_type(self) -> str:
        name = self._substitution()
        return self._know(name + self._template_arguments()) if self._peek() == "I" else name

    def _parameter_type(self) -> str:
        name = self._know(self._parameter())
        return self._know(name + self._template_arguments()) if self._peek() == "I" else name

    def _qualified(self) -> str:
        words = []
        while True:
            if self._takes("U"):
                words.append(_space(self._source_name()))
            elif self._takes("r"):
                words.append("restrict")
            elif self._takes("V"):
                words.append("volatile")
            elif self._takes("K"):
                words.append("const")
            else:
                break
        inner = self.type()
        return f"{inner} {' '.join(words)}" if inner.endswith(("*", "&")) else f"{' '.join(words)} {inner}"

    def _vector(self) -> str:
        count = self._number()
        self._expect("_")
        component = self.type()
        return _SHORT.get(component, component) + str(count)

    def _nested(self) -> tuple[str, bool]:
        qualifiers = [f" {word}" for code, word in (("r", "restrict"), ("V", "volatile"), ("K", "const")) if self._takes(code)]
        name = ""
        templated = False
        while not self._takes("E"):
            templated = self._peek() == "I"
            if templated:
                name += self._template_arguments()
            elif self._peek() == "S" and not name:
                name = self._substitution()
                continue
            elif self._peek() == "T" and not name:
                name = self._parameter()
            else:
                part = self._unqualified(name)
                name = f"{name}::{part}" if name else part
            self._know(self._checked(name))
        if not name:
            raise _NotUnderstoodError
        if self.known and self.known[-1] == name:
            self.known.pop()  # only prefixes are known; where the name is that of a type, the type is
        self.qualifiers = "".join(qualifiers)
        return name, templated

    def _local(self) -> tuple[str, bool]:
        outer = self.encoding()
        self._expect("E")
        if self._takes("s"):
            inner, templated = "string literal", False
        else:
            inner, templated = self.name()
        if self._takes("_"):
            self._number()
        return self._checked(f"{outer}::{inner}"), templated

    def _unqualified(self, outer: str = "") -> str:
        if self._peek().isdigit():
            return self._source_name()
        if self._takes("L"):
            return self._source_name()
        for code, mark in (("C", ""), ("D", "~")):
            if self._peek() == code and self.text[self.at + 1 : self.at + 2] in ("0", "1", "2", "3") and outer:
                self.at += 2
                return mark + outer.rpartition("::")[2].partition("<")[0]
        if self._takes("Ul"):
            parameters = self._parameters()
            self._expect("E")
            return f"{{lambda({parameters})#{self._discriminator()}}}"
        if self._takes("Ut"):
            return f"{{unnamed type#{self._discriminator()}}}"
        if self._takes("cv"):
            return f"operator {self.type()}"
        code = self.text[self.at : self.at + 2]
        if code in _OPERATORS:
            self.at += 2
            return f"operator{_OPERATORS[code]}"
        raise _NotUnderstoodError

    def _discriminator(self) -> int:
        number = self._number() + 2 if self._peek() != "_" else 1
        self._expect("_")
        return number

    def _source_name(self) -> str:
        length = self._number()
        name = self.text[self.at : self.at + length]
        if not length or len(name) < length:
            raise _NotUnderstoodError
        self.at += length
        return "(anonymous namespace)" if name.startswith("_GLOBAL__N") else name

    def _template_arguments(self) -> str:
        self._expect("I")
        self._deeper()
        found: list[str] = []
        while not self._takes("E"):
            found.append(self._template_argument())
        self.depth -= 1
        self.arguments = found
        shown = self._checked(", ".join(filter(None, found)))
        return f"<{shown}>"

    def _template_argument(self) -> str:
        if self._takes("L"):
            return self._literal()
        if self._takes("J"):
            self._deeper()
            found = []
            while not self._takes("E"):
                found.append(self._template_argument())
            self.depth -= 1
            return ", ".join(found)
        return self.type()

    def _literal(self) -> str:
        if self._takes("_Z"):
            name = self.encoding()
            self._expect("E")
            return name
        code = self._peek()
        kind = self.type()
        sign = "-" if self._takes("n") else ""
        value = f"{sign}{self._number()}"
        self._expect("E")
        if code == "b":
            return {"0": "false", "1": "true"}.get(value, value)
        return value + _SUFFIXES[code] if code in _SUFFIXES else f"({kind}){value}"

    def _substitution(self) -> str:
        code = self.text[self.at : self.at + 2]
        if code in _STANDARD:
            self.at += 2
            return _STANDARD[code]
        self._expect("S")
        return self._listed(self.known, 36)

    def _parameter(self) -> str:
        self._expect("T")
        return self._listed(self.arguments, 10)

    def _listed(self, names: list[str], base: int) -> str:
        """The name that a number stands for: `_` is the first, `0_` the second."""
        digits, mark, _ = self.text[self.at : self.at + 8].partition("_")
        if not mark or not (digits == "" or digits.isalnum()) or digits != digits.upper():
            raise _NotUnderstoodError
        self.at += len(digits) + 1
        try:
            return names[int(digits, base) + 1 if digits else 0]
        except (ValueError, IndexError):
            raise _NotUnderstoodError from None

    def _parameters(self) -> str:
        """Types up to an `E` or the end of the name."""
        found = [self.type()]
        while self._peek() not in ("", "E"):
            found.append(self.type())
        return self._checked(", ".join(found if found != ["void"] else []))

    def _know(self, name: str) -> str:
        self.known.append(self._checked(name))
        return name

    def _number(self) -> int:
        start = self.at
        while self.at < len(self.text) and self.text[self.at] in "0123456789":
            self.at += 1
        if not 0 < self.at - start <= 20:
            raise _NotUnderstoodError
        return int(self.text[start : self.at])

    def _peek(self) -> str:
        return self.text[self.at : self.at + 1]

    def _is_at(self, code: str) -> bool:
        return self.text.startswith(code, self.at)

    def _takes(self, code: str) -> bool:
        if not self._is_at(code):
            return False
        self.at += len(code)
        return True

    def _expect(self, code: str) -> None:
        if not self._takes(code):
            raise _NotUnderstoodError

    def _deeper(self) -> None:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise _NotUnderstoodError

    def _checked(self, text: str) -> str:
        if len(text) > LONGEST:
            raise _NotUnderstoodError
        return text


def _pointer(pointee: str, mark: str) -> str:
    """A pointer or a reference; one to a function or an array has its mark in parentheses, in the middle."""
    opening = pointee.find(" (") if pointee.endswith(")") else pointee.find("[") if pointee.endswith("]") else -1
    if opening < 0:
        return pointee + mark
    gap = "" if pointee[opening] == " " else " "
    return f"{pointee[:opening]}{gap or ' '}({mark}){pointee[opening:].lstrip()}"


def _space(name: str) -> str:
    """What OpenCL calls an address space, which clang writes as its number or its name."""
    number = name.removeprefix("AS")
    if number != name and number.isdecimal():
        return _SPACES[int(number)] if int(number) < len(_SPACES) else f"__attribute__((address_space({number})))"
    return name.removeprefix("CL") if name.removeprefix("CL") in _SPACES else name.removeprefix("SY")


def _has_no_result(name: str) -> bool:
    """Constructors, destructors and conversions are mangled without the type of a result."""
    last = name.rpartition("<")[0].split("::")
    return len(last) > 1 and (last[-1].removeprefix("~") == last[-2].partition("<")[0] or last[-1].startswith("operator "))
