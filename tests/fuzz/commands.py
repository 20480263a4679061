"""Hostile command lines: `python -m tests.fuzz commands --count N [--jobs N] [--seed N]`.

Each run has a folder of its own, with modules, settings and files that are none, under names that do harm where they are taken
for more than names. A command with drawn options works on it, as in a pipe or on a terminal. It ends in time, with one of the
documented exit codes and without an internal error; what it prints acts on nobody; and it changes no file but those that it is
asked to write.
"""

from __future__ import annotations

import os
import random
import shutil
import sys
import tempfile
from argparse import Action, ArgumentParser
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from spvls.binary.assemble import assemble
from spvls.cli.main import COMMANDS, main
from tests.cli.conftest import Done, Stream
from tests.corpus import BINARIES, text_of
from tests.fuzz.edits import fixtures
from tests.fuzz.limits import TooSlowError, enforced, held
from tests.fuzz.mutation import mutate
from tests.fuzz.words import Words
from tests.hostile import CONFIGURATION, FILE_NAME, HARM, OWN_COLORS, WORD, commands, faulty_module, hidden, sound_module

SECONDS = 8.0
"""Time of the processor that a command may take."""

GROWTH = 400 << 20

CODES = frozenset({0, 1, 2})
"""How commands end; 3 says that a rule failed."""

_ROUNDS_OF_A_JOB = 100

_WAITING = frozenset({"watch", "stdio", "tcp", "ws"})
"""Options with which a command does not end by itself."""

_PROCESSES = frozenset({"jobs"})
"""Options with which a command starts processes; these see nothing of the limits here."""

_OUTPUTS = frozenset({"output", "id_map"})
_OUTPUT_OPTIONS = frozenset({"-o", "--output", "--id-map"})
_EXACT = {"dis", "fmt", "as", "strip", "specialize", "import"}
"""Commands whose standard output is a file: exact, unless a terminal shows it."""

_SOUND = ("vulkan1.2", "1", "8", "id/*", "1.2", "main", "true", "*.md", "opencl2.2", "0=1")
"""Values of options, of which one is right for most of them."""

_VALUES = (HARM, WORD, "", "-", "-1", "0", "1", "2", "99999999999999999999", "é", "x" * 3000, "--", "vulkan1.2", "a/b", "*", "id/*", "\udcff", "\n")


class Run(NamedTuple):
    """A command line, what comes in, and whether the streams are those of a terminal."""

    arguments: tuple[str, ...]
    stdin: bytes
    terminal: bool


@dataclass(frozen=True, slots=True)
class Failure:
    seed: int
    run: Run
    message: str

    def __str__(self) -> str:
        return (
            f"commands: seed {self.seed}: {self.message}\n{self.run!r}\n"
            f"again: python -m tests.fuzz commands --count 1 --seed {self.seed}"
        )


# What a command works on


def _module(chance: random.Random) -> bytes:
    """The bytes of a file that may be a module."""
    kind = chance.randrange(12)
    if kind < 3:
        return text_of(chance.choice(fixtures())).encode("utf-8", "surrogateescape")
    if kind < 6:
        module = chance.choice(_binaries()).copy()
        mutate(module, chance, chance.randrange(4))
        return module.data()
    if kind == 6:
        return faulty_module().encode() + b"\xff\x9b"
    if kind == 7:
        return chance.choice((sound_module().encode(), assemble(sound_module())))
    if kind == 8:
        return chance.choice(BINARIES).read_bytes()[: chance.randrange(400)]
    if kind == 9:
        return chance.randbytes(chance.randrange(300))
    if kind == 10:
        return chance.choice((b"", b"\x03\x02\x23\x07", b"\xef\xbb\xbf", b"\xff\xfe", b"0x07230203 0x10000", b"\x00" * 50, b"\r\r\n;\r"))
    data = bytearray(text_of(chance.choice(fixtures())).encode("utf-8", "surrogateescape"))
    for _ in range(chance.randrange(1, 20)):
        data[chance.randrange(len(data))] = chance.randrange(256)
    return bytes(data)


@cache
def _binaries() -> tuple[Words, ...]:
    texts = (text_of(path) for path in fixtures() if path.name.endswith(".clean.spvasm"))
    return tuple(Words.parse(assemble(text)) for text in list(texts)[::7])


_CONFIGURATIONS = (
    CONFIGURATION, 'target-env = ["a"]\n', "a = " + "[" * 3000, "a = " + "9" * 5000, "x = {", '[rules]\n"*/*" = "off"\n', 'include = ["*"]\n',
    'profile = "/dev/zero"\n[device]\nprofile = "../outside.spvasm"\n', 'exclude = ["[", "**/**/**"]\ninclude = ["\\\\", "**/*"]\n', "\x00", "[options]\nmax-id-bound = 1\n",
)  # fmt: skip


