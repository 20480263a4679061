"""The values of enumerants by operand kind, by name and alias (SPIR-V 3.2).

They are apart from the opcodes in `spvls.grammar.spv`, as making the classes takes time when a program starts.
Made by `python -m spvls.grammar.importer`; do not edit.
"""


class ImageOperands:
    None_ = 0
    Bias = 1
    Lod = 2
    Grad = 4
    ConstOffset = 8
    Offset = 16
    ConstOffsets = 32
    Sample = 64
    MinLod = 128
    MakeTexelAvailable = 256
    MakeTexelAvailableKHR = 256
    MakeTexelVisible = 512
    MakeTexelVisibleKHR = 512
    NonPrivateTexel = 1024
    NonPrivateTexelKHR = 1024
    VolatileTexel = 2048
    VolatileTexelKHR = 2048
    SignExtend = 4096
    ZeroExtend = 8192
    Nontemporal = 16384
    Offsets = 65536


class FPFastMathMode:
    None_ = 0
    NotNaN = 1
    NotInf = 2
    NSZ = 4
    AllowRecip = 8
    Fast = 16
    AllowContract = 65536
    AllowContractFastINTEL = 65536
    AllowReassoc = 131072
    AllowReassocINTEL = 131072
    AllowTransform = 262144


class SelectionControl:
    None_ = 0
    Flatten = 1
    DontFlatten = 2


class LoopControl:
    None_ = 0
    Unroll = 1
    DontUnroll = 2
    DependencyInfinite = 4
    DependencyLength = 8
    MinIterations = 16
    MaxIterations = 32
    IterationMultiple = 64
    PeelCount = 128
    PartialCount = 256
    InitiationIntervalALTERA = 65536
    InitiationIntervalINTEL = 65536
    MaxConcurrencyALTERA = 131072
    MaxConcurrencyINTEL = 131072
    DependencyArrayALTERA = 262144
    DependencyArrayINTEL = 262144
    PipelineEnableALTERA = 524288
    PipelineEnableINTEL = 524288
    LoopCoalesceALTERA = 1048576
    LoopCoalesceINTEL = 1048576
    MaxInterleavingALTERA = 2097152
    MaxInterleavingINTEL = 2097152
    SpeculatedIterationsALTERA = 4194304
    SpeculatedIterationsINTEL = 4194304
    NoFusionALTERA = 8388608
    NoFusionINTEL = 8388608
    LoopCountALTERA = 16777216
    LoopCountINTEL = 16777216
    MaxReinvocationDelayALTERA = 33554432
    MaxReinvocationDelayINTEL = 33554432
    MultipleWaitQueuesQCOM = 268435456


class FunctionControl:
    None_ = 0
    Inline = 1
    DontInline = 2
    Pure = 4
    Const = 8
    OptNoneEXT = 65536
    OptNoneINTEL = 65536


class MemorySemantics:
    Relaxed = 0
    None_ = 0
    Acquire = 2
    Release = 4
    AcquireRelease = 8
    SequentiallyConsistent = 16
    UniformMemory = 64
    SubgroupMemory = 128
    WorkgroupMemory = 256
    CrossWorkgroupMemory = 512
    AtomicCounterMemory = 1024
    ImageMemory = 2048
    OutputMemory = 4096
    OutputMemoryKHR = 4096
    MakeAvailable = 8192
    MakeAvailableKHR = 8192
    MakeVisible = 16384
    MakeVisibleKHR = 16384
    Volatile = 32768


class MemoryAccess:
    None_ = 0
    Volatile = 1
    Aligned = 2
    Nontemporal = 4
    MakePointerAvailable = 8
    MakePointerAvailableKHR = 8
    MakePointerVisible = 16
    MakePointerVisibleKHR = 16
    NonPrivatePointer = 32
    NonPrivatePointerKHR = 32
    AliasScopeINTELMask = 65536
    NoAliasINTELMask = 131072


class KernelProfilingInfo:
    None_ = 0
    CmdExecTime = 1


class RayFlags:
    NoneKHR = 0
    OpaqueKHR = 1
    NoOpaqueKHR = 2
    TerminateOnFirstHitKHR = 4
    SkipClosestHitShaderKHR = 8
    CullBackFacingTrianglesKHR = 16
    CullFrontFacingTrianglesKHR = 32
    CullOpaqueKHR = 64
    CullNoOpaqueKHR = 128
    SkipTrianglesKHR = 256
    SkipBuiltinPrimitivesNV = 256
    SkipAABBsKHR = 512
    ForceOpacityMicromap2StateKHR = 1024
    ForceOpacityMicromap2StateEXT = 1024


class FragmentShadingRate:
    Vertical2Pixels = 1
    Vertical4Pixels = 2
    Horizontal2Pixels = 4
    Horizontal4Pixels = 8


class RawAccessChainOperands:
    None_ = 0
    RobustnessPerComponentNV = 1
    RobustnessPerElementNV = 2


class SourceLanguage:
    Unknown = 0
    ESSL = 1
    GLSL = 2
    OpenCL_C = 3
    OpenCL_CPP = 4
    HLSL = 5
    CPP_for_OpenCL = 6
    SYCL = 7
    HERO_C = 8
    NZSL = 9
    WGSL = 10
    Slang = 11
    Zig = 12
    Rust = 13
    Pred = 14
    ApilaJai = 15


class ExecutionModel:
    Vertex = 0
    TessellationControl = 1
    TessellationEvaluation = 2
    Geometry = 3
    Fragment = 4
    GLCompute = 5
    Kernel = 6
    TaskNV = 5267
    MeshNV = 5268
    RayGenerationKHR = 5313
    RayGenerationNV = 5313
    IntersectionKHR = 5314
    IntersectionNV = 5314
    AnyHitKHR = 5315
    AnyHitNV = 5315
    ClosestHitKHR = 5316
    ClosestHitNV = 5316
    MissKHR = 5317
    MissNV = 5317
    CallableKHR = 5318
    CallableNV = 5318
    TaskEXT = 5364
    MeshEXT = 5365


class AddressingModel:
    Logical = 0
    Physical32 = 1
    Physical64 = 2
    PhysicalStorageBuffer64 = 5348
    PhysicalStorageBuffer64EXT = 5348


class MemoryModel:
    Simple = 0
    GLSL450 = 1
    OpenCL = 2
    Vulkan = 3
    VulkanKHR = 3


