"""Sessions of clients: `python -m tests.fuzz session --count N [--jobs N] [--seed N]`.

A session is drawn from its seed: some client opens, edits and closes documents of every sort, changes settings, and sends all
requests that the server handles, some of them malformed, given up, or one on the other's heels. A share of the answers is held
against those of a fresh server that opens the same texts. No request stays without an answer, none fails inside the server,
nothing takes long, and no file outside of the folder is written.

What fails is made smaller, and written to a file that `python -m tests.fuzz session --replay FILE` plays again.
"""

from __future__ import annotations

import asyncio
import json
import logging
import random
import shutil
import traceback
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp
from time import monotonic
from typing import TypeVar

from spvls.server.protocol import Protocol
from tests.fuzz.limits import TooSlowError, enforced
from tests.fuzz.session.author import Author
from tests.fuzz.session.player import Fault, Player, Step
from tests.fuzz.session.workspace import FOLDER, Workspace, new_root

LIMITED = 0.2
"""How many sessions are those of a server that reaches its folder alone."""

SHRINKING = 60.0
"""Seconds that it may take to make a failing session smaller."""

_ROUNDS_OF_A_JOB = 4

SLOW = "slow"
"""What the message about a step begins with that takes too long."""

Part = TypeVar("Part")


@dataclass(frozen=True, slots=True)
class Failure:
    """A session that went wrong, and how; `path` is the file with its steps."""

    seed: int
    message: str
    path: Path
    steps: int

    def __str__(self) -> str:
        return (
            f"session: seed {self.seed} failed: {self.message}\n"
            f"again, {self.steps} steps: python -m tests.fuzz session --replay {self.path}"
        )


@dataclass(frozen=True, slots=True)
class Outcome:
    asked: int
    compared: int
    message: str | None
    steps: list[Step]


def round_of(seed: int, root: Path) -> Outcome:
    """Play the session of a seed in a folder."""
    chance = random.Random(seed)
    workspace = Workspace(root, chance.random() < LIMITED)
    played: list[Step] = []

    def recorded(player: Player) -> Iterator[Step]:
        for step in Author(chance, player, workspace).steps():
            played.append(step)
            yield step

    return _played(workspace, recorded, played)


def replay(steps: Sequence[Step], root: Path, *, limited: bool) -> Outcome:
    """Play steps that were recorded."""
    return _played(Workspace(root, limited), lambda _player: iter(steps), list(steps))


def _played(workspace: Workspace, steps: Callable[[Player], Iterator[Step]], played: list[Step]) -> Outcome:
    workspace.fill()
    player = None
    message = None

    async def play() -> None:
        nonlocal player
        player = Player(workspace)
        await player.play(steps(player))

    quiet = [logging.getLogger(name) for name in ("pygls", "spvls")]
    before = [log.propagate for log in quiet]
    try:
        with enforced():
            asyncio.run(play())
    except Fault as fault:
        message = str(fault)
    except TooSlowError as error:
        message = f"{SLOW}: {error}"
    except Exception as error:
        message = f"raised: {error!r}\n{traceback.format_exc()}"
    finally:
        for log, value in zip(quiet, before, strict=True):
            log.propagate = value
        # pygls keeps servers in the caches of these methods
        Protocol.get_message_type.cache_clear()
        Protocol.get_result_type.cache_clear()
    return Outcome(player.asked if player else 0, player.compared if player else 0, message, played)


def _is_seen_again(found: Outcome, root: Path, limited: bool) -> bool:
    """Whether a session that took too long does so again: other processes slow a step down now and then."""
    if found.message is None or not found.message.startswith(SLOW):
        return True
    return replay(found.steps, root, limited=limited).message is not None


