"""Function definitions, calls, results, linkage (SPIR-V 2.9, 2.13, 3.3.9)."""
