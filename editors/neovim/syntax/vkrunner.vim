" Shader tests of VkRunner
if exists("b:current_syntax")
  finish
endif
call spvls#embedded#include()

syntax match vkrunnerComment /#.*$/
syntax match vkrunnerNumber /\%(\w\|\.\)\@<!-\=\%(0x\x\+\|\d\+\%(\.\d\+\)\=\)\>/
syntax match vkrunnerKeyword /^\s*\%(draw\|compute\|clear\|probe\|tolerance\|relative\|ssbo\|ubo\|push\|uniform\|patch\)\>/
syntax match vkrunnerSection /^\[[A-Za-z0-9_ ]\+\]/
syntax region vkrunnerShader matchgroup=vkrunnerSection start=/^\[[A-Za-z0-9_ ]\+ shader\]/ end=/^\ze\[/
syntax region vkrunnerAssembly matchgroup=vkrunnerSection start=/^\[[A-Za-z0-9_ ]\+ shader spirv\]/ end=/^\ze\[/
  \ contains=@spvlsAssembly

highlight default link vkrunnerComment Comment
highlight default link vkrunnerNumber Number
highlight default link vkrunnerKeyword Keyword
highlight default link vkrunnerSection Title

let b:current_syntax = "vkrunner"
