"""The words of the header, and the version against the environment (SPIR-V 2.3)."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar import sections
from spvls.syntax.instruction import OPCODE
from spvls.validate.engine.finding import HEADER, Finding
from spvls.validate.engine.rule import Findings, RuleContext, module_rule
from spvls.validate.rules.capability.requirement import title


@module_rule("module/version-fits-environment", section=sections.PHYSICAL_LAYOUT)
def version_fits_environment(context: RuleContext) -> Findings:
    """The version in the header of a binary must not be later than the target environment supports.

    A consumer of an earlier version does not know the instructions, enumerants and rules of a later one, and may reject the module.
    For the version that a text declares see `module/declared-version-fits-environment`.

    Bad:  a module of SPIR-V 1.6 for vulkan1.2.
    Good: a module of SPIR-V 1.5 or earlier.
    """
    environment = context.module.environment
    if context.module.version > environment.version:
        have, taken = (".".join(map(str, of)) for of in (context.module.version, environment.version))
        where = f"{title(environment)} supports" if environment.api else "the target environment supports"
        yield Finding(HEADER, OPCODE, f"the module is SPIR-V {have}, but {where} SPIR-V only up to {taken}")


@module_rule("module/declared-version-fits-environment", section=sections.PHYSICAL_LAYOUT, severity=Severity.WARNING)
def declared_version_fits_environment(context: RuleContext) -> Findings:
    """The version that a text declares must not be later than the target environment supports.

    Where an option, the configuration or a `target-env` comment chooses the environment, the text is checked for that
    environment, so its instructions may be rejected or checked by the wrong rules. Where nothing does, the declared version is the
    target. A text declares its version by a comment such as `; Version: 1.6` before its first instruction. The example is checked
    for spv1.3.
    """
    header, environment = context.module.header, context.module.environment
    if header is None or header.version is None or (1, header.version) <= environment.version:
        return
    taken = ".".join(map(str, environment.version))
    message = (
        f"the text declares SPIR-V 1.{header.version}, "
        f"but the target environment {environment.name} supports SPIR-V only up to {taken}"
    )
    yield Finding(HEADER, OPCODE, message)


@module_rule("module/reserved-header-word-is-zero", section=sections.PHYSICAL_LAYOUT, severity=Severity.WARNING)
def reserved_header_word_is_zero(context: RuleContext) -> Findings:
    """The last word of the header must be 0.

    The word is reserved for a schema of instructions, which no version of SPIR-V defines yet. A consumer may reject a module with
    another value. Only binaries are checked.

    Bad:  a binary whose fifth word is 1.
    Good: 0
    """
    if context.module.schema:
        yield Finding(HEADER, OPCODE, f"the header's reserved word is {context.module.schema}, expected 0")
