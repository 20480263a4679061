"""Functions with control flow of every sort, for the tests of graphs and of what draws them."""

from __future__ import annotations

from hypothesis import strategies as st

#: A switch in a loop, with an exit of the loop, a case that falls through, a selection in a case and a loop of one block.
NESTED = """\
%void = OpTypeVoid
%bool = OpTypeBool
%int = OpTypeInt 32 1
%fn = OpTypeFunction %void
%c = OpConstantTrue %bool
%i = OpConstant %int 3
%main = OpFunction %void None %fn
%entry = OpLabel
OpBranch %head
%head = OpLabel
OpLoopMerge %done %next Unroll
OpBranchConditional %c %body %done
%body = OpLabel
OpSelectionMerge %joined None
OpSwitch %i %other 0 %zero 1 %one 2 %one -5 %many
%zero = OpLabel
OpBranch %joined
%one = OpLabel
OpBranch %done
%many = OpLabel
OpBranch %other
%other = OpLabel
OpSelectionMerge %after None
OpBranchConditional %c %yes %no
%yes = OpLabel
OpBranch %next
%no = OpLabel
OpBranch %after
%after = OpLabel
OpBranch %joined
%joined = OpLabel
%sum = OpIAdd %int %i %i
OpBranch %inner
%inner = OpLabel
OpLoopMerge %out %inner None
OpBranchConditional %c %inner %out
%out = OpLabel
OpBranch %next
%next = OpLabel
OpBranchConditional %c %head %done
%done = OpLabel
OpReturn
%never = OpLabel
OpUnreachable
OpFunctionEnd
"""

_MOST = 8


@st.composite
def functions(draw: st.DrawFn) -> str:
    """A function whose blocks branch anywhere, and declare any merge blocks: nearly always a faulty one."""
    count = draw(st.integers(1, _MOST))
    label = st.integers(0, _MOST).map(lambda number: f"%b{number}")  # the last of which is none
    lines = ["%bool = OpTypeBool", "%c = OpConstantTrue %bool", "%f = OpFunction %void None %fn"]
    for number in draw(st.permutations(range(count))):
        lines.append(f"%b{number} = OpLabel")
        merge = draw(st.sampled_from(["", "", f"OpSelectionMerge {draw(label)} None", f"OpLoopMerge {draw(label)} {draw(label)} None"]))
        branches = [
            "OpReturn",
            f"OpBranch {draw(label)}",
            f"OpBranchConditional %c {draw(label)} {draw(label)}",
            f"OpSwitch %c {draw(label)} 0 {draw(label)} 1 {draw(label)}",
            "",
        ]
        lines += [line for line in (merge, draw(st.sampled_from(branches))) if line]
    return "\n".join([*lines, "OpFunctionEnd"])
