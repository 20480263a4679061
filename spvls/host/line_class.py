"""What a line of assembly text is, as far as cutting a text into modules needs it: one character a class."""

from __future__ import annotations

from spvls.text.pattern import is_compiled, pattern, written_later

BLANK, COMMENT, HEADER, BANNER, RUN = "b", "c", "h", "p", "r"
CAPABILITY, IMPORT, MEMORY_MODEL, ENTRY_POINT, FUNCTION, FUNCTION_END, OTHER = "C", "X", "M", "N", "F", "E", "I"
STRING, TEMPLATE, WORD, FOREIGN = "s", "P", "w", "t"

INSTRUCTIONS = CAPABILITY + IMPORT + MEMORY_MODEL + ENTRY_POINT + FUNCTION + FUNCTION_END + OTHER
CLASSES = BLANK + COMMENT + HEADER + BANNER + RUN + INSTRUCTIONS + STRING + TEMPLATE + WORD + FOREIGN

_OPCODES = r"""
    (?P<C>Op(?:Conditional)?Capability(?:EXT|INTEL)?)(?!\w) | (?P<X>Op(?:Extension|ExtInstImport))(?!\w)
  | (?P<M>OpMemoryModel)(?!\w) | (?P<N>OpEntryPoint)(?!\w) | (?P<E>OpFunctionEnd)(?!\w) | (?P<F>OpFunction)(?!\w)
"""

# What tools write between two listings: spirv-opt --print-all, the split-file of LLVM, the splitting of MLIR's tools.
_BANNER = r";[ ]IR[ ](?:before[ ]pass[ ]|after[ ]last[ ]pass) | (?:;|\#|//)\ ?---[ ]\S | //[ ]-----"

_NEAR = r"""
    [%!]\w | [^\w\s;"]{1,3}Op[A-Z] | (?:[Oo0][Pp]|OP)(?:[A-Za-z]|\s*$) | [Oo]\s*$ | [^\s;"=]+\s*=\s*[Oo0][Pp][A-Za-z]
  | (?:Capability|MemoryModel|EntryPoint|ExecutionMode|ExtInstImport|Type[A-Z]\w+|FunctionEnd)(?!\w)
"""

# The header of a listing of glslang -H and of the white paper, which belongs to the module that follows.
_PAPER = r"//[ ]*(?:Module[ ]Version|Generated[ ]by[ ]\(magic|Id's[ ]are[ ]bound[ ]by|Magic[ ]number|SPIR-V[ ]Version|schema)[ ]"

_LENIENT = pattern(
    rf"""(?x)[ \t\f\v]*(?:
    (?P<h>;[ ]SPIR-V\s*$) | (?P<p>{_BANNER}) | (?P<r>(?:;|//|\#).*\bRUN:) | (?P<c>;|{_PAPER}) | (?P<b>[\r\n]|$)
  | (?:%\S+[ \t]*=[ \t]*)?(?:{_OPCODES}) | (?P<I>{_NEAR}) | (?P<w>[A-Za-z]\w*[ \t]*[\r\n]*\Z) | (?P<t>)
    )"""
)

_STRICT = pattern(
    rf"""(?x)[ \t\f\v]*(?:
    (?P<h>;[ ]SPIR-V\s*$) | (?P<c>;) | (?P<b>[\r\n]|$)
  | (?P<P>(?=[^;\r\n]*(?:\$\{{|\$\w|\{{\w*\}}|@\w+@))(?:%[\w${{}}]+\s*=\s*)?Op[A-Z])
  | (?:%\w+[ \t]*=[ \t]*)?(?:{_OPCODES} | (?P<I>Op[A-Z]\w+)) | (?P<t>)
    )"""
)

# A line up to its comment, with the group `open` where a string of it stays open. No repetition may fail after it has begun:
# before Python 3.11.5 it would not go back to where it began.
_STRINGS = pattern(r'(?:[^";\0]|"(?:[^"\\\0]|\\[^\0])*+(?:"|(?P<open>\\?\Z)))*+')
_CLOSING = pattern(r'(?:[^"\\\0]|\\[^\0])*+"')