def smaller(steps: list[Step], message: str, root: Path, limited: bool) -> list[Step]:
    """Steps without those that the failure does not need."""
    end = monotonic() + SHRINKING
    kind = message.split(maxsplit=2)[:2]

    def fails(candidate: list[Step]) -> bool:
        found = replay(candidate, root, limited=limited).message
        return found is not None and found.split(maxsplit=2)[:2] == kind

    def without(parts: list[Part], whole: Callable[[list[Part]], list[Step]]) -> list[Part]:
        """As few parts as make it fail."""
        size = len(parts)
        while size and monotonic() < end:
            at = 0
            while at < len(parts) and monotonic() < end:
                candidate = parts[:at] + parts[at + size :]
                if fails(whole(candidate)):
                    parts = candidate
                else:
                    at += size
            size //= 2
        return parts

    if len(steps) < 2 or not fails(steps):
        return steps
    first, *between, last = steps
    quiet = [step._replace(compared=False) for step in between]
    if fails([first, *quiet, last]):
        between = quiet
    without_requests = [step._replace(messages=[one for one in step.messages if not one.is_request]) for step in between]
    if fails([first, *without_requests, last]):
        between = without_requests
    between = without(between, lambda parts: [first, *parts, last])
    last = last._replace(messages=without(last.messages, lambda parts: [first, *between, last._replace(messages=parts)]))
    for at in range(len(between)):
        before, step, after = between[:at], between[at], between[at + 1 :]
        messages = without(step.messages, lambda parts: [first, *before, step._replace(messages=parts), *after, last])  # noqa: B023
        between = [*before, step._replace(messages=messages), *after]
    return [first, *between, last]


def _saved(steps: list[Step], limited: bool, root: Path) -> Path:
    path = Path(mkdtemp(prefix="spvls-fuzz-"), "session.jsonl")
    lines = [json.dumps({"limited": limited}), *(json.dumps(step.to_json()) for step in steps)]
    text = "".join(f"{line}\n" for line in lines)
    path.write_text(text.replace(str(Workspace(root).folder), FOLDER))
    return path


def again(path: Path) -> int:
    """Play a file of steps; the exit code."""
    first, *rest = path.read_text().splitlines()
    root = new_root()
    try:
        found = replay([Step.of(json.loads(line)) for line in rest], root, limited=json.loads(first)["limited"])
    finally:
        shutil.rmtree(root, ignore_errors=True)
    print(found.message or "nothing is wrong")
    return 1 if found.message else 0


def _rounds(seeds: Sequence[int], most: int) -> tuple[int, int, list[Failure]]:
    asked = compared = 0
    failures = []
    root = new_root()
    logging.getLogger().addHandler(logging.NullHandler())
    try:
        for seed in seeds:
            found = round_of(seed, root)
            asked += found.asked
            compared += found.compared
            limited = random.Random(seed).random() < LIMITED
            if found.message is not None and _is_seen_again(found, root, limited):
                steps = smaller(found.steps, found.message, root, limited)
                failures.append(Failure(seed, found.message, _saved(steps, limited, root), len(steps)))
                if len(failures) >= most:
                    break
    finally:
        shutil.rmtree(root, ignore_errors=True)
    return asked, compared, failures


def run(count: int, first: int, jobs: int, most: int) -> tuple[int, int, list[Failure]]:
    """Send `count` requests in sessions with the seeds from `first` on: how many were sent, how many answers were compared,
    and what failed. It stops after `most` failures."""
    asked = compared = 0
    failures: list[Failure] = []
    seed = first
    with ProcessPoolExecutor(jobs) as pool:
        running: set[Future[tuple[int, int, list[Failure]]]] = set()
        while running or (asked < count and len(failures) < most):
            while len(running) < jobs and asked < count and len(failures) < most:
                running.add(pool.submit(_rounds, range(seed, seed + _ROUNDS_OF_A_JOB), most))
                seed += _ROUNDS_OF_A_JOB
            done = next(as_completed(running))
            running.remove(done)
            more, same, failed = done.result()
            asked += more
            compared += same
            for failure in failed:
                print(f"{failure}\n", flush=True)
            failures += failed
    return asked, compared, failures
