"""Universal limits on numbers of variables and cases and on nesting (SPIR-V 2.17)."""

from __future__ import annotations

from spvls.grammar import spv
from spvls.module.functions import Function
from spvls.syntax.instruction import OPCODE, Instruction
from spvls.validate.finding import Finding
from spvls.validate.rule import Findings, Scene, function_rule, instruction_rule, module_rule


@module_rule("limit/global-variables", section="2.17")
def global_variables(scene: Scene) -> Findings:
    """A module has at most 65,535 variables outside of its functions, or what `--max-global-variables` says.

    Bad:  a table of data spread over 70,000 variables.
    Good: one variable with an array.
    """
    declared = scene.module.declarations
    limit = scene.options.max_global_variables
    variables = [*declared.records(spv.OpVariable), *declared.records(spv.OpUntypedVariableKHR)]
    if len(variables) > limit:
        message = f"the module has {len(variables)} global variables, and {limit} at most are allowed"
        yield Finding(variables[limit], OPCODE, message)


@module_rule("limit/local-variables", section="2.17")
def local_variables(scene: Scene) -> Findings:
    """The functions of a module have at most 524,287 variables together, or what `--max-local-variables` says.

    Bad:  a function that declares 600,000 variables.
    Good: one variable with an array.
    """
    limit = scene.options.max_local_variables
    count = 0
    for function in scene.module.functions():
        variables = function.variables
        if count <= limit < count + len(variables):
            message = f"this is the local variable number {limit + 1}, and {limit} at most are allowed in a module"
            yield Finding(variables[limit - count], OPCODE, message)
        count += len(variables)


@instruction_rule("limit/switch-pairs", spv.OpSwitch, section="2.17")
def switch_pairs(inst: Instruction, scene: Scene) -> Findings:
    """A switch has at most 16,383 cases beside its default, or what `--max-switch-branches` says.

    Bad:  an OpSwitch with a case for each of 65,536 values.
    Good: a switch on the upper bits, and then one on the lower.
    """
    limit = scene.options.max_switch_branches
    cases = (len(inst.operands) - 2) // 2
    if cases > limit:
        yield Finding(inst, 2 + 2 * limit, f"the switch has {cases} cases, and {limit} at most are allowed")


@function_rule("limit/control-flow-nesting", section="2.17")
def control_flow_nesting(function: Function, scene: Scene) -> Findings:
    """Selections and loops are nested at most 1,023 deep in a function, or what `--max-control-flow-nesting-depth` says.

    Bad:  an if in an if in an if …, a few thousand times.
    Good: the inner part in a function of its own.
    """
    limit = scene.options.max_control_flow_nesting_depth
    headers = [block for block in function.blocks.values() if block.merge is not None]
    if len(headers) <= limit:
        return
    tree = function.structural_dominators
    header_of = {
        header.merge.operands[0]: header.name for header in headers if header.merge is not None and header.merge.operands
    }
    names = {header.name for header in headers}
    depth: dict[str, int] = {}
    for name in tree.order:
        above = tree.immediate.get(name)
        if name in header_of and header_of[name] in depth:
            depth[name] = depth[header_of[name]]
        elif above is None:
            depth[name] = 0
        else:
            depth[name] = depth[above] + (above in names)
        if depth[name] > limit:
            message = f"%{name} is nested {depth[name]} selections and loops deep, and {limit} at most are allowed"
            yield Finding(function.blocks[name].label, OPCODE, message)
            return
