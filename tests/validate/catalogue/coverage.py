"""Which cases violate which requirements, by the marks of the cases."""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

from tests.validate.cases import case_files, marks, read_cases


class Witness(NamedTuple):
    """A finding that is marked as the violation of a requirement: its rule, and the name of its case."""

    rule: str
    case: str


def witnesses() -> dict[str, list[Witness]]:
    """The witnesses of each requirement that marks name."""
    found: dict[str, list[Witness]] = defaultdict(list)
    for path in case_files():
        for case in read_cases(path):
            for mark, requirements in marks(case.text).items():
                for requirement in requirements:
                    found[requirement].append(Witness(mark.rule, case.name))
    return dict(found)
