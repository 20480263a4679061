"""Whether a module may use an instruction and its enumerants: capabilities, extensions, version (SPIR-V 2.22, 3.2.30)."""

from __future__ import annotations

from functools import cache, lru_cache

from spvls.grammar import spv, tables
from spvls.grammar.enumerants import BuiltIn, Capability, Decoration, GroupOperation
from spvls.grammar.environments import Environment
from spvls.grammar.records import Entity, Enumerant, Opcode, Version
from spvls.record import NamedTuple
from spvls.syntax.instruction import OPCODE, Instruction
from spvls.syntax.operand_decls import capability_names, declared_words, enumerants, has_enumerants, plain_decoration
from spvls.typed import Final

CAPABILITY, EXTENSION, TOO_EARLY, REMOVED, RESERVED = "capability", "extension", "too early", "removed", "reserved"


AVAILABILITY = "availability"
"""The name of the answer that the `Availability` of a module is."""


class MissingRequirement(NamedTuple):
    """What keeps a module from using `entity`, which stands at `operand_index` of an instruction.

    `kind` says which condition is not met: CAPABILITY and EXTENSION when none of `names` is declared, TOO_EARLY and REMOVED
    when the version of the module is not one that has it, RESERVED when nothing allows its use.
    """

    operand_index: int
    entity: Entity
    kind: str
    names: tuple[str, ...] = ()


#: Mention of these built-ins alone asks for no capability.
_FREE_BUILT_INS = frozenset({BuiltIn.PointSize, BuiltIn.ClipDistance, BuiltIn.CullDistance})

#: Group operations that are free where the module has the common group instructions.
_COMMON_GROUP_OPERATIONS = frozenset({GroupOperation.Reduce, GroupOperation.InclusiveScan, GroupOperation.ExclusiveScan})

#: What frees the choice of a rounding mode; in Vulkan, one of them must be there.
_SIXTEEN_BIT_STORAGE = (
    Capability.StorageBuffer16BitAccess, Capability.UniformAndStorageBuffer16BitAccess, Capability.StoragePushConstant16,
    Capability.StorageInputOutput16, Capability.WorkgroupMemoryExplicitLayout16BitAccessKHR,
)  # fmt: skip

#: Instructions that SPV_AMD_shader_ballot enables without the capability Groups.
_BALLOT_GROUP_OPCODES = frozenset(
    {
        spv.OpGroupIAddNonUniformAMD, spv.OpGroupFAddNonUniformAMD, spv.OpGroupFMinNonUniformAMD, spv.OpGroupUMinNonUniformAMD,
        spv.OpGroupSMinNonUniformAMD, spv.OpGroupFMaxNonUniformAMD, spv.OpGroupUMaxNonUniformAMD, spv.OpGroupSMaxNonUniformAMD,
    }
)  # fmt: skip

#: Enabled by a capability, and yet reserved (SPIR-V 3.3.10).
_RESERVED_OPCODES = frozenset(
    {
        spv.OpImageSparseSampleProjImplicitLod, spv.OpImageSparseSampleProjExplicitLod,
        spv.OpImageSparseSampleProjDrefImplicitLod, spv.OpImageSparseSampleProjDrefExplicitLod,
    }
)  # fmt: skip


