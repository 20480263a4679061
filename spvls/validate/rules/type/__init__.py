"""Type declarations (SPIR-V 2.8, 3.3.6), those of images and cooperative types apart."""
