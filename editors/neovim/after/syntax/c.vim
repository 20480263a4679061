" SPIR-V assembly in strings of c
call spvls#embedded#strings('', 'cString,cCppString')
