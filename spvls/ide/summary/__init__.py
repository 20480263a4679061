"""What a module is and offers."""
