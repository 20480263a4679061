# SYNTAX TEST "source.python" "assembly in strings of Python"
MODULE = """
   %void = OpTypeVoid
#  ^^^^^ meta.embedded.line.spirv entity.name.variable.result.spirv
   OpName %void "name"
#  ^^^^^^ keyword.other.opcode.module.spirv
#               ^^^^^^ string.quoted.double.spirv
   OpFunctionEnd"""
#  ^^^^^^^^^^^^^ keyword.control.opcode.spirv
after = 1
#^^^^ - string