class ExecutionMode:
    Invocations = 0
    SpacingEqual = 1
    SpacingFractionalEven = 2
    SpacingFractionalOdd = 3
    VertexOrderCw = 4
    VertexOrderCcw = 5
    PixelCenterInteger = 6
    OriginUpperLeft = 7
    OriginLowerLeft = 8
    EarlyFragmentTests = 9
    PointMode = 10
    Xfb = 11
    DepthReplacing = 12
    DepthGreater = 14
    DepthLess = 15
    DepthUnchanged = 16
    LocalSize = 17
    LocalSizeHint = 18
    InputPoints = 19
    InputLines = 20
    InputLinesAdjacency = 21
    Triangles = 22
    InputTrianglesAdjacency = 23
    Quads = 24
    Isolines = 25
    OutputVertices = 26
    OutputPoints = 27
    OutputLineStrip = 28
    OutputTriangleStrip = 29
    VecTypeHint = 30
    ContractionOff = 31
    Initializer = 33
    Finalizer = 34
    SubgroupSize = 35
    SubgroupsPerWorkgroup = 36
    SubgroupsPerWorkgroupId = 37
    LocalSizeId = 38
    LocalSizeHintId = 39
    NonCoherentColorAttachmentReadEXT = 4169
    NonCoherentDepthAttachmentReadEXT = 4170
    NonCoherentStencilAttachmentReadEXT = 4171
    SubgroupUniformControlFlowKHR = 4421
    PostDepthCoverage = 4446
    DenormPreserve = 4459
    DenormFlushToZero = 4460
    SignedZeroInfNanPreserve = 4461
    RoundingModeRTE = 4462
    RoundingModeRTZ = 4463
    NonCoherentTileAttachmentReadQCOM = 4489
    TileShadingRateQCOM = 4490
    EarlyAndLateFragmentTestsAMD = 5017
    StencilRefReplacingEXT = 5027
    CoalescingAMDX = 5069
    IsApiEntryAMDX = 5070
    MaxNodeRecursionAMDX = 5071
    StaticNumWorkgroupsAMDX = 5072
    ShaderIndexAMDX = 5073
    MaxNumWorkgroupsAMDX = 5077
    StencilRefUnchangedFrontAMD = 5079
    StencilRefGreaterFrontAMD = 5080
    StencilRefLessFrontAMD = 5081
    StencilRefUnchangedBackAMD = 5082
    StencilRefGreaterBackAMD = 5083
    StencilRefLessBackAMD = 5084
    QuadDerivativesKHR = 5088
    RequireFullQuadsKHR = 5089
    SharesInputWithAMDX = 5102
    ArithmeticPoisonKHR = 5157
    OutputLinesEXT = 5269
    OutputLinesNV = 5269
    OutputPrimitivesEXT = 5270
    OutputPrimitivesNV = 5270
    DerivativeGroupQuadsKHR = 5289
    DerivativeGroupQuadsNV = 5289
    DerivativeGroupLinearKHR = 5290
    DerivativeGroupLinearNV = 5290
    OutputTrianglesEXT = 5298
    OutputTrianglesNV = 5298
    PixelInterlockOrderedEXT = 5366
    PixelInterlockUnorderedEXT = 5367
    SampleInterlockOrderedEXT = 5368
    SampleInterlockUnorderedEXT = 5369
    ShadingRateInterlockOrderedEXT = 5370
    ShadingRateInterlockUnorderedEXT = 5371
    Shader64BitIndexingEXT = 5427
    SharedLocalMemorySizeINTEL = 5618
    RoundingModeRTPINTEL = 5620
    RoundingModeRTNINTEL = 5621
    FloatingPointModeALTINTEL = 5622
    FloatingPointModeIEEEINTEL = 5623
    MaxWorkgroupSizeINTEL = 5893
    MaxWorkDimINTEL = 5894
    NoGlobalOffsetINTEL = 5895
    NumSIMDWorkitemsINTEL = 5896
    SchedulerTargetFmaxMhzINTEL = 5903
    MaximallyReconvergesKHR = 6023
    FPFastMathDefault = 6028
    OpacityMicromapIdKHR = 6031
    StreamingInterfaceINTEL = 6154
    RegisterMapInterfaceINTEL = 6160
    NamedBarrierCountINTEL = 6417
    MaximumRegistersINTEL = 6461
    MaximumRegistersIdINTEL = 6462
    NamedMaximumRegistersINTEL = 6463


class StorageClass:
    UniformConstant = 0
    Input = 1
    Uniform = 2
    Output = 3
    Workgroup = 4
    CrossWorkgroup = 5
    Private = 6
    Function = 7
    Generic = 8
    PushConstant = 9
    AtomicCounter = 10
    Image = 11
    StorageBuffer = 12
    TileImageEXT = 4172
    TileAttachmentQCOM = 4491
    NodePayloadAMDX = 5068
    CallableDataKHR = 5328
    CallableDataNV = 5328
    IncomingCallableDataKHR = 5329
    IncomingCallableDataNV = 5329
    RayPayloadKHR = 5338
    RayPayloadNV = 5338
    HitAttributeKHR = 5339
    HitAttributeNV = 5339
    IncomingRayPayloadKHR = 5342
    IncomingRayPayloadNV = 5342
    ShaderRecordBufferKHR = 5343
    ShaderRecordBufferNV = 5343
    PhysicalStorageBuffer = 5349
    PhysicalStorageBufferEXT = 5349
    HitObjectAttributeNV = 5385
    TaskPayloadWorkgroupEXT = 5402
    HitObjectAttributeEXT = 5411
    CodeSectionINTEL = 5605
    DeviceOnlyALTERA = 5936
    DeviceOnlyINTEL = 5936
    HostOnlyALTERA = 5937
    HostOnlyINTEL = 5937


class Dim:
    Dim1D = 0
    Dim2D = 1
    Dim3D = 2
    Cube = 3
    Rect = 4
    Buffer = 5
    SubpassData = 6
    TileImageDataEXT = 4173


class SamplerAddressingMode:
    None_ = 0
    ClampToEdge = 1
    Clamp = 2
    Repeat = 3
    RepeatMirrored = 4


class SamplerFilterMode:
    Nearest = 0
    Linear = 1