class Folder:
    """Files to work on, in a folder beside others that must stay as they are."""

    def __init__(self, chance: random.Random, root: Path) -> None:
        self.here = root / "here"
        self._beside = root / "beside"
        self._beside.mkdir()
        self.here.mkdir()
        (self._beside / "outside.spvasm").write_text("  OpNop ; must stay\n")
        self.names = [name for name in ("a.spvasm", "b.spv", FILE_NAME, "./-x.spvasm", "c d.md") if self._made(name, _module(chance))]
        if chance.random() < 0.5:
            self._made("spvls.toml", chance.choice(_CONFIGURATIONS).encode("utf-8", "surrogateescape"))
        for name, make in (
            ("pipe.spvasm", lambda path: os.mkfifo(path)),
            ("zero.spv", lambda path: os.symlink("/dev/zero", path)),
            ("loop.spvasm", lambda path: os.symlink(path, path)),
            ("link.spvasm", lambda path: os.symlink(self._beside / "outside.spvasm", path)),
            ("folder.spvasm", lambda path: os.mkdir(path)),
            ("hard.spvasm", lambda path: os.link(self._beside / "outside.spvasm", path)),
        ):
            with suppress(OSError):
                make(self.here / name)
        if self._made("read-only.spvasm", b"  OpNop\n"):
            (self.here / "read-only.spvasm").chmod(0o400)
        self.targets = [
            *self.names, "pipe.spvasm", "zero.spv", "loop.spvasm", "folder.spvasm", "hard.spvasm", "read-only.spvasm", "missing.spvasm", ".", "..", "",
            f"no/{HARM}", "x" * 300, "a\0b", "-",
        ]  # fmt: skip
        self._before = self._state()

    def _made(self, name: str, data: bytes) -> bool:
        try:
            (self.here / name).write_bytes(data)
        except (OSError, ValueError):
            return False
        return True

    def _state(self) -> dict[str, bytes]:
        files = [*self.here.iterdir(), *self._beside.iterdir()]
        return {str(path): path.read_bytes() for path in files if path.is_file() and not path.is_symlink()}

    def changed(self) -> list[str]:
        """The names of files that are other than before."""
        now = self._state()
        return [os.path.basename(path) for path, data in self._before.items() if now.get(path) != data]


# Command lines


@cache
def actions(command: str) -> tuple[Action, ...]:
    """What a command takes."""
    parser = ArgumentParser(add_help=False)
    import_module(COMMANDS[command].module).arguments(parser)
    return tuple(parser._actions)


class Author:
    """Draws a command line for a folder."""

    def __init__(self, chance: random.Random, folder: Folder) -> None:
        self._chance, self._folder = chance, folder

    def run(self) -> Run:
        chance = self._chance
        called = chance.choice([*COMMANDS, *(alias for command in COMMANDS.values() for alias in command.aliases)])
        command = next(name for name, given in COMMANDS.items() if called == name or called in given.aliases)
        arguments = [called]
        for action in actions(command):
            if action.dest in _WAITING | _PROCESSES:
                continue
            if not action.option_strings:
                arguments += [self._value(action) for _ in range(chance.choice((0, 1, 1, 1, 2, 3)) if action.nargs in ("*", "+", "?") else 1)]
            elif chance.random() < (0.5 if action.dest == "format" else 0.05):
                arguments.append(chance.choice(action.option_strings))
                if action.nargs != 0:
                    arguments.append(self._value(action))
        if command == "serve":  # a sound command line would wait for a client
            arguments += [chance.choice(("--tcp", "--ws")), chance.choice(("", HARM, "x:y", "99999999", "host:", "-1", ":::"))]
        elif chance.random() < 0.03:
            arguments.insert(chance.randrange(len(arguments) + 1), chance.choice((f"--{HARM}", HARM, "--help", "--", "")))
        return Run(tuple(arguments), _module(chance), chance.random() < 0.5)

    def _value(self, action: Action) -> str:
        chance = self._chance
        if action.choices is not None and chance.random() < 0.9:
            return str(chance.choice(list(action.choices)))
        if action.dest in ("path", "paths", "baseline", "stdin_filename", "token_file"):
            return chance.choice(self._folder.names if chance.random() < 0.7 else self._folder.targets)
        if action.dest in _OUTPUTS:  # a pipe that nobody reads would wait for its reader
            return chance.choice([name for name in (*self._folder.targets, "new") if name != "pipe.spvasm"])
        if action.dest in ("keys", "rule", "filters") and chance.random() < 0.8:
            return chance.choice(("OpPhi", "Shader", "GLSL.std.450", "id/is-defined-before-use", "image/depth-flag-has-effect", "Op", "%"))
        sound = [value for value in _SOUND if _is_taken(action, value)]
        return chance.choice(sound if sound and chance.random() < 0.8 else _VALUES)


