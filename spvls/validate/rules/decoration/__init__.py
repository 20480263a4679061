"""Annotation instructions, and what each decoration may decorate (SPIR-V 3.2.19, 3.3.3)."""
