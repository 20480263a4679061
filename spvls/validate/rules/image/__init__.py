"""Image types and image instructions (SPIR-V 3.3.10)."""
