"""What a module declares: header, order of sections, versions, capabilities, entry points, modes, limits."""
