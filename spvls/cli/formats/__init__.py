"""How findings are written: one module a format."""
