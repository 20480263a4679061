"""What a module needs of a Vulkan device and the device that the settings tell of does not have."""

from __future__ import annotations

from collections.abc import Iterator

from spvls.grammar.device import Device, device_of
from spvls.grammar.vulkan import Enabler
from spvls.validate.checks.wording import listed
from spvls.validate.engine.finding import Finding, FindingFix
from spvls.validate.engine.rule import Findings, RuleContext
from spvls.validate.fixes.common import decorate
from spvls.validate.requirements import STORES, VERSION, Need, needs, phrase, source


def lacking(context: RuleContext, rule: str) -> Findings:
    """The findings of a rule on what the device has: its features and properties, its extensions, or its version."""
    for wanted, need in context.memo("device", lambda: list(_missing(context))):
        if wanted == rule:
            named = (phrase(enabler, "" if rule == "feature" else _sources(enabler)) for enabler in need.enablers)
            ways = list(dict.fromkeys(named))
            lack = f"requires {ways[0]}; the device does not provide it"
            if len(ways) > 1:
                lack = f"requires {listed(ways)}; the device has {'neither' if len(ways) == 2 else 'none of them'}"
            fixes: tuple[FindingFix, ...] = ()
            if need.kind == STORES and need.record.result is not None:
                fixes = decorate(need.record.result, "NonWritable", context.module, preferred=False)
            yield Finding(need.record, need.operand_index, f"{need.subject} {lack}", fixes=fixes, vuid=need.vuid)


def _sources(enabler: Enabler) -> str:
    """What a feature comes with, where that is what there is not."""
    return f" of {listed([phrase(source(name)) for name in enabler.sources])}" if enabler.sources else ""


def _missing(context: RuleContext) -> Iterator[tuple[str, Need]]:
    """The needs that the device does not meet, each with the rule that tells of it."""
    environment = context.module.environment
    assert context.options.device is not None
    device = device_of(context.options.device)
    if device.version is None and environment.api == "vulkan":
        device = device._replace(version=environment.api_version)
    for need in needs(context.module):
        if need.enablers and device.lacks(need.enablers):
            yield _rule(need, device), need


def _rule(need: Need, device: Device) -> str:
    if need.kind == VERSION:
        return "version"
    knows_features = device.features is not None or bool(device.properties)
    if knows_features and any(enabler.kind in ("feature", "property") for enabler in need.enablers):
        return "feature"
    names = [name for enabler in need.enablers for name in (enabler.name, *enabler.sources)]
    known = device.extensions is not None
    return "extension" if known and any(name.startswith("VK_") for name in names) else "version"
