"""Decorations: what they may stand at, what they ask of it, and the explicit layout that they give to memory."""
