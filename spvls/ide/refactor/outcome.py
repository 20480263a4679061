"""What a function returns that is made of blocks which return from the function that they were part of.

Where control may go on as well, the new function returns a boolean that says whether the caller returns now. It is the first
member of a structure where there is more to be passed on: what the caller returns, and what it goes on with.
"""

from __future__ import annotations

from spvls.grammar import spv
from spvls.grammar.enumerants import Capability
from spvls.ide.refactor.region import Region
from spvls.ide.refactor.rewrite import Names, Rewrite
from spvls.ide.refactor.values import boolean, boolean_type, null
from spvls.module.functions import Function
from spvls.module.sections import Section
from spvls.syntax.instruction import Instruction


def outcome_of(rewrite: Rewrite, function: Function, region: Region | None, output: str | None) -> Outcome | None:
    """What blocks of a function lead to, None where they do not return; `output` is the id that is used after them."""
    return None if region is None or not region.returns else Outcome(rewrite, function, region.exit, output)


class Outcome:
    """`type` is the id of the type that the new function returns, and `going_on` the block of the caller that goes on to `exit`."""

    def __init__(self, rewrite: Rewrite, function: Function, exit_: str | None, output: str | None) -> None:
        self._rewrite = rewrite
        self._exit = exit_
        self._output = output
        result = function.result_type or ""
        self._value_type = result if rewrite.module.opcode_of(result) != spv.OpTypeVoid else None
        self._output_type = rewrite.module.value_type(output) if output is not None else None
        self._members = [found for found in (self._value_type, self._output_type) if found is not None]
        self.going_on = rewrite.fresh("go_on") if exit_ is not None else ""
        self.type = result if exit_ is None else self._struct() if self._members else boolean_type(rewrite)

    def _struct(self) -> str:
        name = self._rewrite.fresh("extracted_result")
        members = " ".join(f"%{member}" for member in (boolean_type(self._rewrite), *self._members))
        self._rewrite.declare(Section.TYPES, f"%{name} = OpTypeStruct {members}")
        return name

    # In the new function

    def returning(self, record: Instruction, names: Names) -> list[str]:
        """What stands for an instruction that returns from the caller."""
        value = str(record.operands[0]) if record.operands else None
        output = None if self._output_type is None else null(self._rewrite, self._output_type)
        return self._returned(spv.OpConstantTrue, names.get(value, value) if value is not None else None, output)

    def staying(self, output: str | None) -> list[str]:
        """What returns where the caller goes on, with an `output` if there is one."""
        value = None if self._value_type is None else null(self._rewrite, self._value_type)
        return self._returned(spv.OpConstantFalse, value, output)

    def _returned(self, opcode: int, *parts: str | None) -> list[str]:
        flag = boolean(self._rewrite, opcode)
        if not self._members:
            return [f"OpReturnValue %{flag}"]
        name = self._rewrite.fresh("result")
        members = " ".join(f"%{part}" for part in (flag, *parts) if part is not None)
        return [f"%{name} = OpCompositeConstruct %{self.type} {members}", f"OpReturnValue %{name}"]

    # In the caller

    def after_call(self, call: str) -> list[str]:
        """What follows the call, whose result is `call`."""
        if self._exit is None:
            return [f"OpReturnValue %{call}" if self._value_type is not None else "OpReturn"]
        fresh, flag, lines = self._rewrite.fresh, call, []
        if self._members:
            flag = fresh("returns")
            lines.append(f"%{flag} = OpCompositeExtract %{boolean_type(self._rewrite)} %{call} 0")
        if self._output_type is not None:
            lines.append(f"%{self._output} = OpCompositeExtract %{self._output_type} %{call} {len(self._members)}")
        leave = fresh("leave")
        if self._rewrite.module.has_capability(Capability.Shader):
            lines.append(f"OpSelectionMerge %{self.going_on} None")
        lines += [f"OpBranchConditional %{flag} %{leave} %{self.going_on}", f"%{leave} = OpLabel"]
        if self._value_type is not None:
            value = fresh("value")
            lines += [f"%{value} = OpCompositeExtract %{self._value_type} %{call} 1", f"OpReturnValue %{value}"]
        else:
            lines.append("OpReturn")
        return [*lines, f"%{self.going_on} = OpLabel", f"OpBranch %{self._exit}"]
