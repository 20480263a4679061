"""What an entry point exchanges with the world: interfaces, locations, built-ins, captured outputs."""
