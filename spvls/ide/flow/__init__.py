"""Control flow as a graph, and its drawings."""
