"""The limit of nesting (SPIR-V 2.17)."""

from __future__ import annotations

from spvls.grammar import sections
from spvls.grammar.enumerants import Capability
from spvls.module.constructs import is_loop
from spvls.module.functions import Function
from spvls.syntax.instruction import OPCODE
from spvls.validate.engine.finding import Finding, pausing
from spvls.validate.engine.rule import Findings, RuleContext, function_rule


@function_rule("control-flow/nesting-is-within-limit", section=sections.UNIVERSAL_LIMITS, of_form=True)
def nesting_is_within_limit(function: Function, context: RuleContext) -> Findings:
    """Selections and loops must not be nested deeper than the limit, which is 1,023 by default.

    A consumer needs to support only this depth. Beyond it, a driver may reject the module, or run out of stack where it walks
    nested constructs recursively.

    The specification counts in program order. The rule counts by structural dominance, much like spirv-val: in general, the blocks
    of a construct are one level deeper than its header, and its merge block is as deep as the header; a Continue Target is one
    level deeper than the loop header. Only modules with the capability Shader are checked. The option
    `max-control-flow-nesting-depth` sets another limit.
    """
    limit = context.options.max_control_flow_nesting_depth
    headers = [block for block in function.blocks.values() if block.merge is not None]
    if 2 * len(headers) <= limit or not context.module.has_capability(Capability.Shader):
        return
    yield from pausing(function.structural_dominance_steps())
    tree = function.structural_dominators
    labels = {header.name: header.merge.operands for header in headers if header.merge is not None}
    header_of = {operands[0]: header for header, operands in labels.items() if operands}
    loop_of = {operands[1]: header for header, operands in labels.items() if len(operands) > 1 and is_loop(function.blocks[header])}
    depth: dict[str, int] = {}
    for name in tree.order:
        above = tree.immediate.get(name)
        if above is None:
            depth[name] = 0
        elif name in loop_of:
            depth[name] = 1 + depth.get(above if loop_of[name] == name else loop_of[name], 0)
        elif name in header_of:
            depth[name] = depth.get(header_of[name], 0)
        else:
            depth[name] = depth[above] + (above in labels)
    for name, block in function.blocks.items():
        if depth.get(name, 0) > limit:
            message = f"the control-flow nesting depth of block %{name} is {depth[name]}; the limit is {limit}"
            yield Finding(block.label, OPCODE, message)
            return
