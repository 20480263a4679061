" The summary of a module, as :SpirvSummary shows it
if exists("b:current_syntax")
  finish
endif

syntax match spirvSummaryTitle /^\S.*$/ contains=spirvSummaryId
syntax match spirvSummaryId /%[0-9A-Za-z_]\+/
syntax match spirvSummaryNumber /\<[0-9]\+\>/
syntax match spirvSummaryStorage /^  \%(  \)\?[A-Z][A-Za-z]*\ze  /

highlight default link spirvSummaryTitle Title
highlight default link spirvSummaryId Identifier
highlight default link spirvSummaryNumber Number
highlight default link spirvSummaryStorage Type

let b:current_syntax = "spirvsummary"
