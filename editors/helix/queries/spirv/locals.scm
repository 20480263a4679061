; Made from locals.scm of tree-sitter-spirv by its export.py.

; An id names one thing in the whole module, so there is one scope.

(source_file) @local.scope

(function
  header: (instruction
    result: (id) @local.definition.function))

(graph
  header: (instruction
    result: (id) @local.definition.function))

(block
  label: (instruction
    result: (id) @local.definition.label))

(instruction
  result: (id) @local.definition.type
  opcode: (opcode) @_opcode
  (#match? @_opcode "^OpType"))

(instruction
  result: (id) @local.definition.constant
  opcode: (opcode) @_opcode
  (#match? @_opcode "^Op(Spec)?Constant"))

(instruction
  result: (id) @local.definition.variable.parameter
  opcode: (opcode) @_opcode
  (#eq? @_opcode "OpFunctionParameter"))

(instruction
  result: (id) @local.definition.namespace
  opcode: (opcode) @_opcode
  (#eq? @_opcode "OpExtInstImport"))

(instruction
  result: (id) @local.definition.variable
  opcode: (opcode) @_opcode
  (#not-match? @_opcode "^Op(Type|(Spec)?Constant|FunctionParameter$|Function$|GraphARM$|Label$|ExtInstImport$)"))

(id) @local.reference
