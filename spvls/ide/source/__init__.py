"""What features ask of the text: the module under edits, the words of an instruction, what a position is about."""
