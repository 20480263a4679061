" SPIR-V assembly in strings of python
call spvls#embedded#strings('pythonString,pythonRawString,pythonFString', '')
