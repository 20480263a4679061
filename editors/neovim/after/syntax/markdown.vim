" SPIR-V assembly in fenced code
call spvls#embedded#include()
syntax region spvlsFence matchgroup=markdownCodeDelimiter
  \ start="^[ \t>]*\z(```\+\|\~\~\~\+\)\s*{\=\.\=\c\%(spirv\|spvasm\|spir-v\|spirv-asm\)\>[^`]*$"
  \ end="^[ \t>]*\z1\+\s*$" keepend contains=@spvlsAssembly
