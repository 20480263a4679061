; Made from folds.scm of tree-sitter-spirv by its export.py.

[
  (function)
  (graph)
  (block)
  (string)
] @fold
