"""Extended instruction sets."""