# Lines of which a glance says that they are OTHER in `_LENIENT` and leave no string open.
_ORDINARY = written_later(
    lambda: rf"""(?x)(?:[ \t]*+(?:%\w++[ \t]++=[ \t]*+)?(?!{pattern("[?]P<.>").sub("?:", _OPCODES)})Op[A-Z]
    [^";\\\0\r\n]*+(?:"[^"\\\0\r\n]*+"[^";\\\0\r\n]*+)*(?:;[^"\0\r\n]*+)?+\r?\n)*+
    """
)


def are_many(lines: int) -> bool:
    """Whether lines are better looked at in runs than one by one: not where the expression for that would have to be compiled for
    a few of them."""
    return lines > _FEW or is_compiled(_ORDINARY)


def ordinary_run(text: str, at: int) -> int:
    """Where the run of ordinary lines ends that begins at an offset: see `Reader.ordinary`."""
    match = _ORDINARY.match(text, at)
    assert match is not None
    return text.rfind("\n", at, match.end()) + 1 or at  # before Python 3.11.5, the line that ends the run may match in part


_FEW = 256
"""So many lines are looked at one by one."""

_PLAIN = {
    "OpCapability": CAPABILITY, "OpExtension": IMPORT, "OpExtInstImport": IMPORT, "OpMemoryModel": MEMORY_MODEL,
    "OpEntryPoint": ENTRY_POINT, "OpFunction": FUNCTION, "OpFunctionEnd": FUNCTION_END,
}  # fmt: skip
"""The classes of instructions by the names that their opcodes mostly have."""


def at_a_glance(line: str) -> str | None:
    """The class that `read_listing` gives to a line outside of strings, where it leaves none open and no expression is needed to
    see that; most lines are of this kind."""
    if line.startswith(";"):
        if "\0" in line or "RUN:" in line or line.startswith(("; IR ", ";---", "; ---")):
            return None
        return HEADER if line.rstrip() == "; SPIR-V" else COMMENT
    plain = line.rstrip("\r\n").replace("\t", " ")
    if not (plain.isascii() and plain.isprintable()) or ";" in plain or "\\" in plain or plain.count('"') not in (0, 2):
        return None
    words = plain.split(None, 3)
    if not words:
        return BLANK
    name = words[0][1:]
    defines = words[0][0] == "%" and words[1:2] == ["="] and len(words) > 2 and name != "" and f"_{name}".isidentifier()
    opcode = words[2] if defines else words[0]
    if not (opcode.startswith("Op") and opcode[2:3].isalpha() and opcode.isalnum()):
        return None
    return _PLAIN.get(opcode) or (None if "Capability" in opcode else OTHER)


def read_listing(state: str, line: str) -> tuple[str, str]:
    """The class of a line of a listing, and the state after it.

    The state is `"` where a string is open, NUL where the text has ended, and empty otherwise. A header comment or a banner
    of a tool ends a string that is open, so that one quotation mark does not hide the modules that follow.
    """
    found = at_a_glance(line) if not state else None
    if found is not None:
        return "", found
    if state == "\0":
        return state, STRING
    match = _LENIENT.match(line)
    assert match is not None and match.lastgroup is not None
    found = match.lastgroup
    if state and found not in (HEADER, BANNER):
        closing = _CLOSING.match(line)
        if closing is None:
            return ("\0" if "\0" in line else state), STRING
        found, line = STRING, line[closing.end() :]
    if "\0" in line:
        return "\0", found
    if '"' not in line or found in (HEADER, BANNER, RUN, COMMENT, FOREIGN):
        return "", found
    strings = _STRINGS.match(line)
    return ('"' if strings is not None and strings["open"] is not None else ""), found


def embedded(line: str) -> str:
    """The class of a line in a block of another language, where only what is surely SPIR-V counts as such."""
    match = _STRICT.match(line)
    assert match is not None and match.lastgroup is not None
    return match.lastgroup
