"""Instructions that only some execution models may reach: geometry, mesh, ray tracing, kernels (SPIR-V 3.2.2)."""
