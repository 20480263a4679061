"""What is shown of entries, ids and literals, and the examples."""
