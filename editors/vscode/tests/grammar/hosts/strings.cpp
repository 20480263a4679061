// SYNTAX TEST "source.cpp" "assembly in strings of C++"
const char *kRaw = R"spirv(OpCapability Shader
//                         ^^^^^^^^^^^^ meta.embedded.line.spirv keyword.other.opcode.module.spirv
   %void = OpTypeVoid ; remark
// ^^^^^ meta.embedded.line.spirv entity.name.variable.result.spirv
//         ^^^^^^^^^^ storage.type.opcode.spirv
//                    ^^^^^^^^ comment.line.semicolon.spirv
   OpName %void "a (name)"
//              ^^^^^^^^^^ meta.embedded.line.spirv string.quoted.double.spirv
not an instruction
// <- string.quoted.double.raw.spirv - meta.embedded
   OpFunctionEnd)spirv";
// ^^^^^^^^^^^^^ keyword.control.opcode.spirv
//                    ^ - meta.embedded.line.spirv
const char *kLines = "OpEntryPoint GLCompute %main \"main\"\n"
//                    ^^^^^^^^^^^^ keyword.other.opcode.module.spirv
//                                           ^^^^^ variable.other.id.spirv
//                                                 ^^^^^^^^ string.quoted.double.spirv
//                                                         ^^ constant.character.escape.cpp
                     "; a remark\n";
//                    ^^^^^^^^^^ comment.line.semicolon.spirv
int Op = Fail("OpTypeVoid must not be used here") + 1;
//             ^^^^^^^^^^ string.quoted.double.cpp - meta.embedded.line.spirv
