"""The rules: a folder for each domain, one module a family; each registers its own by decorator."""
