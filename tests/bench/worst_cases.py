"""Modules that grow in one direction: each case is all that a module of size `n` has more than a plain one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

CAPABILITIES = "OpCapability Shader"

_TYPES = """\
%void = OpTypeVoid
%bool = OpTypeBool
%int = OpTypeInt 32 1
%uint = OpTypeInt 32 0
%float = OpTypeFloat 32
%fn = OpTypeFunction %void
%true = OpConstantTrue %bool
%int_0 = OpConstant %int 0
%int_1 = OpConstant %int 1
%uint_0 = OpConstant %uint 0
%uint_2 = OpConstant %uint 2
"""

Lines = Iterable[str]


def module(
    *, body: Lines = (), before: Lines = (), debug: Lines = (), annotations: Lines = (), types: Lines = (), functions: Lines = (),
    modes: Lines = ("OpExecutionMode %main LocalSize 1 1 1",),
) -> str:  # fmt: skip
    """A compute shader whose function `%main` has a body after its first label, which ends with OpReturn."""
    return "\n".join(
        [
            CAPABILITIES,
            "OpMemoryModel Logical GLSL450",
            'OpEntryPoint GLCompute %main "main"',
            *before,
            *modes,
            *debug,
            *annotations,
            _TYPES + "\n".join(types),
            "%main = OpFunction %void None %fn",
            "%entry = OpLabel",
            *body,
            "OpReturn",
            "OpFunctionEnd",
            *functions,
            "",
        ]
    )


def sequential_ifs(n: int) -> str:
    """Selections one after the other."""
    return module(body=(
        f"OpSelectionMerge %merge_{i} None\nOpBranchConditional %true %then_{i} %merge_{i}\n"
        f"%then_{i} = OpLabel\nOpBranch %merge_{i}\n%merge_{i} = OpLabel"
        for i in range(n)
    ))  # fmt: skip


def nested_ifs(n: int) -> str:
    """Selections in selections."""
    opened = (
        f"OpSelectionMerge %merge_{i} None\nOpBranchConditional %true %then_{i} %merge_{i}\n%then_{i} = OpLabel" for i in range(n)
    )
    closed = (f"OpBranch %merge_{i}\n%merge_{i} = OpLabel" for i in reversed(range(n)))
    return module(body=(*opened, *closed))


def nested_loops(n: int) -> str:
    """Loops in loops."""
    opened = (
        f"OpBranch %head_{i}\n%head_{i} = OpLabel\nOpLoopMerge %merge_{i} %again_{i} None\n"
        f"OpBranchConditional %true %body_{i} %merge_{i}\n%body_{i} = OpLabel"
        for i in range(n)
    )
    closed = (
        f"OpBranch %again_{i}\n%again_{i} = OpLabel\nOpBranch %head_{i}\n%merge_{i} = OpLabel" for i in reversed(range(n))
    )
    return module(body=(*opened, *closed))


def sequential_loops(n: int) -> str:
    """Loops one after the other."""
    return module(body=(
        f"OpBranch %head_{i}\n%head_{i} = OpLabel\nOpLoopMerge %merge_{i} %again_{i} None\n"
        f"OpBranchConditional %true %body_{i} %merge_{i}\n%body_{i} = OpLabel\nOpBranch %again_{i}\n"
        f"%again_{i} = OpLabel\nOpBranch %head_{i}\n%merge_{i} = OpLabel"
        for i in range(n)
    ))  # fmt: skip


def irreducible(n: int) -> str:
    """A ladder of blocks that branch on and back, with no order in which one pass finds the dominators."""
    return module(body=(
        "OpBranchConditional %true %up_0 %down_0",
        *(
            f"%up_{i} = OpLabel\nOpBranchConditional %true %up_{min(i + 1, n - 1)} %down_{i}\n"
            f"%down_{i} = OpLabel\nOpBranchConditional %true %down_{max(i - 1, 0)} %up_{min(i + 1, n - 1)}"
            for i in range(n)
        ),
        "%last = OpLabel",
    ))  # fmt: skip


def _switch(n: int, case: Callable[[int], str]) -> Iterator[str]:
    yield "OpSelectionMerge %merge None"
    yield "OpSwitch %int_0 %merge " + " ".join(f"{i} %case_{i}" for i in range(n))
    for i in range(n):
        yield f"%case_{i} = OpLabel\n{case(i)}"
    yield "%merge = OpLabel"


def switch(n: int) -> str:
    """Cases of a switch."""
    return module(body=_switch(n, lambda i: "OpBranch %merge"))


def switch_one_target(n: int) -> str:
    """Cases of a switch with one label."""
    return module(body=(
        "OpSelectionMerge %merge None",
        "OpSwitch %int_0 %merge " + " ".join(f"{i} %case" for i in range(n)),
        "%case = OpLabel\nOpBranch %merge\n%merge = OpLabel",
    ))  # fmt: skip


def switch_fall_through(n: int) -> str:
    """Cases of a switch, each of which goes on in the next one."""
    return module(body=_switch(n, lambda i: f"OpBranch %case_{i + 1}" if i + 1 < n else "OpBranch %merge"))


def switch_without_labels(n: int) -> str:
    """A switch none of whose targets exists: findings on one long instruction."""
    return module(body=(
        "OpSelectionMerge %merge None",
        "OpSwitch %int_0 %merge " + " ".join(f"{i} %missing_{i}" for i in range(n)),
        "%merge = OpLabel",
    ))  # fmt: skip


def switch_equal_literals(n: int) -> str:
    """A switch all of whose literals are the same."""
    return module(body=(
        "OpSelectionMerge %merge None",
        "OpSwitch %int_0 %merge " + " ".join("7 %case" for _ in range(n)),
        "%case = OpLabel\nOpBranch %merge\n%merge = OpLabel",
    ))  # fmt: skip


def phi_pairs(n: int) -> str:
    """Pairs of one OpPhi, of as many blocks."""
    pairs = " ".join(f"%int_0 %case_{i}" for i in range(n))
    return module(body=(*_switch(n, lambda i: "OpBranch %merge"), f"%phi = OpPhi %int %int_0 %entry {pairs}"))


def phi_strangers(n: int) -> str:
    """Pairs of one OpPhi, none of whose blocks comes before it."""
    pairs = " ".join(f"%int_0 %stranger_{i}" for i in range(n))
    return module(body=("OpBranch %next\n%next = OpLabel", f"%phi = OpPhi %int %int_0 %entry {pairs}"))


def long_block(n: int) -> str:
    """Instructions of one block."""
    return module(body=(f"%sum_{i} = OpIAdd %int %{f'sum_{i - 1}' if i else 'int_0'} %int_1" for i in range(n)))


def one_operand(n: int) -> str:
    """Uses of one id."""
    return module(body=(f"%sum_{i} = OpIAdd %int %int_1 %int_1" for i in range(n)))


def wrong_instructions(n: int) -> str:
    """Findings, one for each instruction."""
    return module(body=(f"%sum_{i} = OpIAdd %int %missing_{i} %int_1" for i in range(n)))


def wrong_types(n: int) -> str:
    """Findings of a rule, one for each instruction."""
    return module(body=(f"%sum_{i} = OpFAdd %int %int_0 %int_1" for i in range(n)))


def redefined(n: int) -> str:
    """Definitions of one id."""
    return module(body=("%same = OpIAdd %int %int_0 %int_1" for _ in range(n)))


def redefined_in_functions(n: int) -> str:
    """Functions of one name."""
    return module(functions=("%same = OpFunction %void None %fn\n%start = OpLabel\nOpReturn\nOpFunctionEnd" for _ in range(n)))


def no_line_breaks(n: int) -> str:
    """Instructions on one line."""
    return module(body=(" ".join("OpNop" for _ in range(n)),))


def unknown_opcodes(n: int) -> str:
    """Words on one line that are no instructions."""
    return module(body=(" ".join("OpFoo" for _ in range(n)),))


def local_variables(n: int) -> str:
    """Variables of one function, each stored to."""
    return module(
        types=["%pointer = OpTypePointer Function %int"],
        body=(
            *(f"%variable_{i} = OpVariable %pointer Function" for i in range(n)),
            *(f"OpStore %variable_{i} %int_0" for i in range(n)),
        ),
    )


def call_chain(n: int) -> str:
    """Functions, each of which calls the next one."""
    return module(
        body=["%called = OpFunctionCall %void %function_0"],
        functions=(
            f"%function_{i} = OpFunction %void None %fn\n%start_{i} = OpLabel\n"
            + (f"%called_{i} = OpFunctionCall %void %function_{i + 1}\n" if i + 1 < n else "")
            + "OpReturn\nOpFunctionEnd"
            for i in range(n)
        ),
    )


def call_cycle(n: int) -> str:
    """Functions, each of which calls the next one, the last one the first."""
    return module(
        body=["%called = OpFunctionCall %void %function_0"],
        functions=(
            f"%function_{i} = OpFunction %void None %fn\n%start_{i} = OpLabel\n"
            f"%called_{i} = OpFunctionCall %void %function_{(i + 1) % n}\nOpReturn\nOpFunctionEnd"
            for i in range(n)
        ),
    )


def entry_points_and_functions(n: int) -> str:
    """Entry points, and five times as many functions; all of these run from each of those."""
    return module(
        before=(f'OpEntryPoint GLCompute %stage_{i} "stage_{i}"' for i in range(n)),
        modes=(f"OpExecutionMode %{name} LocalSize 1 1 1" for name in ("main", *(f"stage_{i}" for i in range(n)))),
        functions=(
            *(
                f"%stage_{i} = OpFunction %void None %fn\n%begin_{i} = OpLabel\n"
                f"%run_{i} = OpFunctionCall %void %function_0\nOpReturn\nOpFunctionEnd"
                for i in range(n)
            ),
            *(
                f"%function_{i} = OpFunction %void None %fn\n%start_{i} = OpLabel\n"
                + (f"%called_{i} = OpFunctionCall %void %function_{i + 1}\n" if i + 1 < 5 * n else "")
                + "OpControlBarrier %uint_2 %uint_2 %uint_0\nOpReturn\nOpFunctionEnd"
                for i in range(5 * n)
            ),
        ),
    )


def entry_points_of_one_function(n: int) -> str:
    """Entry points of one function."""
    return module(before=(f'OpEntryPoint GLCompute %main "stage_{i}"' for i in range(n)))


def entry_points_of_one_name(n: int) -> str:
    """Entry points of one name and one function."""
    return module(before=('OpEntryPoint GLCompute %main "main"' for i in range(n)))


def _with_interface(names: Lines, text: str) -> str:
    return text.replace('%main "main"', '%main "main" ' + " ".join(f"%{name}" for name in names))


def interface_variables(n: int) -> str:
    """Built-in variables of one entry point's interface, each read."""
    names = [f"builtin_{i}" for i in range(n)]
    return _with_interface(names, module(
        annotations=(f"OpDecorate %{name} BuiltIn GlobalInvocationId" for name in names),
        types=(
            "%v3uint = OpTypeVector %uint 3\n%in = OpTypePointer Input %v3uint",
            *(f"%{name} = OpVariable %in Input" for name in names),
        ),
        body=(f"%read_{i} = OpLoad %v3uint %{name}" for i, name in enumerate(names)),
    ))  # fmt: skip


