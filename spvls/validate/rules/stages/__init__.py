"""What belongs to some stages alone: geometry, meshes, rays, pipes, kernels that enqueue kernels."""
