"""Explicit layout of blocks: offsets and strides (SPIR-V 2.2.2, 2.18.1; Vulkan "Offset and Stride Assignment")."""
