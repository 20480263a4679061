"""What the Vulkan device that a module is meant for has, where the settings tell of one."""

from __future__ import annotations

from collections.abc import Iterable

from spvls.grammar import sections
from spvls.validate.engine.rule import Findings, RuleContext, module_rule


def _use_vuids() -> Iterable[str]:
    from spvls.grammar.vulkan import use_vuids

    return use_vuids()


def _extension_use_vuids() -> Iterable[str]:
    from spvls.grammar.vulkan import use_vuids

    return use_vuids(by_extension=True)


@module_rule("capability/device-has-features", section=sections.CAPABILITY, vuids=_use_vuids)
def device_has_features(context: RuleContext) -> Findings:
    """A module must only use features and properties that the target device has.

    A driver may reject a pipeline that needs a feature which the device does not have or the application has not enabled, or its
    behavior is undefined. Capabilities, execution modes, initializers of Workgroup variables and types of group operations can need
    features. So can storage buffers, storage images and storage texel buffers that a vertex, tessellation, geometry or fragment
    shader uses, even without stores, unless they, or all members of the buffer, are decorated with NonWritable. Vulkan says this of
    storage tensors too, which are not checked.

    This is checked where the settings list the features or properties of the device, for the environments of Vulkan and the
    universal ones. If several features, extensions or versions are alternatives, one is sufficient. An alternative of which the
    settings say nothing is assumed to be there.
    """
    yield from _reported(context, "feature")


@module_rule("capability/device-has-extensions", section=sections.EXTENSION_INSTRUCTIONS, vuids=_extension_use_vuids)
def device_has_extensions(context: RuleContext) -> Findings:
    """A module must only use extensions and capabilities whose Vulkan extensions the device has.

    A driver may reject a module with an extension that the device does not have.

    This is checked where the settings list the extensions of the device, for the environments of Vulkan and the universal ones.
    Vulkan's tables name the versions and extensions of Vulkan that bring a SPIR-V extension or a capability; the device must have
    one of them. For example, the capability MultiView requires Vulkan 1.2 or VK_KHR_multiview, also on a device of Vulkan 1.1. If
    the device may have one, because the settings do not say, nothing is reported.

    Where the settings list no features or properties, execution modes, initializers of Workgroup variables and group operations are
    checked too, if an extension brings what they need. Where they do, `capability/device-has-features` reports these, and
    capabilities that need a feature or a property.
    """
    yield from _reported(context, "extension")


@module_rule("capability/device-supports-version", section=sections.PHYSICAL_LAYOUT)
def device_supports_version(context: RuleContext) -> Findings:
    """The SPIR-V version and the capabilities of a module must fit the Vulkan version of the device.

    A driver may reject a newer module. Vulkan 1.0 supports SPIR-V 1.0 only, 1.1 up to 1.3 (1.4 with VK_KHR_spirv_1_4), 1.2 up to
    1.5, and 1.3 and 1.4 up to 1.6. A capability such as GroupNonUniform came with a version too. Where the settings list features
    or properties, `capability/device-has-features` reports capabilities that need one. Where they list extensions,
    `capability/device-has-extensions` reports others that an extension can bring as well.

    This is checked where the settings describe the device, for the environments of Vulkan and the universal ones. If they give no
    version, it is that of the Vulkan environment; in a universal environment, the version is then not known. If the settings list
    no extensions, each is assumed to be there, even VK_KHR_spirv_1_4 in Vulkan 1.0. In the default environment, spv1.6, the SPIR-V
    version of a text that does not name one is not checked.
    """
    yield from _reported(context, "version")


def _reported(context: RuleContext, rule: str) -> Findings:
    if context.options.device and context.module.environment.api in ("", "vulkan"):
        from spvls.validate.checks.device import lacking  # few tell of a device

        yield from lacking(context, rule)