class ImageFormat:
    Unknown = 0
    Rgba32f = 1
    Rgba16f = 2
    R32f = 3
    Rgba8 = 4
    Rgba8Snorm = 5
    Rg32f = 6
    Rg16f = 7
    R11fG11fB10f = 8
    R16f = 9
    Rgba16 = 10
    Rgb10A2 = 11
    Rg16 = 12
    Rg8 = 13
    R16 = 14
    R8 = 15
    Rgba16Snorm = 16
    Rg16Snorm = 17
    Rg8Snorm = 18
    R16Snorm = 19
    R8Snorm = 20
    Rgba32i = 21
    Rgba16i = 22
    Rgba8i = 23
    R32i = 24
    Rg32i = 25
    Rg16i = 26
    Rg8i = 27
    R16i = 28
    R8i = 29
    Rgba32ui = 30
    Rgba16ui = 31
    Rgba8ui = 32
    R32ui = 33
    Rgb10a2ui = 34
    Rg32ui = 35
    Rg16ui = 36
    Rg8ui = 37
    R16ui = 38
    R8ui = 39
    R64ui = 40
    R64i = 41


class ImageChannelOrder:
    R = 0
    A = 1
    RG = 2
    RA = 3
    RGB = 4
    RGBA = 5
    BGRA = 6
    ARGB = 7
    Intensity = 8
    Luminance = 9
    Rx = 10
    RGx = 11
    RGBx = 12
    Depth = 13
    DepthStencil = 14
    sRGB = 15
    sRGBx = 16
    sRGBA = 17
    sBGRA = 18
    ABGR = 19


class ImageChannelDataType:
    SnormInt8 = 0
    SnormInt16 = 1
    UnormInt8 = 2
    UnormInt16 = 3
    UnormShort565 = 4
    UnormShort555 = 5
    UnormInt101010 = 6
    SignedInt8 = 7
    SignedInt16 = 8
    SignedInt32 = 9
    UnsignedInt8 = 10
    UnsignedInt16 = 11
    UnsignedInt32 = 12
    HalfFloat = 13
    Float = 14
    UnormInt24 = 15
    UnormInt101010_2 = 16
    UnormInt10X6EXT = 17
    UnsignedIntRaw10EXT = 19
    UnsignedIntRaw12EXT = 20
    UnormInt2_101010EXT = 21
    UnsignedInt10X6EXT = 22
    UnsignedInt12X4EXT = 23
    UnsignedInt14X2EXT = 24
    UnormInt12X4EXT = 25
    UnormInt14X2EXT = 26


class FPRoundingMode:
    RTE = 0
    RTZ = 1
    RTP = 2
    RTN = 3


class FPDenormMode:
    Preserve = 0
    FlushToZero = 1


class QuantizationModes:
    TRN = 0
    TRN_ZERO = 1
    RND = 2
    RND_ZERO = 3
    RND_INF = 4
    RND_MIN_INF = 5
    RND_CONV = 6
    RND_CONV_ODD = 7


class FPOperationMode:
    IEEE = 0
    ALT = 1


class OverflowModes:
    WRAP = 0
    SAT = 1
    SAT_ZERO = 2
    SAT_SYM = 3


class LinkageType:
    Export = 0
    Import = 1
    LinkOnceODR = 2
    WeakAMD = 3


class AccessQualifier:
    ReadOnly = 0
    WriteOnly = 1
    ReadWrite = 2


class HostAccessQualifier:
    NoneINTEL = 0
    ReadINTEL = 1
    WriteINTEL = 2
    ReadWriteINTEL = 3


class FunctionParameterAttribute:
    Zext = 0
    Sext = 1
    ByVal = 2
    Sret = 3
    NoAlias = 4
    NoCapture = 5
    NoWrite = 6
    NoReadWrite = 7
    RuntimeAlignedALTERA = 5940
    RuntimeAlignedINTEL = 5940


