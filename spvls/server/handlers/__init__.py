"""What the server answers, one module a group of features; each has `register(server)`."""
