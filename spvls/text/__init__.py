"""The text of a document: its lines, edits to them, and positions in the encodings of editors."""
