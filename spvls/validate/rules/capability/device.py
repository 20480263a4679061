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
    """A module must only use features and properties that the target device has.

    A driver rejects a pipeline that needs a feature which the device does not have or the application has not enabled, or its
    behavior is undefined. Capabilities, execution modes and variables can need features, and so can stores to buffers and images
    that are not decorated NonWritable.

    This is checked where the settings list the features of the device, for the environments of Vulkan and the universal ones. If
    several features, extensions or versions are alternatives, one is sufficient, and one is assumed to be there if nothing is known
    about it.
    """
    yield from _reported(context, "feature")


@module_rule("capability/device-has-extensions", section=sections.EXTENSION_INSTRUCTIONS)
def device_has_extensions(context: RuleContext) -> Findings:
    """A module must only use extensions and capabilities whose Vulkan extensions the device has.

    A driver may reject a module with an extension that the device does not have. This is checked where the settings list the
    extensions of the device. An extension that is part of the device's version of Vulkan is sufficient too.
    """
    yield from _reported(context, "extension")


@module_rule("capability/device-supports-version", section=sections.PHYSICAL_LAYOUT)
def device_supports_version(context: RuleContext) -> Findings:
    """The SPIR-V version and the capabilities of a module must fit the Vulkan version of the device.

    A driver may reject a newer module, because it cannot know what its instructions mean. Vulkan 1.1 supports SPIR-V up to 1.3
    (1.4 with VK_KHR_spirv_1_4), Vulkan 1.2 up to 1.5, and Vulkan 1.3 up to 1.6. A capability such as GroupNonUniform came with a
    version too. This is checked where the settings give the version of the device.
    """
    yield from _reported(context, "version")


def _reported(context: RuleContext, rule: str) -> Findings:
    for wanted, need in context.memo("device", lambda: list(_missing(context))):
        if wanted == rule:
            ways = [phrase(enabler) + ("" if rule == "feature" else _sources(enabler)) for enabler in need.enablers]
            lack = f"requires {ways[0]}, which the device does not have"
            if len(ways) > 1:
                lack = f"requires {listed(ways)}; the device has none of them"
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