def locations(n: int) -> str:
    """Variables with locations of one entry point's interface."""
    names = [f"place_{i}" for i in range(n)]
    return _with_interface(names, module(
        modes=["OpExecutionMode %main OriginUpperLeft"],
        annotations=(f"OpDecorate %{name} Location {i}" for i, name in enumerate(names)),
        types=["%in = OpTypePointer Input %float", *(f"%{name} = OpVariable %in Input" for name in names)],
    )).replace("GLCompute", "Fragment", 1)  # fmt: skip


def unlisted_variables(n: int) -> str:
    """Variables with locations that an entry point reads and does not list."""
    names = [f"place_{i}" for i in range(n)]
    return module(
        modes=["OpExecutionMode %main OriginUpperLeft"],
        annotations=(f"OpDecorate %{name} Location {i}" for i, name in enumerate(names)),
        types=["%in = OpTypePointer Input %float", *(f"%{name} = OpVariable %in Input" for name in names)],
        body=(f"%read_{i} = OpLoad %float %{name}" for i, name in enumerate(names)),
    ).replace("GLCompute", "Fragment", 1)


def resources(n: int) -> str:
    """Uniform buffers with bindings, each read."""
    return _with_interface((f"buffer_{i}" for i in range(n)), module(
        annotations=(
            "OpDecorate %Block Block\nOpMemberDecorate %Block 0 Offset 0",
            *(f"OpDecorate %buffer_{i} DescriptorSet 0\nOpDecorate %buffer_{i} Binding {i}" for i in range(n)),
        ),
        types=(
            "%Block = OpTypeStruct %int\n%to_block = OpTypePointer Uniform %Block\n%to_int = OpTypePointer Uniform %int",
            *(f"%buffer_{i} = OpVariable %to_block Uniform" for i in range(n)),
        ),
        body=(
            f"%at_{i} = OpAccessChain %to_int %buffer_{i} %int_0\n%read_{i} = OpLoad %int %at_{i}" for i in range(n)
        ),
    ))  # fmt: skip


