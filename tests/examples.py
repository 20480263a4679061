"""Completes the examples of the documentation to modules.

An example shows the lines that matter. What these use and do not define is declared by its name: `%v4float` is a
type, `%uint_3` a constant, `%some_float` a value, `%var_Input_v4float` a variable; `tests.example_names` says which
names there are. Lines go to their section, and capabilities, extensions, entry point and terminators are added.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from spvls.grammar import tables
from spvls.grammar.docs import Example
from spvls.grammar.environments import environment
from spvls.grammar.records import Entity
from spvls.syntax.instruction import Instruction
from spvls.syntax.operand_decls import declared_operands, enumerants, value
from spvls.syntax.scanner import scan
from spvls.text.lines import split_lines
from tests.example_names import Type, composite_parts, constant, type_of, type_prefix

SECTIONS = {
    "OpCapability": "capabilities",
    "OpConditionalCapabilityINTEL": "capabilities",
    "OpExtension": "extensions",
    "OpConditionalExtensionINTEL": "extensions",
    "OpExtInstImport": "imports",
    "OpMemoryModel": "memory model",
    "OpEntryPoint": "entry points",
    "OpConditionalEntryPointINTEL": "entry points",
    "OpExecutionMode": "modes",
    "OpExecutionModeId": "modes",
    "OpString": "strings",
    "OpSource": "strings",
    "OpSourceExtension": "strings",
    "OpSourceContinued": "strings",
    "OpName": "names",
    "OpMemberName": "names",
    "OpModuleProcessed": "processes",
}
ORDER = (
    "capabilities",
    "extensions",
    "imports",
    "memory model",
    "entry points",
    "modes",
    "strings",
    "names",
    "processes",
    "annotations",
    "globals",
    "functions",
)
LINES = ("OpLine", "OpNoLine")
VARIABLES = ("OpVariable", "OpUntypedVariableKHR")
BRANCHES = ("OpBranch", "OpBranchConditional", "OpSwitch", "OpSelectionMerge", "OpLoopMerge")
TERMINATORS = (
    *("OpReturn", "OpReturnValue", "OpBranch", "OpBranchConditional", "OpSwitch", "OpKill", "OpUnreachable"),
    *("OpTerminateInvocation", "OpIgnoreIntersectionKHR", "OpTerminateRayKHR", "OpEmitMeshTasksEXT", "OpAbortKHR"),
)
STAGES = {
    "Kernel": ("Kernel", "Addresses"),
    "Geometry": ("Geometry",),
    "TessellationControl": ("Tessellation",),
    "TessellationEvaluation": ("Tessellation",),
}
INITIAL_MODES = {"GLCompute": ("LocalSize", "LocalSize 1 1 1"), "Fragment": ("Origin", "OriginUpperLeft")}
FIXED = {
    "glsl": ("imports", 'OpExtInstImport "GLSL.std.450"'),
    "opencl": ("imports", 'OpExtInstImport "OpenCL.std"'),
    "file": ("strings", 'OpString "shader.comp"'),
}
DESCRIBED = ("UniformConstant", "Uniform", "StorageBuffer")


class ExampleError(ValueError):
    """An example that cannot be completed."""


def complete(example: Example) -> str:
    """The module that an example is a part of; ExampleError when it uses names that say nothing."""
    return _Completion(example).module()


class _Function:
    """A function of the module: what stands at the head of its first block, and the rest."""

    def __init__(self, opening: list[str]) -> None:
        self.opening = opening
        self.variables: list[str] = []
        self.values: list[str] = []
        self.rest: list[str] = []

    def lines(self) -> list[str]:
        return self.opening + self.variables + self.values + self.rest


class _Completion:
    def __init__(self, example: Example) -> None:
        self.example = example
        self.kernel = example.stage == "Kernel"
        self.version = environment(example.environment).version
        self.sections: dict[str, list[str]] = {name: [] for name in ORDER}
        self.records = [record for _, record in scan(split_lines(example.code))]
        for record in self.records:
            if record.faults:
                raise ExampleError(f"{_text(record)}: {record.faults[0].message}")
        self.own = {record.result: record for record in self.records if record.result is not None}
        self.defined: set[str] = set()
        self.forward: set[str] = set()
        self.continued: dict[Instruction, list[Instruction]] = {}
        self.interface: list[str] = []
        self.bindings = self.locations = 0
        self.laid_out = {
            operand
            for record in self.records
            if record.opcode.name in ("OpDecorate", "OpMemberDecorate")
            for operand in record.operands[:1]
        }
        self.main = _Function(["%main = OpFunction %void None %fn_void", "%main_entry = OpLabel"])
        self.function = self.main

    def module(self) -> str:
        self.define("void")
        self.define("fn_void")
        outside, functions = self.split()
        self.add_outside(outside)
        for records in functions:
            self.add_function(records)
        self.finish_main(outside)
        self.add_header()
        return "\n".join(line for name in ORDER for line in self.sections[name]) + "\n"

    # The example's own lines

    def split(self) -> tuple[list[tuple[str, Instruction]], list[list[Instruction]]]:
        """The lines outside the example's own functions, each with its section, and these functions."""
        outside: list[tuple[str, Instruction]] = []
        functions: list[list[Instruction]] = []
        waiting: list[Instruction] = []
        inside = False
        for record in self.records:
            name = record.opcode.name
            if name == "OpFunction":
                inside = True
                functions.append([])
            if inside:
                functions[-1].append(record)
                inside = name != "OpFunctionEnd"
            elif name in LINES:
                waiting.append(record)
            else:
                section = _section(record)
                outside += [(section, line) for line in [*waiting, record]]
                waiting = []
        outside += [("main", line) for line in waiting]
        return outside, functions

    def add_outside(self, outside: list[tuple[str, Instruction]]) -> None:
        head: list[Instruction] = []
        for section, record in outside:
            if "Continued" in record.opcode.name and section == "globals":
                self.continued.setdefault(head[-1], []).append(record)
            elif section == "globals":
                head.append(record)
            elif section == "annotations":
                # What a decoration says has to stand before what it decorates.
                self.require_all(record.uses()[1:])
        for section, record in outside:
            if section not in ("main", "globals"):
                self.require_all(record.uses())
                self.sections[section].append(_text(record))
        for record in head:
            self.define_own(record)

    def add_function(self, records: list[Instruction]) -> None:
        label = next((at for at, record in enumerate(records) if record.opcode.name == "OpLabel"), None)
        at = len(records) if label is None else label + 1
        self.function = _Function([_text(record) for record in records[:at]])
        rest = records[at:]
        self.function.variables = [_text(record) for record in rest if _is_variable(record)]
        self.function.rest = [_text(record) for record in rest if not _is_variable(record)]
        for record in records:
            self.require_all(record.uses())
        self.sections["functions"] += self.function.lines()

    def finish_main(self, outside: list[tuple[str, Instruction]]) -> None:
        body = [record for section, record in outside if section == "main"]
        if "main" in self.own:
            if body:
                raise ExampleError(f"{_text(body[0])} stands outside the functions")
            return
        self.function = self.main
        missing = self.missing_blocks(body)
        for record in body:
            self.require_all(name for name in record.uses() if name not in missing)
        self.main.variables += [_text(record) for record in body if _is_variable(record)]
        lines = [record for record in body if not _is_variable(record)]
        if lines and lines[0].opcode.name == "OpLabel":
            self.main.rest.append(f"OpBranch %{lines[0].result}")
        self.main.rest += map(_text, lines)
        if not lines or lines[-1].opcode.name not in TERMINATORS:
            self.main.rest.append("OpReturn")
        for name in missing:
            self.main.rest += [f"%{name} = OpLabel", "OpReturn"]
        self.main.rest.append("OpFunctionEnd")
        self.sections["functions"][:0] = self.main.lines()

    def missing_blocks(self, body: list[Instruction]) -> list[str]:
        """The blocks that are branched to, or merged at, and not there."""
        found: dict[str, None] = {}
        for record in body:
            if record.opcode.name in BRANCHES:
                for declared, operand in declared_operands(record):
                    if isinstance(operand, str) and declared.name not in ("Condition", "Selector"):
                        found.update({operand: None} if operand not in self.own else {})
        return list(found)

    # Declarations by name

    def require_all(self, names: Iterable[str]) -> None:
        for name in names:
            record = self.own.get(name)
            if record is None:
                self.define(name)
            elif _section(record) == "globals":
                self.define_own(record)

    def define_own(self, record: Instruction) -> None:
        """Puts one of the example's global lines, after what it needs."""
        if record.result in self.defined:
            return
        if record.opcode.name == "OpTypeForwardPointer":
            self.forward.update(record.uses())
        if record.result is not None:
            self.defined.add(record.result)
        records = [record, *self.continued.get(record, [])]
        self.require_all(name for each in records for name in each.uses() if name not in self.forward)
        self.sections["globals"] += map(_text, records)
        if record.result is not None and record.opcode.name in VARIABLES:
            self.interface.append(record.result)

    def declare(self, name: str, text: str) -> None:
        self.sections["globals"].append(f"%{name} = {text}")

    def define(self, name: str) -> None:
        """Declares what the name says, after what that needs."""
        if name in self.defined or name == "main":
            return
        self.defined.add(name)
        kind, _, rest = name.partition("_")
        if name in FIXED:
            section, text = FIXED[name]
            self.sections[section].append(f"%{name} = {text}")
        elif (declared := type_of(name)) is not None:
            self.define_type(name, declared)
        elif name in ("true", "false"):
            self.require_all(["bool"])
            self.declare(name, f"OpConstant{name.title()} %bool")
        elif (number := constant(name)) is not None:
            self.require_all([number[0]])
            self.declare(name, f"OpConstant %{number[0]} {number[1]}")
        elif kind == "spec" and (number := constant(rest)) is not None:
            self.require_all([number[0]])
            self.declare(name, f"OpSpecConstant %{number[0]} {number[1]}")
            self.annotate(f"OpDecorate %{name} SpecId {len(self.sections['annotations'])}")
        elif kind == "null" and type_of(rest) is not None:
            self.require_all([rest])
            self.declare(name, f"OpConstantNull %{rest}")
        elif kind == "const" and (declared := type_of(rest)) is not None:
            parts = composite_parts(declared)
            self.require_all([rest, *parts])
            self.declare(name, f"OpConstantComposite %{rest} " + " ".join(f"%{part}" for part in parts))
        elif kind == "some" and (found := type_prefix(rest)) is not None:
            self.define_value(name, found, rest)
        elif kind == "var" and (found := type_prefix(rest.partition("_")[2])) is not None:
            self.define_variable(name, rest.partition("_")[0], found)
        else:
            raise ExampleError(f"%{name} is not defined, and its name says nothing")

    def define_type(self, name: str, declared: Type) -> None:
        self.require_all(declared.needs(self.kernel))
        self.declare(name, declared.text(self.kernel))

    def define_value(self, name: str, of: str, rest: str) -> None:
        """A value of a type, computed in the function that uses it."""
        declared = type_of(of)
        assert declared is not None
        self.require_all([of])
        values = self.function.values
        if declared.form in ("image", "sampled image", "sampler", "accel"):
            variable = f"var_UniformConstant_{rest}"
            self.require_all([variable])
            values.append(f"%{name} = OpLoad %{of} %{variable}")
        elif declared.form == "opaque":
            values.append(f"%{name} = OpConstantNull %{of}")
        elif declared.form == "pointer" and declared.storage == "Generic":
            variable = f"var_Function_{declared.parts[0]}_9"
            self.require_all([variable])
            values.append(f"%{name} = OpPtrCastToGeneric %{of} %{variable}")
        elif declared.form == "pointer":
            self.put_variable(name, declared.storage, declared.parts[0])
        else:
            self.require_all([f"ptr_Function_{of}"])
            self.function.variables.append(f"%{name}_variable = OpVariable %ptr_Function_{of} Function")
            values.append(f"%{name} = OpLoad %{of} %{name}_variable")

    def define_variable(self, name: str, storage: str, of: str) -> None:
        self.require_all([f"ptr_{storage}_{of}"])
        self.put_variable(name, storage, of)

    def put_variable(self, name: str, storage: str, of: str) -> None:
        text = f"OpVariable %ptr_{storage}_{of} {storage}"
        if storage == "Function":
            self.function.variables.append(f"%{name} = {text}")
            return
        self.declare(name, text)
        self.interface.append(name)
        if self.kernel:
            return
        if storage in ("Uniform", "StorageBuffer", "PushConstant"):
            self.lay_out(of, uniform=storage == "Uniform", block=True)
        if storage in DESCRIBED and name not in self.laid_out:
            self.annotate(f"OpDecorate %{name} DescriptorSet 0", f"OpDecorate %{name} Binding {self.bindings}")
            self.bindings += 1
            if of == "subpass_image":
                self.annotate(f"OpDecorate %{name} InputAttachmentIndex 0")
        if storage in ("Input", "Output") and self.example.stage != "GLCompute" and name not in self.laid_out:
            self.annotate(f"OpDecorate %{name} Location {self.locations}")
            self.locations += 1
            if storage == "Input" and self.example.stage == "Fragment" and re.search("int|double|long", of):
                self.annotate(f"OpDecorate %{name} Flat")

    def annotate(self, *lines: str) -> None:
        self.sections["annotations"] += lines

    def lay_out(self, of: str, *, uniform: bool, block: bool = False) -> None:
        """Decorates a type with its layout in memory, once, unless the example does."""
        declared = type_of(of)
        if declared is None or of in self.laid_out:
            return
        self.laid_out.add(of)
        if block and declared.form == "struct":
            self.annotate(f"OpDecorate %{of} Block")
        if declared.form == "array":
            self.annotate(f"OpDecorate %{of} ArrayStride {declared.stride(uniform)}")
        for member, (part, offset) in enumerate(declared.members(uniform)):
            self.annotate(f"OpMemberDecorate %{of} {member} Offset {offset}")
            inner = type_of(part)
            while inner is not None and inner.form == "array":
                inner = type_of(inner.parts[0])
            if inner is not None and inner.form == "matrix":
                self.annotate(f"OpMemberDecorate %{of} {member} ColMajor", f"OpMemberDecorate %{of} {member} MatrixStride 16")
        for part in declared.parts:
            self.lay_out(part, uniform=uniform)

    # Capabilities, extensions, entry point

    def add_header(self) -> None:
        stage = self.example.stage
        sections = self.sections
        own, conditional = _parted(sections["capabilities"], "OpCapability ")
        capabilities = [*STAGES.get(stage, ("Shader",)), *self.example.capabilities, *own]
        own, conditional_extensions = _parted(sections["extensions"], "OpExtension ")
        extensions = [*self.example.extensions, *(name.strip('"') for name in own)]
        body = [*conditional, *conditional_extensions, *(line for name in ORDER[2:] for line in sections[name])]
        needed = list(_needs("\n".join(body)))
        for entity in needed:
            self.enable(entity, capabilities)
        self.require_features(capabilities)
        known = tables.kind("Capability")
        for entity in [*needed, *filter(None, map(known.get, dict.fromkeys(capabilities)))]:
            in_core = entity.version is not None and entity.version <= self.version
            if entity.extensions and not in_core and not set(entity.extensions) & set(extensions):
                extensions.append(entity.extensions[0])
        sections["capabilities"] = [f"OpCapability {name}" for name in dict.fromkeys(capabilities)] + conditional
        sections["extensions"] = [f'OpExtension "{name}"' for name in dict.fromkeys(extensions)] + conditional_extensions
        if not sections["memory model"]:
            addressing = "PhysicalStorageBuffer64" if "PhysicalStorageBufferAddresses" in capabilities else "Logical"
            model = f"{addressing} {'Vulkan' if 'VulkanMemoryModel' in capabilities else 'GLSL450'}"
            sections["memory model"] = [f"OpMemoryModel {'Physical64 OpenCL' if self.kernel else model}"]
        if not sections["entry points"]:
            interface = [name for name in self.interface if self.version >= (1, 4) or self.crosses_stages(name)]
            listed = "".join(f" %{name}" for name in interface)
            sections["entry points"] = [f'OpEntryPoint {stage} %main "main"{listed}']
        family, mode = INITIAL_MODES.get(stage, ("", ""))
        if mode and not any(f" {family}" in line for line in sections["modes"]):
            sections["modes"].insert(0, f"OpExecutionMode %main {mode}")

    def crosses_stages(self, name: str) -> bool:
        return any(line.startswith(f"%{name} =") and line.endswith(("Input", "Output")) for line in self.sections["globals"])

    def enable(self, entity: Entity, capabilities: list[str]) -> None:
        """Adds the first of the capabilities that enable something, unless one of them is there."""
        present = set(capabilities).union(*map(tables.implied_capabilities, capabilities))
        if entity.capabilities and not present & set(entity.capabilities):
            capabilities.append(entity.capabilities[0])

    def require_features(self, capabilities: list[str]) -> None:
        """Adds the capabilities for numbers of unusual widths."""
        for line in self.sections["globals"]:
            match = re.search(r"OpType(Int|Float) (8|16|64)\b(?! \d* ?[A-Z])", line)
            if match and match[0] != "OpTypeFloat 8":
                capabilities.append(match[1] + match[2])


