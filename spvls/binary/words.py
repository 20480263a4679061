"""The words of a file: byte order, dumps in hexadecimal text, the header (SPIR-V 2.3)."""

from __future__ import annotations

import sys
from array import array

from spvls.record import NamedTuple
from spvls.text.pattern import pattern

MAGIC = 0x07230203
HEADER_WORDS = 5

_SWAPPED_MAGIC = int.from_bytes(MAGIC.to_bytes(4, "little"), "big")
_NEWEST = 0x00010600

_DUMP = pattern(rb"[\s,]*(?:0?[xX])?0?[37]")
_HEX_DIGITS = b"0123456789abcdefABCDEF"


class DecodeError(ValueError):
    """Bytes that are not a SPIR-V module; `word` counts the words of the file from 0, its header included."""

    def __init__(self, message: str, word: int) -> None:
        super().__init__(message, word)
        self.message = message
        self.word = word

    def __str__(self) -> str:
        return f"word {self.word}: {self.message}"


class Header(NamedTuple):
    """The words of a header after the magic number, and the byte order of the file, "little" or "big"."""

    version: int
    generator: int
    bound: int
    schema: int
    byte_order: str


class Words(NamedTuple):
    """The words of a file, the same as little-endian bytes, and what its header says.

    `rest` are the bytes after the last whole word.
    """

    words: list[int]
    data: bytes
    header: Header
    rest: bytes = b""


def little_endian(words: array[int]) -> bytes:
    """Words as the bytes of a file, the low byte of each first."""
    return _bytes_in_order(words, "little")


def big_endian(words: array[int]) -> bytes:
    """Words as bytes, the high byte of each first."""
    return _bytes_in_order(words, "big")


def _bytes_in_order(words: array[int], byte_order: str) -> bytes:
    if sys.byteorder == byte_order:
        return words.tobytes()
    swapped = array("I", words)
    swapped.byteswap()
    return swapped.tobytes()


def read_words(data: bytes) -> Words:
    """The words of a module, given as a binary of either byte order or as a dump of one in hexadecimal text.

    Raises DecodeError where there is no complete header with a version of SPIR-V in it, or half a word at the end.
    """
    read = read_any_words(data)
    fault = version_fault(read.header)
    if fault is not None:
        raise fault
    if read.rest:
        size = len(read.data) + len(read.rest)
        raise DecodeError(f"the module ends inside a word: its size, {size} bytes, is not a multiple of four", size // 4)
    return read


def version_fault(header: Header) -> DecodeError | None:
    """What is wrong with the version that a header says."""
    version = header.version
    if version & 0xFFFF00FF == 0x00010000 and version <= _NEWEST:
        return None
    return DecodeError(f"0x{version:08x} is not a version of SPIR-V; 1.0 is 0x00010000, and 1.6 is 0x00010600", 1)


def read_any_words(data: bytes) -> Words:
    """As `read_words`, and takes every version, and half a word at the end."""
    if _DUMP.match(data):
        data = _bytes_of_dump(data)
    whole = len(data) & ~3
    words = array("I")
    words.frombytes(data[:whole])
    if sys.byteorder == "big":
        words.byteswap()
    if not words:
        raise DecodeError(f"{len(data)} bytes are not a module; a module starts with a header of five words", 0)
    byte_order = "little"
    if words[0] == _SWAPPED_MAGIC:
        byte_order = "big"
        words.byteswap()
    if words[0] != MAGIC:
        raise DecodeError(f"the first word of a module is 0x{MAGIC:08x}, in either byte order; this is 0x{words[0]:08x}", 0)
    if len(words) < HEADER_WORDS:
        raise DecodeError(f"the module ends inside its header, which has {HEADER_WORDS} words", len(words))
    ordered = little_endian(words) if byte_order == "big" else data[:whole]
    version, generator, bound, schema = words[1:HEADER_WORDS]
    return Words(words.tolist(), ordered, Header(version, generator, bound, schema, byte_order), data[whole:])


def _bytes_of_dump(data: bytes) -> bytes:
    """The bytes of a dump: words (`0x07230203, …`) or bytes (`0x03, 0x02, …`) with a prefix, or digits without one.

    The magic number decides which of these it is.
    """
    tokens = data.replace(b",", b" ").split()
    if tokens[0][:1] in (b"x", b"X") or tokens[0][1:2] in (b"x", b"X"):
        values = []
        for at, token in enumerate(tokens):
            zero, mark, digits = token.lower().partition(b"x")
            if zero not in (b"", b"0") or not mark or not 1 <= len(digits) <= 8 or digits.strip(_HEX_DIGITS):
                raise DecodeError(_bad_token(token, "0x and hexadecimal digits, as the first has"), at)
            values.append(int(digits, 16))
        if values[0] > 0xFF:
            return little_endian(array("I", values))
        for at, value in enumerate(values):
            if value > 0xFF:
                raise DecodeError(_bad_token(tokens[at], "a byte, as the first is"), at // 4)
        return bytes(values)
    pairs = all(len(token) <= 2 for token in tokens)
    parts: list[bytes] = []
    count = 0
    for token in tokens:
        if token.strip(_HEX_DIGITS) or (len(token) & 1 and not pairs):
            raise DecodeError(_bad_token(token, "hexadecimal digits, two for each byte"), count // 8)
        parts.append(token.zfill(2))
        count += len(parts[-1])
    return bytes.fromhex(b"".join(parts).decode("ascii"))


def _bad_token(token: bytes, wanted: str) -> str:
    shown = token[:20].decode("ascii", "replace")
    return f"`{shown}` is in a hexadecimal dump, expected {wanted}"
