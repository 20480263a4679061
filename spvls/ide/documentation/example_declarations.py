"""What the lines of an example need besides themselves, put into the sections of a module.

A name that the example defines stands for its line; any other is declared as `spvls.ide.documentation.example_names` reads it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from spvls.grammar import spv
from spvls.grammar.enumerants import StorageClass
from spvls.grammar.traits import VARIABLES
from spvls.ide.documentation.example_names import Type, composite_parts, constant, declarations, type_of, type_prefix
from spvls.module.decorations import decoration_name, decoration_value
from spvls.module.sections import FLOATING, Section, section_of
from spvls.syntax.instruction import Instruction
from spvls.syntax.operand_decls import declared_operands
from spvls.syntax.scanner import scan

END = len(Section) + 1
"""Where reflection stands, as it names functions: after these."""

ORDER = (*Section, END)
"""The sections of a module by the order of its lines."""

_LOCAL_NOTES = (
    *("DebugScope", "DebugNoScope", "DebugLine", "DebugNoLine", "DebugDeclare", "DebugValue"),
    *("DebugFunctionDefinition", "DebugPrintf", "DebugBreak"),
)
"""Non-semantic instructions that stand in functions; the others stand among the types."""

_DESCRIBED = ("UniformConstant", "Uniform", "StorageBuffer")
_BINDING = re.compile("(BuiltIn|DescriptorSet|Binding|(Bindless|Bound)(Image|Sampler)NV)$")
"""Decorations that say what a client provides a variable with."""

_HANDLES = ("image", "sampled image", "sampler", "acceleration structure", "tensor")
"""Types whose values come from a variable that a client binds."""


class ExampleError(ValueError):
    """An example that cannot be completed."""


class Function:
    """A function of the module: what stands at the head of its first block, and the rest."""

    def __init__(self, opening: list[str]) -> None:
        self.opening = opening
        self.variables: list[str] = []
        self.values: list[str] = []
        self.rest: list[str] = []

    def lines(self) -> list[str]:
        return self.opening + self.variables + self.values + self.rest


class Declarations:
    """The sections of a module around the lines of an example, for an entry point of `stage`.

    `function` is the one that values and variables go to which the next lines need; `interface` has the global variables.
    """

    def __init__(self, records: list[Instruction], stage: str) -> None:
        self.stage = stage
        self.sections: dict[int, list[str]] = {section: [] for section in ORDER}
        self.interface: list[str] = []
        self.function = Function([])
        self.own = {record.result: record for record in records if record.result is not None}
        self._defined = {"main", "graph"}
        self._forward: set[str] = set()
        self._continued: dict[Instruction, list[Instruction]] = {}
        self._bindings = self._locations = self._numbered = 0
        self._laid_out = {
            operand
            for record in records
            if record.opcode.value in (spv.OpDecorate, spv.OpMemberDecorate)
            for operand in record.operands[:1]
        }
        #: Those that say how the client provides them.
        self._bound = {
            record.operands[0]
            for record in records
            if record.opcode.value == spv.OpDecorate and _BINDING.match(decoration_name(decoration_value(record) or 0))
        }

    @property
    def kernel(self) -> bool:
        return self.stage == "Kernel"

    @property
    def graph(self) -> bool:
        return self.stage == "Graph"

    def add_outside(self, outside: list[tuple[int, Instruction]]) -> None:
        """Puts lines that belong to no function, each given with its section."""
        head: list[Instruction] = []
        for section, record in outside:
            if "Continued" in record.opcode.name and section == Section.TYPES:
                self._continued.setdefault(head[-1], []).append(record)
            elif section == Section.TYPES:
                head.append(record)
            elif section == Section.ANNOTATIONS:
                # What a decoration says has to stand before what it decorates.
                self.require_all(record.uses()[1:])
        for section, record in outside:
            if section not in (Section.FUNCTIONS, Section.TYPES):
                self.require_all(record.uses())
                self.sections[section].append(text_of(record))
        for record in head:
            self._define_own(record)

    def section(self, record: Instruction) -> int:
        """The section that a line belongs to, where it can stand in several the one that it is shown for."""
        opcode = record.opcode
        if opcode.value in VARIABLES:
            return Section.FUNCTIONS if is_variable(record) else Section.TYPES
        if opcode.value == spv.OpExtInst:
            words = text_of(record).split()
            imported = words[4].removeprefix("%")
            text = text_of(self.own[imported]) if imported in self.own else declarations().get(imported, "")
            if re.search(r"Reflection|Graph\.DebugInfo", text):
                return END
            return Section.TYPES if "DebugInfo" in text and words[5] not in _LOCAL_NOTES else Section.FUNCTIONS
        return Section.FUNCTIONS if opcode.value in FLOATING else section_of(opcode)

    def require_all(self, names: Iterable[str]) -> None:
        for name in names:
            record = self.own.get(name)
            if record is None:
                self._define(name)
            elif self.section(record) == Section.TYPES:
                self._define_own(record)

    def _define_own(self, record: Instruction) -> None:
        """Puts one of the example's global lines, after what it needs."""
        if record.result in self._defined:
            return
        if record.opcode.value == spv.OpTypeForwardPointer:
            self._forward.update(record.uses())
        if record.result is not None:
            self._defined.add(record.result)
        records = [record, *self._continued.get(record, [])]
        self.require_all(name for each in records for name in each.uses() if name not in self._forward)
        self.sections[Section.TYPES] += map(text_of, records)
        if record.result is not None and record.opcode.value in VARIABLES:
            self.interface.append(record.result)

    def declare(self, name: str, text: str) -> None:
        self.sections[Section.TYPES].append(f"%{name} = {text}")

    def _define(self, name: str) -> None:
        """Declares what the name says, after what that needs."""
        if name in self._defined:
            return
        self._defined.add(name)
        kind, _, rest = name.partition("_")
        if (declared := type_of(name)) is not None:
            self._define_type(name, declared)
        elif name in declarations():
            text = declarations()[name]
            self.require_all(re.findall(r"%(\w+)", text))
            ((_, record),) = scan([f"%{name} = {text}"])
            section = self.section(record)
            lines = self.function.values if section == Section.FUNCTIONS else self.sections[section]
            lines.append(text_of(record))
        elif name in ("true", "false"):
            self.require_all(["bool"])
            self.declare(name, f"OpConstant{name.title()} %bool")
        elif (number := constant(name)) is not None:
            self.require_all([number[0]])
            self.declare(name, f"OpConstant %{number[0]} {number[1]}")
        elif kind == "spec" and (number := constant(rest)) is not None:
            self.require_all([number[0]])
            self.declare(name, f"OpSpecConstant %{number[0]} {number[1]}")
            self._annotate(f"OpDecorate %{name} SpecId {self._numbered}")
            self._numbered += 1
        elif kind == "shape" and all(map(str.isdigit, lengths := rest.split("_"))):
            parts = [f"uint_{length}" for length in lengths]
            self.require_all([f"arr_uint_{len(parts)}", *parts])
            self.declare(name, f"OpConstantComposite %arr_uint_{len(parts)} " + " ".join(f"%{part}" for part in parts))
        elif kind == "str" and rest:
            self.sections[Section.SOURCES].append(f'%{name} = OpString "{rest}"')
        elif kind == "null" and type_of(rest) is not None:
            self.require_all([rest])
            self.declare(name, f"OpConstantNull %{rest}")
        elif kind == "const" and (declared := type_of(rest)) is not None:
            parts = composite_parts(declared)
            self.require_all([rest, *parts])
            self.declare(name, f"OpConstantComposite %{rest} " + " ".join(f"%{part}" for part in parts))
        elif kind == "some" and (found := type_prefix(rest)) is not None:
            self._define_value(name, found, rest)
        elif kind == "var" and (found := type_prefix(rest.partition("_")[2])) is not None:
            self._define_variable(name, rest.partition("_")[0], found)
        else:
            raise ExampleError(f"%{name} is not defined, and its name says nothing")

    def _define_type(self, name: str, declared: Type) -> None:
        self.require_all(declared.needs(self.kernel))
        self.declare(name, declared.text(self.kernel))

    def _define_value(self, name: str, of: str, rest: str) -> None:
        """A value of a type, computed in the function that uses it."""
        declared = type_of(of)
        assert declared is not None
        self.require_all([of])
        values = self.function.values
        if declared.form in _HANDLES and not self.graph:
            variable = f"var_UniformConstant_{rest}"
            self.require_all([variable])
            values.append(f"%{name} = OpLoad %{of} %{variable}")
        elif self.graph:
            at = len(values)
            self.require_all([f"uint_{at}"])
            values.append(f"%{name} = OpGraphInputARM %{of} %uint_{at}")
        elif declared.form == "opaque":
            values.append(f"%{name} = OpConstantNull %{of}")
        elif declared.form == "pointer" and declared.storage == "Generic":
            variable = f"var_Function_{declared.parts[0]}_9"
            self.require_all([variable])
            values.append(f"%{name} = OpPtrCastToGeneric %{of} %{variable}")
        elif declared.form == "pointer":
            self._put_variable(name, declared.storage, declared.parts[0])
        elif self.kernel and declared.form in ("bool", "vector") and of.endswith("bool"):
            # Booleans must not be in memory that has addresses.
            compared = f"some_{rest.replace('bool', 'uint', 1)}", f"null_{of.replace('bool', 'uint')}"
            self.require_all(compared)
            values.append(f"%{name} = OpINotEqual %{of} " + " ".join(f"%{each}" for each in compared))
        else:
            self.require_all([f"ptr_Function_{of}"])
            self.function.variables.append(f"%{name}_variable = OpVariable %ptr_Function_{of} Function")
            values.append(f"%{name} = OpLoad %{of} %{name}_variable")

    def _define_variable(self, name: str, storage: str, of: str) -> None:
        self.require_all([f"ptr_{storage}_{of}"])
        self._put_variable(name, storage, of)

    def _put_variable(self, name: str, storage: str, of: str) -> None:
        text = f"OpVariable %ptr_{storage}_{of} {storage}"
        if storage == "Function":
            self.function.variables.append(f"%{name} = {text}")
            return
        self.declare(name, text)
        self.interface.append(name)
        if self.kernel:
            return
        if storage in ("Uniform", "StorageBuffer", "PushConstant"):
            declared = type_of(of)
            blocks = declared is not None and declared.form == "array" and declared.parts[0].startswith("struct")
            self._lay_out(declared.parts[0] if declared is not None and blocks else of, uniform=storage == "Uniform", block=True)
        if storage in _DESCRIBED and name not in self._bound:
            self._annotate(f"OpDecorate %{name} DescriptorSet 0", f"OpDecorate %{name} Binding {self._bindings}")
            self._bindings += 1
            if of == "subpass_image":
                self._annotate(f"OpDecorate %{name} InputAttachmentIndex 0")
        if storage in ("Input", "Output") and self.stage != "GLCompute" and name not in self._laid_out:
            self._annotate(f"OpDecorate %{name} Location {self._locations}")
            self._locations += 1
            if storage == "Input" and self.stage == "Fragment" and re.search("int|double|long", of):
                self._annotate(f"OpDecorate %{name} Flat")

    def _annotate(self, *lines: str) -> None:
        self.sections[Section.ANNOTATIONS] += lines

    def _lay_out(self, of: str, *, uniform: bool, block: bool = False) -> None:
        """Decorates a type with its layout in memory, once, unless the example does."""
        declared = type_of(of)
        if declared is None or of in self._laid_out:
            return
        self._laid_out.add(of)
        if block and declared.form == "struct":
            self._annotate(f"OpDecorate %{of} Block")
        if declared.form == "array":
            self._annotate(f"OpDecorate %{of} ArrayStride {declared.stride(uniform)}")
        for member, (part, offset) in enumerate(declared.members(uniform)):
            self._annotate(f"OpMemberDecorate %{of} {member} Offset {offset}")
            inner = type_of(part)
            while inner is not None and inner.form == "array":
                inner = type_of(inner.parts[0])
            if inner is not None and inner.form == "matrix":
                self._annotate(f"OpMemberDecorate %{of} {member} ColMajor", f"OpMemberDecorate %{of} {member} MatrixStride 16")
        for part in declared.parts:
            self._lay_out(part, uniform=uniform)


def text_of(record: Instruction) -> str:
    """A line as it stands."""
    return record.text[record.start : record.end]


def is_variable(record: Instruction) -> bool:
    """Whether a line declares a variable of a function."""
    if record.opcode.value not in VARIABLES:
        return False
    storage = next(operand for declared, operand in declared_operands(record) if declared.kind == "StorageClass")
    return storage == StorageClass.Function
