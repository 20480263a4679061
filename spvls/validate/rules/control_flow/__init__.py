"""Functions, blocks, and the ways between them."""
