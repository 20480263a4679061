"""`python -m tests.validate.catalogue [FAMILY …]`: how the requirements of the specification are covered, by family.

Of the families that are named, or of all with `--all`, each requirement follows, with the rules that find a violation and the
cases in which they do. Open requirements are always listed.
"""

from __future__ import annotations

import argparse

from tests.validate.catalogue import all_requirements, families, table
from tests.validate.catalogue.coverage import witnesses


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.validate.catalogue")
    parser.add_argument("family", nargs="*", choices=[[], *families()], help="list the requirements of a family")
    parser.add_argument("--all", action="store_true", help="list all requirements")
    options = parser.parse_args()
    found = witnesses()
    print(table(found))
    for requirement in all_requirements():
        if options.all or requirement.family in options.family or requirement.by == "open":
            print(f"{requirement.id}: {requirement.by}: {requirement.how}")
            for witness in found.get(requirement.id, ()):
                print(f"    {witness.rule}: {witness.case}")


if __name__ == "__main__":
    main()
