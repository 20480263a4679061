"""Blocks, branches, switches, phis, structured control flow (SPIR-V 2.11, 3.3.17)."""