class Decoration:
    RelaxedPrecision = 0
    SpecId = 1
    Block = 2
    BufferBlock = 3
    RowMajor = 4
    ColMajor = 5
    ArrayStride = 6
    MatrixStride = 7
    GLSLShared = 8
    GLSLPacked = 9
    CPacked = 10
    BuiltIn = 11
    NoPerspective = 13
    Flat = 14
    Patch = 15
    Centroid = 16
    Sample = 17
    Invariant = 18
    Restrict = 19
    Aliased = 20
    Volatile = 21
    Constant = 22
    Coherent = 23
    NonWritable = 24
    NonReadable = 25
    Uniform = 26
    UniformId = 27
    SaturatedConversion = 28
    Stream = 29
    Location = 30
    Component = 31
    Index = 32
    Binding = 33
    DescriptorSet = 34
    Offset = 35
    XfbBuffer = 36
    XfbStride = 37
    FuncParamAttr = 38
    FPRoundingMode = 39
    FPFastMathMode = 40
    LinkageAttributes = 41
    NoContraction = 42
    InputAttachmentIndex = 43
    Alignment = 44
    MaxByteOffset = 45
    AlignmentId = 46
    MaxByteOffsetId = 47
    SaturatedToLargestFloat8NormalConversionEXT = 4216
    NoSignedWrap = 4469
    NoUnsignedWrap = 4470
    WeightTextureQCOM = 4487
    BlockMatchTextureQCOM = 4488
    BlockMatchSamplerQCOM = 4499
    ExplicitInterpAMD = 4999
    NodeSharesPayloadLimitsWithAMDX = 5019
    NodeMaxPayloadsAMDX = 5020
    TrackFinishWritingAMDX = 5078
    PayloadNodeNameAMDX = 5091
    PayloadNodeBaseIndexAMDX = 5098
    PayloadNodeSparseArrayAMDX = 5099
    PayloadNodeArraySizeAMDX = 5100
    PayloadDispatchIndirectAMDX = 5105
    ArrayStrideIdEXT = 5124
    OffsetIdEXT = 5125
    UTFEncodedKHR = 5145
    OverrideCoverageNV = 5248
    PassthroughNV = 5250
    ViewportRelativeNV = 5252
    SecondaryViewportRelativeNV = 5256
    PerPrimitiveEXT = 5271
    PerPrimitiveNV = 5271
    PerViewNV = 5272
    PerTaskNV = 5273
    PerVertexKHR = 5285
    PerVertexNV = 5285
    NonUniform = 5300
    NonUniformEXT = 5300
    RestrictPointer = 5355
    RestrictPointerEXT = 5355
    AliasedPointer = 5356
    AliasedPointerEXT = 5356
    MemberOffsetNV = 5358
    HitObjectShaderRecordBufferNV = 5386
    HitObjectShaderRecordBufferEXT = 5389
    BankNV = 5397
    BindlessSamplerNV = 5398
    BindlessImageNV = 5399
    BoundSamplerNV = 5400
    BoundImageNV = 5401
    CooperativeMatrixTransposeEXT = 5440
    SIMTCallINTEL = 5599
    ReferencedIndirectlyINTEL = 5602
    ClobberINTEL = 5607
    SideEffectsINTEL = 5608
    VectorComputeVariableINTEL = 5624
    FuncParamIOKindINTEL = 5625
    VectorComputeFunctionINTEL = 5626
    StackCallINTEL = 5627
    GlobalVariableOffsetINTEL = 5628
    CounterBuffer = 5634
    HlslCounterBufferGOOGLE = 5634
    UserSemantic = 5635
    HlslSemanticGOOGLE = 5635
    UserTypeGOOGLE = 5636
    FunctionRoundingModeINTEL = 5822
    FunctionDenormModeINTEL = 5823
    RegisterALTERA = 5825
    RegisterINTEL = 5825
    MemoryALTERA = 5826
    MemoryINTEL = 5826
    NumbanksALTERA = 5827
    NumbanksINTEL = 5827
    BankwidthALTERA = 5828
    BankwidthINTEL = 5828
    MaxPrivateCopiesALTERA = 5829
    MaxPrivateCopiesINTEL = 5829
    SinglepumpALTERA = 5830
    SinglepumpINTEL = 5830
    DoublepumpALTERA = 5831
    DoublepumpINTEL = 5831
    MaxReplicatesALTERA = 5832
    MaxReplicatesINTEL = 5832
    SimpleDualPortALTERA = 5833
    SimpleDualPortINTEL = 5833
    MergeALTERA = 5834
    MergeINTEL = 5834
    BankBitsALTERA = 5835
    BankBitsINTEL = 5835
    ForcePow2DepthALTERA = 5836
    ForcePow2DepthINTEL = 5836
    StridesizeALTERA = 5883
    StridesizeINTEL = 5883
    WordsizeALTERA = 5884
    WordsizeINTEL = 5884
    TrueDualPortALTERA = 5885
    TrueDualPortINTEL = 5885
    BurstCoalesceALTERA = 5899
    BurstCoalesceINTEL = 5899
    CacheSizeALTERA = 5900
    CacheSizeINTEL = 5900
    DontStaticallyCoalesceALTERA = 5901
    DontStaticallyCoalesceINTEL = 5901
    PrefetchALTERA = 5902
    PrefetchINTEL = 5902
    StallEnableALTERA = 5905
    StallEnableINTEL = 5905
    FuseLoopsInFunctionALTERA = 5907
    FuseLoopsInFunctionINTEL = 5907
    MathOpDSPModeALTERA = 5909
    MathOpDSPModeINTEL = 5909
    AliasScopeINTEL = 5914
    NoAliasINTEL = 5915
    InitiationIntervalALTERA = 5917
    InitiationIntervalINTEL = 5917
    MaxConcurrencyALTERA = 5918
    MaxConcurrencyINTEL = 5918
    PipelineEnableALTERA = 5919
    PipelineEnableINTEL = 5919
    BufferLocationALTERA = 5921
    BufferLocationINTEL = 5921
    IOPipeStorageALTERA = 5944
    IOPipeStorageINTEL = 5944
    FunctionFloatingPointModeINTEL = 6080
    SingleElementVectorINTEL = 6085
    VectorComputeCallableFunctionINTEL = 6087
    MediaBlockIOINTEL = 6140
    StallFreeALTERA = 6151
    StallFreeINTEL = 6151
    FPMaxErrorDecorationINTEL = 6170
    LatencyControlLabelALTERA = 6172
    LatencyControlLabelINTEL = 6172
    LatencyControlConstraintALTERA = 6173
    LatencyControlConstraintINTEL = 6173
    ConduitKernelArgumentALTERA = 6175
    ConduitKernelArgumentINTEL = 6175
    RegisterMapKernelArgumentALTERA = 6176
    RegisterMapKernelArgumentINTEL = 6176
    MMHostInterfaceAddressWidthALTERA = 6177
    MMHostInterfaceAddressWidthINTEL = 6177
    MMHostInterfaceDataWidthALTERA = 6178
    MMHostInterfaceDataWidthINTEL = 6178
    MMHostInterfaceLatencyALTERA = 6179
    MMHostInterfaceLatencyINTEL = 6179
    MMHostInterfaceReadWriteModeALTERA = 6180
    MMHostInterfaceReadWriteModeINTEL = 6180
    MMHostInterfaceMaxBurstALTERA = 6181
    MMHostInterfaceMaxBurstINTEL = 6181
    MMHostInterfaceWaitRequestALTERA = 6182
    MMHostInterfaceWaitRequestINTEL = 6182
    StableKernelArgumentALTERA = 6183
    StableKernelArgumentINTEL = 6183
    HostAccessINTEL = 6188
    InitModeALTERA = 6190
    InitModeINTEL = 6190
    ImplementInRegisterMapALTERA = 6191
    ImplementInRegisterMapINTEL = 6191
    ConditionalINTEL = 6247
    CacheControlLoadINTEL = 6442
    CacheControlStoreINTEL = 6443
    IntrinsicSAMSUNG = 7040