def local_sizes(n: int) -> str:
    """OpExecutionMode LocalSize of one entry point."""
    return module(modes=("OpExecutionMode %main LocalSize 1 1 1" for _ in range(n)))


def _block(n: int) -> tuple[list[str], str]:
    offsets = [f"OpMemberDecorate %Block {i} Offset {4 * i}" for i in range(n)]
    return ["OpDecorate %Block Block", *offsets], "%Block = OpTypeStruct" + " %int" * n


_BLOCK_VARIABLE = "%to_block = OpTypePointer Uniform %Block\n%block = OpVariable %to_block Uniform"


def block_members(n: int) -> str:
    """Members of a Block."""
    decorations, type_ = _block(n)
    return module(
        annotations=("OpDecorate %block DescriptorSet 0\nOpDecorate %block Binding 0", *decorations),
        types=[type_, _BLOCK_VARIABLE],
    )


def block_members_without_offsets(n: int) -> str:
    """Members of a Block that lack their layout."""
    return module(
        annotations=["OpDecorate %Block Block", "OpDecorate %block DescriptorSet 0\nOpDecorate %block Binding 0"],
        types=[_block(n)[1], _BLOCK_VARIABLE],
    )


def block_members_that_overlap(n: int) -> str:
    """Members of a Block, all of them in the same place."""
    return module(
        annotations=(
            "OpDecorate %Block Block\nOpDecorate %block DescriptorSet 0\nOpDecorate %block Binding 0",
            *(f"OpMemberDecorate %Block {i} Offset 0" for i in range(n)),
        ),
        types=[_block(n)[1], _BLOCK_VARIABLE],
    )


