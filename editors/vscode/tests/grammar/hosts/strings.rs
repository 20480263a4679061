// SYNTAX TEST "source.rust" "assembly in strings of Rust"
const MODULE: &str = r#"
   OpName %void "name"
// ^^^^^^ meta.embedded.line.spirv keyword.other.opcode.module.spirv
//              ^^^^^^ string.quoted.double.spirv
   OpFunctionEnd"#;
// ^^^^^^^^^^^^^ keyword.control.opcode.spirv
//                ^ punctuation.semi.rust - string
const PLAIN: &str = "OpTypeVoid\n";
//                   ^^^^^^^^^^ storage.type.opcode.spirv