class BuiltIn:
    Position = 0
    PointSize = 1
    ClipDistance = 3
    CullDistance = 4
    VertexId = 5
    InstanceId = 6
    PrimitiveId = 7
    InvocationId = 8
    Layer = 9
    ViewportIndex = 10
    TessLevelOuter = 11
    TessLevelInner = 12
    TessCoord = 13
    PatchVertices = 14
    FragCoord = 15
    PointCoord = 16
    FrontFacing = 17
    SampleId = 18
    SamplePosition = 19
    SampleMask = 20
    FragDepth = 22
    HelperInvocation = 23
    NumWorkgroups = 24
    WorkgroupSize = 25
    WorkgroupId = 26
    LocalInvocationId = 27
    GlobalInvocationId = 28
    LocalInvocationIndex = 29
    WorkDim = 30
    GlobalSize = 31
    EnqueuedWorkgroupSize = 32
    GlobalOffset = 33
    GlobalLinearId = 34
    SubgroupSize = 36
    SubgroupMaxSize = 37
    NumSubgroups = 38
    NumEnqueuedSubgroups = 39
    SubgroupId = 40
    SubgroupLocalInvocationId = 41
    VertexIndex = 42
    InstanceIndex = 43
    CoreIDARM = 4160
    CoreCountARM = 4161
    CoreMaxIDARM = 4162
    WarpIDARM = 4163
    WarpMaxIDARM = 4164
    SubgroupEqMask = 4416
    SubgroupEqMaskKHR = 4416
    SubgroupGeMask = 4417
    SubgroupGeMaskKHR = 4417
    SubgroupGtMask = 4418
    SubgroupGtMaskKHR = 4418
    SubgroupLeMask = 4419
    SubgroupLeMaskKHR = 4419
    SubgroupLtMask = 4420
    SubgroupLtMaskKHR = 4420
    BaseVertex = 4424
    BaseInstance = 4425
    DrawIndex = 4426
    PrimitiveShadingRateKHR = 4432
    DeviceIndex = 4438
    ViewIndex = 4440
    ShadingRateKHR = 4444
    TileOffsetQCOM = 4492
    TileDimensionQCOM = 4493
    TileApronSizeQCOM = 4494
    BaryCoordNoPerspAMD = 4992
    BaryCoordNoPerspCentroidAMD = 4993
    BaryCoordNoPerspSampleAMD = 4994
    BaryCoordSmoothAMD = 4995
    BaryCoordSmoothCentroidAMD = 4996
    BaryCoordSmoothSampleAMD = 4997
    BaryCoordPullModelAMD = 4998
    FragStencilRefEXT = 5014
    RemainingRecursionLevelsAMDX = 5021
    ShaderIndexAMDX = 5073
    SamplerHeapEXT = 5122
    ResourceHeapEXT = 5123
    ViewportMaskNV = 5253
    SecondaryPositionNV = 5257
    SecondaryViewportMaskNV = 5258
    PositionPerViewNV = 5261
    ViewportMaskPerViewNV = 5262
    FullyCoveredEXT = 5264
    TaskCountNV = 5274
    PrimitiveCountNV = 5275
    PrimitiveIndicesNV = 5276
    ClipDistancePerViewNV = 5277
    CullDistancePerViewNV = 5278
    LayerPerViewNV = 5279
    MeshViewCountNV = 5280
    MeshViewIndicesNV = 5281
    BaryCoordKHR = 5286
    BaryCoordNV = 5286
    BaryCoordNoPerspKHR = 5287
    BaryCoordNoPerspNV = 5287
    FragSizeEXT = 5292
    FragmentSizeNV = 5292
    FragInvocationCountEXT = 5293
    InvocationsPerPixelNV = 5293
    PrimitivePointIndicesEXT = 5294
    PrimitiveLineIndicesEXT = 5295
    PrimitiveTriangleIndicesEXT = 5296
    CullPrimitiveEXT = 5299
    LaunchIdKHR = 5319
    LaunchIdNV = 5319
    LaunchSizeKHR = 5320
    LaunchSizeNV = 5320
    WorldRayOriginKHR = 5321
    WorldRayOriginNV = 5321
    WorldRayDirectionKHR = 5322
    WorldRayDirectionNV = 5322
    ObjectRayOriginKHR = 5323
    ObjectRayOriginNV = 5323
    ObjectRayDirectionKHR = 5324
    ObjectRayDirectionNV = 5324
    RayTminKHR = 5325
    RayTminNV = 5325
    RayTmaxKHR = 5326
    RayTmaxNV = 5326
    InstanceCustomIndexKHR = 5327
    InstanceCustomIndexNV = 5327
    ObjectToWorldKHR = 5330
    ObjectToWorldNV = 5330
    WorldToObjectKHR = 5331
    WorldToObjectNV = 5331
    HitTNV = 5332
    HitKindKHR = 5333
    HitKindNV = 5333
    CurrentRayTimeNV = 5334
    HitTriangleVertexPositionsKHR = 5335
    HitMicroTriangleVertexPositionsNV = 5337
    HitMicroTriangleVertexBarycentricsNV = 5344
    IncomingRayFlagsKHR = 5351
    IncomingRayFlagsNV = 5351
    RayGeometryIndexKHR = 5352
    HitIsSphereNV = 5359
    HitIsLSSNV = 5360
    HitSpherePositionNV = 5361
    WarpsPerSMNV = 5374
    SMCountNV = 5375
    WarpIDNV = 5376
    SMIDNV = 5377
    HitLSSPositionsNV = 5396
    HitKindFrontFacingMicroTriangleNV = 5405
    HitKindBackFacingMicroTriangleNV = 5406
    HitSphereRadiusNV = 5420
    HitLSSRadiiNV = 5421
    ClusterIDNV = 5436
    CullMaskKHR = 6021


class Scope:
    CrossDevice = 0
    Device = 1
    Workgroup = 2
    Subgroup = 3
    Invocation = 4
    QueueFamily = 5
    QueueFamilyKHR = 5
    ShaderCallKHR = 6


class GroupOperation:
    Reduce = 0
    InclusiveScan = 1
    ExclusiveScan = 2
    ClusteredReduce = 3
    PartitionedReduceEXT = 6
    PartitionedReduceNV = 6
    PartitionedInclusiveScanEXT = 7
    PartitionedInclusiveScanNV = 7
    PartitionedExclusiveScanEXT = 8
    PartitionedExclusiveScanNV = 8


class KernelEnqueueFlags:
    NoWait = 0
    WaitKernel = 1
    WaitWorkGroup = 2


