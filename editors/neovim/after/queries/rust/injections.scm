; extends

; SPIR-V assembly in raw strings, by what the text holds

((raw_string_literal
  (string_content) @injection.content)
  (#match? @injection.content "OpMemoryModel\\s|OpCapability\\s|; SPIR-V")
  (#set! injection.language "spirv"))
