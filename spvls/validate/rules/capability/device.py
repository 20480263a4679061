"""What the Vulkan device that a module is meant for has, where the settings tell of one."""

from __future__ import annotations

from collections.abc import Iterator

from spvls.grammar import sections, vulkan
from spvls.grammar.device import Device, device_of
from spvls.grammar.vulkan import Enabler
from spvls.validate.checks.wording import listed
from spvls.validate.engine.finding import Finding, FindingFix
from spvls.validate.engine.rule import Findings, RuleContext, module_rule
from spvls.validate.fixes.common import decorate
from spvls.validate.requirements import STORES, VERSION, Need, needs, phrase, source


@module_rule("capability/device-has-features", section=sections.CAPABILITY, vuids=vulkan.use_vuids)
def device_has_features(context: RuleContext) -> Findings:
    """The device has the features and properties that the module's capabilities, modes and variables ask for.

    This is looked at where the settings tell which features the device has, for the environments of Vulkan and for those of
    SPIR-V alone. Where any of several features, extensions or versions would do, one is enough, and one that is not known
    not to be there counts as there. Stores to buffers and images take features as well, as long as the variable is not
    `NonWritable`.
    """
    yield from _reported(context, "feature")


@module_rule("capability/device-has-extensions", section=sections.DEBUG_INSTRUCTIONS)
def device_has_extensions(context: RuleContext) -> Findings:
    """The device has the Vulkan extensions that the module's extensions and capabilities ask for.

    This is looked at where the settings tell which extensions the device has. Many of them are part of a version of Vulkan
    as well, which does as much.
    """
    yield from _reported(context, "extension")


@module_rule("capability/device-supports-version", section=sections.PHYSICAL_LAYOUT)
def device_supports_version(context: RuleContext) -> Findings:
    """The device has a version of Vulkan that takes the version of SPIR-V, and the capabilities, of the module.

    This is looked at where the settings tell the version of the device. Vulkan 1.1 takes SPIR-V up to 1.3 (1.4 with
    `VK_KHR_spirv_1_4`), Vulkan 1.2 up to 1.5, Vulkan 1.3 up to 1.6.
    """
    yield from _reported(context, "version")


def _reported(context: RuleContext, rule: str) -> Findings:
    for wanted, need in context.memo("device", lambda: list(_missing(context))):
        if wanted == rule:
            ways = [phrase(enabler) + ("" if rule == "feature" else _sources(enabler)) for enabler in need.enablers]
            lack = f"needs {ways[0]}, which the device does not have"
            if len(ways) > 1:
                lack = f"needs {listed(ways)}; the device has none of them"
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
    if not context.options.device or environment.api not in ("", "vulkan"):
        return
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
