"""Cooperative matrices and vectors, tensors, graphs."""
