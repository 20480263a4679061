"""Linkage of functions and variables with other modules (SPIR-V 2.13, 2.16.1)."""

from __future__ import annotations

from spvls.module.decorations import Decoration
from spvls.module.functions import Function
from spvls.module.module import Module
from spvls.syntax.instruction import OPCODE, RESULT, Instruction
from spvls.syntax.shape import value
from spvls.validate.finding import Finding, InsertBefore, Mend, Note
from spvls.validate.rule import Findings, Scene, function_rule, instruction_rule

_IMPORT = value("LinkageType", "Import")


def _linkage(module: Module, name: str) -> Decoration | None:
    return module.decoration(name, "LinkageAttributes")


def _imported(decoration: Decoration | None) -> bool:
    return decoration is not None and decoration.params[-1:] == (_IMPORT,)


@function_rule("linkage/function-body", section="2.16.1")
def function_body(function: Function, scene: Scene) -> Findings:
    """A function without a body is imported, and one with a body is not.

    The body of an imported function is in the module that exports it.

    Bad:  `%f = OpFunction …`, `OpFunctionEnd` without `LinkageAttributes`.
    Good: `OpDecorate %f LinkageAttributes "f" Import`
    """
    decoration = _linkage(scene.module, function.name)
    notes = (Note(decoration.record, 1, "its linkage is set here"),) if decoration is not None else ()
    if not function.is_declaration:
        if _imported(decoration):
            yield Finding(function.record, RESULT, f"%{function.name} has a body, and what is imported has none", notes)
    elif not _imported(decoration) and function.end is not None:
        mends: tuple[Mend, ...] = ()
        scene.module.reads.module.add("OpDecorate")
        annotations = scene.module.declarations.records("OpDecorate")
        if decoration is None and annotations:
            text = f'OpDecorate %{function.name} LinkageAttributes "{function.name}" Import'
            mends = (Mend("Import the function", (InsertBefore(annotations[0], text),), preferred=False),)
        message = f"%{function.name} has no body, and is not imported: decorate it LinkageAttributes with Import"
        yield Finding(function.record, RESULT, message, notes, mends)


@function_rule("entry-point/no-linkage", section="2.16.1")
def no_linkage(function: Function, scene: Scene) -> Findings:
    """The function of an entry point is not exported or imported: entry points have names of their own.

    Bad:  `OpDecorate %main LinkageAttributes "main" Export` along with `OpEntryPoint Kernel %main "main"`
    Good: the entry point alone.
    """
    module = scene.module
    decoration = _linkage(module, function.name)
    if decoration is None:
        return
    module.reads.module.add("OpEntryPoint")
    if any(entry.function == function.name for entry in module.declarations.entry_points):
        note = Note(decoration.record, 1, "its linkage is set here")
        message = f"%{function.name} is the function of an entry point, which has no LinkageAttributes"
        yield Finding(function.record, RESULT, message, (note,))


@instruction_rule("linkage/import-no-initializer", "OpVariable", section="2.16.1")
def import_no_initializer(inst: Instruction, scene: Scene) -> Findings:
    """An imported variable has no initializer here: the module that exports it sets its first value.

    Bad:  `%v = OpVariable %ptr Uniform %init` with `OpDecorate %v LinkageAttributes "v" Import`
    Good: `%v = OpVariable %ptr Uniform`
    """
    if inst.result is None or len(inst.operands) < 2 or scene.function is not None:
        return
    decoration = _linkage(scene.module, inst.result)
    if decoration is not None and _imported(decoration):
        note = Note(decoration.record, OPCODE, "its linkage is set here")
        yield Finding(inst, 1, f"%{inst.result} is imported, and cannot be initialized here", (note,))
