"""Names for ids that say what they are: `v4float`, `int_3`, `_ptr_Input_float`, and what OpName calls them.

Every name is given once: to whoever asks first, in the order of the module.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from spvls.binary.float_text import number_text
from spvls.grammar import spv, tables
from spvls.grammar.enumerants import FPEncoding
from spvls.module.context_dependent import numeric_type
from spvls.syntax.instruction import Instruction
from spvls.syntax.number import NumericType
from spvls.typed import Any

_NOT_IN_NAMES = re.compile("[^A-Za-z0-9_]")

_BUILTIN = 11  # the decoration

#: Longer names are left to the number, as by the reference. Names are made of names, and a few words could make them grow forever.
_LONGEST = 256

#: Names up to this length are kept wherever they come from, and however often they are used.
_SHORT = 64

#: So many characters may longer names have together, and so many more may they add to the text.
_ROOM = 1 << 24

_INTEGERS = {8: "char", 16: "short", 32: "int", 64: "long"}
_FLOATS = {16: "half", 32: "float", 64: "double"}
_ENCODINGS = {
    FPEncoding.BFloat16KHR: "bfloat16",
    FPEncoding.Float8E4M3EXT: "fp8e4m3",
    FPEncoding.Float8E5M2EXT: "fp8e5m2",
    FPEncoding.Float6E2M3EXT: "fp6e2m3",
    FPEncoding.Float6E3M2EXT: "fp6e3m2",
    FPEncoding.Float4E2M1EXT: "fp4e2m1",
    FPEncoding.Float8UnsignedE8M0EXT: "fp8e8m0",
    FPEncoding.MXInt8EXT: "mxint8",
}

#: Opcodes whose result is called the same in every module.
_FIXED = {
    spv.OpTypeVoid: "void",
    spv.OpTypeBool: "bool",
    spv.OpTypeEvent: "Event",
    spv.OpTypeDeviceEvent: "DeviceEvent",
    spv.OpTypeReserveId: "ReserveId",
    spv.OpTypeQueue: "Queue",
    spv.OpTypePipeStorage: "PipeStorage",
    spv.OpTypeNamedBarrier: "NamedBarrier",
    spv.OpConstantTrue: "true",
    spv.OpConstantFalse: "false",
}

_PREFIXED = """
Position PointSize ClipDistance CullDistance Layer ViewportIndex TessLevelOuter TessLevelInner TessCoord PatchVertices
FragCoord PointCoord FrontFacing SamplePosition SampleMask FragDepth HelperInvocation LocalInvocationIndex
VertexIndex InstanceIndex BaseInstance
"""
_BARE = """
WorkDim GlobalSize EnqueuedWorkgroupSize GlobalOffset GlobalLinearId SubgroupSize SubgroupMaxSize NumSubgroups
NumEnqueuedSubgroups SubgroupId SubgroupLocalInvocationId
"""

#: What a variable decorated with a BuiltIn is called: as in GLSL where it has one, or as the enumerant.
_BUILTINS = {
    **{name: f"gl_{name}" for name in _PREFIXED.split()},
    **{name: name for name in _BARE.split()},
    **{f"Subgroup{relation}Mask": f"Subgroup{relation}MaskKHR" for relation in ("Eq", "Ge", "Gt", "Le", "Lt")},
    "VertexId": "gl_VertexID",
    "InstanceId": "gl_InstanceID",
    "PrimitiveId": "gl_PrimitiveID",
    "InvocationId": "gl_InvocationID",
    "SampleId": "gl_SampleID",
    "NumWorkgroups": "gl_NumWorkGroups",
    "WorkgroupSize": "gl_WorkGroupSize",
    "WorkgroupId": "gl_WorkGroupID",
    "LocalInvocationId": "gl_LocalInvocationID",
    "GlobalInvocationId": "gl_GlobalInvocationID",
}

_NameOf = Callable[[str], str]

#: What the result of other opcodes is called, after the operands and what the ids among these are called.
_DESCRIBED: dict[int, Callable[[tuple[Any, ...], _NameOf], str]] = {
    spv.OpTypeInt: lambda o, of: ("" if o[1] and o[0] in _INTEGERS else "i" if o[1] else "u") + _INTEGERS.get(o[0], str(o[0])),
    spv.OpTypeVector: lambda o, of: f"v{o[1]}{of(o[0])}",
    spv.OpTypeMatrix: lambda o, of: f"mat{o[1]}{of(o[0])}",
    spv.OpTypeArray: lambda o, of: f"_arr_{of(o[0])}_{of(o[1])}",
    spv.OpTypeRuntimeArray: lambda o, of: f"_runtimearr_{of(o[0])}",
    spv.OpTypeNodePayloadArrayAMDX: lambda o, of: f"_payloadarr_{of(o[0])}",
    spv.OpTypePointer: lambda o, of: f"_ptr_{_enumerant_name('StorageClass', o[0])}_{of(o[1])}",
    spv.OpTypeUntypedPointerKHR: lambda o, of: f"_ptr_{_enumerant_name('StorageClass', o[0])}",
    spv.OpTypePipe: lambda o, of: f"Pipe{_enumerant_name('AccessQualifier', o[0])}",
    spv.OpTypeOpaque: lambda o, of: f"Opaque_{_clean(o[0])}",
}


def friendly_names(instructions: Sequence[Instruction]) -> dict[str, str]:
    """The name of each id that an instruction names or defines, by the number that a decoded module calls it."""
    naming = Naming()
    for record in instructions:
        naming.follow(record)
    long = naming.long()
    if long:
        naming.take_back(_uses(long, instructions))
    return naming.names


def type_name(record: Instruction) -> str | None:
    """What the type that an instruction declares is called, by its operands as they are named in the text; None for a type
    whose operands do not make a name, and for anything else."""
    opcode = record.opcode.value
    if not record.opcode.is_type or opcode not in SAYING or opcode == spv.OpTypeStruct or record.raw or record.faults:
        return None
    return Naming().describe(opcode, record, record.operands)


def _uses(counts: dict[str, int], instructions: Iterable[Instruction]) -> dict[str, int]:
    """How often each of some ids stands in the text."""
    for record in instructions:
        for name in (record.type, record.result, *record.operands):
            if name in counts:
                counts[name] += 1  # type: ignore[index]
    return counts


SAYING = frozenset({spv.OpName, spv.OpDecorate, spv.OpTypeFloat, spv.OpTypeStruct, spv.OpConstant, *_FIXED, *_DESCRIBED})


class Naming:
    """The names given so far."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}
        self.used: set[str] = set()
        self._numeric: dict[str, NumericType] = {}
        self._numbers: dict[str, int] = {}
        self._room = _ROOM

    def give(self, id_: str, wanted: str) -> None:
        """Call an id as wanted, with a number after it where another id is called so; nothing where it has a name."""
        if id_ in self.names:
            return
        if len(wanted) > _SHORT:
            if len(wanted) > min(_LONGEST, self._room):
                wanted = id_
            else:
                self._room -= len(wanted)
        name = wanted
        if name in self.used:
            # The numbers below were taken when the last clash was settled, and names are never given back.
            number = self._numbers.get(wanted, 0)
            while (name := f"{wanted}_{number}") in self.used:
                number += 1
            self._numbers[wanted] = number + 1
        self.used.add(name)
        self.names[id_] = name

    def take_back(self, uses: dict[str, int]) -> None:
        """Leave to the number what would make the text too long for what the module says, the worst first."""
        costs = {id_: count * len(self.names[id_]) for id_, count in uses.items()}
        total = sum(costs.values())
        for id_ in sorted(costs, key=costs.__getitem__, reverse=True):
            if total <= _ROOM:
                return
            total -= costs[id_]
            del self.names[id_]
            self.give(id_, id_)

    def follow(self, record: Instruction) -> None:
        """Give the names that an instruction calls for; its result has one in any case."""
        if record.opcode.value in SAYING:
            if not record.raw:
                self._hear(record)
        elif record.result is not None:
            self.number(record.result)

    def number(self, id_: str) -> None:
        """Call an id by its number, unless it has a name or another id is called so."""
        if id_ not in self.names:
            if id_ in self.used:
                self.give(id_, id_)
            else:
                self.used.add(id_)
                self.names[id_] = id_

    def long(self) -> dict[str, int]:
        """The ids with names that could make the text too long, each with 0."""
        return {id_: 0 for id_, name in self.names.items() if len(name) > _SHORT}

    def _hear(self, record: Instruction) -> None:
        operands: tuple[Any, ...] = record.operands
        match record.opcode.value:
            case spv.OpName:
                self.give(operands[0], _clean(operands[1]))
            case spv.OpDecorate:
                if operands[1] == _BUILTIN and (builtin := _BUILTINS.get(_enumerant_name("BuiltIn", operands[2]))):
                    self.give(operands[0], builtin)
            case opcode:
                assert record.result is not None
                self.give(record.result, self.describe(opcode, record, operands))

    def describe(self, opcode: int, record: Instruction, operands: tuple[Any, ...]) -> str:
        """What an instruction calls its result."""
        type_ = numeric_type(record)
        if type_ is not None:
            self._numeric[str(record.result)] = type_
        if opcode in _FIXED:
            return _FIXED[opcode]
        if opcode == spv.OpTypeStruct:
            return f"_struct_{record.result}"
        if opcode == spv.OpConstant:
            holder = str(record.type)
            return _clean(f"{self._of(holder)}_{number_text(self._numeric[holder], operands[0]).replace('-', 'n')}")
        if opcode == spv.OpTypeFloat:
            width, *encoding = operands
            return (_ENCODINGS.get(encoding[0]) if encoding else None) or _FLOATS.get(width, f"fp{width}")
        return _DESCRIBED[opcode](operands, self._of)

    def _of(self, id_: str) -> str:
        return self.names.get(id_, id_)


def _clean(name: bytes | str) -> str:
    """A name with an underscore for each byte that no id can have."""
    if isinstance(name, bytes):
        name = name.decode("latin-1")
    return _NOT_IN_NAMES.sub("_", name) or "_"


def _enumerant_name(kind: str, value: int) -> str:
    enumerant = tables.kind(kind).by_value(value)
    return enumerant.name if enumerant else str(value)
