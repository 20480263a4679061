"""Atomics, barriers, scopes, memory semantics, group operations (SPIR-V 3.3.18, 3.3.20, 3.3.21, 3.3.24)."""
