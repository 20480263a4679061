"""What Vulkan says of the tables' entries: what enables them on a device, and how they may be used.

The data lies under `vulkan/`; `grammar/README.md` says what it holds and where it is from. A file is read when the
first of its entries is asked for. Names are canonical ones, not aliases.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from spvls.grammar import tables
from spvls.grammar.data_text import data_text, loads
from spvls.record import NamedTuple
from spvls.typed import Any


class Enabler(NamedTuple):
    """One way in which a device enables a capability.

    `kind` is "version" (of Vulkan, at least that), "extension", "feature" (turned on) or "property" (with `value`
    among its bits, or as its value). A feature or a property is a member of `structure`, which comes with any one
    of `sources`, versions and extensions.
    """

    kind: str
    name: str
    value: str = ""
    structure: str = ""
    sources: tuple[str, ...] = ()


class Use(NamedTuple):
    """What a use of the module's own asks of a device: any one of `enablers`; with the VUID that says so, if one does."""

    enablers: tuple[Enabler, ...]
    vuid: str | None


class ImageFormat(NamedTuple):
    """The sampled type that goes with an image format, such as "float32", and the VkFormats compatible with it."""

    type: str
    formats: tuple[str, ...]


class Bound(NamedTuple):
    """How far a result may be off; `where` says of which results ("where x is in [0.5, 2]"), empty for all.

    `rule` is "exact", "rounded" (correctly), "rounded any way" (correctly, the rounding mode left open), "ulp" (by
    `bound` units in the last place), "absolute" (by `bound`), "absolute below" (by less than `bound`) or "formula" (no
    further than `bound` computed in steps).
    """

    rule: str
    bound: str = ""
    where: str = ""


class Precision(NamedTuple):
    """The bounds of an instruction on 32-bit and on 16-bit floats; those on 64-bit floats are no looser."""

    single: tuple[Bound, ...]
    half: tuple[Bound, ...]


class BuiltIn(NamedTuple):
    """How a variable, or a member of a block, with a built-in may be declared.

    `type` is spelled in types of a width, `int32` for either signedness, `array<...>` for one of any length.
    `directions` are the storage classes by execution model, "*" for all of them; none when the built-in decorates a
    constant. In the models `per_primitive` the type is that of an element. The VUIDs are those of the models, of
    the type, and of the storage classes by model.
    """

    type: str
    directions: dict[str, tuple[str, ...]]
    per_primitive: tuple[str, ...]
    models_vuid: str | None
    type_vuid: str | None
    storage_vuids: dict[str, str]


def capability(name: str) -> tuple[Enabler, ...] | None:
    """What enables a capability, any one of them; None when Vulkan has no use for it."""
    entries = _file("capabilities")
    named = _spelled_in(entries, "Capability", name)
    return None if named is None else tuple(map(_enabler, entries[named]))


def _spelled_in(entries: dict[str, Any], kind: str, name: str) -> str | None:
    """The name of an enumerant, or the alias, by which a file has it; None when it does not have it."""
    known = tables.kind(kind).get(name)
    return next((one for one in (name, *(known.aliases if known is not None else ())) if one in entries), None)


def extension(name: str) -> tuple[str, ...] | None:
    """The versions and extensions of Vulkan, any one of them, that take a SPIR-V extension; None when none does."""
    sources = _file("extensions").get(name)
    return None if sources is None else tuple(sources)


def use(key: str) -> Use | None:
    """What a use asks of a device beyond its capabilities and extensions; None when it asks for nothing.

    Keys are `ExecutionMode.NAME`, with the width in bits after it where the mode has one; `Version.1.N` of SPIR-V;
    `Writable.MODEL`, a storage buffer or image in an execution model without NonWritable; `Initialized.CLASS`, a variable
    of a storage class with an initializer; `Group.ExtendedTypes`, a group operation on scalars other than of 32 bits.
    """
    entry = _file("uses").get(key)
    return None if entry is None else Use(tuple(map(_enabler, entry["any"])), entry.get("vuid"))


