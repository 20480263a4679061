"""Imports and exports (SPIR-V 2.13, 2.16.1, 3.2.19)."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv
from spvls.grammar.enumerants import Capability, Decoration, LinkageType
from spvls.grammar.operand_index import OpDecorate_Target, OpVariable_Initializer
from spvls.grammar.traits import VARIABLES
from spvls.module.functions import Function
from spvls.module.operand_at import id_at
from spvls.syntax.instruction import OPCODE, RESULT, Instruction
from spvls.validate.checks.entry import is_imported, linkage
from spvls.validate.checks.wording import made_by
from spvls.validate.engine.finding import Finding, FindingFix, InsertBefore, Note
from spvls.validate.engine.rule import Findings, RuleContext, function_rule, instruction_rule
from spvls.validate.fixes.declare import declaring, takes
from spvls.validate.rules.function.structure import HEAD

_IMPORT = LinkageType.Import
_LINKAGE = Decoration.LinkageAttributes


@function_rule("function/only-imports-lack-body", section=sections.UNIVERSAL_VALIDATION_RULES)
def only_imports_lack_body(function: Function, context: RuleContext) -> Findings:
    """A function must have a body if it is not imported, and must not have one if it is imported.

    A function is imported if it is decorated with LinkageAttributes whose linkage type is Import. Its body is in the module that
    exports it. With a second body, a linker may use either of the two. Without any body, a call has no code to run. The function of
    an entry point needs a body, because it must not have LinkageAttributes (`entry-point/function-has-no-linkage`). A fix is only
    offered for a function without LinkageAttributes that is not that of an entry point.
    """
    decoration = linkage(context.module, function.name)
    notes = (Note(decoration.record, 1, f"the linkage of %{function.name} is set here"),) if decoration is not None else ()
    if not function.is_declaration:
        if is_imported(decoration):
            yield Finding(function.record, RESULT, f"%{function.name} is imported and must not have a body", notes)
    elif not is_imported(decoration) and function.end is not None and all(r.opcode.value in HEAD for r in function.before_end):
        fixes: tuple[FindingFix, ...] = ()
        annotations = context.module.declarations.records(spv.OpDecorate)
        is_entry = function.name in context.module.declarations.models_by_function
        if decoration is None and not is_entry and annotations and takes(context.module, Capability.Linkage):
            text = f'OpDecorate %{function.name} LinkageAttributes "{function.name}" Import'
            steps = (InsertBefore(annotations[0], text), *declaring(context.module, Capability.Linkage))
            fixes = (FindingFix("Import the function", steps, preferred=False),)
        needed = "is not imported: it must have a body, or LinkageAttributes with the linkage type Import"
        if is_entry:
            needed = "is the function of an entry point, which must have a body"
        message = f"%{function.name} has no body, but {needed}"
        yield Finding(function.record, RESULT, message, notes, fixes)


@instruction_rule("function/import-has-no-initializer", spv.OpVariable, section=sections.UNIVERSAL_VALIDATION_RULES)
def import_has_no_initializer(inst: Instruction, context: RuleContext) -> Findings:
    """An imported variable must not have an initializer.

    A variable is imported if it is decorated with LinkageAttributes whose linkage type is Import. The module that exports it sets
    its initial value. With two initializers, a linker may use either value. Only OpVariable outside of functions is checked.
    """
    if inst.result is None or len(inst.operands) < 2 or context.is_in_function:
        return
    decoration = linkage(context.module, inst.result)
    if decoration is not None and is_imported(decoration):
        note = Note(decoration.record, OPCODE, f"the linkage of %{inst.result} is set here")
        yield Finding(inst, OpVariable_Initializer, f"%{inst.result} is imported and must not have an initializer", (note,))


@instruction_rule("function/linked-object-is-global", spv.OpDecorate, section=sections.DECORATION, severity=Severity.WARNING)
def linked_object_is_global(inst: Instruction, context: RuleContext) -> Findings:
    """LinkageAttributes must be on a function, a global variable or a decoration group.

    A linker connects objects that exist for the whole module. Other ids, such as types, constants and variables of a function, have
    nothing that another module could call or access.

    A warning, because spirv-val accepts other targets. The targets of a decoration group are not checked. For functions of entry
    points, see `entry-point/function-has-no-linkage`.
    """
    name = id_at(inst, OpDecorate_Target)
    if inst.operands[1:2] != (_LINKAGE,) or name is None:
        return
    target = context.module.definition(name)
    if target is None or target.opcode.value in (spv.OpFunction, spv.OpDecorationGroup):
        return
    if target.opcode.value not in VARIABLES or not context.module.is_global(name):
        note = Note(target, OPCODE, f"%{name} is defined here")
        what = "a variable in a function" if target.opcode.value in VARIABLES else made_by(target)
        message = f"%{name} is {what}, but LinkageAttributes may only decorate a function or a global variable"
        yield Finding(inst, OpDecorate_Target, message, (note,))


@instruction_rule("function/export-name-is-unique", spv.OpDecorate, section=sections.LINKAGE, severity=Severity.WARNING)
def export_name_is_unique(inst: Instruction, context: RuleContext) -> Findings:
    """A module must export a linkage name only once, and must not import a name that it exports.

    A linker finds an object by its name. With two objects of one name in a module, linkers may differ in which one they choose, or
    reject the program. Each linkage type other than Import counts as an export, also LinkOnceODR (SPV_KHR_linkonce_odr), with which
    several modules may export a name. SPIR-V does not forbid the import of a name that the module exports. Two imports may have the
    same name. Two decorations of one id are not compared. A decoration group counts as one id, whatever its targets are.

    A warning, because spirv-val accepts such names.
    """
    if inst.operands[1:2] != (_LINKAGE,) or len(inst.operands) < 4 or not isinstance(inst.operands[2], bytes):
        return
    name, imported = inst.operands[2], inst.operands[-1] == _IMPORT
    seen = context.chunk_state("linkage names", dict[tuple[bytes, bool], Instruction])
    other = seen.get((name, False)) or (None if imported else seen.get((name, True)))
    seen.setdefault((name, imported), inst)
    if other is not None and other.operands[:1] != inst.operands[:1]:
        spelled = name.decode("utf-8", "replace")
        note = Note(other, 2, f"the linkage name of %{id_at(other, 0)} is set here")
        message = f'%{id_at(inst, 0)} and %{id_at(other, 0)} have the same linkage name, "{spelled}"; the names must differ'
        yield Finding(inst, 2, message, (note,))
