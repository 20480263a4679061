" Highlighting of SPIR-V assembly in files of other languages.

" Makes the cluster @spvlsAssembly.
function! spvls#embedded#include() abort
  let l:language = get(b:, 'current_syntax', '')
  unlet! b:current_syntax
  syntax include @spvlsAssembly syntax/spirv.vim
  if !empty(l:language)
    let b:current_syntax = l:language
  endif
  syntax case match
endfunction

let s:code = '\s*\%(%\w\+\s*=\s*\)\=Op\u\w*\>'
" Where a literal ends that an instruction is the last line of.
let s:end = '\ze\%()\w*"[[:space:];,)}]*$\|"#\+\|"""\|' . "'''" . '\|"[;,)]\|$\)'

" Highlights lines of literals over several lines, which are of the groups `long`, and literals that are a line, of `plain`.
function! spvls#embedded#strings(long, plain) abort
  call spvls#embedded#include()
  if !empty(a:long)
    let l:in = ' contained containedin=' . a:long . ' contains=@spvlsAssembly'
    execute 'syntax match spvlsLine `^' . s:code . '\%([^"]\|"[^"]*"\)\{-}' . s:end . '`' . l:in
    execute 'syntax match spvlsLine `\%((\|#"\|"""\)\zs' . s:code . '\%([^"]\|"[^"]*"\)\{-}' . s:end . '`' . l:in
    execute 'syntax match spvlsLine `^\s*;.\{-}' . s:end . '`' . l:in
  endif
  if !empty(a:plain)
    let l:in = ' contained containedin=' . a:plain . ' contains=@spvlsAssembly'
    execute 'syntax match spvlsLine `"\zs' . s:code . '\%([^"\\]\|\\["\\]\)*\ze\\n"`' . l:in
  endif
endfunction
