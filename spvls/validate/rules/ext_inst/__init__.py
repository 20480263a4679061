"""Extended instruction sets: import, placement, and the operands of each set, debug information among them (SPIR-V 2.10, 3.3.4)."""