def structure_members(n: int) -> str:
    """Members of a structure, named, and each read."""
    return module(
        debug=('OpName %Large "Large"', *(f'OpMemberName %Large {i} "member_{i}"' for i in range(n))),
        types=[
            "%Large = OpTypeStruct" + " %int" * n,
            "%undefined = OpUndef %Large",
        ],
        body=("%whole = OpCopyObject %Large %undefined", *(f"%part_{i} = OpCompositeExtract %int %whole {i}" for i in range(n))),
    )


def nested_structures(n: int) -> str:
    """Structures, each a member of the next one."""
    return module(types=(f"%S_{i} = OpTypeStruct %{f'S_{i - 1}' if i else 'int'}" for i in range(n)))


def nested_block(n: int) -> str:
    """Structures, each a member of the next one, the last one a Block."""
    return module(
        annotations=(
            f"OpDecorate %S_{n - 1} Block\nOpDecorate %block DescriptorSet 0\nOpDecorate %block Binding 0",
            *(f"OpMemberDecorate %S_{i} 0 Offset 0" for i in range(n)),
        ),
        types=(
            *(f"%S_{i} = OpTypeStruct %{f'S_{i - 1}' if i else 'int'}" for i in range(n)),
            f"%to_block = OpTypePointer Uniform %S_{n - 1}\n%block = OpVariable %to_block Uniform",
        ),
    )


