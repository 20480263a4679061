; Made from injections.scm of tree-sitter-spirv by its export.py.

; The source text of a module, in its language.

((instruction
  opcode: (opcode) @_opcode
  .
  operand: (enumerant) @_language
  operand: (string
    (string_content) @injection.content))
  (#eq? @_opcode "OpSource")
  (#any-of? @_language "GLSL" "ESSL")
  (#set! injection.language "glsl")
  (#set! injection.combined))

((instruction
  opcode: (opcode) @_opcode
  .
  operand: (enumerant) @_language
  operand: (string
    (string_content) @injection.content))
  (#eq? @_opcode "OpSource")
  (#eq? @_language "HLSL")
  (#set! injection.language "hlsl")
  (#set! injection.combined))

((instruction
  opcode: (opcode) @_opcode
  .
  operand: (enumerant) @_language
  operand: (string
    (string_content) @injection.content))
  (#eq? @_opcode "OpSource")
  (#eq? @_language "OpenCL_C")
  (#set! injection.language "c")
  (#set! injection.combined))

((instruction
  opcode: (opcode) @_opcode
  .
  operand: (enumerant) @_language
  operand: (string
    (string_content) @injection.content))
  (#eq? @_opcode "OpSource")
  (#any-of? @_language "OpenCL_CPP" "CPP_for_OpenCL" "SYCL")
  (#set! injection.language "cpp")
  (#set! injection.combined))

((instruction
  opcode: (opcode) @_opcode
  .
  operand: (enumerant) @_language
  operand: (string
    (string_content) @injection.content))
  (#eq? @_opcode "OpSource")
  (#eq? @_language "WGSL")
  (#set! injection.language "wgsl")
  (#set! injection.combined))

((instruction
  opcode: (opcode) @_opcode
  .
  operand: (enumerant) @_language
  operand: (string
    (string_content) @injection.content))
  (#eq? @_opcode "OpSource")
  (#eq? @_language "Slang")
  (#set! injection.language "slang")
  (#set! injection.combined))

; Remarks in the text, such as TODO.

((comment) @injection.content
  (#set! injection.language "comment"))