class Availability:
    """What is available to a module that declares these capabilities, which imply others, and these extensions.

    `version` is that of the module; the environment's own may be higher.
    """

    def __init__(
        self, declared: frozenset[int], extensions: frozenset[str], version: Version, environment: Environment
    ) -> None:
        capabilities = declared.union(*map(tables.implied_capabilities, declared))
        self.capabilities: Final = capabilities
        self._names: Final = frozenset(capability_names(capabilities))
        self.declared: Final = declared
        self.extensions: Final = extensions
        self.version: Final = version
        self._environment = environment
        self._free_rounding = not capabilities.isdisjoint(_SIXTEEN_BIT_STORAGE)
        self._free_groups = Capability.Kernel in capabilities or "SPV_AMD_shader_ballot" in extensions
        self._opcodes: dict[Opcode, MissingRequirement | None] = {}
        self._versions: dict[Opcode, MissingRequirement | None] = {}
        self._enumerants: dict[tuple[str, int], tuple[MissingRequirement, ...]] = {}
        self._fine: dict[Opcode, set[tuple[int, ...]] | None] = {}
        self._last: tuple[Instruction | None, MissingRequirement | None] = None, None
        self._asked = self._extensions_asked_for(declared)

    def lack(self, inst: Instruction) -> MissingRequirement | None:
        """What an instruction first lacks; None when all of it is available."""
        if self._last[0] is not inst:
            self._last = inst, self._find(inst)
        return self._last[1]

    def of(self, entity: Entity) -> MissingRequirement | None:
        """What an opcode or an enumerant lacks by itself."""
        if isinstance(entity, Opcode):
            return self._opcode(entity) or self._opcode_version(entity)
        if isinstance(entity, Enumerant):
            return next(iter(self._value(entity.kind, entity.value)), None)
        return None

    def _extensions_asked_for(self, declared: frozenset[int]) -> frozenset[str]:
        """The extensions that a declared capability lacks: nothing that the same extension brings needs to ask for it again."""
        known = [tables.kind("Capability").by_value(value) for value in declared]
        lacks = [self._version(capability) for capability in known if capability is not None]
        return frozenset(name for lack in lacks if lack is not None and lack.kind is EXTENSION for name in lack.names)

    def _find(self, inst: Instruction) -> MissingRequirement | None:
        opcode = inst.opcode
        try:
            lack = self._opcodes[opcode]
        except KeyError:
            lack = self._opcodes[opcode] = self._opcode(opcode)
        lacks = self._of_operands(inst)
        for found in lacks:
            if found.kind is not CAPABILITY:
                return found
        if lack is not None:
            return lack
        if lacks:
            return lacks[0]
        try:
            return self._versions[opcode]
        except KeyError:
            lack = self._versions[opcode] = self._opcode_version(opcode)
            return lack

    def _of_operands(self, inst: Instruction) -> list[MissingRequirement]:
        """What enumerants among the operands lack; remembers which combinations of words lack nothing."""
        opcode = inst.opcode
        try:
            fine = self._fine[opcode]
        except KeyError:
            fine = self._fine[opcode] = set() if has_enumerants(opcode) else None
        if fine is None:
            return []
        words = None if plain_decoration(inst) else tuple([operand for operand in inst.operands if isinstance(operand, int)])
        if words is not None and (not words or words in fine):
            return []
        found = [
            lack._replace(operand_index=operand_index)
            for operand_index, kind, operand in declared_words(inst)
            for lack in self._value(kind, operand)
        ]
        if words and not found and len(fine) < _REMEMBERED:
            fine.add(words)
        return found

    def _value(self, kind: str, value: int) -> tuple[MissingRequirement, ...]:
        key = kind, value
        lacks = self._enumerants.get(key)
        if lacks is None:
            named = () if value == 0 and tables.kind(kind).category == "mask" else enumerants(kind, value)
            found = [self._version(enumerant) or self._enumerant(enumerant) for enumerant in named]
            lacks = self._enumerants[key] = tuple(lack for lack in found if lack is not None)
        return lacks

    def _opcode(self, opcode: Opcode) -> MissingRequirement | None:
        if opcode.value in _RESERVED_OPCODES:
            return MissingRequirement(OPCODE, opcode, RESERVED)
        if opcode.value in _BALLOT_GROUP_OPCODES and "SPV_AMD_shader_ballot" in self.extensions:
            return None
        return self._declared(opcode, self._known(opcode.capabilities))

    def _opcode_version(self, opcode: Opcode) -> MissingRequirement | None:
        """Version and extension of an opcode; one that a capability enables needs no more than that."""
        lack = self._version(opcode)
        enabled = opcode.capabilities and opcode.value not in _CAPABILITY_IS_NOT_ENOUGH
        return None if lack is not None and enabled and lack.kind is not REMOVED else lack

    def _enumerant(self, enumerant: Enumerant) -> MissingRequirement | None:
        names = enumerant.capabilities
        match enumerant.kind:
            case "Capability":
                return None
            case "BuiltIn" if enumerant.value in _FREE_BUILT_INS:
                return None
            case "FPRoundingMode" if self._free_rounding:
                return None
            case "GroupOperation" if self._free_groups and enumerant.value in _COMMON_GROUP_OPERATIONS:
                return None
            case "Decoration" if enumerant.value == Decoration.FPRoundingMode:
                asks = self._environment.api == "vulkan" and not self._free_rounding
                names = tuple(capability_names(_SIXTEEN_BIT_STORAGE[:4])) if asks else ()
        return self._declared(enumerant, self._known(names))

    def _known(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """Those capabilities that the environment can have at all."""
        version = self._environment.version
        return tuple(
            name
            for name in names
            if (known := tables.kind("Capability").get(name)) is not None
            and (_within(known, version) or known.extensions or known.capabilities)
        )

    def _declared(self, entity: Entity, names: tuple[str, ...]) -> MissingRequirement | None:
        if not names or not self._names.isdisjoint(names):
            return None
        return MissingRequirement(OPCODE, entity, CAPABILITY, names)

    def _version(self, entity: Entity) -> MissingRequirement | None:
        if _within(entity, self.version):
            return None
        if entity.last_version is not None and entity.last_version < self.version:
            return MissingRequirement(OPCODE, entity, REMOVED)
        if entity.extensions:
            if not self.extensions.isdisjoint(entity.extensions):
                return None
            is_capability = isinstance(entity, Enumerant) and entity.kind == "Capability"
            if not is_capability and not self._asked.isdisjoint(entity.extensions):
                return None
            return MissingRequirement(OPCODE, entity, EXTENSION, entity.extensions)
        if entity.version is not None:
            return MissingRequirement(OPCODE, entity, TOO_EARLY)
        return MissingRequirement(OPCODE, entity, RESERVED) if isinstance(entity, Opcode) and not entity.capabilities else None


def may_lack_capability(opcode: Opcode) -> bool:
    """Whether instructions of an opcode can need a capability at all."""
    return bool(opcode.capabilities) or opcode.value in _RESERVED_OPCODES or has_enumerants(opcode)


_CAPABILITY_IS_NOT_ENOUGH = frozenset({spv.OpTerminateInvocation})
"""Opcodes that a capability of older versions allows, and that still need their version or extension."""


def may_lack_version(opcode: Opcode) -> bool:
    """Whether instructions of an opcode can need a later version of SPIR-V than the first, or an extension."""
    return (
        (opcode.version != (1, 0) and (not opcode.capabilities or opcode.value in _CAPABILITY_IS_NOT_ENOUGH))
        or opcode.value in _RESERVED_OPCODES
        or any(_is_versioned(declared.kind) for declared in opcode.arguments)
    )


def may_be_removed(opcode: Opcode) -> bool:
    """Whether a version of SPIR-V has removed the opcode, or an enumerant that it can have."""
    return opcode.last_version is not None or any(_is_shrinking(declared.kind) for declared in opcode.arguments)


@cache
def _is_versioned(kind: str) -> bool:
    """Whether the kind has enumerants that the first version of SPIR-V has not."""
    return any(entry.get("version", "1.0") != "1.0" for entry in tables.kind(kind).entries.values())


@cache
def _is_shrinking(kind: str) -> bool:
    return any("last_version" in entry for entry in tables.kind(kind).entries.values())


#: How many combinations are kept for an opcode.
_REMEMBERED = 4096


def _within(entity: Entity, version: Version) -> bool:
    """Whether a version of SPIR-V has the entity in its core."""
    return entity.version is not None and entity.version <= version <= (entity.last_version or version)


def availability_of(
    declared: frozenset[int], extensions: frozenset[str], version: Version, environment: Environment
) -> Availability:
    """The `Availability` of a module, which knows what was found out for others that declare the same."""
    own = object.__new__(Availability)
    own.__dict__.update(_known_availability(declared, extensions, version, environment).__dict__)
    return own


@lru_cache(maxsize=16)
def _known_availability(
    declared: frozenset[int], extensions: frozenset[str], version: Version, environment: Environment
) -> Availability:
    return Availability(declared, extensions, version, environment)
