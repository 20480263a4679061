"""Transformations of whole modules, as edits to their texts."""
