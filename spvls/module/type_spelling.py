"""Types as people read them: `u32`, `vec4<f32>`, `ptr<StorageBuffer, Block{…}>`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from itertools import islice

from spvls.grammar import spv, tables
from spvls.grammar.enumerants import Dim
from spvls.module.types import Type

_MOST_NESTED = 4

_MOST_MEMBERS = 64
"""Members of a structure, or parameters of a function, that are shown."""


def spell(type_: Type | None, names: Callable[[str], str], *, depth: int = 3, brief: bool = False) -> str:
    """A type in the way of shading languages.

    `names` gives the name to show for an id. Below `depth` the insides of structures and what they point to are left out.
    Where it is `brief`, images are the words of shading languages (`sampler2D<f32>`), and structures are their names.
    """
    return _Spelling(names, depth, _BRIEF if brief else _SPELLED).any(type_)


class _Spelling:
    """Spells types of some kinds, each by a method."""

    def __init__(self, names: Callable[[str], str], depth: int, forms: _Forms) -> None:
        self._names = names
        self._depth = depth
        self._forms = forms

    def any(self, type_: Type | None) -> str:
        if type_ is None:
            return "?"
        if self._depth < -_MOST_NESTED:
            return "…"
        form = self._forms.get(type_.kind)
        if form is not None:
            return form(self, type_)
        if not type_.operands:
            return _word(type_.kind)
        name = self._names(type_.id)
        return name if self._forms is _BRIEF else f"{_word(type_.kind)} ({name})"

    def _inner(self, type_: Type | None) -> str:
        return _Spelling(self._names, self._depth - 1, self._forms).any(type_)

    def _members(self, members: Iterable[Type | None]) -> str:
        if self._depth <= 1:
            return "…"
        shown = [*map(self._inner, islice(members, _MOST_MEMBERS + 1))]
        return ", ".join(shown if len(shown) <= _MOST_MEMBERS else [*shown[:_MOST_MEMBERS], "…"])

    def int(self, type_: Type) -> str:
        return f"{'i' if type_.signed else 'u'}{type_.width}"

    def float(self, type_: Type) -> str:
        encoding = type_.encoding
        enumerant = tables.kind("FPEncoding").by_value(encoding) if encoding is not None else None
        return f"f{type_.width}" if enumerant is None else enumerant.name.removesuffix("KHR").removesuffix("EXT").lower()

    def vector(self, type_: Type) -> str:
        return f"vec{type_.count}<{self._inner(type_.element)}>"

    def long_vector(self, type_: Type) -> str:
        return f"vec<{self._inner(type_.element)}, {self._names(type_.length_id or '?')}>"

    def matrix(self, type_: Type) -> str:
        column = type_.element
        rows = column.count if column is not None else "?"
        return f"mat{type_.count}x{rows}<{self._inner(column.element if column else None)}>"

    def array(self, type_: Type) -> str:
        return f"array<{self._inner(type_.element)}, {self._names(type_.length_id or '?')}>"

    def runtime_array(self, type_: Type) -> str:
        return f"array<{self._inner(type_.element)}>"

    def tensor(self, type_: Type) -> str:
        rank = type_.name(1)
        return f"tensor<{self._inner(type_.element)}{'' if rank is None else f', {self._names(rank)}'}>"

    def pointer(self, type_: Type) -> str:
        return f"ptr<{_enumerant('StorageClass', type_.storage)}, {self._inner(type_.element) if self._depth > 0 else '…'}>"

    def untyped_pointer(self, type_: Type) -> str:
        return f"ptr<{_enumerant('StorageClass', type_.storage)}>"

    def struct(self, type_: Type) -> str:
        return f"{self._names(type_.id)}{{{self._members(type_.members)}}}"

    def function(self, type_: Type) -> str:
        return f"fn({self._members(type_.members)}) → {self._inner(type_.element)}"

    def image(self, type_: Type) -> str:
        marks = [mark for mark, at in {"depth": 2, "array": 3, "ms": 4}.items() if type_.word(at) == 1]
        use = {1: "sampled", 2: "storage"}.get(type_.word(5), "")
        format_ = _enumerant("ImageFormat", type_.word(6)).replace("Unknown", "")
        parts = [_enumerant("Dim", type_.word(1)), self._inner(type_.element), *marks, use, format_]
        return f"image<{', '.join(filter(None, parts))}>"

    def sampled_image(self, type_: Type) -> str:
        return f"sampled_image<{self._inner(type_.element)}>"

    def struct_name(self, type_: Type) -> str:
        """A structure without a name, whose id is a number, is spelled by its members."""
        name = self._names(type_.id)
        return f"{{{self._members(type_.members)}}}" if name.removeprefix("%").isdigit() else name

    def image_word(self, type_: Type) -> str:
        storage = type_.word(5) == 2
        inner = self._inner(type_.element)
        if type_.word(1) == Dim.SubpassData:
            return f"subpassInput{'MS' if type_.word(4) == 1 else ''}<{inner}>"
        format_ = _enumerant("ImageFormat", type_.word(6))
        texel = f"{inner}, {format_}" if storage and format_ != "Unknown" else inner
        return f"{'image' if storage else 'tex'}{_shape(type_)}<{texel}>"

    def sampled_image_word(self, type_: Type) -> str:
        image = type_.element
        if image is None or image.kind != spv.OpTypeImage:
            return self.sampled_image(type_)
        return f"sampler{_shape(image)}<{self._inner(image.element)}>"

    def cooperative_matrix(self, type_: Type) -> str:
        words = [self._inner(type_.element), "x".join(self._names(str(extent)) for extent in type_.operands[2:4])]
        if self._forms is _SPELLED:
            for kind, value in zip(("Scope", "CooperativeMatrixUse"), type_.operands[1::3], strict=False):
                name = self._names(str(value))
                words.append(_enumerant(kind, int(name)).removesuffix("KHR") if name.isdecimal() else name)
        return f"coopmat<{', '.join(words)}>"


_Forms = Mapping[int, Callable[[_Spelling, Type], str]]

_SPELLED: _Forms = {
    spv.OpTypeInt: _Spelling.int,
    spv.OpTypeFloat: _Spelling.float,
    spv.OpTypeVector: _Spelling.vector,
    spv.OpTypeVectorIdEXT: _Spelling.long_vector,
    spv.OpTypeMatrix: _Spelling.matrix,
    spv.OpTypeArray: _Spelling.array,
    spv.OpTypeRuntimeArray: _Spelling.runtime_array,
    spv.OpTypeTensorARM: _Spelling.tensor,
    spv.OpTypePointer: _Spelling.pointer,
    spv.OpTypeUntypedPointerKHR: _Spelling.untyped_pointer,
    spv.OpTypeStruct: _Spelling.struct,
    spv.OpTypeFunction: _Spelling.function,
    spv.OpTypeImage: _Spelling.image,
    spv.OpTypeSampledImage: _Spelling.sampled_image,
    spv.OpTypeCooperativeMatrixKHR: _Spelling.cooperative_matrix,
    spv.OpTypeCooperativeMatrixNV: _Spelling.cooperative_matrix,
}

_BRIEF: _Forms = {
    **_SPELLED,
    spv.OpTypeStruct: _Spelling.struct_name,
    spv.OpTypeImage: _Spelling.image_word,
    spv.OpTypeSampledImage: _Spelling.sampled_image_word,
}


@cache
def _word(kind: int) -> str:
    """`void`, `device_event`, `hit_object_nv`: what a type is called by its opcode."""
    name = tables.opcode_name(kind).removeprefix("OpType").removesuffix("KHR")
    return re.sub("(?<=[a-z])(?=[A-Z])", "_", name).lower()


def _shape(image: Type) -> str:
    """`2DArray`, `CubeShadow`, `2DMS`: the Dim of an image, and what it has besides."""
    dim = _enumerant("Dim", image.word(1))
    marks = (mark for mark, at in (("MS", 4), ("Array", 3), ("Shadow", 2)) if image.word(at) == 1)
    return dim + "".join(marks)


def _enumerant(kind: str, value: int) -> str:
    enumerant = tables.kind(kind).by_value(value)
    return enumerant.name if enumerant is not None else str(value)
