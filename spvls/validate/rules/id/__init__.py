"""Result ids: definition, use, dominance, and whether an id stands for a type or a value (SPIR-V 2.5.1, 2.16.1)."""
