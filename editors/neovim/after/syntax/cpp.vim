" SPIR-V assembly in strings of cpp
call spvls#embedded#strings('cppRawString', 'cString,cCppString,cppString')
