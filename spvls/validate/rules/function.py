"""Functions and their parameters (SPIR-V 3.3.9)."""

from __future__ import annotations

from spvls.module.functions import Function
from spvls.syntax.instruction import RESULT, TYPE, Instruction
from spvls.validate.finding import Finding, Mend, Note, Replace
from spvls.validate.operand_at import id_at
from spvls.validate.rule import Findings, Scene, function_rule, instruction_rule


@instruction_rule("opcode/OpFunction/function-type", "OpFunction", section="3.3.9")
def function_type(inst: Instruction, scene: Scene) -> Findings:
    """The type of a function is made by OpTypeFunction.

    Bad:  `%f = OpFunction %void None %void`
    Good: `%fn = OpTypeFunction %void` and `%f = OpFunction %void None %fn`
    """
    type_ = scene.module.type(id_at(inst, 1))
    if type_ is not None and type_.kind != "Function":
        yield Finding(inst, 1, f"%{type_.id} is {scene.module.spell(type_)}, expected a function type")


@instruction_rule("opcode/OpFunction/result-matches-type", "OpFunction", section="3.3.9")
def result_type(inst: Instruction, scene: Scene) -> Findings:
    """A function returns what its type says.

    Bad:  `%f = OpFunction %int None %fn` where `%fn = OpTypeFunction %void`
    Good: `%f = OpFunction %void None %fn`
    """
    module = scene.module
    type_ = module.type(id_at(inst, 1))
    if type_ is None or type_.kind != "Function" or inst.type is None or type_.element_id in (None, inst.type):
        return
    wanted = type_.element_id
    mend = Mend(f"Return %{wanted}", (Replace(inst, TYPE, f"%{wanted}"),))
    message = f"the function returns {module.spell(module.type(inst.type))}, and its type %{type_.id} {module.spell(type_.element)}"
    yield Finding(inst, TYPE, message, (), (mend,))


@function_rule("opcode/OpFunctionParameter/type-order", section="3.3.9")
def parameters(function: Function, scene: Scene) -> Findings:
    """A function has the parameters that its type lists, in that order.

    Bad:  `%fn = OpTypeFunction %void %int` and `%x = OpFunctionParameter %float`
    Good: `%x = OpFunctionParameter %int`
    """
    module = scene.module
    type_ = module.type(function.type_id)
    if type_ is None or type_.kind != "Function":
        return
    wanted = type_.member_ids
    note = (Note(type_.record, RESULT, f"%{type_.id} is declared here"),)
    for at, record in enumerate(function.parameters):
        if at >= len(wanted):
            yield Finding(record, RESULT, f"%{type_.id} has {len(wanted)} parameters, and this is one more", note)
            return
        if record.type != wanted[at]:
            given, expected = (module.spell(module.type(name)) for name in (record.type, wanted[at]))
            mend = Mend(f"Make it %{wanted[at]}", (Replace(record, TYPE, f"%{wanted[at]}"),))
            message = f"parameter {at} of %{type_.id} is {expected}, and this one {given}"
            yield Finding(record, TYPE, message, note, (mend,))
            return
