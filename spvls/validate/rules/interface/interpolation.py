"""Interpolation decorations (SPIR-V 2.16.2, 3.2.19)."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv
from spvls.grammar.enumerants import Decoration, ExecutionModel, StorageClass
from spvls.module.decorations import AppliedDecoration, decoration_name
from spvls.module.interface import IN_OUT, INTERFACES
from spvls.module.module import Module
from spvls.module.operand_at import id_at
from spvls.module.type_walks import parts
from spvls.module.types import Type
from spvls.module.variable import held_by
from spvls.steps import PORTION
from spvls.syntax.instruction import OPCODE, RESULT, Instruction
from spvls.validate.checks.applied import ANNOTATING, applied_among
from spvls.validate.checks.entry import listed_variables
from spvls.validate.engine.finding import PAUSE, Delete, Finding, FindingFix, Note
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule
from spvls.validate.fixes.common import decorate

#: Kinds of interpolation that exclude each other on one object or member.
_EXCLUSIVE = (
    frozenset({Decoration.NoPerspective, Decoration.Flat}),
    frozenset({Decoration.Patch, Decoration.Centroid, Decoration.Sample}),
)
_INTERPOLATION = frozenset().union(*_EXCLUSIVE)


@instruction_rule(
    "interface/interpolation-is-unambiguous", *ANNOTATING, section=sections.SHADER_VALIDATION_RULES, severity=Severity.WARNING
)
def interpolation_is_unambiguous(inst: Instruction, context: RuleContext) -> Findings:
    """An object or member must not have two interpolation decorations that conflict.

    NoPerspective and Flat exclude each other, and so do Patch, Centroid and Sample. The first two say how a value is interpolated;
    Centroid and Sample say for which place, and Patch that the value belongs to a whole patch. Drivers may differ in which of two
    they apply. Decorations of a group count. Decorations of a variable are not compared with those of its members.
    """
    module = context.module
    for item in applied_among(inst, module, _INTERPOLATION):
        for group in _EXCLUSIVE:
            if item.value not in group:
                continue
            seen = context.chunk_state("interpolated", dict[tuple[str, int | None, int], Instruction])
            for other in group - {item.value}:
                first = seen.get((item.target, item.member, other))
                if first is not None:
                    note = Note(first, OPCODE, f"{decoration_name(other)} is set here")
                    what = f"%{item.target}" if item.member is None else f"member {item.member} of %{item.target}"
                    message = f"{what} must not be decorated with both {decoration_name(other)} and {item.name}"
                    yield Finding(inst, 0, message, (note,))
                    break
            seen[(item.target, item.member, item.value)] = inst


@instruction_rule(
    "interface/interpolation-is-on-outer-members",
    spv.OpEntryPoint,
    section=sections.SHADER_VALIDATION_RULES,
    severity=Severity.WARNING,
)
def interpolation_is_on_outer_members(inst: Instruction, context: RuleContext) -> Findings:
    """In an input or output, a member of a nested structure must not have an interpolation decoration.

    In a structure, interpolation is set for each outermost member as a whole. A driver may ignore the decoration of an inner member
    and interpolate the value in the default way. The decorations are Flat, NoPerspective, Patch, Centroid and Sample. An array
    around either structure makes no difference. The rule checks variables that an OpEntryPoint lists; each OpEntryPoint has at most
    one such finding.
    """
    module = context.module
    for variable in listed_variables(inst, context):
        outer = module.without_arrays(variable.type)
        if variable.storage not in IN_OUT or outer is None or not outer.is_struct:
            continue
        found = _decorated_inside(outer, module)
        if found is not None:
            inner, decoration = found
            note = Note(decoration.record, OPCODE, f"{decoration.name} is set here")
            nested = f"%{inner.id} is nested in %{variable.name}"
            what = f"member {decoration.member} of %{inner.id} must not be decorated with {decoration.name}"
            message = f"{nested}, so {what}; decorate the outermost member that contains %{inner.id}"
            yield Finding(inst, variable.operand_index, message, (note,))
            return


def _decorated_inside(outer: Type, module: Module) -> tuple[Type, AppliedDecoration] | None:
    """A structure inside of a structure, with an interpolation of one of its members."""
    for inner in parts(outer, lambda type_: type_.is_struct or type_.is_array):
        if inner is outer or not inner.is_struct:
            continue
        for found in module.decorations(inner.id):
            if found.member is not None and found.value in _INTERPOLATION:
                return inner, found
    return None


_INTERPOLATED = frozenset({Decoration.Flat, Decoration.NoPerspective, Decoration.Sample, Decoration.Centroid})
_VERTEX, _FRAGMENT = ExecutionModel.Vertex, ExecutionModel.Fragment


@instruction_rule("interface/interpolation-fits-stage", *INTERFACES, section=sections.DECORATION, apis="vulkan")
def interpolation_fits_stage(inst: Instruction, context: RuleContext) -> Findings:
    """In Vulkan, interpolation decorations must fit the stage, and integer fragment inputs must be Flat.

    Interpolation happens between the last stage before rasterization and the fragment stage. A vertex input or a fragment output is
    not interpolated, so it must not be decorated with Flat, NoPerspective, Sample or Centroid. Decorations of members are not
    checked. If a function is the entry point of several execution models, the rule reports such a decoration of any of its inputs
    and outputs, as spirv-val does; declare a function for each model.

    Integers and 64-bit floats cannot be interpolated, so inputs of fragment shaders that hold them must be decorated with Flat.
    Without it, a driver may interpolate their bits, which gives arbitrary values. Built-ins such as PrimitiveId require it too.
    Integers, vectors of them and 64-bit float scalars are checked, but not arrays, other vectors and members of structures.
    """
    module = context.module
    models = module.declarations.models_by_function.get(id_at(inst, INTERFACES[inst.opcode.value] - 2) or "", {})
    blamed: set[str] = context.chunk_state("interpolation", set)
    for at, variable in enumerate(listed_variables(inst, context)):
        if not (at + 1) % PORTION:
            yield PAUSE
        name = variable.name
        if variable.storage not in IN_OUT or name in blamed:
            continue
        note = (Note(inst, variable.operand_index, f"%{name} is listed here"),)
        own = [d for d in module.decorations(name) if d.value in _INTERPOLATED and d.member is None]
        found = module.in_order(own)[0] if own else None
        is_input = variable.storage == StorageClass.Input
        refusing = _VERTEX if is_input else _FRAGMENT
        if found is not None and (len(models) > 1 or refusing in models):
            what = "an input of a vertex shader" if is_input else "an output of a fragment shader"
            if refusing not in models:
                what = f"an {'input' if is_input else 'output'} of a function that is the entry point of several execution models"
            vuid = "VUID-StandaloneSpirv-Flat-06202" if is_input else "VUID-StandaloneSpirv-Flat-06201"
            message = f"%{name} is {what} and must not be decorated with {found.name}"
            notes = (Note(found.record, OPCODE, f"{found.name} is set here"), *note)
            fixes: tuple[FindingFix, ...] = ()
            if found.group is None:
                fixes = (FindingFix(f"Remove the {found.name}", (Delete(found.record),)),)
            yield Finding(variable.record, RESULT, message, notes, fixes, vuid=vuid)
        elif is_input and _FRAGMENT in models and not _is_flat(name, module) and _wants_flat(variable.record, module):
            held = module.spell(variable.type)
            message = f"%{name} is {held}, which cannot be interpolated; as an input of a fragment shader, "
            message += f"%{name} must be decorated with Flat"
            fixes = () if module.has_decoration(name, Decoration.NoPerspective) else decorate(name, "Flat", module)
            yield Finding(variable.record, RESULT, message, note, fixes, vuid="VUID-StandaloneSpirv-Flat-04744")
        else:
            continue
        blamed.add(name)


def _is_flat(name: str, module: Module) -> bool:
    return any(found.value == Decoration.Flat for found in module.decorations(name))


def _wants_flat(variable: Instruction, module: Module) -> bool:
    held = held_by(variable, module)
    if held is None:
        return False
    scalar = held.element if held.is_vector else held
    return (held.is_float and held.width == 64) or (scalar is not None and scalar.is_int)
