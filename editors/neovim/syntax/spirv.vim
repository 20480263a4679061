" SPIR-V assembly
if exists("b:current_syntax")
  finish
endif

syntax case match

" Words of the text, the least specific first: a later match at the same place wins.
syntax match spirvEnumerant /\<[A-Za-z_]\w*\>/
syntax match spirvEnumerant /\<[123]D\w*\>/
syntax match spirvOpcode /\<Op[A-Z]\w*\>/
syntax match spirvType /\<OpType[A-Z]\w*\>/
syntax match spirvConstant /\<Op\(Spec\)\?Constant\w*\>/
syntax match spirvControl /\<Op\(Phi\|LoopMerge\|SelectionMerge\|Label\|Branch\|BranchConditional\|Switch\|Kill\)\>/
syntax match spirvControl /\<Op\(Return\|ReturnValue\|Unreachable\|Terminate\w*\|IgnoreIntersection\u*\|AbortKHR\)\>/
syntax match spirvControl /\<Op\(DemoteToHelperInvocation\|EmitMeshTasksEXT\|LifetimeStart\|LifetimeStop\)\>/
syntax match spirvControl /\<Op\(Function\|FunctionParameter\|FunctionEnd\|FunctionCall\)\>/
syntax match spirvModule /\<Op\(Capability\|Extension\|ExtInstImport\|MemoryModel\|EntryPoint\|ExecutionMode\|ExecutionModeId\)\>/
syntax match spirvModule /\<OpConditional\(Extension\|EntryPoint\|Capability\)INTEL\>/
syntax match spirvModule /\<Op\(Source\|SourceContinued\|SourceExtension\|Name\|MemberName\|String\|Line\|NoLine\|ModuleProcessed\)\>/
syntax match spirvModule /\<Op\(Decorate\|MemberDecorate\|DecorationGroup\|GroupDecorate\|GroupMemberDecorate\)\w*\>/
syntax match spirvUnknown /\<OpUnknown\ze\_s*(/

syntax match spirvOperator /[=|]/
syntax match spirvNumber /\(\w\)\@1<![-+]\?\d\+\(\.\d*\)\?\([eE][-+]\?\d\+\)\?\(\w\)\@!/
syntax match spirvNumber /\(\w\)\@1<![-+]\?\.\d\+\([eE][-+]\?\d\+\)\?\(\w\)\@!/
syntax match spirvNumber /\(\w\)\@1<![-+]\?0[xX]\x\+\(\w\)\@!/
syntax match spirvNumber /\(\w\)\@1<![-+]\?0x\(\x\+\.\?\x*\|\.\x\+\)p[-+]\?\d\+\(\w\)\@!/
syntax match spirvRawWord /!+\?\(0[xX]\x\+\|\d\+\)\>/

syntax match spirvId /%\w\+/
syntax match spirvResult /%\w\+\ze\s*=/

syntax match spirvEscape /\\./ contained
syntax region spirvString start=/"/ skip=/\\./ end=/"/ contains=spirvEscape

syntax match spirvComment /;.*$/ contains=spirvTodo,@Spell
syntax match spirvHeader /^\s*;\s*SPIR-V\s*$/
syntax match spirvHeader /^\s*;\s*\(Version\|Generator\|Bound\|Schema\):.*$/
syntax match spirvHeader /^\s*;\s*spvls:.*$/
syntax keyword spirvTodo TODO FIXME XXX contained

" A string or a comment may begin many lines above.
syntax sync fromstart

highlight default link spirvEnumerant Constant
highlight default link spirvOpcode Function
highlight default link spirvType Type
highlight default link spirvConstant StorageClass
highlight default link spirvControl Statement
highlight default link spirvModule PreProc
highlight default link spirvUnknown Special
highlight default link spirvOperator Operator
highlight default link spirvNumber Number
highlight default link spirvRawWord Special
highlight default link spirvId Identifier
highlight default link spirvResult Identifier
highlight default link spirvString String
highlight default link spirvEscape SpecialChar
highlight default link spirvComment Comment
highlight default link spirvHeader SpecialComment
highlight default link spirvTodo Todo

let b:current_syntax = "spirv"
