(function
  header: (instruction
    result: (id) @name
    opcode: (opcode) @context)) @item

(graph
  header: (instruction
    result: (id) @name
    opcode: (opcode) @context)) @item

(block
  label: (instruction
    result: (id) @name
    opcode: (opcode) @context)) @item
