"""The module as a whole: header, order of its sections, memory model, literals, debug instructions (SPIR-V 2.3, 2.4, 3.3.2)."""
