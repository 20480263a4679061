"""Variables: storage classes, what they hold, initializers, and what Vulkan wants of them."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.shaders import kernel, shader

DECLARATIONS = """
    %c = OpConstant %float 1
    %private = OpTypePointer Private %float
    %function = OpTypePointer Function %float
    %input = OpTypePointer Input %float
    %uniform_bool = OpTypePointer Uniform %bool
    %output_bool = OpTypePointer Output %bool
    %to_private = OpTypePointer Function %private
    %global = OpVariable %private Private
"""


@pytest.mark.parametrize(
    "line",
    [
        "%x = OpVariable %private Private %c",
        "%x = OpVariable %private Private %zero ; error: opcode/OpVariable/initializer-type `%zero`",
        "%x = OpVariable %float Private ; error: opcode/OpVariable/result-pointer `%float`",
        "%x = OpVariable %input Private ; error: opcode/OpVariable/class-matches-type `Private`",
        "%x = OpVariable %function Function ; error: opcode/OpVariable/function-class `Function`",
        "%x = OpVariable %input Input %c ; error: memory/no-initializer `%c`",
        "%x = OpVariable %uniform_bool Uniform ; error: opcode/OpTypeBool/storage-classes `%uniform_bool`",
        "%x = OpVariable %output_bool Output ; error: opcode/OpTypeBool/storage-classes `%output_bool`",
    ],
)
def test_global_variables(line: str) -> None:
    check(shader("", DECLARATIONS + line))


@pytest.mark.parametrize(
    "line",
    [
        "%x = OpVariable %function Function %c",
        "%x = OpVariable %private Private ; error: opcode/OpVariable/function-class `Private`",
        "%x = OpVariable %function Function %main ; error: opcode/OpVariable/initializer-kind `%main` ; error: "
        "ssa/operand-is-value `%main`",
        "%x = OpVariable %to_private Function ; error: pointer/logical-variable-no-pointer `%to_private`",
    ],
)
def test_local_variables(line: str) -> None:
    check(shader(line, DECLARATIONS))


def test_variables_of_pointers_need_variable_pointers() -> None:
    lines = """
        %p = OpTypePointer Workgroup %float
        %pp = OpTypePointer Private %p
        %x = OpVariable %pp Private{}
        %pw = OpTypePointer Workgroup %p
    """
    check(shader("", lines.format(""), capabilities="VariablePointers"), env="spv1.4")
    text = shader("", lines.format(" ; error: pointer/logical-variable-no-pointer"))
    check(text, env="spv1.4")
    check(shader("", lines.format("")), env="spv1.4", options={"relax_logical_pointer": True})
    shared = "%y = OpVariable %pw Workgroup ; error: pointer/logical-variable-no-pointer `Workgroup`"
    check(shader("", lines.format("") + shared, capabilities="VariablePointers"), env="spv1.4")


def test_generic_variables() -> None:
    lines = "%p = OpTypePointer Generic %float\n%x = OpVariable %p Generic ; error: opcode/OpVariable/class-not-generic"
    check(kernel("", lines, capabilities="GenericPointer Int64"))


def test_there_are_no_variables_of_addresses() -> None:
    lines = "%p = OpTypePointer PhysicalStorageBuffer %uint\n%x = OpVariable %p PhysicalStorageBuffer ; error: memory/psb-no-variable"
    text = shader("", lines, capabilities="PhysicalStorageBufferAddresses").replace("Logical", "PhysicalStorageBuffer64")
    check(text, env="spv1.5")


def untyped(line: str, declarations: str = "") -> str:
    pointers = "\n".join(f"%{name} = OpTypeUntypedPointerKHR {name}" for name in ("StorageBuffer", "Workgroup"))
    return shader(
        "", f"{declarations}{pointers}\n{line}", capabilities="UntypedPointersKHR", extensions="SPV_KHR_untyped_pointers"
    )


@pytest.mark.parametrize(
    "line",
    [
        "%x = OpUntypedVariableKHR %StorageBuffer StorageBuffer",
        "%x = OpUntypedVariableKHR %Workgroup Workgroup %uint",
        "%x = OpUntypedVariableKHR %Workgroup Workgroup ; error: opcode/OpUntypedVariableKHR/data-type",
        "%x = OpUntypedVariableKHR %StorageBuffer StorageBuffer %zero ; error: ssa/operand-is-type `%zero`",
    ],
)
def test_untyped_variables(line: str) -> None:
    check(untyped(line), env="spv1.4")


def test_cooperative_matrices_are_not_shared() -> None:
    lines = """
        %m = OpTypeCooperativeMatrixKHR %float %three %four %four %zero
        %p = OpTypePointer Private %m
        %x = OpVariable %p Private
        %q = OpTypePointer Workgroup %m
        %y = OpVariable %q Workgroup ; error: memory/cooperative-variable-class `Workgroup`
    """
    text = shader("", lines, capabilities="CooperativeMatrixKHR VulkanMemoryModel", memory_model="Vulkan",
                  extensions="SPV_KHR_cooperative_matrix")  # fmt: skip
    check(text, env="spv1.6")


BLOCKS = """
    %block = OpTypeStruct %float
    %open = OpTypeRuntimeArray %float
    %open_block = OpTypeStruct %open
    %image = OpTypeImage %float 2D 0 0 0 1 Unknown
    %images = OpTypeRuntimeArray %image
"""
BLOCK_DECORATIONS = """
    OpDecorate %block Block
    OpMemberDecorate %block 0 Offset 0
    OpDecorate %open_block Block
    OpMemberDecorate %open_block 0 Offset 0
    OpDecorate %open ArrayStride 4
