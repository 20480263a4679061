"""Access chains, logical and variable pointers, comparison and conversion of pointers (SPIR-V 2.16.1, 3.3.8, 3.3.11)."""
