"""Instructions that make values of values."""
