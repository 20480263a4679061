; Of several captures of a word the last one counts. Some highlighters drop the whole match that an overridden capture belongs to, so
; a pattern that speaks of an opcode and other words comes after those of the opcode alone, and gives it the same capture.

(comment) @comment
(rest) @comment

(id) @variable
(enumerant) @constant.builtin
(string) @string
(unclosed_string) @string
(escape_sequence) @string.escape
(integer) @number
(float) @number.float
(literal_word) @constant.macro

"=" @operator
(mask "|" @operator)
(unknown_opcode ["(" ")"] @punctuation.bracket)
(unknown_opcode "," @punctuation.delimiter)
(unknown_opcode "OpUnknown" @function.builtin)

(malformed_word) @error

; Results that the structure makes known

(function
  header: (instruction
    result: (id) @function))

(graph
  header: (instruction
    result: (id) @function))

(block
  label: (instruction
    result: (id) @label))

; Opcodes, with the ids that they make known

(instruction
  result: (id)? @type.definition
  opcode: (opcode) @type.builtin
  (#match? @type.builtin "^OpType"))

(instruction
  result: (id)? @constant
  opcode: (opcode) @keyword.modifier
  (#match? @keyword.modifier "^Op(Spec)?Constant"))

(instruction
  result: (id)? @variable.parameter
  opcode: (opcode) @keyword.function
  (#eq? @keyword.function "OpFunctionParameter"))

((opcode) @keyword.function
  (#match? @keyword.function "^Op(Function|FunctionEnd|FunctionCall|GraphARM|GraphEndARM)$"))

(instruction
  opcode: (opcode) @keyword.function
  .
  operand: (_)
  .
  operand: (id) @function.call
  (#eq? @keyword.function "OpFunctionCall"))

((opcode) @keyword.conditional
  (#match? @keyword.conditional "^Op(Label|Phi|Branch|BranchConditional|Switch|SelectionMerge|LifetimeStart|LifetimeStop)$"))

(instruction
  opcode: (opcode) @keyword.conditional
  .
  operand: (id) @label
  (#match? @keyword.conditional "^Op(Branch|SelectionMerge)$"))

(instruction
  opcode: (opcode) @keyword.conditional
  .
  operand: (_)
  .
  operand: [(id) @label (integer)]+
  (#match? @keyword.conditional "^Op(BranchConditional|Switch)$"))

((opcode) @keyword.repeat
  (#eq? @keyword.repeat "OpLoopMerge"))

(instruction
  opcode: (opcode) @keyword.repeat
  .
  operand: (id) @label
  .
  operand: (id) @label
  (#eq? @keyword.repeat "OpLoopMerge"))

((opcode) @keyword.return
  (#match? @keyword.return "^Op(Return|Kill$|Unreachable$|Terminate|IgnoreIntersectionKHR$|EmitMeshTasksEXT$|AbortKHR$|DemoteToHelperInvocation)"))

(instruction
  result: (id)? @module
  opcode: (opcode) @keyword.import
  (#eq? @keyword.import "OpExtInstImport"))

((opcode) @keyword.import
  (#match? @keyword.import "^Op(Capability|Extension|Conditional(Extension|Capability)INTEL)$"))

((opcode) @keyword.directive
  (#match? @keyword.directive "^Op(MemoryModel$|EntryPoint$|GraphEntryPointARM$|ConditionalEntryPointINTEL$|ExecutionMode)"))

(instruction
  opcode: (opcode) @keyword.directive
  .
  operand: (_)
  .
  operand: (id) @function
  (#eq? @keyword.directive "OpEntryPoint"))

((opcode) @keyword.debug
  (#match? @keyword.debug "^Op(Source|String$|(Member)?Name$|(No)?Line$|ModuleProcessed$)"))

((opcode) @attribute
  (#match? @attribute "^Op((Member)?Decorate|DecorationGroup$|Group(Member)?Decorate$)"))

((opcode) @function.builtin
  (#not-match? @function.builtin "^Op(Type|Constant|SpecConstant|Function$|FunctionParameter$|FunctionEnd$|FunctionCall$|GraphARM$|GraphEndARM$|GraphEntryPointARM$|Label$|Phi$|Branch$|BranchConditional$|Switch$|LoopMerge$|SelectionMerge$|LifetimeStart$|LifetimeStop$|Return|Kill$|Unreachable$|Terminate|IgnoreIntersectionKHR$|EmitMeshTasksEXT$|AbortKHR$|DemoteToHelperInvocation|Capability$|ConditionalExtensionINTEL$|ConditionalEntryPointINTEL$|ConditionalCapabilityINTEL$|Extension$|ExtInstImport$|MemoryModel$|EntryPoint$|ExecutionMode|Source|String$|Name$|MemberName$|Line$|NoLine$|ModuleProcessed$|Decorate|MemberDecorate|DecorationGroup$|GroupDecorate$|GroupMemberDecorate$)"))

; The name of an extended instruction comes after its type and its set.

(instruction
  opcode: (opcode) @function.builtin
  .
  operand: (_)
  .
  operand: (_)
  .
  operand: (enumerant) @function.call
  (#match? @function.builtin "^OpExtInst(WithForwardRefsKHR)?$"))