def _is_taken(action: Action, value: str) -> bool:
    """Whether an option takes a value, as far as its type says."""
    if action.type is None:
        return True
    try:
        action.type(value)  # type: ignore[operator]
    except Exception:
        return False
    return True


# Runs


@contextmanager
def _swapped(run: Run, folder: Path) -> Iterator[dict[str, Stream]]:
    """The streams of the process, and its folder, are those of a run."""
    streams = {"stdin": Stream(run.stdin), "stdout": Stream(terminal=run.terminal), "stderr": Stream(terminal=run.terminal)}
    before = {name: getattr(sys, name) for name in streams}
    here = os.getcwd()
    os.chdir(folder)
    for name, stream in streams.items():
        setattr(sys, name, stream)
    try:
        yield streams
    finally:
        for name, stream in before.items():
            setattr(sys, name, stream)
        os.chdir(here)


def done(run: Run, folder: Path) -> Done:
    """How the command line ends. Raises what leaves it, and TooSlowError."""
    with _swapped(run, folder) as streams:
        try:
            with held(SECONDS, GROWTH):
                code: Any = main(list(run.arguments))
        except SystemExit as leaving:
            code = leaving.code
        out, err = (streams[name].contents.decode("utf-8", "surrogateescape") for name in ("stdout", "stderr"))
    return Done(code if isinstance(code, int) else 0, out, err)


def problem(run: Run, end: Done, changed: Sequence[str]) -> str | None:
    """What does not hold of how a command line ended."""
    if end.code not in CODES:
        return f"the exit code is {end.code}: {end.err[-1000:]}"
    if "internal error" in end.err or "Traceback" in end.err:
        return end.err[-2000:]
    called = run.arguments[0]
    is_exact = called in _EXACT and not run.terminal
    for text in (end.err, *(() if is_exact else (end.out,))):
        shown = OWN_COLORS.sub("", text) if run.terminal else text
        if hidden(shown):
            return f"characters that act on their reader: {hidden(shown)[:5]} in {shown[:500]!r}"
        if not run.terminal and "github" not in run.arguments and commands(shown):
            return f"lines that are taken for commands: {commands(shown)[:3]}"
    wrong = [name for name in changed if not _may_change(run, name)]
    return f"files were changed: {wrong}" if wrong else None


def _may_change(run: Run, name: str) -> bool:
    """Whether a run was asked to write a file."""
    pairs = zip(run.arguments, run.arguments[1:], strict=False)
    given = {os.path.basename(os.path.normpath(value)) for option, value in pairs if option in _OUTPUT_OPTIONS}
    forced = "--force" in run.arguments
    if name in ("read-only.spvasm", "hard.spvasm", "outside.spvasm") and not forced:
        return False
    if run.arguments[0] == "fmt" or "--fix" in run.arguments:
        return not {"--check", "--diff"} & {*run.arguments}
    return name in given or (run.arguments[0] == "as" and name == "out.spv")


def round_of(seed: int) -> Failure | None:
    chance = random.Random(seed)
    root = Path(tempfile.mkdtemp(prefix="spvls-fuzz-commands-"))
    try:
        folder = Folder(chance, root)
        run = Author(chance, folder).run()
        try:
            message = problem(run, done(run, folder.here), folder.changed())
        except (Exception, TooSlowError) as error:
            message = f"raised {error!r}"
    finally:
        shutil.rmtree(root, ignore_errors=True)
    return Failure(seed, run, message) if message is not None else None


def _rounds(seeds: Sequence[int]) -> list[Failure]:
    with enforced():
        return [failure for seed in seeds if (failure := round_of(seed)) is not None]


def run(count: int, first: int, jobs: int, most: int) -> list[Failure]:
    """Run `count` command lines with the seeds from `first` on; what failed. It stops after `most` failures."""
    failures: list[Failure] = []
    with ProcessPoolExecutor(jobs) as pool:
        seeds = range(first, first + count)
        batches = [pool.submit(_rounds, seeds[at : at + _ROUNDS_OF_A_JOB]) for at in range(0, count, _ROUNDS_OF_A_JOB)]
        for finished in as_completed(batches):
            for failure in finished.result():
                print(f"{failure}\n", flush=True)
                failures.append(failure)
            if len(failures) >= most:
                pool.shutdown(cancel_futures=True)
                break
    return failures
