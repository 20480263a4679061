"""Parts of modules for the tests of several subjects: graphs."""

from __future__ import annotations

GRAPH_MODULE = """\
OpCapability Shader
OpCapability Int8
OpCapability Int64
OpCapability Float16
OpCapability GraphARM
OpCapability TensorsARM
OpCapability VulkanMemoryModel
OpExtension "SPV_ARM_graph"
OpExtension "SPV_ARM_tensors"
OpExtension "SPV_KHR_non_semantic_info"
%tosa = OpExtInstImport "TOSA.001000.1"
%motion = OpExtInstImport "Arm.MotionEngine.100"
%debug = OpExtInstImport "NonSemantic.Graph.DebugInfo.1"
OpMemoryModel Logical Vulkan
%name = OpString "it"
%void = OpTypeVoid
%bool = OpTypeBool
%u8 = OpTypeInt 8 0
%u32 = OpTypeInt 32 0
%i32 = OpTypeInt 32 1
%u64 = OpTypeInt 64 0
%f16 = OpTypeFloat 16
%f32 = OpTypeFloat 32
%yes = OpConstantTrue %bool
%small = OpConstant %u8 1
%0 = OpConstant %u32 0
%1 = OpConstant %u32 1
%2 = OpConstant %u32 2
%3 = OpConstant %u32 3
%4 = OpConstant %u32 4
%9 = OpConstant %u32 9
%i1 = OpConstant %i32 1
%f1 = OpConstant %f32 1
%array = OpTypeArray %u32 %1
%shape_1 = OpConstantComposite %array %1
%shape_2 = OpConstantComposite %array %2
%shape_4 = OpConstantComposite %array %4
%list_2 = OpTypeTensorARM %u32 %1 %shape_2
%list_4 = OpTypeTensorARM %u32 %1 %shape_4
%c2 = OpConstantNull %list_2
%c4 = OpConstantNull %list_4
%one_u8 = OpTypeTensorARM %u8 %1 %shape_1
%one_u32 = OpTypeTensorARM %u32 %1 %shape_1
%one_f32 = OpTypeTensorARM %f32 %1 %shape_1
%zp = OpConstantNull %one_u8
%zp_u32 = OpConstantNull %one_u32
%zp_f32 = OpConstantNull %one_f32
%zp2 = OpConstantNull %list_2
%t2 = OpTypeTensorARM %u32 %2
%i2 = OpTypeTensorARM %i32 %2
%b2 = OpTypeTensorARM %bool %2
%h2 = OpTypeTensorARM %f16 %2
%f2 = OpTypeTensorARM %f32 %2
%t1 = OpTypeTensorARM %u32 %1
%t4 = OpTypeTensorARM %u32 %4
%n4 = OpTypeTensorARM %u8 %4
%l4 = OpTypeTensorARM %u64 %4
%f3 = OpTypeTensorARM %f32 %3
%f4 = OpTypeTensorARM %f32 %4
%free = OpTypeTensorARM %f32
%spectra = OpTypeStruct %f3 %f3
%half_spectrum = OpTypeStruct %f3
%pair = OpTypeStruct %t2 %f2
%mixed = OpTypeStruct %t2 %u32
%row = OpTypeArray %t2 %2
%supplied = OpGraphConstantARM %one_u8 7
%pointer = OpTypePointer UniformConstant %t2
%in = OpVariable %pointer UniformConstant
%out = OpVariable %pointer UniformConstant
%type = OpTypeGraphARM 1 %t2 %t2
%i = OpUndef %i2
%b = OpUndef %b2
%h = OpUndef %h2
%f = OpUndef %f2
%vec = OpUndef %t1
%bias = OpUndef %one_u32
%image = OpUndef %n4
%picture = OpUndef %f4
%cube = OpUndef %f3
%any = OpUndef %free
%p = OpUndef %pair
%m = OpUndef %mixed
%r2 = OpUndef %row
OpGraphEntryPointARM %g "g" %in %out
%g = OpGraphARM %type
%t = OpGraphInputARM %t2 %0
{body}
OpGraphSetOutputARM %t %0
OpGraphEndARM
"""
