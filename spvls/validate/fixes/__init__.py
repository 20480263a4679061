"""Quick fixes that rules offer."""
