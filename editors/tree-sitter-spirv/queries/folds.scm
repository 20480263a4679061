[
  (function)
  (graph)
  (block)
  (string)
] @fold
