"""The values of enumerants by operand kind, by name and alias (SPIR-V 3.2).

They are apart from the opcodes in `spvls.grammar.spv`, as making the classes takes time when a program starts. Only those that the
code names are here: after naming another one, run `python -m tests.shipped`, which makes this anew, as
`python -m spvls.grammar.importer` does; do not edit.
"""


class ImageOperands:
    Bias = 1
    Lod = 2
    Grad = 4
    ConstOffset = 8
    Offset = 16
    ConstOffsets = 32
    Sample = 64
    MinLod = 128
    MakeTexelAvailable = 256
    MakeTexelVisible = 512
    NonPrivateTexel = 1024
    SignExtend = 4096
    ZeroExtend = 8192
    Offsets = 65536


class FPFastMathMode:
    Fast = 16
    AllowContract = 65536
    AllowReassoc = 131072
    AllowTransform = 262144


class SelectionControl:
    DontFlatten = 2


class LoopControl:
    Unroll = 1
    DontUnroll = 2
    IterationMultiple = 64
    PeelCount = 128
    PartialCount = 256


class MemorySemantics:
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
    MakeAvailable = 8192
    MakeVisible = 16384
    Volatile = 32768


class MemoryAccess:
    Volatile = 1
    Aligned = 2
    Nontemporal = 4
    MakePointerAvailable = 8
    MakePointerVisible = 16
    NonPrivatePointer = 32
    AliasScopeINTELMask = 65536
    NoAliasINTELMask = 131072


class RayFlags:
    ForceOpacityMicromap2StateKHR = 1024


class RawAccessChainOperands:
    RobustnessPerComponentNV = 1
    RobustnessPerElementNV = 2


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
    IntersectionKHR = 5314
    AnyHitKHR = 5315
    ClosestHitKHR = 5316
    MissKHR = 5317
    CallableKHR = 5318
    TaskEXT = 5364
    MeshEXT = 5365


class AddressingModel:
    Logical = 0
    Physical32 = 1
    Physical64 = 2
    PhysicalStorageBuffer64 = 5348


class MemoryModel:
    Simple = 0
    GLSL450 = 1
    OpenCL = 2
    Vulkan = 3


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
    SubgroupsPerWorkgroupId = 37
    LocalSizeId = 38
    LocalSizeHintId = 39
    NonCoherentColorAttachmentReadEXT = 4169
    NonCoherentDepthAttachmentReadEXT = 4170
    NonCoherentStencilAttachmentReadEXT = 4171
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
    StencilRefUnchangedFrontAMD = 5079
    StencilRefGreaterFrontAMD = 5080
    StencilRefLessFrontAMD = 5081
    StencilRefUnchangedBackAMD = 5082
    StencilRefGreaterBackAMD = 5083
    StencilRefLessBackAMD = 5084
    QuadDerivativesKHR = 5088
    RequireFullQuadsKHR = 5089
    ArithmeticPoisonKHR = 5157
    OutputLinesEXT = 5269
    OutputPrimitivesEXT = 5270
    DerivativeGroupQuadsKHR = 5289
    DerivativeGroupLinearKHR = 5290
    OutputTrianglesEXT = 5298
    PixelInterlockOrderedEXT = 5366
    PixelInterlockUnorderedEXT = 5367
    SampleInterlockOrderedEXT = 5368
    SampleInterlockUnorderedEXT = 5369
    ShadingRateInterlockOrderedEXT = 5370
    ShadingRateInterlockUnorderedEXT = 5371
    RoundingModeRTPINTEL = 5620
    RoundingModeRTNINTEL = 5621
    FloatingPointModeALTINTEL = 5622
    FloatingPointModeIEEEINTEL = 5623
    MaximallyReconvergesKHR = 6023
    FPFastMathDefault = 6028
    OpacityMicromapIdKHR = 6031
    MaximumRegistersIdINTEL = 6462


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
    IncomingCallableDataKHR = 5329
    RayPayloadKHR = 5338
    HitAttributeKHR = 5339
    IncomingRayPayloadKHR = 5342
    ShaderRecordBufferKHR = 5343
    PhysicalStorageBuffer = 5349
    HitObjectAttributeNV = 5385
    TaskPayloadWorkgroupEXT = 5402
    HitObjectAttributeEXT = 5411
    CodeSectionINTEL = 5605


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
    Repeat = 3
    RepeatMirrored = 4


class ImageFormat:
    Unknown = 0
    Rgba16f = 2
    R32f = 3
    Rgba8 = 4
    Rg16f = 7
    R32i = 24
    R32ui = 33
    R64ui = 40
    R64i = 41


class FPRoundingMode:
    RTE = 0
    RTZ = 1


class LinkageType:
    Import = 1
    LinkOnceODR = 2
    WeakAMD = 3


