"""The rules, one module a family; each registers its own by decorator."""
