" Control flow, as :SpirvCfg shows it
if exists("b:current_syntax")
  finish
endif

syntax match spirvFlowFrame /^\%(│ \)*[┌└]\?/
syntax match spirvFlowConstruct /┌ .*$/ contains=spirvFlowFrame,spirvFlowId
syntax match spirvFlowId /%[0-9A-Za-z_]\+/
syntax match spirvFlowTrue /\<true\>\ze \+[→↩]/
syntax match spirvFlowFalse /\<false\>\ze \+[→↩]/
syntax match spirvFlowBack /↩.*$/ contains=spirvFlowId
syntax match spirvFlowExit /\<Op[A-Z][A-Za-z]*/

highlight default link spirvFlowFrame Comment
highlight default link spirvFlowConstruct Statement
highlight default link spirvFlowId Identifier
highlight default link spirvFlowTrue String
highlight default link spirvFlowFalse WarningMsg
highlight default link spirvFlowBack Special
highlight default link spirvFlowExit Keyword

let b:current_syntax = "spirvflow"