"""
BOUND = "OpDecorate %x DescriptorSet 0\nOpDecorate %x Binding 0"


def bound(storage: str, held: str, comment: str = "", annotations: str = BOUND, capabilities: str = "") -> str:
    lines = f"%p = OpTypePointer {storage} {held}\n%x = OpVariable %p {storage}{comment}"
    return shader("", BLOCKS + lines, annotations=BLOCK_DECORATIONS + annotations, capabilities=capabilities)


@pytest.mark.parametrize(
    ("storage", "held", "comment"),
    [
        ("Uniform", "%block", ""),
        ("StorageBuffer", "%open_block", ""),
        ("UniformConstant", "%image", ""),
        ("Uniform", "%float", " ; error: vulkan/variable-type `%p`"),
        ("UniformConstant", "%float", " ; error: vulkan/variable-type `%p`"),
        ("UniformConstant", "%images", " ; error: vulkan/runtime-array-variable `%p`"),
    ],
)
def test_resources_in_vulkan(storage: str, held: str, comment: str) -> None:
    check(bound(storage, held, comment), env="vulkan1.2")


def test_push_constants_are_one_structure() -> None:
    lines = BLOCKS + "%p = OpTypePointer PushConstant %block\n%x = OpVariable %p PushConstant"
    check(shader("", lines, annotations=BLOCK_DECORATIONS), env="vulkan1.2")
    lines = "%p = OpTypePointer PushConstant %float\n%x = OpVariable %p PushConstant ; error: vulkan/variable-type"
    check(shader("", lines), env="vulkan1.2")


def test_resources_are_bound() -> None:
    comment = " ; error: vulkan/descriptor-set-and-binding"
    check(bound("Uniform", "%block", comment, annotations="OpDecorate %x Binding 0"), env="vulkan1.2")
    check(bound("Uniform", "%block", annotations=""), env="spv1.4")


def test_open_arrays_of_descriptors() -> None:
    check(bound("UniformConstant", "%images", capabilities="RuntimeDescriptorArray"), env="vulkan1.2")


@pytest.mark.parametrize(
    ("lines", "env"),
    [
        ("%p = OpTypePointer Workgroup %uint\n%n = OpConstantNull %uint\n%x = OpVariable %p Workgroup %n", "vulkan1.3"),
        ("%p = OpTypePointer Workgroup %uint\n%x = OpVariable %p Workgroup %one ; error: vulkan/initializer-classes", "vulkan1.3"),
        ("%p = OpTypePointer AtomicCounter %uint ; error: vulkan/storage-class-limited ; error: capability/declared", "vulkan1.2"),
    ],
)
def test_initializers_and_classes_in_vulkan(lines: str, env: str) -> None:
    check(shader("", lines), env=env)


def test_invariant_variables_are_on_the_interface() -> None:
    lines = "%p = OpTypePointer Private %float\n%x = OpVariable %p Private ; error: vulkan/invariant-class"
    check(shader("", lines, annotations="OpDecorate %x Invariant"), env="vulkan1.2")


@pytest.mark.parametrize(
    ("dim", "comment", "annotations"),
    [
        ("2D", "", BOUND),
        ("3D", " ; error: vulkan/tile-attachment `%p`", BOUND),
        ("2D", " ; error: vulkan/tile-attachment", ""),
    ],
)
def test_tile_attachments(dim: str, comment: str, annotations: str) -> None:
    lines = (
        f"%image = OpTypeImage %float {dim} 0 0 0 1 Unknown\n%p = OpTypePointer TileAttachmentQCOM %image\n"
        f"%x = OpVariable %p TileAttachmentQCOM{comment}"
    )
    text = shader("", lines, capabilities="TileShadingQCOM", extensions="SPV_QCOM_tile_shading", annotations=annotations)
    check(text, env="vulkan1.4")


@pytest.mark.parametrize(
    ("storage", "comment"),
    [
        ("StorageBuffer", ""),
        ("Workgroup", " ; error: type/small-variables `Workgroup`"),
        ("Private", " ; error: type/small-variables `Private`"),
    ],
)
def test_small_numbers_in_variables(storage: str, comment: str) -> None:
    lines = f"""
        %half = OpTypeFloat 16
        %s = OpTypeStruct %half
        %p = OpTypePointer {storage} %s
        %x = OpVariable %p {storage}{comment}
    """
    annotations = "OpDecorate %s Block\nOpMemberDecorate %s 0 Offset 0" if storage == "StorageBuffer" else ""
    small = shader("", lines, capabilities="StorageBuffer16BitAccess", annotations=annotations)
    check(small, env="spv1.4")


def test_small_structures_are_loaded_by_members() -> None:
    declarations = """
        %half = OpTypeFloat 16
        %s = OpTypeStruct %half
        %p = OpTypePointer StorageBuffer %s
        %q = OpTypePointer StorageBuffer %half
        %x = OpVariable %p StorageBuffer
    """
    body = """
        %y = OpLoad %s %x ; error: type/storage16-load `%s`
        %m = OpAccessChain %q %x %zero
        %z = OpLoad %half %m
    """
    text = shader(
        body,
        declarations,
        capabilities="StorageBuffer16BitAccess",
        annotations="OpDecorate %s Block\nOpMemberDecorate %s 0 Offset 0",
    )
    check(text, env="spv1.3")


def test_tiny_floats_are_not_shared() -> None:
    lines = """
        %tiny = OpTypeFloat 6 Float6E2M3EXT
        %p = OpTypePointer Private %tiny
        %x = OpVariable %p Private
        %q = OpTypePointer Workgroup %tiny
        %y = OpVariable %q Workgroup ; error: type/microscaling-variables `Workgroup`
    """
    check(shader("", lines, capabilities="Float6EXT", extensions="SPV_EXT_ocp_microscaling_types"))
