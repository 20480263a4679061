; extends

; SPIR-V assembly in strings, by what the text holds

((string
  (string_content) @injection.content)
  (#match? @injection.content "OpMemoryModel\\s|OpCapability\\s|; SPIR-V")
  (#set! injection.language "spirv"))
