"""What a module may use: capabilities, versions, extensions, deprecation, the device (SPIR-V 2.1, 2.21, 2.22, 3.2.30)."""
