" SPIR-V assembly in strings of rust
call spvls#embedded#strings('rustString', '')
