"""OpEntryPoint and its execution modes, workgroup size among them (SPIR-V 2.6, 2.7, 3.2.5, 3.3.5)."""