class AccessQualifier:
    ReadOnly = 0
    WriteOnly = 1
    ReadWrite = 2


class FunctionParameterAttribute:
    Zext = 0
    Sext = 1
    ByVal = 2
    Sret = 3
    NoAlias = 4
    NoCapture = 5
    NoWrite = 6
    NoReadWrite = 7


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
    NoSignedWrap = 4469
    NoUnsignedWrap = 4470
    WeightTextureQCOM = 4487
    BlockMatchTextureQCOM = 4488
    BlockMatchSamplerQCOM = 4499
    NodeSharesPayloadLimitsWithAMDX = 5019
    ArrayStrideIdEXT = 5124
    OffsetIdEXT = 5125
    ViewportRelativeNV = 5252
    PerPrimitiveEXT = 5271
    PerTaskNV = 5273
    PerVertexKHR = 5285
    NonUniform = 5300
    RestrictPointer = 5355
    AliasedPointer = 5356
    CooperativeMatrixTransposeEXT = 5440
    CounterBuffer = 5634
    UserSemantic = 5635
    UserTypeGOOGLE = 5636
    AliasScopeINTEL = 5914
    NoAliasINTEL = 5915
    ConditionalINTEL = 6247
    CacheControlLoadINTEL = 6442
    CacheControlStoreINTEL = 6443


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
    SubgroupEqMask = 4416
    SubgroupGeMask = 4417
    SubgroupGtMask = 4418
    SubgroupLeMask = 4419
    SubgroupLtMask = 4420
    BaseVertex = 4424
    BaseInstance = 4425
    DrawIndex = 4426
    PrimitiveShadingRateKHR = 4432
    DeviceIndex = 4438
    ViewIndex = 4440
    TileDimensionQCOM = 4493
    BaryCoordNoPerspAMD = 4992
    BaryCoordNoPerspCentroidAMD = 4993
    BaryCoordNoPerspSampleAMD = 4994
    BaryCoordSmoothAMD = 4995
    BaryCoordSmoothCentroidAMD = 4996
    BaryCoordSmoothSampleAMD = 4997
    BaryCoordPullModelAMD = 4998
    SamplerHeapEXT = 5122
    ResourceHeapEXT = 5123
    ViewportMaskNV = 5253
    SecondaryPositionNV = 5257
    SecondaryViewportMaskNV = 5258
    PositionPerViewNV = 5261
    ViewportMaskPerViewNV = 5262
    TaskCountNV = 5274
    PrimitiveCountNV = 5275
    PrimitiveIndicesNV = 5276
    ClipDistancePerViewNV = 5277
    CullDistancePerViewNV = 5278
    LayerPerViewNV = 5279
    MeshViewCountNV = 5280
    MeshViewIndicesNV = 5281
    PrimitivePointIndicesEXT = 5294
    PrimitiveLineIndicesEXT = 5295
    PrimitiveTriangleIndicesEXT = 5296
    CullPrimitiveEXT = 5299


class Scope:
    Device = 1
    Workgroup = 2
    Subgroup = 3
    Invocation = 4
    QueueFamily = 5
    ShaderCallKHR = 6


