"""What the names in the documentation's examples declare.

scalars             void bool float half double int uint short ushort char uchar long ulong
vectors, matrices   v4float, mat4v4float
aggregates          arr_float_4, rta_uint, struct_float_v4float
pointers            ptr_Function_float
functions           fn_void, fn_float_int_int (the result first)
images              image_2d, image_2d_array, image_2d_ms, storage_image_2d, ustorage_image_2d, sampled_image_2d,
                    subpass_image
tensors             tensor_float_4 (of rank 4), list_uint_2 (of two elements)
constants           int_n5 (-5), float_0_5 (0.5), shape_2_3 (an array), str_main (a string)
others              those that `grammar/examples/declarations.spvasm` declares
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from spvls.grammar import tables
from spvls.grammar.data_text import data_text
from spvls.record import NamedTuple

NUMBERS = {
    "float": "OpTypeFloat 32",
    "half": "OpTypeFloat 16",
    "double": "OpTypeFloat 64",
    "int": "OpTypeInt 32 1",
    "uint": "OpTypeInt 32 0",
    "short": "OpTypeInt 16 1",
    "ushort": "OpTypeInt 16 0",
    "char": "OpTypeInt 8 1",
    "uchar": "OpTypeInt 8 0",
    "long": "OpTypeInt 64 1",
    "ulong": "OpTypeInt 64 0",
}
FORMS = {
    "OpTypeVoid": "void",
    "OpTypeBool": "bool",
    "OpTypeSampler": "sampler",
    "OpTypeAccelerationStructureKHR": "acceleration structure",
    "OpTypeEvent": "opaque",
    "OpTypeDeviceEvent": "opaque",
    "OpTypeQueue": "opaque",
    "OpTypeReserveId": "opaque",
}
"""Types by what a value of them comes from."""

_IMAGE = re.compile(r"(u?storage_|)image_(1d|2d|3d|cube|rect|buffer)(_array|)(_ms|)")
_CONSTANT = re.compile(rf"({'|'.join(NUMBERS)})_(n?)(\d+)(?:_(\d+))?")


@cache
def declarations() -> dict[str, str]:
    """What is declared by hand: the instructions, from the opcode on, by their results."""
    lines = (line.partition(" = ") for line in data_text("examples/declarations.spvasm").splitlines())
    return {name.removeprefix("%"): text for name, _, text in lines}


class Type(NamedTuple):
    """A type by its name: `parts` are the names of the types, and of the constant, that its declaration needs."""

    name: str
    form: str
    parts: tuple[str, ...] = ()
    declaration: str = ""
    storage: str = ""

    def text(self, kernel: bool) -> str:
        """The declaration, from the opcode on."""
        if kernel and self.form == "image":
            dim, _, arrayed = self.declaration.split()[2:5]
            return f"OpTypeImage %void {dim} 0 {arrayed} 0 0 Unknown ReadOnly"
        return self.declaration

    def needs(self, kernel: bool) -> tuple[str, ...]:
        """The names that the declaration uses."""
        return ("void",) if kernel and self.form == "image" else self.parts

    def members(self, uniform: bool) -> Iterator[tuple[str, int]]:
        """Of a structure: each member's type and offset."""
        offset = 0
        for part in self.parts if self.form == "struct" else ():
            member = known(part)
            offset = _round(offset, member.alignment(uniform))
            yield part, offset
            offset += member.size(uniform)

    def alignment(self, uniform: bool) -> int:
        """Of a type in a block, in bytes; aggregates in uniform blocks are aligned to 16."""
        if self.form == "number":
            return int(self.declaration.split()[1]) // 8
        if self.form == "vector":
            count = int(self.declaration.split()[2])
            return known(self.parts[0]).alignment(uniform) * (2 if count == 2 else 4)
        if self.form == "matrix":
            return 16
        if self.form not in ("struct", "array"):
            return 8
        members = self.parts if self.form == "struct" else self.parts[:1]
        widest = max(known(part).alignment(uniform) for part in members)
        return _round(widest, 16) if uniform else widest

    def size(self, uniform: bool) -> int:
        """Of a type in a block, in bytes; 0 for an array without a length."""
        if self.form == "number":
            return self.alignment(uniform)
        if self.form == "vector":
            return known(self.parts[0]).size(uniform) * int(self.declaration.split()[2])
        if self.form == "matrix":
            return 16 * int(self.declaration.split()[2])
        if self.form == "array":
            length = int(self.parts[1].removeprefix("uint_")) if len(self.parts) == 2 else 0
            return self.stride(uniform) * length
        if self.form == "struct":
            end = max((offset + known(part).size(uniform) for part, offset in self.members(uniform)), default=0)
            return _round(end, self.alignment(uniform))
        return 8

    def stride(self, uniform: bool) -> int:
        """Of an array: the bytes from one element to the next."""
        element = known(self.parts[0])
        return _round(element.size(uniform), max(element.alignment(uniform), 16 if uniform else 1))


def type_of(name: str) -> Type | None:
    """The type of that name, None when it is none."""
    found = _read(tuple(name.split("_")), 0)
    return found[0] if found is not None and found[0].name == name else None


def known(name: str) -> Type:
    """The type of a name that is one."""
    found = type_of(name)
    assert found is not None, name
    return found


def type_prefix(name: str) -> str | None:
    """The name of the type that a name is, or is but for a number after it."""
    for candidate in (name, re.sub(r"_\d+$", "", name)):
        if type_of(candidate) is not None:
            return candidate
    return None


