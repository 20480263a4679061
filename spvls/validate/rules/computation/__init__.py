"""Computation of values: arithmetic, bits, conversions, composites, comparisons, derivatives (SPIR-V 2.2.3, 3.3.11 to 3.3.16)."""