def _parted(lines: list[str], opening: str) -> tuple[list[str], list[str]]:
    """What follows `opening` on the lines that begin with it, and the other lines."""
    return [line.removeprefix(opening) for line in lines if line.startswith(opening)], [
        line for line in lines if not line.startswith(opening)
    ]


def _text(record: Instruction) -> str:
    return record.text[record.start : record.end]


def _is_variable(record: Instruction) -> bool:
    return record.opcode.name in VARIABLES and _section(record) == "main"


def _section(record: Instruction) -> str:
    name = record.opcode.name
    if name in SECTIONS:
        return SECTIONS[name]
    if record.opcode.class_ == "Annotation":
        return "annotations"
    if name.startswith(("OpType", "OpConstant", "OpSpecConstant")) and name != "OpConstantPipeStorage":
        return "globals"
    if name in VARIABLES:
        storage = next(operand for declared, operand in declared_operands(record) if declared.kind == "StorageClass")
        return "main" if storage == value("StorageClass", "Function") else "globals"
    return "main"


def _needs(text: str) -> Iterator[Entity]:
    """The opcodes and enumerants of a text, the conditions of which a module has to fulfil."""
    for _, record in scan(split_lines(text)):
        yield record.opcode
        for declared, operand in declared_operands(record):
            if isinstance(operand, int) and declared.kind != "Capability":
                yield from enumerants(declared.kind, operand)
                inner = declared.kind == "LiteralSpecConstantOpInteger" and tables.opcode_by_value(operand)
                if inner:
                    yield inner
