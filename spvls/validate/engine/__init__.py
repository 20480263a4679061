"""What runs the rules: the registry, the checker, findings and their report."""
