"""Variables between stages: the interface list, locations, interpolation, transform feedback, built-ins (SPIR-V 3.2.19, 3.2.20)."""
