"""What a module asks of a Vulkan device: versions, extensions, features and properties, each with what asks for it."""

from __future__ import annotations

from collections.abc import Iterator

from spvls.grammar import spv, tables, vulkan
from spvls.grammar.enumerants import Decoration, Dim, StorageClass
from spvls.grammar.environments import DEFAULT
from spvls.grammar.records import Opcode
from spvls.grammar.vulkan import Enabler
from spvls.module.functions import Function
from spvls.module.interface import users
from spvls.module.module import Module
from spvls.module.types import Type
from spvls.module.variable import held_by
from spvls.record import NamedTuple
from spvls.syntax.instruction import RESULT, Instruction
from spvls.syntax.operand_decls import capability_name
from spvls.validate.checks.entry import model_name
from spvls.validate.engine.finding import HEADER, OPCODE

VERSION, CAPABILITY, EXTENSION, MODE = "version", "capability", "extension", "execution mode"
INITIALIZER, STORES, GROUP = "initializer", "stores", "group operation"


_STORAGE_IMAGE = 2
"""What an image type says of its use (SPIR-V 3.3.6, OpTypeImage, Sampled)."""

_WORD, _HALF = 32, 16
"""Bits of scalars that group operations can always be on, and of the floats that they cannot."""

_OF_THE_PASS = (Dim.SubpassData, Dim.TileImageDataEXT)
"""Dimensions of images that are read as part of a render pass."""



class Need(NamedTuple):
    """`subject` asks for any one of `enablers`, at `place` of `record`; Vulkan does not have it where there are none.

    `kind` is what asks: VERSION (of SPIR-V), CAPABILITY, EXTENSION (of SPIR-V), MODE (of execution),
    INITIALIZER or STORES (of a variable), GROUP (operation, by the type that it is on).
    """

    kind: str
    subject: str
    enablers: tuple[Enabler, ...]
    record: Instruction
    operand_index: int
    vuid: str | None = None


def needs(module: Module) -> Iterator[Need]:
    """All that a module asks for, in the order of its sections; what every device has is left out."""
    for need in _asked(module):
        if not any(enabler.kind == "version" and enabler.name == "1.0" for enabler in need.enablers):
            yield need


def _asked(module: Module) -> Iterator[Need]:
    yield from _version(module)
    yield from _capabilities(module)
    for name, record in module.declarations.extensions.items():
        sources = vulkan.extension(name)
        operand_index = 0 if record.opcode.value == spv.OpExtension else 1
        yield Need(EXTENSION, f"the extension {name}", tuple(map(source, sources or ())), record, operand_index)
    yield from _modes(module)
    yield from _variables(module)
    yield from _group_operations(module)


def _version(module: Module) -> Iterator[Need]:
    header = module.header
    if module.environment.name == DEFAULT and header is not None and header.version is None and header.target is None:
        return  # nobody has chosen a version
    text = f"{module.version[0]}.{module.version[1]}"
    use = vulkan.use(f"Version.{text}")
    if use is not None:
        yield Need(VERSION, f"SPIR-V {text}", use.enablers, HEADER, OPCODE)


def _capabilities(module: Module) -> Iterator[Need]:
    """The capabilities that are declared, and those that these imply as far as they ask for anything else."""
    declared = module.declarations.declared_capabilities
    reported: set[tuple[Enabler, ...]] = set()
    for capability, record in declared.items():
        name = capability_name(capability)
        operand_index = 0 if record.opcode.value == spv.OpCapability else 1
        enablers = vulkan.capability(name) or ()
        reported.add(enablers)
        yield Need(CAPABILITY, f"the capability {name}", enablers, record, operand_index)
    for capability, record in declared.items():
        name = capability_name(capability)
        if vulkan.capability(name) is None:
            continue
        operand_index = 0 if record.opcode.value == spv.OpCapability else 1
        for implied in sorted(map(capability_name, tables.implied_capabilities(capability) - declared.keys())):
            enablers = vulkan.capability(implied) or ()
            if enablers not in reported:
                reported.add(enablers)
                yield Need(CAPABILITY, f"the capability {implied}, which {name} implies,", enablers, record, operand_index)


def _modes(module: Module) -> Iterator[Need]:
    for modes in module.declarations.execution_modes.values():
        for mode in modes:
            width = mode.params[0] if mode.params else None
            keys = [mode.name, *([f"{mode.name} {width}"] if isinstance(width, int) else [])]
            for key in keys:
                use = vulkan.use(f"ExecutionMode.{key}")
                if use is not None:
                    yield Need(MODE, f"the execution mode {key}", use.enablers, mode.record, 1, use.vuid)


def _variables(module: Module) -> Iterator[Need]:
    for name in (spv.OpVariable, spv.OpUntypedVariableKHR):
        for record in module.declarations.records(name):
            yield from _initializer(record)
            if _may_be_written(record, module):
                yield from _stores(record, module)


def _initializer(variable: Instruction) -> Iterator[Need]:
    operand_index = 1 if variable.opcode.value == spv.OpVariable else 2
    class_ = variable.operands[0] if variable.operands else None
    if len(variable.operands) > operand_index and class_ == StorageClass.Workgroup:
        use = vulkan.use("Initialized.Workgroup")
        if use is not None:
            subject = f"the initializer of %{variable.result} in the storage class Workgroup"
            yield Need(INITIALIZER, subject, use.enablers, variable, operand_index, use.vuid)


