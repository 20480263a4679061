"""What a module is and offers: versions, entry points and their interfaces, resources, blocks, constants that can be chosen."""

from __future__ import annotations

from spvls.diagnostic import Range
from spvls.ide.summary.block_members import BlockLayout
from spvls.ide.summary.kernels import Kernels
from spvls.record import NamedTuple


class ModuleHeader(NamedTuple):
    """What the words before the first instruction say (SPIR-V 2.3), and the number of all words of the module."""

    version: tuple[int, int]
    generator: int
    bound: int
    schema: int
    words: int


class Named(NamedTuple):
    """Something by its name, where it is declared; `id` is empty for what has none."""

    name: str
    id: str
    range: Range | None


class InterfaceVariable(NamedTuple):
    """A variable of an entry point's interface, or a member of a block that is one.

    `storage` is the storage class; `location`, `component` and `built_in` are as decorated, `source_index` is the Index; a
    resource has a `set` and a `binding`. `flags` are the decorations that say how it is interpolated or stored. `members` are
    there for a block.
    """

    id: str
    name: str
    storage: str
    location: int | None
    component: int | None
    source_index: int | None
    built_in: str | None
    set: int | None
    binding: int | None
    type: str
    flags: tuple[str, ...]
    members: tuple[InterfaceVariable, ...]
    range: Range | None


class Workgroup(NamedTuple):
    """The size of a workgroup; None in it is not known. `source` is LocalSize, LocalSizeId or WorkgroupSize; `specialized` says
    that the sizes are those of constants that can be specialized."""

    size: tuple[int | None, ...]
    source: str
    specialized: bool


class EntryPointSummary(NamedTuple):
    """`modes` are execution modes with their operands; `parameters` are those of a kernel."""

    name: str
    id: str
    model: str
    modes: tuple[str, ...]
    workgroup: Workgroup | None
    interface: tuple[InterfaceVariable, ...]
    parameters: tuple[InterfaceVariable, ...]
    range: Range | None


class Resource(NamedTuple):
    """A descriptor by its set and binding.

    `kind` is that of the descriptor; `descriptors` is how many there are, 0 for an array without a length, None where that can be
    specialized. `used_by` names entry points whose functions use it.
    """

    id: str
    name: str
    set: int | None
    binding: int | None
    kind: str
    type: str
    descriptors: int | None
    flags: tuple[str, ...]
    used_by: tuple[str, ...]
    block: BlockLayout | None
    range: Range | None


class PushConstants(NamedTuple):
    id: str
    name: str
    used_by: tuple[str, ...]
    block: BlockLayout | None
    range: Range | None


class SpecConstant(NamedTuple):
    """`spec_id` is what an application names it by; `default` its value unless specialized; `values` the values that its type
    has. `used_by` are the ids of constants, types and functions that use it, and the execution modes, by name."""

    spec_id: int | None
    id: str
    name: str
    type: str
    default: str
    values: str
    used_by: tuple[str, ...]
    range: Range | None


class Requirement(NamedTuple):
    """What a Vulkan device has to have; `asked_by` are the declarations that ask for it."""

    name: str
    asked_by: tuple[Named, ...]


class CarriedSource(NamedTuple):
    """A source that debug information names; `bytes` is None where the module does not have its text, `language` is empty where
    nothing says it."""

    name: str
    language: str
    bytes: int | None


class Sizes(NamedTuple):
    instructions: int
    words: int
    functions: int
    declarations: int
    blocks: int


class Summary(NamedTuple):
    """All of it, in the order of the module; resources by set and binding, constants by their SpecId. `reflection` is what the set
    NonSemantic.ClspvReflection says of kernels."""

    version: str
    generator: str
    bound: int
    schema: int
    target_env: str
    capabilities: tuple[Named, ...]
    extensions: tuple[Named, ...]
    imports: tuple[Named, ...]
    addressing_model: str | None
    memory_model: str | None
    entry_points: tuple[EntryPointSummary, ...]
    resources: tuple[Resource, ...]
    push_constants: tuple[PushConstants, ...]
    spec_constants: tuple[SpecConstant, ...]
    sources: tuple[CarriedSource, ...]
    requirements: tuple[Requirement, ...]
    sizes: Sizes
    reflection: Kernels
