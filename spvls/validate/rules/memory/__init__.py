"""Variables, pointers, and what goes through them."""
