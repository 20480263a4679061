"""What pages of rules are made of that nobody writes: examples from fixtures, fixes, options and VUIDs from the code."""
