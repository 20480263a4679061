"""Types, and constants of them."""
