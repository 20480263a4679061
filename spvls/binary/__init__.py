"""Words: instructions to a binary module, and a binary module to instructions and text."""