class GroupOperation:
    Reduce = 0
    InclusiveScan = 1
    ExclusiveScan = 2
    ClusteredReduce = 3
    PartitionedReduceNV = 6
    PartitionedInclusiveScanNV = 7
    PartitionedExclusiveScanNV = 8


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
    AtomicStorage = 21
    Int16 = 22
    TessellationPointSize = 23
    GeometryPointSize = 24
    StorageImageMultisample = 27
    UniformBufferArrayDynamicIndexing = 28
    SampledImageArrayDynamicIndexing = 29
    StorageBufferArrayDynamicIndexing = 30
    StorageImageArrayDynamicIndexing = 31
    ClipDistance = 32
    CullDistance = 33
    ImageCubeArray = 34
    ImageRect = 36
    SampledRect = 37
    Int8 = 39
    Sampled1D = 43
    Image1D = 44
    SampledCubeArray = 45
    SampledBuffer = 46
    ImageBuffer = 47
    ImageMSArray = 48
    InterpolationFunction = 52
    TransformFeedback = 53
    GeometryStreams = 54
    StorageImageReadWithoutFormat = 55
    StorageImageWriteWithoutFormat = 56
    NamedBarrier = 59
    GroupNonUniform = 61
    GroupNonUniformVote = 62
    GroupNonUniformArithmetic = 63
    GroupNonUniformBallot = 64
    GroupNonUniformShuffle = 65
    GroupNonUniformShuffleRelative = 66
    GroupNonUniformClustered = 67
    ShaderLayer = 69
    ShaderViewportIndex = 70
    TensorsARM = 4174
    GraphARM = 4191
    CooperativeMatrixLayoutsARM = 4201
    Float8CooperativeMatrixEXT = 4213
    SubgroupBallotKHR = 4423
    WorkgroupMemoryExplicitLayoutKHR = 4428
    WorkgroupMemoryExplicitLayout8BitAccessKHR = 4429
    WorkgroupMemoryExplicitLayout16BitAccessKHR = 4430
    SubgroupVoteKHR = 4431
    StorageBuffer16BitAccess = 4433
    UniformAndStorageBuffer16BitAccess = 4434
    StoragePushConstant16 = 4435
    StorageInputOutput16 = 4436
    VariablePointersStorageBuffer = 4441
    VariablePointers = 4442
    AtomicStorageOps = 4445
    StorageBuffer8BitAccess = 4448
    UniformAndStorageBuffer8BitAccess = 4449
    StoragePushConstant8 = 4450
    UntypedPointersKHR = 4473
    TextureSampleWeightedQCOM = 4484
    TextureBlockMatchQCOM = 4486
    TileShadingQCOM = 4495
    TextureBlockMatch2QCOM = 4498
    ImageGatherLinearQCOM = 4543
    ImageGatherExtendedModesQCOM = 4544
    ImageGatherBiasLodAMD = 5009
    ImageReadWriteLodAMD = 5015
    Int4TypeINTEL = 5112
    BFloat16DotProductKHR = 5117
    BFloat16CooperativeMatrixKHR = 5118
    DescriptorHeapEXT = 5128
    ShaderViewportIndexLayerEXT = 5254
    ShaderViewportMaskNV = 5255
    MeshShadingNV = 5266
    MeshShadingEXT = 5283
    ShaderNonUniform = 5301
    RuntimeDescriptorArray = 5302
    InputAttachmentArrayDynamicIndexing = 5303
    UniformTexelBufferArrayDynamicIndexing = 5304
    StorageTexelBufferArrayDynamicIndexing = 5305
    UniformBufferArrayNonUniformIndexing = 5306
    SampledImageArrayNonUniformIndexing = 5307
    StorageBufferArrayNonUniformIndexing = 5308
    StorageImageArrayNonUniformIndexing = 5309
    InputAttachmentArrayNonUniformIndexing = 5310
    UniformTexelBufferArrayNonUniformIndexing = 5311
    StorageTexelBufferArrayNonUniformIndexing = 5312
    VulkanMemoryModel = 5345
    VulkanMemoryModelDeviceScope = 5346
    PhysicalStorageBufferAddresses = 5347
    CooperativeMatrixNV = 5357
    DemoteToHelperInvocation = 5379
    RayTracingOpacityMicromapKHR = 5381
    BindlessTextureNV = 5390
    CooperativeVectorNV = 5394
    AtomicFloat16VectorNV = 5404
    PushConstantBanksNV = 5423
    LongVectorEXT = 5425
    Shader64BitIndexingEXT = 5426
    CooperativeMatrixConversionsEXT = 5429
    CooperativeMatrixConversionsNV = 5431
    FunctionPointersINTEL = 5603
    AtomicFloat32MinMaxEXT = 5612
    AtomicFloat64MinMaxEXT = 5613
    AtomicFloat16MinMaxEXT = 5616
    FPFastMathModeINTEL = 5837
    ArbitraryPrecisionIntegersALTERA = 5844
    DotProductInputAll = 6016
    DotProductInput4x8Bit = 6017
    DotProductInput4x8BitPacked = 6018
    DotProduct = 6019
    CooperativeMatrixKHR = 6022
    FloatControls2 = 6029
    AtomicFloat32AddEXT = 6033
    AtomicFloat64AddEXT = 6034
    AtomicFloat16AddEXT = 6095
    RoundedDivideSqrtINTEL = 6265
    MaskedGatherScatterINTEL = 6427
    DotProductFloat16AccFloat32VALVE = 6912
    DotProductFloat16AccFloat16VALVE = 6913
    DotProductBFloat16AccVALVE = 6914


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


class TensorAddressingOperands:
    TensorView = 1
    DecodeFunc = 2
    DecodeVectorFunc = 4


class FPEncoding:
    BFloat16KHR = 0
    Float8E4M3EXT = 4214
    Float8E5M2EXT = 4215
    Float6E2M3EXT = 4223
    Float6E3M2EXT = 4224
    Float4E2M1EXT = 4225
    Float8UnsignedE8M0EXT = 4226
    MXInt8EXT = 4227


class ComponentType:
    SignedInt8PackedNV = 1000491000
    UnsignedInt8PackedNV = 1000491001


class TensorOperands:
    OutOfBoundsValueARM = 2
    MakeElementAvailableARM = 4
    MakeElementVisibleARM = 8
    NonPrivateElementARM = 16