def image_format(name: str) -> ImageFormat | None:
    """What goes with an image format; None for `Unknown`, which goes with any."""
    entry = _file("formats").get(name)
    return None if entry is None else ImageFormat(entry["type"], tuple(entry["formats"]))


def precision(key: str) -> Precision | None:
    """The precision of an instruction, by its key (`OpFDiv`, `GLSL.std.450.Exp`); None when it is left open."""
    entry = _file("precision").get(key)
    if entry is None:
        return None
    single = tuple(map(_bound, entry["single"]))
    return Precision(single, tuple(map(_bound, entry["half"])) if "half" in entry else single)


def builtin(name: str) -> BuiltIn | None:
    """How a built-in may be declared; None when Vulkan does not have it."""
    entries = _file("builtins")
    named = _spelled_in(entries, "BuiltIn", name)
    if named is None:
        return None
    entry = entries[named]
    vuids = entry["vuids"]
    return BuiltIn(
        entry["type"],
        {_model(model): tuple(storage) for model, storage in entry["models"].items()},
        tuple(map(_model, entry.get("per_primitive", ()))),
        _vuid(named, vuids.get("models")),
        _vuid(named, vuids.get("type")),
        {_model(model): f"VUID-{named}-{named}-{number}" for number, models in vuids["storage"].items() for model in models},
    )


def _model(name: str) -> str:
    """The name of an execution model in the grammar; "*" is all of them."""
    known = tables.kind("ExecutionModel").get(name)
    return name if known is None else known.name


def execution_models(mode: str) -> tuple[str, ...] | None:
    """The execution models that an execution mode may be used with, whatever the client; None when any may."""
    models = _file("execution_modes").get(mode)
    return None if models is None else tuple(models)


@cache
def _file(name: str) -> dict[str, Any]:
    entries: dict[str, Any] = loads(data_text(f"vulkan/{name}.json"))
    return entries


def _enabler(entry: dict[str, Any]) -> Enabler:
    kind = next(kind for kind in ("version", "extension", "feature", "property") if kind in entry)
    return Enabler(kind, entry[kind], entry.get("value", ""), entry.get("structure", ""), tuple(entry.get("in", ())))


def _bound(entry: dict[str, Any]) -> Bound:
    return Bound(entry["rule"], str(entry.get("bound", "")), entry.get("where", ""))


def valid_usage_address(vuid: str) -> str:
    """Where the specification of Vulkan states a valid usage."""
    return f"https://registry.khronos.org/vulkan/specs/latest/html/vkspec.html#{vuid}"


def built_ins() -> list[BuiltIn]:
    """All built-ins of which Vulkan says something."""
    return [found for name in _file("builtins") if (found := builtin(name)) is not None]


def built_in_vuids(part: str, among: Callable[[BuiltIn], bool] = bool) -> list[str]:
    """The VUIDs of all built-ins, or of those `among` them, about their `models`, their `type` or their `storage` classes."""
    known = [found for found in built_ins() if among(found)]
    if part == "storage":
        return sorted({vuid for entry in known for vuid in entry.storage_vuids.values()})
    of_part = (entry.models_vuid if part == "models" else entry.type_vuid for entry in known)
    return sorted({vuid for vuid in of_part if vuid is not None})


def use_vuids(*, by_extension: bool = False) -> list[str]:
    """The VUIDs of all uses that ask something of a device, or only of those for which an extension of Vulkan can bring that."""
    asking = [entry for entry in _file("uses").values() if "vuid" in entry]
    brought = [entry for entry in asking if any(name.startswith("VK_") for need in entry["any"] for name in need.get("in", ()))]
    return sorted({entry["vuid"] for entry in (brought if by_extension else asking)})


def _vuid(name: str, number: str | None) -> str | None:
    return None if number is None else f"VUID-{name}-{name}-{number}"
