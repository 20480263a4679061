" The words of a module, as :SpirvBinary shows them
if exists("b:current_syntax")
  finish
endif

syntax match spirvWordsNote /\%>46c.*$/
syntax match spirvWordsWord /\%>10c\x\{8}/
syntax match spirvWordsOffset /^\x\{8}/
syntax match spirvWordsGap /^--------.*$/

highlight default link spirvWordsNote Comment
highlight default link spirvWordsWord Number
highlight default link spirvWordsOffset LineNr
highlight default link spirvWordsGap ErrorMsg

let b:current_syntax = "spirvwords"
