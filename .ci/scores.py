"""Holds scores against the floors of `floors.json`: `python scores.py SCORES`, a list of objects with a `kind` each.

Exits with 1 when a score is below its floor, or above what it may be `at_most`; tells which bounds can be tightened.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

#: How far a score may be above its floor before that is worth a word, in per cent.
SLACK = 0.1


def main() -> int:
    scores = {entry["kind"]: entry for entry in json.loads(Path(sys.argv[1]).read_text())}
    floors = json.loads(Path(__file__).with_name("floors.json").read_text())
    below = 0
    for kind, bounds in floors.items():
        for name, floor in bounds["at_least"].items():
            score = scores[kind][name]
            if score < floor:
                below += 1
                print(f"{kind}: {name} is {score}, below its floor of {floor}")
            elif score > floor + SLACK:
                print(f"{kind}: {name} is {score}; its floor of {floor} can be raised")
        for name, ceiling in bounds.get("at_most", {}).items():
            score = scores[kind][name]
            if score > ceiling:
                below += 1
                print(f"{kind}: {name} is {score}, above the {ceiling} that it may be")
            elif score < ceiling:
                print(f"{kind}: {name} is {score}; the {ceiling} that it may be can be lowered")
    return 1 if below else 0


if __name__ == "__main__":
    sys.exit(main())
