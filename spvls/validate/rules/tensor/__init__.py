"""Cooperative matrices and vectors, tensors, tensor addressing, graphs (SPIR-V 3.3.25, 3.3.26 and extensions)."""
