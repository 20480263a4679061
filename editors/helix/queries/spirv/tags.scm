; Made from tags.scm of tree-sitter-spirv by its export.py.

(function
  header: (instruction
    result: (id) @name)) @definition.function

(graph
  header: (instruction
    result: (id) @name)) @definition.function

(instruction
  result: (id) @name
  opcode: (opcode) @_opcode
  (#match? @_opcode "^OpType")) @definition.type

(instruction
  result: (id) @name
  opcode: (opcode) @_opcode
  (#match? @_opcode "^Op(Spec)?Constant")) @definition.constant

; Variables of the module; those of functions stand in blocks.

(source_file
  (instruction
    result: (id) @name
    opcode: (opcode) @_opcode
    (#match? @_opcode "^Op(Untyped)?Variable(KHR)?$")) @definition.variable)

(instruction
  opcode: (opcode) @_opcode
  .
  operand: (_)
  .
  operand: (id)
  .
  operand: (string
    (string_content) @name)
  (#eq? @_opcode "OpEntryPoint")) @definition.interface

(instruction
  opcode: (opcode) @_opcode
  .
  operand: (id)
  .
  operand: (id) @name
  (#eq? @_opcode "OpFunctionCall")) @reference.call
