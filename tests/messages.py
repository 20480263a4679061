"""All messages of the validator, as the cases of its tests have them: `python -m tests.messages` prints them, a rule below another.

To be read in one go, side by side. Of messages that differ in ids, numbers or types alone, the first is listed.
"""

from __future__ import annotations

import re
from collections import defaultdict

from tests.validate.cases import case_files, diagnose, read_cases

_SAME = re.compile(r"%[\w.]+(\{[^}]*\})?|\"[^\"]*\"|\b(0x)?\d[\da-f.]*\b|\b(vec\d|mat\dx\d|ptr|array|tensor)<[^ ]*>|\b[iuf]\d+\b")


def messages() -> dict[str, list[str]]:
    """The messages of findings and of their notes by rule, in the order of the rules."""
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for path in case_files():
        for case in read_cases(path):
            for diagnostic in diagnose(case.text):
                said = (diagnostic.message, *(related.message for related in diagnostic.related))
                for message in said:
                    found[diagnostic.rule].setdefault(_SAME.sub("·", message), message)
    return {rule: list(found[rule].values()) for rule in sorted(found)}


if __name__ == "__main__":
    for rule, listed in messages().items():
        print(rule, *(f"    {message}" for message in listed), sep="\n")
