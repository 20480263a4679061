; Made from highlights.scm of tree-sitter-spirv by its export.py.

; Of several captures of a word the last one counts. Some highlighters drop the whole match that an overridden capture belongs to, so
; a pattern that speaks of an opcode and other words comes after those of the opcode alone, and gives it the same capture.

(comment) @comment
(rest) @comment

(id) @variable
(enumerant) @constant.builtin
(string) @string
(unclosed_string) @string
(escape_sequence) @constant.character.escape
(integer) @constant.numeric.integer
(float) @constant.numeric.float
(literal_word) @constant.numeric

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
  result: (id)? @type
  opcode: (opcode) @type.builtin
  (#match? @type.builtin "^OpType"))

(instruction
  result: (id)? @constant
  opcode: (opcode) @keyword.storage.modifier
  (#match? @keyword.storage.modifier "^Op(Spec)?Constant"))

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
  operand: (id) @function
  (#eq? @keyword.function "OpFunctionCall"))

((opcode) @keyword.control.conditional
  (#match? @keyword.control.conditional "^Op(Label|Phi|Branch|BranchConditional|Switch|SelectionMerge|LifetimeStart|LifetimeStop)$"))

(instruction
  opcode: (opcode) @keyword.control.conditional
  .
  operand: (id) @label
  (#match? @keyword.control.conditional "^Op(Branch|SelectionMerge)$"))

(instruction
  opcode: (opcode) @keyword.control.conditional
  .
  operand: (_)
  .
  operand: [(id) @label (integer)]+
  (#match? @keyword.control.conditional "^Op(BranchConditional|Switch)$"))

((opcode) @keyword.control.repeat
  (#eq? @keyword.control.repeat "OpLoopMerge"))

(instruction
  opcode: (opcode) @keyword.control.repeat
  .
  operand: (id) @label
  .
  operand: (id) @label
  (#eq? @keyword.control.repeat "OpLoopMerge"))

((opcode) @keyword.control.return
  (#match? @keyword.control.return "^Op(Return|Kill$|Unreachable$|Terminate|IgnoreIntersectionKHR$|EmitMeshTasksEXT$|AbortKHR$|DemoteToHelperInvocation)"))

(instruction
  result: (id)? @namespace
  opcode: (opcode) @keyword.control.import
  (#eq? @keyword.control.import "OpExtInstImport"))

((opcode) @keyword.control.import
  (#match? @keyword.control.import "^Op(Capability|Extension|Conditional(Extension|Capability)INTEL)$"))

((opcode) @keyword.directive
  (#match? @keyword.directive "^Op(MemoryModel$|EntryPoint$|GraphEntryPointARM$|ConditionalEntryPointINTEL$|ExecutionMode)"))

(instruction
  opcode: (opcode) @keyword.directive
  .
  operand: (_)
  .
  operand: (id) @function
  (#eq? @keyword.directive "OpEntryPoint"))

((opcode) @keyword.directive
  (#match? @keyword.directive "^Op(Source|String$|(Member)?Name$|(No)?Line$|ModuleProcessed$)"))

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
  operand: (enumerant) @function
  (#match? @function.builtin "^OpExtInst(WithForwardRefsKHR)?$"))