def nested_pointers(n: int) -> str:
    """Pointers to pointers."""
    return module(types=(f"%P_{i} = OpTypePointer Private %{f'P_{i - 1}' if i else 'int'}" for i in range(n)))


def equal_types(n: int) -> str:
    """Declarations of one type."""
    return module(types=(f"%again_{i} = OpTypeVector %int 4" for i in range(n)))


def constants(n: int) -> str:
    """Constants, each made of the one before."""
    return module(
        types=(
            "%sum = OpSpecConstant %int 1",
            *(f"%sum_{i} = OpSpecConstantOp %int IAdd %{f'sum_{i - 1}' if i else 'sum'} %int_1" for i in range(n)),
        )
    )


def equal_constants(n: int) -> str:
    """Constants of one value."""
    return module(types=(f"%again_{i} = OpConstant %int 7" for i in range(n)))


def composite_constant(n: int) -> str:
    """Constituents of one constant."""
    return module(types=[
        f"%length = OpConstant %uint {n}\n%array = OpTypeArray %int %length\n%all = OpConstantComposite %array" + " %int_0" * n
    ])  # fmt: skip


def decorations_of_one_id(n: int) -> str:
    """Decorations of one id, each another one."""
    return module(
        annotations=(f'OpDecorateString %seen UserSemantic "type_{i}"' for i in range(n)),
        types=["%pointer = OpTypePointer Private %int\n%seen = OpVariable %pointer Private"],
    )


def equal_decorations(n: int) -> str:
    """Decorations of one id, all of them the same one."""
    return module(
        annotations=("OpDecorate %seen RelaxedPrecision" for _ in range(n)),
        types=["%pointer = OpTypePointer Private %int\n%seen = OpVariable %pointer Private"],
    )


def groups(n: int) -> str:
    """OpGroupDecorate of one group."""
    names = [f"seen_{i}" for i in range(n)]
    return module(
        annotations=(
            "OpDecorate %group RelaxedPrecision\n%group = OpDecorationGroup",
            *(f"OpGroupDecorate %group %{name}" for name in names),
        ),
        types=("%pointer = OpTypePointer Private %int", *(f"%{name} = OpVariable %pointer Private" for name in names)),
    )


def groups_of_one_target(n: int) -> str:
    """OpGroupDecorate of one group and one target."""
    return module(
        annotations=(
            "OpDecorate %group RelaxedPrecision\n%group = OpDecorationGroup",
            *("OpGroupDecorate %group %seen" for _ in range(n)),
        ),
        types=["%pointer = OpTypePointer Private %int\n%seen = OpVariable %pointer Private"],
    )


def group_decorations_and_targets(n: int) -> str:
    """Decorations of one group, and as many targets of it."""
    names = [f"seen_{i}" for i in range(n)]
    return module(
        annotations=(
            *(f"OpDecorate %group Location {i}" for i in range(n)),
            "%group = OpDecorationGroup\nOpGroupDecorate %group " + " ".join(f"%{name}" for name in names),
        ),
        types=("%pointer = OpTypePointer Private %int", *(f"%{name} = OpVariable %pointer Private" for name in names)),
    )


