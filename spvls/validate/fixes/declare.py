"""What a module lacks to use an instruction, and the quick fixes that declare a capability or an extension."""

from __future__ import annotations

from spvls.grammar import spv, tables
from spvls.grammar.client import client_capabilities
from spvls.grammar.enumerants import Capability
from spvls.module.availability import EXTENSION, MissingRequirement
from spvls.module.module import Module
from spvls.syntax.instruction import Instruction
from spvls.syntax.operand_decls import capability_name, capability_names
from spvls.validate.engine.finding import HEADER, FindingFix, InsertAfter, InsertBefore, Step
from spvls.validate.engine.rule import RuleContext


def missing_requirement(inst: Instruction, context: RuleContext) -> MissingRequirement | None:
    """What an instruction first lacks; the rules that ask share the answer."""
    return context.module.availability.lack(inst)


def is_reported(lack: MissingRequirement, context: RuleContext) -> bool:
    """Whether capabilities or extensions of the same names lack somewhere before in the chunk; notes them otherwise."""
    reported = context.chunk_state("lacks", set[tuple[str, ...]])
    if not lack.names or lack.names not in reported:
        reported.add(lack.names)
        return False
    return True


def capability_fixes(module: Module, capabilities: tuple[int, ...]) -> tuple[FindingFix, ...]:
    """A fix for each capability that would do, as far as the module can have it; preferred where there is one alone."""
    wanted = [capability for capability in capabilities if _fits(module, capability)][:_SHOWN]
    return tuple(_declare(module, (capability,), preferred=len(wanted) == 1) for capability in wanted)


def every_capability_fix(module: Module, capabilities: tuple[int, ...]) -> tuple[FindingFix, ...]:
    """The fix that declares all of these capabilities, where the module can have them."""
    fits = all(_fits(module, capability) for capability in capabilities)
    return (_declare(module, capabilities, preferred=True),) if fits else ()


def _declare(module: Module, capabilities: tuple[int, ...], *, preferred: bool) -> FindingFix:
    names = capability_names(capabilities)
    lines = [f"OpCapability {name}" for name in names]
    for capability in capabilities:
        enumerant = tables.kind("Capability").by_value(capability)
        lack = module.availability.of(enumerant) if enumerant is not None else None
        if lack is not None and lack.kind is EXTENSION and (line := f'OpExtension "{lack.names[0]}"') not in lines:
            lines.append(line)
    title = f"Declare the {'capability' if len(names) == 1 else 'capabilities'} {', '.join(names)}"
    return FindingFix(title, (_after(module, spv.OpCapability, lines),), preferred)


def extension_fixes(module: Module, names: tuple[str, ...]) -> tuple[FindingFix, ...]:
    """A fix for each extension that would do; preferred where there is one alone."""
    return tuple(
        FindingFix(
            f"Declare the extension {name}",
            (_after(module, spv.OpExtension, [f'OpExtension "{name}"']),),
            len(names) == 1,
        )
        for name in names[:_SHOWN]
    )


_SHOWN = 3


def declaring(module: Module, capability: int) -> tuple[Step, ...]:
    """Declares a capability if the module lacks it."""
    lines = [f"OpCapability {capability_name(capability)}"] if not module.has_capability(capability) else []
    return (_after(module, spv.OpCapability, lines),) if lines else ()


def takes(module: Module, capability: int) -> bool:
    """Whether the client that the module is for takes a capability, with the extensions that are declared or needed."""
    taken = client_capabilities(module.environment.name)
    if taken is None or taken.allows(capability, module.declarations.capabilities):
        return True
    enumerant = tables.kind("Capability").by_value(capability)
    return enumerant is not None and bool(enumerant.extensions)


def _fits(module: Module, capability: int) -> bool:
    """Whether a capability goes with those that are there: kernels and shaders rarely share a module."""
    implied = tables.implied_capabilities(capability) | {capability}
    if not takes(module, capability):
        return False
    if module.has_capability(Capability.Shader) and not module.has_capability(Capability.Kernel):
        return Capability.Kernel not in implied
    if module.has_capability(Capability.Kernel) and not module.has_capability(Capability.Shader):
        return Capability.Shader not in implied
    return True


def _after(module: Module, opcode: int, lines: list[str]) -> Step:
    """Put lines after the last declaration of an opcode, or where these would begin."""
    text = "\n".join(lines)
    for section in (opcode, spv.OpCapability):
        records = module.declarations.records(section)
        if records:
            return InsertAfter(records[-1], text)
    return InsertBefore(HEADER, text)