class Capability:
    Matrix = 0
    Shader = 1
    Geometry = 2
    Tessellation = 3
    Addresses = 4
    Linkage = 5
    Kernel = 6
    Vector16 = 7
    Float16Buffer = 8
    Float16 = 9
    Float64 = 10
    Int64 = 11
    Int64Atomics = 12
    ImageBasic = 13
    ImageReadWrite = 14
    ImageMipmap = 15
    Pipes = 17
    Groups = 18
    DeviceEnqueue = 19
    LiteralSampler = 20
    AtomicStorage = 21
    Int16 = 22
    TessellationPointSize = 23
    GeometryPointSize = 24
    ImageGatherExtended = 25
    StorageImageMultisample = 27
    UniformBufferArrayDynamicIndexing = 28
    SampledImageArrayDynamicIndexing = 29
    StorageBufferArrayDynamicIndexing = 30
    StorageImageArrayDynamicIndexing = 31
    ClipDistance = 32
    CullDistance = 33
    ImageCubeArray = 34
    SampleRateShading = 35
    ImageRect = 36
    SampledRect = 37
    GenericPointer = 38
    Int8 = 39
    InputAttachment = 40
    SparseResidency = 41
    MinLod = 42
    Sampled1D = 43
    Image1D = 44
    SampledCubeArray = 45
    SampledBuffer = 46
    ImageBuffer = 47
    ImageMSArray = 48
    StorageImageExtendedFormats = 49
    ImageQuery = 50
    DerivativeControl = 51
    InterpolationFunction = 52
    TransformFeedback = 53
    GeometryStreams = 54
    StorageImageReadWithoutFormat = 55
    StorageImageWriteWithoutFormat = 56
    MultiViewport = 57
    SubgroupDispatch = 58
    NamedBarrier = 59
    PipeStorage = 60
    GroupNonUniform = 61
    GroupNonUniformVote = 62
    GroupNonUniformArithmetic = 63
    GroupNonUniformBallot = 64
    GroupNonUniformShuffle = 65
    GroupNonUniformShuffleRelative = 66
    GroupNonUniformClustered = 67
    GroupNonUniformQuad = 68
    ShaderLayer = 69
    ShaderViewportIndex = 70
    UniformDecoration = 71
    CoreBuiltinsARM = 4165
    TileImageColorReadAccessEXT = 4166
    TileImageDepthReadAccessEXT = 4167
    TileImageStencilReadAccessEXT = 4168
    TensorsARM = 4174
    StorageTensorArrayDynamicIndexingARM = 4175
    StorageTensorArrayNonUniformIndexingARM = 4176
    GraphARM = 4191
    CooperativeMatrixLayoutsARM = 4201
    Float8EXT = 4212
    Float8CooperativeMatrixEXT = 4213
    Float6EXT = 4228
    Float4EXT = 4229
    Float8UnsignedE8M0EXT = 4230
    MXInt8EXT = 4231
    BitcastExtractEXT = 4232
    FragmentShadingRateKHR = 4422
    SubgroupBallotKHR = 4423
    DrawParameters = 4427
    WorkgroupMemoryExplicitLayoutKHR = 4428
    WorkgroupMemoryExplicitLayout8BitAccessKHR = 4429
    WorkgroupMemoryExplicitLayout16BitAccessKHR = 4430
    SubgroupVoteKHR = 4431
    StorageBuffer16BitAccess = 4433
    StorageUniformBufferBlock16 = 4433
    UniformAndStorageBuffer16BitAccess = 4434
    StorageUniform16 = 4434
    StoragePushConstant16 = 4435
    StorageInputOutput16 = 4436
    DeviceGroup = 4437
    MultiView = 4439
    VariablePointersStorageBuffer = 4441
    VariablePointers = 4442
    AtomicStorageOps = 4445
    SampleMaskPostDepthCoverage = 4447
    StorageBuffer8BitAccess = 4448
    UniformAndStorageBuffer8BitAccess = 4449
    StoragePushConstant8 = 4450
    DenormPreserve = 4464
    DenormFlushToZero = 4465
    SignedZeroInfNanPreserve = 4466
    RoundingModeRTE = 4467
    RoundingModeRTZ = 4468
    RayQueryProvisionalKHR = 4471
    RayQueryKHR = 4472
    UntypedPointersKHR = 4473
    RayTraversalPrimitiveCullingKHR = 4478
    RayTracingKHR = 4479
    TextureSampleWeightedQCOM = 4484
    TextureBoxFilterQCOM = 4485
    TextureBlockMatchQCOM = 4486
    TileShadingQCOM = 4495
    CooperativeMatrixConversionQCOM = 4496
    TextureBlockMatch2QCOM = 4498
    MultipleWaitQueuesQCOM = 4539
    ImageGatherLinearQCOM = 4543
    ImageGatherExtendedModesQCOM = 4544
    Float16ImageAMD = 5008
    ImageGatherBiasLodAMD = 5009
    FragmentMaskAMD = 5010
    StencilExportEXT = 5013
    ImageReadWriteLodAMD = 5015
    Int64ImageEXT = 5016
    ShaderClockKHR = 5055
    ShaderEnqueueAMDX = 5067
    QuadControlKHR = 5087
    Int4TypeINTEL = 5112
    Int4CooperativeMatrixINTEL = 5114
    BFloat16TypeKHR = 5116
    BFloat16DotProductKHR = 5117
    BFloat16CooperativeMatrixKHR = 5118
    AbortKHR = 5120
    DescriptorHeapEXT = 5128
    ConstantDataKHR = 5146
    PoisonFreezeKHR = 5156
    WeakLinkageAMD = 5181
    SampleMaskOverrideCoverageNV = 5249
    GeometryShaderPassthroughNV = 5251
    ShaderViewportIndexLayerEXT = 5254
    ShaderViewportIndexLayerNV = 5254
    ShaderViewportMaskNV = 5255
    ShaderStereoViewNV = 5259
    PerViewAttributesNV = 5260
    FragmentFullyCoveredEXT = 5265
    MeshShadingNV = 5266
    ImageFootprintNV = 5282
    MeshShadingEXT = 5283
    FragmentBarycentricKHR = 5284
    FragmentBarycentricNV = 5284
    ComputeDerivativeGroupQuadsKHR = 5288
    ComputeDerivativeGroupQuadsNV = 5288
    FragmentDensityEXT = 5291
    ShadingRateNV = 5291
    GroupNonUniformPartitionedEXT = 5297
    GroupNonUniformPartitionedNV = 5297
    ShaderNonUniform = 5301
    ShaderNonUniformEXT = 5301
    RuntimeDescriptorArray = 5302
    RuntimeDescriptorArrayEXT = 5302
    InputAttachmentArrayDynamicIndexing = 5303
    InputAttachmentArrayDynamicIndexingEXT = 5303
    UniformTexelBufferArrayDynamicIndexing = 5304
    UniformTexelBufferArrayDynamicIndexingEXT = 5304
    StorageTexelBufferArrayDynamicIndexing = 5305
    StorageTexelBufferArrayDynamicIndexingEXT = 5305
    UniformBufferArrayNonUniformIndexing = 5306
    UniformBufferArrayNonUniformIndexingEXT = 5306
    SampledImageArrayNonUniformIndexing = 5307
    SampledImageArrayNonUniformIndexingEXT = 5307
    StorageBufferArrayNonUniformIndexing = 5308
    StorageBufferArrayNonUniformIndexingEXT = 5308
    StorageImageArrayNonUniformIndexing = 5309
    StorageImageArrayNonUniformIndexingEXT = 5309
    InputAttachmentArrayNonUniformIndexing = 5310
    InputAttachmentArrayNonUniformIndexingEXT = 5310
    UniformTexelBufferArrayNonUniformIndexing = 5311
    UniformTexelBufferArrayNonUniformIndexingEXT = 5311
    StorageTexelBufferArrayNonUniformIndexing = 5312
    StorageTexelBufferArrayNonUniformIndexingEXT = 5312
    RayTracingPositionFetchKHR = 5336
    RayTracingNV = 5340
    RayTracingMotionBlurNV = 5341
    VulkanMemoryModel = 5345
    VulkanMemoryModelKHR = 5345
    VulkanMemoryModelDeviceScope = 5346
    VulkanMemoryModelDeviceScopeKHR = 5346
    PhysicalStorageBufferAddresses = 5347
    PhysicalStorageBufferAddressesEXT = 5347
    ComputeDerivativeGroupLinearKHR = 5350
    ComputeDerivativeGroupLinearNV = 5350
    RayTracingProvisionalKHR = 5353
    CooperativeMatrixNV = 5357
    FragmentShaderSampleInterlockEXT = 5363
    FragmentShaderShadingRateInterlockEXT = 5372
    ShaderSMBuiltinsNV = 5373
    FragmentShaderPixelInterlockEXT = 5378
    DemoteToHelperInvocation = 5379
    DemoteToHelperInvocationEXT = 5379
    DisplacementMicromapNV = 5380
    RayTracingOpacityMicromapKHR = 5381
    RayTracingOpacityMicromapEXT = 5381
    ShaderInvocationReorderNV = 5383
    ShaderInvocationReorderEXT = 5388
    BindlessTextureNV = 5390
    RayQueryPositionFetchKHR = 5391
    CooperativeVectorNV = 5394
    AtomicFloat16VectorNV = 5404
    RayTracingDisplacementMicromapNV = 5409
    RawAccessChainsNV = 5414
    RayTracingSpheresGeometryNV = 5418
    RayTracingLinearSweptSpheresGeometryNV = 5419
    PushConstantBanksNV = 5423
    LongVectorEXT = 5425
    Shader64BitIndexingEXT = 5426
    CooperativeMatrixConversionsEXT = 5429
    CooperativeMatrixReductionsEXT = 5430
    CooperativeMatrixReductionsNV = 5430
    CooperativeMatrixConversionsNV = 5431
    CooperativeMatrixPerElementOperationsEXT = 5432
    CooperativeMatrixPerElementOperationsNV = 5432
    CooperativeMatrixTensorAddressingNV = 5433
    CooperativeMatrixBlockLoadsNV = 5434
    CooperativeVectorTrainingNV = 5435
    RayTracingClusterAccelerationStructureNV = 5437
    CooperativeMatrixGetCoordinateEXT = 5438
    TensorAddressingNV = 5439
    CooperativeMatrixDecodeVectorNV = 5447
    SubgroupShuffleINTEL = 5568
    SubgroupBufferBlockIOINTEL = 5569
    SubgroupImageBlockIOINTEL = 5570
    SubgroupImageMediaBlockIOINTEL = 5579
    RoundToInfinityINTEL = 5582
    FloatingPointModeINTEL = 5583
    IntegerFunctions2INTEL = 5584
    FunctionPointersINTEL = 5603
    IndirectReferencesINTEL = 5604
    AsmINTEL = 5606
    AtomicFloat32MinMaxEXT = 5612
    AtomicFloat64MinMaxEXT = 5613
    AtomicFloat16MinMaxEXT = 5616
    VectorComputeINTEL = 5617
    VectorAnyINTEL = 5619
    ExpectAssumeKHR = 5629
    SubgroupAvcMotionEstimationINTEL = 5696
    SubgroupAvcMotionEstimationIntraINTEL = 5697
    SubgroupAvcMotionEstimationChromaINTEL = 5698
    VariableLengthArrayINTEL = 5817
    FunctionFloatControlINTEL = 5821
    FPGAMemoryAttributesALTERA = 5824
    FPGAMemoryAttributesINTEL = 5824
    FPFastMathModeINTEL = 5837
    ArbitraryPrecisionIntegersALTERA = 5844
    ArbitraryPrecisionIntegersINTEL = 5844
    ArbitraryPrecisionFloatingPointALTERA = 5845
    ArbitraryPrecisionFloatingPointINTEL = 5845
    UnstructuredLoopControlsINTEL = 5886
    FPGALoopControlsALTERA = 5888
    FPGALoopControlsINTEL = 5888
    KernelAttributesINTEL = 5892
    FPGAKernelAttributesINTEL = 5897
    FPGAMemoryAccessesALTERA = 5898
    FPGAMemoryAccessesINTEL = 5898
    FPGAClusterAttributesALTERA = 5904
    FPGAClusterAttributesINTEL = 5904
    LoopFuseALTERA = 5906
    LoopFuseINTEL = 5906
    FPGADSPControlALTERA = 5908
    FPGADSPControlINTEL = 5908
    MemoryAccessAliasingINTEL = 5910
    FPGAInvocationPipeliningAttributesALTERA = 5916
    FPGAInvocationPipeliningAttributesINTEL = 5916
    FPGABufferLocationALTERA = 5920
    FPGABufferLocationINTEL = 5920
    ArbitraryPrecisionFixedPointALTERA = 5922
    ArbitraryPrecisionFixedPointINTEL = 5922
    USMStorageClassesALTERA = 5935
    USMStorageClassesINTEL = 5935
    RuntimeAlignedAttributeALTERA = 5939
    RuntimeAlignedAttributeINTEL = 5939
    IOPipesALTERA = 5943
    IOPipesINTEL = 5943
    BlockingPipesALTERA = 5945
    BlockingPipesINTEL = 5945
    FPGARegALTERA = 5948
    FPGARegINTEL = 5948
    DotProductInputAll = 6016
    DotProductInputAllKHR = 6016
    DotProductInput4x8Bit = 6017
    DotProductInput4x8BitKHR = 6017
    DotProductInput4x8BitPacked = 6018
    DotProductInput4x8BitPackedKHR = 6018
    DotProduct = 6019
    DotProductKHR = 6019
    RayCullMaskKHR = 6020
    CooperativeMatrixKHR = 6022
    ReplicatedCompositesEXT = 6024
    BitInstructions = 6025
    GroupNonUniformRotateKHR = 6026
    FloatControls2 = 6029
    FMAKHR = 6030
    RayTracingOpacityMicromapExecutionModeKHR = 6032
    AtomicFloat32AddEXT = 6033
    AtomicFloat64AddEXT = 6034
    LongCompositesINTEL = 6089
    OptNoneEXT = 6094
    OptNoneINTEL = 6094
    AtomicFloat16AddEXT = 6095
    DebugInfoModuleINTEL = 6114
    BFloat16ConversionINTEL = 6115
    SplitBarrierEXT = 6141
    SplitBarrierINTEL = 6141
    ArithmeticFenceEXT = 6144
    FPGAClusterAttributesV2ALTERA = 6150
    FPGAClusterAttributesV2INTEL = 6150
    FPGAKernelAttributesv2INTEL = 6161
    TaskSequenceALTERA = 6162
    TaskSequenceINTEL = 6162
    FPMaxErrorINTEL = 6169
    FPGALatencyControlALTERA = 6171
    FPGALatencyControlINTEL = 6171
    FPGAArgumentInterfacesALTERA = 6174
    FPGAArgumentInterfacesINTEL = 6174
    GlobalVariableHostAccessINTEL = 6187
    GlobalVariableFPGADecorationsALTERA = 6189
    GlobalVariableFPGADecorationsINTEL = 6189
    SubgroupBufferPrefetchINTEL = 6220
    Subgroup2DBlockIOINTEL = 6228
    Subgroup2DBlockTransformINTEL = 6229
    Subgroup2DBlockTransposeINTEL = 6230
    SubgroupMatrixMultiplyAccumulateINTEL = 6236
    TernaryBitwiseFunctionINTEL = 6241
    UntypedVariableLengthArrayINTEL = 6243
    SpecConditionalINTEL = 6245
    FunctionVariantsINTEL = 6246
    PredicatedIOINTEL = 6257
    RoundedDivideSqrtINTEL = 6265
    GroupUniformArithmeticKHR = 6400
    TensorFloat32RoundingINTEL = 6425
    MaskedGatherScatterINTEL = 6427
    CacheControlsINTEL = 6441
    RegisterLimitsINTEL = 6460
    BindlessImagesINTEL = 6528
    DotProductFloat16AccFloat32VALVE = 6912
    DotProductFloat16AccFloat16VALVE = 6913
    DotProductBFloat16AccVALVE = 6914
    DotProductFloat8AccFloat32VALVE = 6915
    IntrinsicSAMSUNG = 7041


