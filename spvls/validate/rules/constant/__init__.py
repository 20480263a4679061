"""Constants, null, undef, specialization (SPIR-V 2.12, 3.3.7)."""
