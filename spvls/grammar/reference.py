"""What an entry of the tables is, and what the client APIs say of it, as lines of Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from spvls.grammar import tables, vulkan
from spvls.grammar.history import OPCODES, former_names
from spvls.grammar.keys import Subject
from spvls.grammar.records import Enumerant, Opcode
from spvls.grammar.vulkan import Bound, Enabler


def identity(subject: Subject) -> list[str]:
    """What an entry is, its number, and its other names."""
    record = subject.record
    if isinstance(record, Opcode):
        group = record.class_.replace("_", " ").replace("-", " ").lower()
        facts = [f"Opcode {record.value}" + (f", {group}" if group != "reserved" else "")]
    elif isinstance(record, Enumerant):
        facts = [f"{record.kind} {record.value}" + (f" (`0x{record.value:x}`)" if record.value > 9 else "")]
    else:
        since = f", since revision {record.since}" if record.since else ""
        facts = [f"Instruction {record.value} of `{subject.set.name if subject.set else ''}`{since}"]
    if record.aliases:
        facts.append(f"Also {_names(record.aliases, ' and ')}")
    family = OPCODES if isinstance(record, Opcode) else record.kind if isinstance(record, Enumerant) else ""
    former = [old for old, new in former_names(family).items() if new == record.name]
    if former:
        facts.append(f"Formerly {_names(former)}")
    return facts


def client_facts(key: str) -> list[str]:
    """What the client APIs say of an entry, or of an extension by its name; a line of Markdown each."""
    family, _, name = key.partition(".")
    if key.startswith("SPV_") and not name:
        sources = vulkan.extension(key)
        return [f"Vulkan: {_choice(map(_source, sources))}" if sources else "Vulkan: not accepted"]
    if family == "Capability":
        enablers = vulkan.capability(name)
        return ["Vulkan: not in its tables of capabilities" if enablers is None else f"Vulkan: {_choice(_enablers(enablers))}"]
    if family == "ImageFormat":
        return _format_facts(name)
    if family == "BuiltIn":
        return _builtin_facts(name)
    if family == "ExecutionMode":
        models = vulkan.execution_models(name)
        facts = [] if models is None else [f"For entry points of {_names(models)}"]
        use = vulkan.use(key)
        return facts if use is None else [*facts, f"Vulkan: {_choice(_enablers(use.enablers))}"]
    return _precision_facts(key)


def _names(names: Iterable[str], last: str = " or ") -> str:
    """Names as a list, `last` in front of the last of them."""
    quoted = [f"`{name}`" for name in names]
    return last.join(filter(None, [", ".join(quoted[:-1]), *quoted[-1:]]))


def _choice(ways: Iterable[str]) -> str:
    return ", or ".join(dict.fromkeys(ways))


def _source(name: str) -> str:
    return f"version {name}" if name[0].isdigit() else f"`{name}`"


def _enablers(enablers: Iterable[Enabler]) -> Iterable[str]:
    for enabler in enablers:
        if enabler.kind in ("version", "extension"):
            yield _source(enabler.name)
        elif enabler.kind == "feature":
            yield f"feature `{enabler.name}`"
        else:
            yield f"property `{enabler.name}` with `{enabler.value}`"


def _format_facts(name: str) -> list[str]:
    known = vulkan.image_format(name)
    if known is None:
        return []
    return [f"Vulkan: {_names(known.formats)}, with texels of `{known.type}`"]


def _builtin_facts(name: str) -> list[str]:
    known = vulkan.builtin(name)
    if known is None:
        return [f"Vulkan: {_choice(_enablers(_enablers_of_extension(name))) or 'not among its built-ins'}"]
    facts = [f"Vulkan: `{known.type}`"]
    by_direction: dict[tuple[str, ...], list[str]] = {}
    for model, storage in known.directions.items():
        by_direction.setdefault(storage, []).append(model)
    for storage, models in by_direction.items():
        of = "any entry point" if models == ["*"] else _names(models, " and ")
        facts.append(f"{_names(storage) or 'A constant'} of {of}")
    return facts


def _enablers_of_extension(name: str) -> Iterator[Enabler]:
    """What enables the capabilities of a built-in of an extension, whose type Vulkan leaves to that extension."""
    record = tables.kind("BuiltIn").get(name)
    if record is not None and record.version is None:
        for capability in record.capabilities:
            yield from vulkan.capability(capability) or ()


def _precision_facts(key: str) -> list[str]:
    known = vulkan.precision(key)
    if known is None:
        return []
    single, half = (_choice(map(_bound, bounds)) for bounds in known)
    return [f"Vulkan precision: {single}" + ("" if single == half else f"; of 16-bit floats {half}")]


def _bound(bound: Bound) -> str:
    said = {
        "exact": "exact",
        "rounded": "correctly rounded",
        "rounded any way": "correctly rounded in a mode of the implementation's choice",
        "ulp": f"{bound.bound} ULP" if bound.bound[-1:].isdigit() else f"`{bound.bound}` ULP",
        "absolute": f"off by at most {bound.bound}",
        "absolute below": f"off by less than {bound.bound}",
        "formula": f"that of `{bound.bound}`",
    }[bound.rule]
    return f"{said} {bound.where}".rstrip()
