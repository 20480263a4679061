"""What modules compute, on a Vulkan device that is a processor (lavapipe of Mesa): refactorings must not change it.

It takes a C compiler with the headers and the library of Vulkan, `glslangValidator`, and lavapipe: on Debian, `gcc`,
`libvulkan-dev`, `glslang-tools` and `mesa-vulkan-drivers`.
"""
