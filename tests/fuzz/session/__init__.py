"""Sessions of clients: random messages to a server, and what has to hold of its answers."""
