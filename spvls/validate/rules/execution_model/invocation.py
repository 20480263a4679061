"""Helper invocations, fragment interlock, the shader clock (SPIR-V 3.3.17, 3.3.24 and vendors' extensions)."""

from __future__ import annotations

from collections.abc import Iterator

from spvls.grammar import sections, spv
from spvls.grammar.enumerants import ExecutionMode, ExecutionModel, Scope
from spvls.grammar.operand_index import OpReadClockKHR_Scope
from spvls.module.module import Module
from spvls.syntax.instruction import TYPE, Instruction
from spvls.syntax.operand_decls import enumerant_name
from spvls.validate.checks.entry import vulkan
from spvls.validate.checks.limits import Limit, limits, only
from spvls.validate.checks.scopes import scope_fault
from spvls.validate.checks.wording import listed, operand
from spvls.validate.engine.finding import Finding
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule

_INTERLOCKS = frozenset(
    {
        ExecutionMode.PixelInterlockOrderedEXT, ExecutionMode.PixelInterlockUnorderedEXT,
        ExecutionMode.SampleInterlockOrderedEXT, ExecutionMode.SampleInterlockUnorderedEXT,
        ExecutionMode.ShadingRateInterlockOrderedEXT, ExecutionMode.ShadingRateInterlockUnorderedEXT,
    }
)  # fmt: skip
_CLOCK_SCOPES = {
    "vulkan": (Scope.Device, Scope.Subgroup),
    "opencl": (Scope.Device, Scope.Workgroup, Scope.Subgroup),
}
"""The clocks that client APIs have."""


@limits(spv.OpDemoteToHelperInvocation, spv.OpIsHelperInvocationEXT, spv.OpKill, spv.OpTerminateInvocation)
def helper_invocations(inst: Instruction, module: Module) -> Iterator[Limit]:
    """Only fragment shaders have helper invocations, and discard fragments."""
    yield only((ExecutionModel.Fragment,), f"{inst.opcode.name} requires the execution model Fragment")


@limits(spv.OpBeginInvocationInterlockEXT, spv.OpEndInvocationInterlockEXT)
def interlock(inst: Instruction, module: Module) -> Iterator[Limit]:
    """Fragment shaders that have set an interlock mode."""
    yield only((ExecutionModel.Fragment,), f"{inst.opcode.name} requires the execution model Fragment")
    yield Limit(
        lambda entry, of: any(mode.value in _INTERLOCKS for mode in of.execution_modes(entry.function)),
        f"{inst.opcode.name} requires an interlock execution mode, such as PixelInterlockOrderedEXT",
    )


@instruction_rule("execution-model/helper-query-gives-bool", spv.OpIsHelperInvocationEXT, section=sections.RESERVED_INSTRUCTIONS)
def helper_query_gives_bool(inst: Instruction, context: RuleContext) -> Findings:
    """The result type of OpIsHelperInvocationEXT must be OpTypeBool.

    The answer is true or false. OpTypeBool has no defined bit pattern, so an integer result would not have a defined value. To get
    a number, convert the answer by OpSelect.
    """
    type_ = context.module.type(inst.type)
    if type_ is not None and not type_.is_bool:
        yield Finding(inst, TYPE, f"the result type of {inst.opcode.name} is {context.module.spell(type_)}, expected bool")


@instruction_rule("execution-model/clock-has-64-bits", spv.OpReadClockKHR, section=sections.RESERVED_INSTRUCTIONS)
def clock_has_64_bits(inst: Instruction, context: RuleContext) -> Findings:
    """The result type of OpReadClockKHR must be a 64-bit unsigned integer or a vector of two u32.

    The instruction reads the lower 64 bits of a counter: a narrower result would lose some of them.

    The Scope must be a 32-bit integer that names a scope. With Shader, it must be a constant. Like spirv-val, the rule accepts a
    specialization constant there only with CooperativeMatrixNV, although SPV_KHR_cooperative_matrix permits it too. In Vulkan, the
    Scope must be Device or Subgroup, because Vulkan has only these clocks; in OpenCL it may also be Workgroup. The value of the
    Scope is only checked if it is a constant that cannot be specialized, and the result type only if the Scope has no fault.
    """
    module = context.module
    scope = module.integer(inst.operands[OpReadClockKHR_Scope]) if inst.operands else None
    type_ = module.type(inst.type)
    vuid = vulkan(module, "VUID-StandaloneSpirv-OpReadClockKHR-04652")
    scopes = _CLOCK_SCOPES.get(module.environment.api)
    fault = scope_fault(module, inst, OpReadClockKHR_Scope)
    if fault is not None:
        yield fault
    elif scopes is not None and scope is not None and scope not in scopes:
        given, *wanted = (enumerant_name("Scope", each) for each in (scope, *scopes))
        where = " in Vulkan" if module.environment.api == "vulkan" else " in OpenCL"
        message = f"{operand(inst, OpReadClockKHR_Scope)} is {given}, expected {listed(wanted)}{where}"
        yield Finding(inst, OpReadClockKHR_Scope, message, vuid=vuid)
    elif type_ is not None:
        scalar = type_.scalar
        unsigned = scalar is not None and scalar.is_int and not scalar.signed
        halves = type_.is_vector and type_.length == 2 and scalar is not None and scalar.width == 32
        if not unsigned or not (halves or (type_.is_int and type_.width == 64)):
            yield Finding(inst, TYPE, f"the result type of {inst.opcode.name} is {module.spell(type_)}, expected u64 or vec2<u32>")

