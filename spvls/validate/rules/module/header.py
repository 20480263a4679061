"""The header of a module: version, bound of ids (SPIR-V 2.3, 2.17)."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.syntax.instruction import OPCODE, RESULT
from spvls.validate.finding import HEADER, Finding
from spvls.validate.rule import Findings, Scene, module_rule
from spvls.validate.rules.module.capability import title


@module_rule("version/environment", section="2.3")
def version(scene: Scene) -> Findings:
    """The version that a binary's header says is one that the target environment takes.

    Each version of a client API takes SPIR-V up to a certain version; earlier ones are always welcome.

    Bad:  a module of SPIR-V 1.6 for vulkan1.2.
    Good: a module of SPIR-V 1.5 or earlier.
    """
    environment = scene.module.environment
    if scene.module.version > environment.version:
        have, taken = (".".join(map(str, of)) for of in (scene.module.version, environment.version))
        where = f"{title(environment)} takes" if environment.api else "the target environment takes"
        yield Finding(HEADER, OPCODE, f"the module is SPIR-V {have}, and {where} SPIR-V up to {taken}")


@module_rule("version/declared", section="2.3", severity=Severity.WARNING)
def declared(scene: Scene) -> Findings:
    """The version that a text declares at its top is one that the chosen target environment takes.

    The environment that is chosen decides what the text is assembled and checked for; a header that says more was written
    for another one.

    Bad:  `; Version: 1.6` in a text that is checked for vulkan1.2.
    Good: `; Version: 1.5`
    """
    header, environment = scene.module.header, scene.module.environment
    if header is None or header.version is None or (1, header.version) <= environment.version:
        return
    taken = ".".join(map(str, environment.version))
    message = f"the text declares SPIR-V 1.{header.version}, and {environment.name}, which it is checked for, takes up to {taken}"
    yield Finding(HEADER, OPCODE, message)


@module_rule("limit/id-bound", section="2.17")
def id_bound(scene: Scene) -> Findings:
    """The bound of a module's ids is no larger than 4,194,303, or what `--max-id-bound` says.

    Consumers have tables as long as the bound says. For a text the bound is one more than the number of its ids.

    Bad:  a header with the bound 0x5000000.
    Good: ids numbered densely from 1.
    """
    module = scene.module
    bound = module.bound if module.bound is not None else module.ids.count + 1
    if bound > scene.options.max_id_bound:
        yield Finding(HEADER, OPCODE, f"the bound of ids is {bound}, and {scene.options.max_id_bound} at most are allowed")


@module_rule("physical/bound-exceeds-ids", section="2.3")
def bound_exceeds_ids(scene: Scene) -> Findings:
    """Every id of a binary is less than the bound that its header says.

    Bad:  the bound 64 and an instruction with the result 64.
    Good: the bound 65.
    """
    bound = scene.module.bound
    if bound is None:
        return
    for chunk in scene.module.chunks:
        for record in chunk.records:
            if record.result is not None and record.result.isdigit() and int(record.result) >= bound:
                message = f"the result is id {record.result}, and the header says that ids are less than {bound}"
                yield Finding(record, RESULT, message)
                return