class RayQueryIntersection:
    RayQueryCandidateIntersectionKHR = 0
    RayQueryCommittedIntersectionKHR = 1


class RayQueryCommittedIntersectionType:
    RayQueryCommittedIntersectionNoneKHR = 0
    RayQueryCommittedIntersectionTriangleKHR = 1
    RayQueryCommittedIntersectionGeneratedKHR = 2


class RayQueryCandidateIntersectionType:
    RayQueryCandidateIntersectionTriangleKHR = 0
    RayQueryCandidateIntersectionAABBKHR = 1


class PackedVectorFormat:
    PackedVectorFormat4x8Bit = 0
    PackedVectorFormat4x8BitKHR = 0


class CooperativeMatrixOperands:
    NoneKHR = 0
    MatrixASignedComponentsKHR = 1
    MatrixBSignedComponentsKHR = 2
    MatrixCSignedComponentsKHR = 4
    MatrixResultSignedComponentsKHR = 8
    SaturatingAccumulationKHR = 16


class CooperativeMatrixLayout:
    RowMajorKHR = 0
    ColumnMajorKHR = 1
    RowBlockedInterleavedARM = 4202
    ColumnBlockedInterleavedARM = 4203


class CooperativeMatrixUse:
    MatrixAKHR = 0
    MatrixBKHR = 1
    MatrixAccumulatorKHR = 2


