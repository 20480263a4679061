"""OpExtInstImport (SPIR-V 3.3.4)."""

from __future__ import annotations

from spvls.grammar import sections, spv, tables
from spvls.syntax.instruction import Instruction
from spvls.validate.engine.finding import Finding, FindingFix, InsertBefore, Replace
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule

_NON_SEMANTIC_INFO = "SPV_KHR_non_semantic_info"

#: Sets whose import must name a revision that is known.
_REVISED = frozenset({"NonSemantic.ClspvReflection", "NonSemantic.Shader.DebugInfo", "Arm.ExperimentalMLOperations"})

#: Those of them whose later revisions have all that the earlier ones have, so that any later one can be read.
_EXTENDED = frozenset({"NonSemantic.Shader.DebugInfo"})

_GRAPH_DEBUG_INFO = "NonSemantic.Graph.DebugInfo"
_GRAPHS = "SPV_ARM_graph"


@instruction_rule("ext-inst/non-semantic-extension-is-declared", spv.OpExtInstImport, section=sections.EXTENSION_INSTRUCTIONS)
def non_semantic_extension_is_declared(inst: Instruction, context: RuleContext) -> Findings:
    """Before SPIR-V 1.6, an import of a non-semantic set must have SPV_KHR_non_semantic_info declared.

    A set is non-semantic if its name begins with `NonSemantic.`. The extension says that a consumer may skip the instructions of
    such sets. Without it, a consumer that does not know the set may reject the module. Since SPIR-V 1.6 the core specification
    includes it.
    """
    name = _import_name(inst)
    module = context.module
    if not name.startswith("NonSemantic.") or module.version >= (1, 6) or module.has_extension(_NON_SEMANTIC_INFO):
        return
    first = next(iter(module.declarations.records(spv.OpExtInstImport)), inst)
    fix = FindingFix(f"Declare {_NON_SEMANTIC_INFO}", (InsertBefore(first, f'OpExtension "{_NON_SEMANTIC_INFO}"'),))
    message = f'before SPIR-V 1.6, the import of "{name}" requires OpExtension "{_NON_SEMANTIC_INFO}"'
    yield Finding(inst, 0, message, (), (fix,))


@instruction_rule("ext-inst/imported-set-is-known", spv.OpExtInstImport, section=sections.EXTENSION_INSTRUCTIONS)
def imported_set_is_known(inst: Instruction, context: RuleContext) -> Findings:
    """An imported instruction set must be one that a specification defines, or be non-semantic.

    A consumer may reject a module with a set that it does not know, because it cannot run its instructions. The rule reports each
    set that spvls has no table of, unless its name begins with `NonSemantic.`: a consumer can skip the instructions of such a set.
    """
    name = _import_name(inst)
    if not inst.operands or name.startswith("NonSemantic.") or tables.extended_set(name) is not None:
        return
    from spvls.syntax.nearest import Spelling

    near = Spelling(set_.import_names[-1] for set_ in tables.extended_sets()).nearest(name)
    fixes = (FindingFix(f"Change to {near}", (Replace(inst, 0, f'"{near}"'),)),) if near is not None else ()
    hint = f"; did you mean {near}?" if near is not None else ""
    yield Finding(inst, 0, f'the extended instruction set "{name}" is not known{hint}', (), fixes)


@instruction_rule("ext-inst/imported-revision-is-known", spv.OpExtInstImport, section=sections.EXTENSION_INSTRUCTIONS)
def imported_revision_is_known(inst: Instruction, context: RuleContext) -> Findings:
    """The import of some sets must end in the number of a revision that is known, or extends a known one.

    The revision says which instructions the module may use, with which operands. A consumer may reject the import of an unknown
    revision, or read operands by the wrong definition.

    The sets are NonSemantic.ClspvReflection, with revisions 1 to 7, Arm.ExperimentalMLOperations, with revision 1, and
    NonSemantic.Shader.DebugInfo, with any revision from 100, because later ones keep the instructions of earlier ones. A name
    that ends before the dot, such as `NonSemantic.Shader.DebugInfo`, is taken for that of another set, and is not checked here;
    `ext-inst/imported-set-is-known` reports `Arm.ExperimentalMLOperations`. The revision of NonSemantic.VkspReflection is not
    checked. For NonSemantic.Graph.DebugInfo, see `ext-inst/graph-debug-revision-is-known`.
    """
    name = _import_name(inst)
    known = tables.extended_set(name) if name else None
    if known is None or known.name not in _REVISED or known.prefix is None:
        return
    number = known.revision_of(name)
    more = known.revision - known.first_revision
    joined = f"revisions {known.first_revision} {'and' if more == 1 else 'to'} {known.revision}"
    revisions = joined if more else "only revision 1"
    if number is None:
        yield Finding(
            inst, 0, f'"{name}" does not end in a revision number; {known.name} has {revisions}'
        )
    elif number < known.first_revision or (number > known.revision and known.name not in _EXTENDED):
        yield Finding(inst, 0, f"revision {number} of {known.name} is not known; the set has {revisions}")


@instruction_rule("ext-inst/graph-debug-revision-is-known", spv.OpExtInstImport, section=sections.EXTENSION_INSTRUCTIONS)
def graph_debug_revision_is_known(inst: Instruction, context: RuleContext) -> Findings:
    """An import of NonSemantic.Graph.DebugInfo must end in the number of a known revision.

    The number says which instructions the set has. With another number a tool may ignore the information or read it by the wrong
    definition. Only revision 1 is known. A name that ends before the dot is not checked. The module must also declare
    SPV_ARM_graph, which defines the graphs that the set describes.
    """
    import_name = _import_name(inst)
    if not import_name.startswith(f"{_GRAPH_DEBUG_INFO}."):
        return
    known = tables.extended_set(import_name)
    number = known.revision_of(import_name) if known is not None else None
    if known is not None and (number is None or not 1 <= number <= known.revision):
        there = f"revisions 1 to {known.revision}" if known.revision > 1 else "only revision 1"
        if number is None:
            message = f'"{import_name}" does not end in a revision number; {_GRAPH_DEBUG_INFO} has {there}'
        else:
            message = f"revision {number} of {_GRAPH_DEBUG_INFO} is not known; the set has {there}"
        yield Finding(inst, 0, message)
    elif not context.module.has_extension(_GRAPHS):
        yield Finding(inst, 0, f'the import of "{import_name}" requires the extension {_GRAPHS}')


def _import_name(inst: Instruction) -> str:
    named = inst.operands[0] if inst.operands else None
    return named.decode("utf-8", "replace") if isinstance(named, bytes) else ""