def constant(name: str) -> tuple[str, str] | None:
    """Type and value of the scalar constant of that name, None when it is none."""
    match = _CONSTANT.fullmatch(name)
    if match is None:
        return None
    fraction = f".{match[4]}" if match[4] else ""
    return match[1], f"{'-' if match[2] else ''}{match[3]}{fraction}"


def composite_parts(of: Type) -> list[str]:
    """The names of constants that make up a constant of a composite type."""
    if of.form == "struct":
        parts = list(of.parts)
    elif of.form == "array":
        parts = [of.parts[0]] * int(of.parts[1].removeprefix("uint_"))
    elif of.form == "list":
        parts = [of.parts[0]] * int(of.parts[2].removeprefix("shape_"))
    else:
        parts = [of.parts[0]] * int(of.declaration.split()[2])
    return ["true" if part == "bool" else f"{part}_1" if part in NUMBERS else f"const_{part}" for part in parts]


@cache
def _read(words: tuple[str, ...], at: int) -> tuple[Type, int] | None:
    """The type that the words from `at` on name, and where it ends."""
    if at >= len(words):
        return None
    for end in range(min(at + 5, len(words)), at, -1):
        name = "_".join(words[at:end])
        found = _simple(name)
        if found is not None:
            return found, end
    head = words[at]
    if head in ("tensor", "list"):
        return _read_tensor(words, at)
    if head in ("struct", "fn"):
        return _read_list(words, at)
    start = at + 2 if head == "ptr" else at + 1
    inner = _read(words, start) if head in ("arr", "rta", "ptr", "sampled") else None
    if inner is None:
        return None
    part, end = inner
    end += head == "arr"
    name = "_".join(words[at:end])
    if head == "rta":
        return Type(name, "array", (part.name,), f"OpTypeRuntimeArray %{part.name}"), end
    if head == "sampled" and part.form == "image":
        return Type(name, "sampled image", (part.name,), f"OpTypeSampledImage %{part.name}"), end
    if head == "ptr" and tables.kind("StorageClass").get(words[at + 1]) is not None:
        return Type(name, "pointer", (part.name,), f"OpTypePointer {words[at + 1]} %{part.name}", words[at + 1]), end
    if head != "arr" or end > len(words) or not words[end - 1].isdigit():
        return None
    length = f"uint_{words[end - 1]}"
    return Type(name, "array", (part.name, length), f"OpTypeArray %{part.name} %{length}"), end


def _read_tensor(words: tuple[str, ...], at: int) -> tuple[Type, int] | None:
    """A tensor of some rank, or one of rank 1 and some length."""
    inner = _read(words, at + 1)
    if inner is None or inner[1] >= len(words) or not words[inner[1]].isdigit():
        return None
    part, end = inner
    number = words[end]
    needs = (f"uint_{number}",) if words[at] == "tensor" else ("uint_1", f"shape_{number}")
    declaration = " ".join(["OpTypeTensorARM", *(f"%{name}" for name in (part.name, *needs))])
    return Type("_".join(words[at : end + 1]), words[at], (part.name, *needs), declaration), end + 1


def _read_list(words: tuple[str, ...], at: int) -> tuple[Type, int] | None:
    parts: list[str] = []
    end = at + 1
    while (inner := _read(words, end)) is not None:
        parts.append(inner[0].name)
        end = inner[1]
    if not parts:
        return None
    form, opcode = ("struct", "OpTypeStruct") if words[at] == "struct" else ("function", "OpTypeFunction")
    declaration = f"{opcode} {' '.join(f'%{part}' for part in parts)}"
    return Type("_".join(words[at:end]), form, tuple(parts), declaration), end


def _simple(name: str) -> Type | None:
    """A type that is not made of others by name."""
    if name in NUMBERS:
        return Type(name, "number", (), NUMBERS[name])
    declared = declarations().get(name)
    if declared is not None and declared.startswith("OpType"):
        return Type(name, FORMS.get(declared.split()[0], "other"), tuple(re.findall(r"%(\w+)", declared)), declared)
    if (match := re.fullmatch(r"v([234]|8|16)([a-z]+)", name)) and (match[2] in NUMBERS or match[2] == "bool"):
        return Type(name, "vector", (match[2],), f"OpTypeVector %{match[2]} {match[1]}")
    if (match := re.fullmatch(r"mat([234])(v[234](?:float|half|double))", name)) is not None:
        return Type(name, "matrix", (match[2],), f"OpTypeMatrix %{match[2]} {match[1]}")
    if name == "subpass_image":
        return Type(name, "image", ("float",), "OpTypeImage %float SubpassData 0 0 0 2 Unknown")
    if (match := _IMAGE.fullmatch(name)) is not None:
        of = "uint" if match[1] == "ustorage_" else "float"
        use = {"": "1 Unknown", "storage_": "2 Rgba32f", "ustorage_": "2 R32ui"}[match[1]]
        dim = match[2].upper() if match[2][0].isdigit() else match[2].title()
        arrayed, multisampled = int(bool(match[3])), int(bool(match[4]))
        return Type(name, "image", (of,), f"OpTypeImage %{of} {dim} 0 {arrayed} {multisampled} {use}")
    return None


def _round(value: int, multiple: int) -> int:
    return -(-value // multiple) * multiple