class CooperativeMatrixReduce:
    Row = 1
    Column = 2
    CooperativeMatrixReduce2x2 = 4


class TensorClampMode:
    Undefined = 0
    Constant = 1
    ClampToEdge = 2
    Repeat = 3
    RepeatMirrored = 4


class TensorAddressingOperands:
    None_ = 0
    TensorView = 1
    DecodeFunc = 2
    DecodeVectorFunc = 4


class InitializationModeQualifier:
    InitOnDeviceReprogramALTERA = 0
    InitOnDeviceReprogramINTEL = 0
    InitOnDeviceResetALTERA = 1
    InitOnDeviceResetINTEL = 1


class LoadCacheControl:
    UncachedINTEL = 0
    CachedINTEL = 1
    StreamingINTEL = 2
    InvalidateAfterReadINTEL = 3
    ConstCachedINTEL = 4


class StoreCacheControl:
    UncachedINTEL = 0
    WriteThroughINTEL = 1
    WriteBackINTEL = 2
    StreamingINTEL = 3


class NamedMaximumNumberOfRegisters:
    AutoINTEL = 0


class MatrixMultiplyAccumulateOperands:
    None_ = 0
    MatrixASignedComponentsINTEL = 1
    MatrixBSignedComponentsINTEL = 2
    MatrixCBFloat16INTEL = 4
    MatrixResultBFloat16INTEL = 8
    MatrixAPackedInt8INTEL = 16
    MatrixBPackedInt8INTEL = 32
    MatrixAPackedInt4INTEL = 64
    MatrixBPackedInt4INTEL = 128
    MatrixATF32INTEL = 256
    MatrixBTF32INTEL = 512
    MatrixAPackedFloat16INTEL = 1024
    MatrixBPackedFloat16INTEL = 2048
    MatrixAPackedBFloat16INTEL = 4096
    MatrixBPackedBFloat16INTEL = 8192


class FPEncoding:
    BFloat16KHR = 0
    Float8E4M3EXT = 4214
    Float8E5M2EXT = 4215
    Float6E2M3EXT = 4223
    Float6E3M2EXT = 4224
    Float4E2M1EXT = 4225
    Float8UnsignedE8M0EXT = 4226
    MXInt8EXT = 4227


class CooperativeVectorMatrixLayout:
    RowMajorNV = 0
    ColumnMajorNV = 1
    InferencingOptimalNV = 2
    TrainingOptimalNV = 3


class ComponentType:
    Float16NV = 0
    Float32NV = 1
    Float64NV = 2
    SignedInt8NV = 3
    SignedInt16NV = 4
    SignedInt32NV = 5
    SignedInt64NV = 6
    UnsignedInt8NV = 7
    UnsignedInt16NV = 8
    UnsignedInt32NV = 9
    UnsignedInt64NV = 10
    SignedInt8PackedNV = 1000491000
    UnsignedInt8PackedNV = 1000491001
    FloatE4M3NV = 1000491002
    FloatE5M2NV = 1000491003


class GatherModes:
    Gather4x1QCOM = 0
    GatherDQCOM = 1
    GatherH2QCOM = 2
    GatherV2QCOM = 3


class TensorOperands:
    NoneARM = 0
    NontemporalARM = 1
    OutOfBoundsValueARM = 2
    MakeElementAvailableARM = 4
    MakeElementVisibleARM = 8
    NonPrivateElementARM = 16