def group_members(n: int) -> str:
    """Targets of one OpGroupMemberDecorate, members of one structure."""
    return module(
        annotations=(
            "OpDecorate %Block Block\nOpDecorate %group NonWritable\n%group = OpDecorationGroup",
            "OpGroupMemberDecorate %group" + "".join(f" %Block {i}" for i in range(n)),
            *(f"OpMemberDecorate %Block {i} Offset {4 * i}" for i in range(n)),
        ),
        types=[_block(n)[1]],
    )


def source_lines(n: int) -> str:
    """OpString and OpLine."""
    return module(
        debug=(f'%file_{i} = OpString "file_{i}"' for i in range(n)),
        body=(f"OpLine %file_{i} {i} 1\n%sum_{i} = OpIAdd %int %int_0 %int_1" for i in range(n)),
    )


def names_of_one_id(n: int) -> str:
    """Names of one id."""
    return module(debug=(f'OpName %main "name_{i}"' for i in range(n)))


def capabilities(n: int) -> str:
    """OpCapability of one capability."""
    return module().replace(CAPABILITIES, "\n".join([CAPABILITIES] * n), 1)


def extensions(n: int) -> str:
    """Extensions that do not exist."""
    return module().replace(CAPABILITIES, "\n".join([CAPABILITIES, *(f'OpExtension "SPV_none_{i}"' for i in range(n))]), 1)


def late_declarations(n: int) -> str:
    """Declarations behind the place where they belong."""
    return module(types=(f'OpName %int "late_{i}"' for i in range(n)))


def ignore_comments(n: int) -> str:
    """Comments that name rules which do not exist."""
    return "".join(f"; spvls: ignore[none/none-{i}]\n" for i in range(n)) + module()


def ignored_findings(n: int) -> str:
    """Findings, each with the comment that sets it aside."""
    return module(body=(f"%sum_{i} = OpFAdd %int %int_0 %int_1 ; spvls: ignore[computation/float-operands-match-result]" for i in range(n)))


class Case(NamedTuple):
    """What grows, and the size from which it is doubled twice."""

    make: Callable[[int], str]
    size: int


CASES = (
    Case(sequential_ifs, 2_000), Case(nested_ifs, 1_000), Case(nested_loops, 500), Case(sequential_loops, 1_000),
    Case(irreducible, 500), Case(switch, 25_000), Case(switch_one_target, 25_000), Case(switch_fall_through, 1_250),
    Case(switch_without_labels, 1_250), Case(switch_equal_literals, 5_000), Case(phi_pairs, 12_500), Case(phi_strangers, 5_000),
    Case(long_block, 50_000), Case(one_operand, 10_000), Case(wrong_instructions, 2_500), Case(wrong_types, 2_500),
    Case(redefined, 2_500), Case(redefined_in_functions, 1_000), Case(no_line_breaks, 25_000), Case(unknown_opcodes, 10_000),
    Case(local_variables, 2_500), Case(call_chain, 12_500), Case(call_cycle, 1_000), Case(entry_points_and_functions, 100),
    Case(entry_points_of_one_function, 1_000), Case(entry_points_of_one_name, 1_000), Case(interface_variables, 500),
    Case(locations, 1_000), Case(unlisted_variables, 1_000), Case(resources, 1_000), Case(local_sizes, 1_250), Case(block_members, 1_000),
    Case(block_members_without_offsets, 1_000), Case(block_members_that_overlap, 1_000), Case(structure_members, 4_000),
    Case(nested_structures, 25_000), Case(nested_block, 250), Case(nested_pointers, 25_000), Case(equal_types, 2_500),
    Case(constants, 250), Case(equal_constants, 5_000), Case(composite_constant, 10_000), Case(decorations_of_one_id, 12_500),
    Case(equal_decorations, 2_500), Case(groups, 2_500), Case(groups_of_one_target, 1_000),
    Case(group_decorations_and_targets, 250), Case(group_members, 1_000), Case(source_lines, 25_000), Case(names_of_one_id, 5_000),
    Case(capabilities, 5_000), Case(extensions, 2_500), Case(late_declarations, 2_500), Case(ignore_comments, 1_000),
    Case(ignored_findings, 1_000),
)  # fmt: skip
