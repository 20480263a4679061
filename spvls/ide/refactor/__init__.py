"""Refactorings: edits that a user may want, and that leave a valid module valid."""
