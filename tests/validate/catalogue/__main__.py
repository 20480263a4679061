"""`python -m tests.validate.catalogue`: how the requirements of the specification are covered, by family; then the open ones."""

from __future__ import annotations

from tests.validate.catalogue import all_requirements, table

if __name__ == "__main__":
    print(table())
    for requirement in all_requirements():
        if requirement.by == "open":
            print(f"open: {requirement.id}: {requirement.how}")
