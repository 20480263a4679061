"""Text to instructions: the scanner, the operands, the incremental document."""
