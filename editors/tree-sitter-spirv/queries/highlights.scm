; No word has two captures, so the result does not depend on which pattern an editor prefers.

(comment) @comment
(rest) @comment

; Instructions

((opcode) @function.builtin
  (#not-match? @function.builtin "^Op(Type|(Spec)?Constant|Function(Parameter|End|Call)?$|Label$|Phi$|Branch|Switch$|(Loop|Selection)Merge$|Return|Kill$|Unreachable$|Terminate|IgnoreIntersectionKHR$|EmitMeshTasksEXT$|AbortKHR$|DemoteToHelperInvocation|Lifetime|Graph(ARM|EndARM|EntryPointARM)$|Capability|Conditional(Extension|EntryPoint|Capability)INTEL$|Extension$|ExtInstImport$|MemoryModel$|EntryPoint$|ExecutionMode|Source|String$|(Member)?Name$|(No)?Line$|ModuleProcessed$|(Member)?Decorate|DecorationGroup$|Group(Member)?Decorate$)"))

((opcode) @type.builtin
  (#match? @type.builtin "^OpType"))

((opcode) @keyword.modifier
  (#match? @keyword.modifier "^Op(Spec)?Constant"))

((opcode) @keyword.function
  (#match? @keyword.function "^Op(Function(Parameter|End|Call)?|Graph(ARM|EndARM))$"))

((opcode) @keyword.conditional
  (#match? @keyword.conditional "^Op(Label$|Phi$|Branch|Switch$|SelectionMerge$|Lifetime)"))

((opcode) @keyword.repeat
  (#eq? @keyword.repeat "OpLoopMerge"))

((opcode) @keyword.return
  (#match? @keyword.return "^Op(Return|Kill$|Unreachable$|Terminate|IgnoreIntersectionKHR$|EmitMeshTasksEXT$|AbortKHR$|DemoteToHelperInvocation)"))

((opcode) @keyword.import
  (#match? @keyword.import "^Op(Capability$|Extension$|ExtInstImport$|Conditional(Extension|Capability)INTEL$)"))

((opcode) @keyword.directive
  (#match? @keyword.directive "^Op(MemoryModel$|EntryPoint$|GraphEntryPointARM$|ConditionalEntryPointINTEL$|ExecutionMode)"))

((opcode) @keyword.debug
  (#match? @keyword.debug "^Op(Source|String$|(Member)?Name$|(No)?Line$|ModuleProcessed$)"))

((opcode) @attribute
  (#match? @attribute "^Op((Member)?Decorate|DecorationGroup$|Group(Member)?Decorate$)"))

(unknown_opcode "OpUnknown" @function.builtin)

; Results

(function
  header: (instruction
    result: (id) @function))

(graph
  header: (instruction
    result: (id) @function))

(block
  label: (instruction
    result: (id) @label))

(instruction
  result: (id) @type.definition
  opcode: (opcode) @_opcode
  (#match? @_opcode "^OpType"))

(instruction
  result: (id) @constant
  opcode: (opcode) @_opcode
  (#match? @_opcode "^Op(Spec)?Constant"))

(instruction
  result: (id) @variable.parameter
  opcode: (opcode) @_opcode
  (#eq? @_opcode "OpFunctionParameter"))

(instruction
  result: (id) @module
  opcode: (opcode) @_opcode
  (#eq? @_opcode "OpExtInstImport"))

(instruction
  result: (id) @variable
  opcode: (opcode) @_opcode
  (#not-match? @_opcode "^Op(Type|(Spec)?Constant|FunctionParameter$|Function$|GraphARM$|Label$|ExtInstImport$)"))

(incomplete_instruction
  result: (id) @variable)

; Operands

(instruction
  opcode: (opcode) @_opcode
  operand: (id) @variable
  (#not-match? @_opcode "^Op(Branch|BranchConditional|Switch|LoopMerge|SelectionMerge|FunctionCall|EntryPoint)$"))

(instruction
  opcode: (unknown_opcode)
  operand: (id) @variable)

(incomplete_instruction
  operand: (id) @variable)

(literal_instruction
  operand: (id) @variable)

(stray_words
  operand: (id) @variable)

(instruction
  opcode: (opcode) @_opcode
  operand: (id) @label
  (#match? @_opcode "^Op(Branch|LoopMerge|SelectionMerge)$"))

(instruction
  opcode: (opcode) @_opcode
  .
  operand: (id) @variable
  (#match? @_opcode "^Op(BranchConditional|Switch)$"))

(instruction
  opcode: (opcode) @_opcode
  operand: (_)
  .
  operand: (id) @label
  (#match? @_opcode "^Op(BranchConditional|Switch)$"))

(instruction
  opcode: (opcode) @_opcode
  .
  operand: (id) @variable
  (#eq? @_opcode "OpFunctionCall"))

(instruction
  opcode: (opcode) @_opcode
  .
  operand: (_)
  .
  operand: (id) @function.call
  (#eq? @_opcode "OpFunctionCall"))

(instruction
  opcode: (opcode) @_opcode
  .
  operand: (_)
  .
  operand: (_)
  operand: (id) @variable
  (#eq? @_opcode "OpFunctionCall"))

(instruction
  opcode: (opcode) @_opcode
  .
  operand: (_)
  .
  operand: (id) @function
  (#eq? @_opcode "OpEntryPoint"))

(instruction
  opcode: (opcode) @_opcode
  operand: (string)
  operand: (id) @variable
  (#eq? @_opcode "OpEntryPoint"))

(instruction
  opcode: (opcode) @_opcode
  operand: (enumerant) @constant.builtin
  (#not-match? @_opcode "^OpExtInst"))

; The name of an extended instruction, after its set

(instruction
  opcode: (opcode) @_opcode
  operand: (enumerant) @function.call
  (#match? @_opcode "^OpExtInst"))

(instruction
  opcode: (unknown_opcode)
  operand: (enumerant) @constant.builtin)

(incomplete_instruction
  operand: (enumerant) @constant.builtin)

(literal_instruction
  operand: (enumerant) @constant.builtin)

(stray_words
  operand: (enumerant) @constant.builtin)

(mask
  (enumerant) @constant.builtin)

; Literals

(string) @string
(unclosed_string) @string
(escape_sequence) @string.escape
(integer) @number
(float) @number.float
(literal_word) @constant.macro

; Marks

"=" @operator
(mask "|" @operator)
(unknown_opcode ["(" ")"] @punctuation.bracket)
(unknown_opcode "," @punctuation.delimiter)

(malformed_word) @error
