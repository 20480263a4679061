"""Rules of `memory/array_length`: OpArrayLength: how long a run-time array is."""

from __future__ import annotations

from tests.validate.check import check
from tests.validate.shaders import shader


def test_uniform_arrays_have_no_length_in_vulkan() -> None:
    declarations = """
        %floats = OpTypeRuntimeArray %vec4
        %block = OpTypeStruct %floats
        %p = OpTypePointer {0} %block
        %v = OpVariable %p {0}
    """
    annotations = """
        OpDecorate %block Block
        OpMemberDecorate %block 0 Offset 0
        OpDecorate %floats ArrayStride 16
        OpDecorate %v DescriptorSet 0
        OpDecorate %v Binding 0
    """
    line = "%r = OpArrayLength %uint %v 0"
    check(shader(line, declarations.format("StorageBuffer"), annotations=annotations), env="vulkan1.1")
    text = shader(f"{line} ; error: memory/array-length-avoids-uniform-block `%v`", declarations.format("Uniform"), annotations=annotations)
    check(text, env="vulkan1.1")
