"""Variables and their storage classes, loads, stores, copies, memory operands (SPIR-V 2.18, 3.2.6, 3.2.25, 3.3.8)."""