def _stores(variable: Instruction, module: Module) -> Iterator[Need]:
    """A need for each feature that stores take in the stages that use a variable."""
    reported: set[tuple[Enabler, ...]] = set()
    for entry in users(variable.result or "", module):
        use = vulkan.use(f"Writable.{model_name(entry.model)}")
        if use is not None and use.enablers not in reported:
            reported.add(use.enablers)
            what = f"%{variable.result}, which {model_name(entry.model)} shaders may write"
            subject = f"{what} as it is not decorated with NonWritable,"
            yield Need(STORES, subject, use.enablers, variable, RESULT, use.vuid)


def _group_operations(module: Module) -> Iterator[Need]:
    """A need for each type of more or less than 32 bits that group operations are on, at the first of them; floats of 64 bits are
    as those of 32 bits (Vulkan, shaderSubgroupExtendedTypes)."""
    use = vulkan.use("Group.ExtendedTypes")
    declared = (module.type(record.result) for record in module.chunks[0].records if record.opcode.is_type)
    if use is None or not any(map(_is_extended, declared)):
        return
    reported: set[str] = set()
    for chunk in module.chunks:
        function = module.function(chunk) if chunk.is_function else None
        for record in function.records if function is not None and _has_group_operation(function) else ():
            type_ = _operated_type(record, module) if record.opcode.class_ in _GROUP_CLASSES else None
            if type_ is not None and _is_extended(type_) and type_.id not in reported:
                reported.add(type_.id)
                subject = f"the {record.opcode.name} on {module.spell(type_)}"
                yield Need(GROUP, subject, use.enablers, record, OPCODE, use.vuid)


_GROUP_CLASSES = ("Group", "Non-Uniform")


def _has_group_operation(function: Function) -> bool:
    return any(isinstance(used, Opcode) and used.class_ in _GROUP_CLASSES for used in function.entities)


def _operated_type(record: Instruction, module: Module) -> Type | None:
    """The type of the scalars that a group operation is on: those of its result, or of its value where that is a Boolean."""
    type_ = module.type(record.type)
    scalar = type_.scalar if type_ is not None else None
    if scalar is None or not scalar.is_bool:
        return scalar
    value = next((module.type_of(operand) for operand in record.operands[1:] if isinstance(operand, str)), None)
    return value.scalar if value is not None else None


def _is_extended(type_: Type | None) -> bool:
    if type_ is None:
        return False
    return (type_.is_int and type_.width != _WORD) or (type_.is_float and type_.width == _HALF)


def _may_be_written(variable: Instruction, module: Module) -> bool:
    """Whether a variable is a storage buffer or a storage image that is not marked as read only."""
    name = variable.result
    if name is None or module.has_decoration(name, Decoration.NonWritable):
        return False
    held = module.without_arrays(held_by(variable, module))
    if held is None:
        return False
    class_ = variable.operands[0] if variable.operands else None
    if class_ == StorageClass.UniformConstant:
        return held.kind == spv.OpTypeImage and held.operands[1] not in _OF_THE_PASS and held.operands[5:6] == (_STORAGE_IMAGE,)
    if class_ == StorageClass.Uniform:
        return module.has_decoration(held.id, Decoration.BufferBlock) and not _all_read_only(held, module)
    return class_ == StorageClass.StorageBuffer and not _all_read_only(held, module)


def _all_read_only(struct: Type, module: Module) -> bool:
    """Whether each member of a structure is marked as read only."""
    marked = {found.member for found in module.decorations(struct.id) if found.value == Decoration.NonWritable}
    return bool(struct.members) and marked.issuperset(range(len(struct.members)))


def phrase(enabler: Enabler, sources: str = "") -> str:
    """A way to meet a need, as messages name it."""
    match enabler.kind:
        case "version":
            return f"Vulkan {enabler.name}"
        case "property":
            return f"{enabler.value} in the property {enabler.name}{sources}"
    return f"the {enabler.kind} {enabler.name}{sources}"


def source(name: str) -> Enabler:
    """A version or an extension of Vulkan by its name."""
    return Enabler("version" if name[0].isdigit() else "extension", name)


def title(enablers: tuple[Enabler, ...]) -> str:
    """A need as a heading: any one of the enablers, with where they come from."""
    return ", or ".join(map(_reported, enablers)) or "not available in Vulkan"


def rank(enablers: tuple[Enabler, ...]) -> int:
    """Where a need stands among others: versions first, then extensions, features and properties, last what there is not."""
    return _KINDS.index(enablers[0].kind) if enablers else len(_KINDS)


_KINDS = ("version", "extension", "feature", "property")


def _reported(enabler: Enabler) -> str:
    name = phrase(enabler).removeprefix("the ")
    if not enabler.structure:
        return name
    sources = [found if found.startswith("VK_") else f"Vulkan {found}" for found in enabler.sources]
    return f"{name} ({enabler.structure}: {' or '.join(sources)})"
