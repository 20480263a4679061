; extends

; SPIR-V assembly in raw strings, by the delimiter, as in R"spirv(…)spirv", or by what the text holds

((raw_string_literal
  delimiter: (raw_string_delimiter) @_delimiter
  (raw_string_content) @injection.content)
  (#any-of? @_delimiter "spirv" "spvasm")
  (#set! injection.language "spirv"))

((raw_string_literal
  (raw_string_content) @injection.content)
  (#match? @injection.content "OpMemoryModel\\s|OpCapability\\s|; SPIR-V")
  (#set! injection.language "spirv"))
