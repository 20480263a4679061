" Amber scripts
if exists("b:current_syntax")
  finish
endif
call spvls#embedded#include()

syntax match amberKeyword /\<[A-Z][A-Z0-9_]\+\>/
syntax match amberType /\<\%(u\=int\|float\|double\|[biu]\=vec\|mat\)\d*\%(x\d\)\=\>/
syntax match amberNumber /\%(\w\|\.\)\@<!-\=\%(0x\x\+\|\d\+\%(\.\d\+\)\=\)\>/
syntax region amberString start=/"/ end=/"/ oneline
syntax match amberComment /#.*$/
syntax region amberShader matchgroup=amberKeyword start=/^\s*SHADER\s\+\w\+\s\+\S\+\s\+\%(GLSL\|HLSL\|SPIRV-HEX\|OPENCL-C\)\>.*$/
  \ end=/^\s*END\s*$/
syntax region amberAssembly matchgroup=amberKeyword start=/^\s*SHADER\s\+\w\+\s\+\S\+\s\+SPIRV-ASM\>.*$/ end=/\<END\>/
  \ contains=@spvlsAssembly

highlight default link amberKeyword Keyword
highlight default link amberType Type
highlight default link amberNumber Number
highlight default link amberString String
highlight default link amberComment Comment

let b:current_syntax = "amber"
