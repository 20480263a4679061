"""Sections of the SPIR-V specification: number, title and anchor on its page.

The numbers are those of version 1.6, revision 6 (`REVISION`); they change when a revision adds a section, the anchors do not. An
anchor that the page itself does not name follows the pattern by which the page is made.
"""

from __future__ import annotations

from spvls.record import NamedTuple
from spvls.typed import Final

REVISION: Final = "1.6, revision 6"

SPECIFICATION: Final = "https://registry.khronos.org/SPIR-V/specs/unified1/SPIRV.html"


class Section(NamedTuple):
    """A section of the unified specification."""

    number: str
    title: str
    anchor: str

    @property
    def address(self) -> str:
        """Where the section is published."""
        return f"{SPECIFICATION}#{self.anchor}"


LANGUAGE_CAPABILITIES: Final = Section("2.1", "Language Capabilities", "_language_capabilities")
TERMS: Final = Section("2.2", "Terms", "_terms")
INSTRUCTIONS: Final = Section("2.2.1", "Instructions", "_instructions")
TYPES: Final = Section("2.2.2", "Types", "_types")
COMPUTATION: Final = Section("2.2.3", "Computation", "_computation")
MODULE: Final = Section("2.2.4", "Module", "_module")
CONTROL_FLOW: Final = Section("2.2.5", "Control Flow", "_control_flow")
VALIDITY_AND_DEFINED_BEHAVIOR: Final = Section("2.2.6", "Validity and Defined Behavior", "_validity_and_defined_behavior")
PHYSICAL_LAYOUT: Final = Section("2.3", "Physical Layout of a SPIR-V Module and Instruction", "PhysicalLayout")
LOGICAL_LAYOUT: Final = Section("2.4", "Logical Layout of a Module", "LogicalLayout")
SSA_FORM: Final = Section("2.5.1", "SSA Form", "_ssa_form")
ENTRY_POINT_AND_EXECUTION_MODEL: Final = Section("2.6", "Entry Point and Execution Model", "_entry_point_and_execution_model")
EXECUTION_MODES: Final = Section("2.7", "Execution Modes", "_execution_modes")
TYPES_AND_VARIABLES: Final = Section("2.8", "Types and Variables", "_types_and_variables")
UNSIGNED_VERSUS_SIGNED_INTEGERS: Final = Section("2.8.1", "Unsigned Versus Signed Integers", "_unsigned_versus_signed_integers")
FUNCTION_CALLING: Final = Section("2.9", "Function Calling", "_function_calling")
EXTENDED_INSTRUCTION_SETS: Final = Section("2.10", "Extended Instruction Sets", "_extended_instruction_sets")
STRUCTURED_CONTROL_FLOW: Final = Section("2.11", "Structured Control Flow", "_structured_control_flow")
STRUCTURED_DECLARATIONS: Final = Section("2.11.1", "Rules for Structured Control-flow Declarations", "StructuredControlFlow")
STRUCTURED_DEFINITIONS: Final = Section("2.11.2", "Structured Control-flow Constructs", "StructuredControlFlow")
STRUCTURED_CONSTRUCTS: Final = Section("2.11.3", "Rules for Structured Control-flow Constructs", "StructuredControlFlow")
SPECIALIZATION: Final = Section("2.12", "Specialization", "_specialization")
LINKAGE: Final = Section("2.13", "Linkage", "_linkage")
RELAXED_PRECISION: Final = Section("2.14", "Relaxed Precision", "_relaxed_precision")
DEBUG_INFORMATION: Final = Section("2.15", "Debug Information", "_debug_information")
FUNCTION_NAME_MANGLING: Final = Section("2.15.1", "Function-Name Mangling", "_function_name_mangling")
VALIDATION_RULES: Final = Section("2.16", "Validation Rules", "_validation_rules")
UNIVERSAL_VALIDATION_RULES: Final = Section("2.16.1", "Universal Validation Rules", "_universal_validation_rules")
SHADER_VALIDATION_RULES: Final = Section(
    "2.16.2", "Validation Rules for Shader Capabilities", "_validation_rules_for_shader_capabilities"
)
KERNEL_VALIDATION_RULES: Final = Section(
    "2.16.3", "Validation Rules for Kernel Capabilities", "_validation_rules_for_kernel_capabilities"
)
UNIVERSAL_LIMITS: Final = Section("2.17", "Universal Limits", "_universal_limits")
MEMORY_MODEL: Final = Section("2.18", "Memory Model", "_memory_model")
MEMORY_LAYOUT: Final = Section("2.18.1", "Memory Layout", "_memory_layout")
ALIASING: Final = Section("2.18.2", "Aliasing", "_aliasing")
NULL_POINTERS: Final = Section("2.18.3", "Null pointers", "_null_pointers")
DERIVATIVES: Final = Section("2.19", "Derivatives", "_derivatives")
CODE_MOTION: Final = Section("2.20", "Code Motion", "_code_motion")
DEPRECATION: Final = Section("2.21", "Deprecation", "_deprecation")
UNIFIED_SPECIFICATION: Final = Section("2.22", "Unified Specification", "Unified")
UNIFORMITY: Final = Section("2.23", "Uniformity", "_uniformity")
ENUMERANTS: Final = Section("3.2", "Enumerants", "_enumerants")
SOURCE_LANGUAGE: Final = Section("3.2.1", "Source Language", "Source_Language")
EXECUTION_MODEL: Final = Section("3.2.2", "Execution Model", "Execution_Model")
ADDRESSING_MODEL: Final = Section("3.2.3", "Addressing Model", "Addressing_Model")
MEMORY_MODEL_OPERAND: Final = Section("3.2.4", "Memory Model", "Memory_Model")
EXECUTION_MODE: Final = Section("3.2.5", "Execution Mode", "Execution_Mode")
STORAGE_CLASS: Final = Section("3.2.6", "Storage Class", "Storage_Class")
DIM: Final = Section("3.2.7", "Dim", "Dim")
SAMPLER_ADDRESSING_MODE: Final = Section("3.2.8", "Sampler Addressing Mode", "Sampler_Addressing_Mode")
SAMPLER_FILTER_MODE: Final = Section("3.2.9", "Sampler Filter Mode", "Sampler_Filter_Mode")
IMAGE_FORMAT: Final = Section("3.2.10", "Image Format", "Image_Format")
IMAGE_CHANNEL_ORDER: Final = Section("3.2.11", "Image Channel Order", "Image_Channel_Order")
IMAGE_CHANNEL_DATA_TYPE: Final = Section("3.2.12", "Image Channel Data Type", "Image_Channel_Data_Type")
IMAGE_OPERANDS: Final = Section("3.2.13", "Image Operands", "Image_Operands")
FP_FAST_MATH_MODE: Final = Section("3.2.14", "FP Fast Math Mode", "FP_Fast_Math_Mode")
FP_ROUNDING_MODE: Final = Section("3.2.15", "FP Rounding Mode", "FP_Rounding_Mode")
LINKAGE_TYPE: Final = Section("3.2.16", "Linkage Type", "Linkage_Type")
ACCESS_QUALIFIER: Final = Section("3.2.17", "Access Qualifier", "Access_Qualifier")
FUNCTION_PARAMETER_ATTRIBUTE: Final = Section("3.2.18", "Function Parameter Attribute", "Function_Parameter_Attribute")
DECORATION: Final = Section("3.2.19", "Decoration", "Decoration")
BUILTIN: Final = Section("3.2.20", "BuiltIn", "BuiltIn")
SELECTION_CONTROL: Final = Section("3.2.21", "Selection Control", "Selection_Control")
LOOP_CONTROL: Final = Section("3.2.22", "Loop Control", "Loop_Control")
FUNCTION_CONTROL: Final = Section("3.2.23", "Function Control", "Function_Control")
MEMORY_SEMANTICS: Final = Section("3.2.24", "Memory Semantics <id>", "Memory_Semantics_-id-")
MEMORY_OPERANDS: Final = Section("3.2.25", "Memory Operands", "Memory_Operands")
SCOPE: Final = Section("3.2.26", "Scope <id>", "Scope_-id-")
GROUP_OPERATION: Final = Section("3.2.27", "Group Operation", "Group_Operation")
KERNEL_ENQUEUE_FLAGS: Final = Section("3.2.28", "Kernel Enqueue Flags", "Kernel_Enqueue_Flags")
KERNEL_PROFILING_INFO: Final = Section("3.2.29", "Kernel Profiling Info", "Kernel_Profiling_Info")
CAPABILITY: Final = Section("3.2.30", "Capability", "Capability")
RAY_FLAGS: Final = Section("3.2.31", "Ray Flags", "Ray_Flags")
RAY_QUERY_INTERSECTION: Final = Section("3.2.32", "Ray Query Intersection", "Ray_Query_Intersection")
RAY_QUERY_COMMITTED_TYPE: Final = Section("3.2.33", "Ray Query Committed Type", "Ray_Query_Committed_Type")
RAY_QUERY_CANDIDATE_TYPE: Final = Section("3.2.34", "Ray Query Candidate Type", "Ray_Query_Candidate_Type")
FRAGMENT_SHADING_RATE: Final = Section("3.2.35", "Fragment Shading Rate", "Fragment_Shading_Rate")
FP_DENORM_MODE: Final = Section("3.2.36", "FP Denorm Mode", "FP_Denorm_Mode")
FP_OPERATION_MODE: Final = Section("3.2.37", "FP Operation Mode", "FP_Operation_Mode")
QUANTIZATION_MODE: Final = Section("3.2.38", "Quantization Mode", "Quantization_Mode")
OVERFLOW_MODE: Final = Section("3.2.39", "Overflow Mode", "Overflow_Mode")
PACKED_VECTOR_FORMAT: Final = Section("3.2.40", "Packed Vector Format", "Packed_Vector_Format")
COOPERATIVE_MATRIX_OPERANDS: Final = Section("3.2.41", "Cooperative Matrix Operands", "Cooperative_Matrix_Operands")
COOPERATIVE_MATRIX_LAYOUT: Final = Section("3.2.42", "Cooperative Matrix Layout", "Cooperative_Matrix_Layout")
COOPERATIVE_MATRIX_USE: Final = Section("3.2.43", "Cooperative Matrix Use", "Cooperative_Matrix_Use")
COOPERATIVE_MATRIX_REDUCE_MODE: Final = Section("3.2.44", "Cooperative Matrix Reduce Mode", "Cooperative_Matrix_Reduce_Mode")
TENSOR_CLAMP_MODE: Final = Section("3.2.45", "Tensor Clamp Mode", "Tensor_Clamp_Mode")
TENSOR_ADDRESSING_OPERANDS: Final = Section("3.2.46", "Tensor Addressing Operands", "Tensor_Addressing_Operands")
TENSOR_OPERANDS: Final = Section("3.2.47", "Tensor Operands", "Tensor_Operands")
INITIALIZATION_MODE_QUALIFIER: Final = Section("3.2.48", "Initialization Mode Qualifier", "Initialization_Mode_Qualifier")
HOST_ACCESS_QUALIFIER: Final = Section("3.2.49", "Host Access Qualifier", "Host_Access_Qualifier")
LOAD_CACHE_CONTROL: Final = Section("3.2.50", "Load Cache Control", "Load_Cache_Control")
STORE_CACHE_CONTROL: Final = Section("3.2.51", "Store Cache Control", "Store_Cache_Control")
NAMED_MAXIMUM_NUMBER_OF_REGISTERS: Final = Section(
    "3.2.52", "Named Maximum Number of Registers", "Named_Maximum_Number_of_Registers"
)
MATRIX_MULTIPLY_ACCUMULATE_OPERANDS: Final = Section(
    "3.2.53", "Matrix Multiply Accumulate Operands", "Matrix_Multiply_Accumulate_Operands"
)
RAW_ACCESS_CHAIN_OPERANDS: Final = Section("3.2.54", "Raw Access Chain Operands", "Raw_Access_Chain_Operands")
FP_ENCODING: Final = Section("3.2.55", "FP Encoding", "FP_Encoding")
COOPERATIVE_VECTOR_MATRIX_LAYOUT: Final = Section("3.2.56", "Cooperative Vector Matrix Layout", "Cooperative_Vector_Matrix_Layout")
COOPERATIVE_VECTOR_MATRIX_COMPONENT_TYPE: Final = Section(
    "3.2.57", "Cooperative Vector Matrix Component Type", "Cooperative_Vector_Matrix_Component_Type"
)
MISCELLANEOUS_INSTRUCTIONS: Final = Section("3.3.1", "Miscellaneous Instructions", "_miscellaneous_instructions")
DEBUG_INSTRUCTIONS: Final = Section("3.3.2", "Debug Instructions", "_debug_instructions")
ANNOTATION_INSTRUCTIONS: Final = Section("3.3.3", "Annotation Instructions", "_annotation_instructions")
EXTENSION_INSTRUCTIONS: Final = Section("3.3.4", "Extension Instructions", "_extension_instructions")
MODE_SETTING_INSTRUCTIONS: Final = Section("3.3.5", "Mode-Setting Instructions", "_mode_setting_instructions")
TYPE_DECLARATION_INSTRUCTIONS: Final = Section("3.3.6", "Type-Declaration Instructions", "_type_declaration_instructions")
CONSTANT_CREATION_INSTRUCTIONS: Final = Section("3.3.7", "Constant-Creation Instructions", "_constant_creation_instructions")
MEMORY_INSTRUCTIONS: Final = Section("3.3.8", "Memory Instructions", "_memory_instructions")
FUNCTION_INSTRUCTIONS: Final = Section("3.3.9", "Function Instructions", "_function_instructions")
IMAGE_INSTRUCTIONS: Final = Section("3.3.10", "Image Instructions", "_image_instructions")
CONVERSION_INSTRUCTIONS: Final = Section("3.3.11", "Conversion Instructions", "_conversion_instructions")
COMPOSITE_INSTRUCTIONS: Final = Section("3.3.12", "Composite Instructions", "_composite_instructions")
ARITHMETIC_INSTRUCTIONS: Final = Section("3.3.13", "Arithmetic Instructions", "_arithmetic_instructions")
BIT_INSTRUCTIONS: Final = Section("3.3.14", "Bit Instructions", "_bit_instructions")
RELATIONAL_AND_LOGICAL_INSTRUCTIONS: Final = Section(
    "3.3.15", "Relational and Logical Instructions", "_relational_and_logical_instructions"
)
DERIVATIVE_INSTRUCTIONS: Final = Section("3.3.16", "Derivative Instructions", "_derivative_instructions")
CONTROL_FLOW_INSTRUCTIONS: Final = Section("3.3.17", "Control-Flow Instructions", "_control_flow_instructions")
ATOMIC_INSTRUCTIONS: Final = Section("3.3.18", "Atomic Instructions", "_atomic_instructions")
PRIMITIVE_INSTRUCTIONS: Final = Section("3.3.19", "Primitive Instructions", "_primitive_instructions")
BARRIER_INSTRUCTIONS: Final = Section("3.3.20", "Barrier Instructions", "_barrier_instructions")
GROUP_AND_SUBGROUP_INSTRUCTIONS: Final = Section("3.3.21", "Group and Subgroup Instructions", "_group_and_subgroup_instructions")
DEVICE_SIDE_ENQUEUE_INSTRUCTIONS: Final = Section("3.3.22", "Device-Side Enqueue Instructions", "_device_side_enqueue_instructions")
PIPE_INSTRUCTIONS: Final = Section("3.3.23", "Pipe Instructions", "_pipe_instructions")
NON_UNIFORM_INSTRUCTIONS: Final = Section("3.3.24", "Non-Uniform Instructions", "_non_uniform_instructions")
TENSOR_INSTRUCTIONS: Final = Section("3.3.25", "Tensor Instructions", "_tensor_instructions")
GRAPH_INSTRUCTIONS: Final = Section("3.3.26", "Graph Instructions", "_graph_instructions")
RESERVED_INSTRUCTIONS: Final = Section("3.3.27", "Reserved Instructions", "_reserved_instructions")
