"""Tries what nobody would think of: `python -m tests.fuzz [decode|document|format|views|validate|all] [--seconds N|--count N] [--seed N]`.
`python -m tests.fuzz reference` compares with the reference tools (see `tests.fuzz.reference`).

`python -m tests.fuzz edits [--count N] [--jobs N] [--seed N]` edits tokens and lines of all fixtures, and `cycles` makes types
of themselves in them; see `tests/fuzz/edits.py` and `tests/fuzz/cycles.py`. `session [--count N] [--jobs N] [--seed N]` sends
requests to a server, see `tests/fuzz/session/session.py`, and `commands [--count N] [--jobs N] [--seed N]` runs command lines, see
`tests/fuzz/commands.py`.

Each run is drawn from its own seed, and the runs of a target have the seeds from the first on. What fails is written
aside, with the command that runs it again. Each target of `all` has a process of its own. Calls on binaries are held to
their limits of time and memory here, and nowhere else.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import traceback
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from tempfile import mkdtemp
from time import monotonic
from typing import Any

from hypothesis import Phase, given, settings

from tests.corpus import ROOT
from tests.fuzz import commands, cycles, edits
from tests.fuzz.limits import TooSlowError, can_be_held, enforced
from tests.fuzz.session import session
from tests.fuzz.targets import TARGETS, Target

DRAWN = 1 << 14
"""Octets that the choices of a run are made of; nothing is drawn that takes more."""

FAILURES = 10
"""After so many, a target stops."""

ATTEMPTS = 3
"""How often a call must take too long: other processes slow it down now and then, since they share the memory of the machine."""


class Fuzzer:
    """Runs a target, each run from a seed; `last` is what the last run drew, and None if it drew nothing whole."""

    def __init__(self, target: Target) -> None:
        self.last: Any = None

        @settings(database=None, phases=[Phase.generate], deadline=None)
        @given(target.inputs)
        def once(drawn: Any) -> None:
            self.last = drawn
            target.check(drawn)

        self._once = once.hypothesis.fuzz_one_input  # type: ignore[attr-defined]

    def run(self, seed: int) -> None:
        """Raises what the target raises; TooSlowError only if it takes too long each time."""
        for attempt in range(1, ATTEMPTS + 1):
            self.last = None
            try:
                self._once(random.Random(seed).randbytes(DRAWN))
                return
            except TooSlowError:
                if attempt == ATTEMPTS:
                    raise


def fuzz(name: str, seconds: float, first: int, most: int | None = None) -> tuple[int, int]:
    """Run a target for so long, but once at the least, or, with `most`, until so many runs drew something: how many did, and how
    many of them failed."""
    target = TARGETS[name]
    fuzzer = Fuzzer(target)
    runs = failures = 0
    end = monotonic() + seconds
    seeds = count(first)
    while True:
        seed = next(seeds)
        try:
            fuzzer.run(seed)
        except (Exception, TooSlowError):
            failures += 1
            _tell(name, target, seed, fuzzer.last)
        runs += fuzzer.last is not None
        is_over = monotonic() >= end if most is None else runs >= most
        if is_over or failures == FAILURES:
            return runs, failures


def _tell(name: str, target: Target, seed: int, drawn: Any) -> None:
    traceback.print_exc(file=sys.stdout)
    path = Path(mkdtemp(prefix="spvls-fuzz-"), f"{name}-{seed}.{target.suffix}")
    path.write_bytes(target.contents(drawn))
    print(f"{name}: seed {seed} failed; what it ran on is in {path}")
    print(f"again: python -m tests.fuzz {name} --seed {seed} --seconds 0", flush=True)


def main(arguments: Sequence[str] | None = None) -> int:
    arguments = sys.argv[1:] if arguments is None else arguments
    if arguments[:1] == ["reference"]:
        from tests.fuzz.reference import main as compare

        return compare(arguments[1:])
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("target", nargs="?", default="all", choices=[*TARGETS, "all", "edits", "cycles", "session", "commands"])
    parser.add_argument("--seconds", type=float, default=60, help="how long for each target; 0 is one run (default: 60)")
    parser.add_argument("--seed", type=int, help="that of the first run (default: another one each time)")
    parser.add_argument("--count", type=int, help="how many edits, requests, command lines (default: 10000), or runs of a target")
    parser.add_argument("--jobs", type=int, default=1, help="for edits, session and commands: processes (default: 1)")
    parser.add_argument("--replay", type=Path, help="for session: play the steps in this file instead")
    options = parser.parse_args(arguments)
    first = options.seed if options.seed is not None else random.SystemRandom().randrange(2**32)
    if options.target == "all":
        return max([_apart(name, options.seconds, first) for name in TARGETS])
    many = options.count or 10_000
    if options.target == "edits":
        return _edit(many, first, options.jobs)
    if options.target == "session":
        return session.again(options.replay) if options.replay else _converse(many, first, options.jobs)
    if options.target == "commands":
        return _command(many, first, options.jobs)
    if not can_be_held():
        print("time and memory are not limited on this system")
    with enforced():
        if options.target == "cycles":
            runs, failures = cycles.run()
        else:
            print(f"{options.target}: from seed {first}", flush=True)
            runs, failures = fuzz(options.target, options.seconds, first, options.count)
    print(f"{runs} runs, {failures} failed")
    return 1 if failures else 0


def _edit(count: int, first: int, jobs: int) -> int:
    print(f"edits: from seed {first}", flush=True)
    made, failures = edits.run(count, first, jobs, FAILURES)
    print(f"{made} edits, {len(failures)} failed")
    return 1 if failures else 0


def _converse(count: int, first: int, jobs: int) -> int:
    print(f"session: from seed {first}", flush=True)
    asked, compared, failures = session.run(count, first, jobs, FAILURES)
    print(f"{asked} requests, {compared} compared with a fresh server, {len(failures)} sessions failed")
    return 1 if failures else 0


def _command(count: int, first: int, jobs: int) -> int:
    print(f"commands: from seed {first}", flush=True)
    failures = commands.run(count, first, jobs, FAILURES)
    print(f"{count} commands, {len(failures)} failed")
    return 1 if failures else 0


def _apart(name: str, seconds: float, first: int) -> int:
    command = [sys.executable, "-m", "tests.fuzz", name, "--seconds", str(seconds), "--seed", str(first)]
    return 1 if subprocess.run(command, cwd=ROOT, check=False).returncode else 0
