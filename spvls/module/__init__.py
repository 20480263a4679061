"""What the instructions of a module mean together: ids, types, constants, decorations, functions, control flow."""
