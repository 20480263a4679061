"""The binary words of an open text."""
