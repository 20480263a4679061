"""The reference tools as a process: compiled from `driver.cpp`, asked many times, started again where it dies."""

from __future__ import annotations

import os
import select
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from types import TracebackType

SOURCE = Path(__file__).with_name("driver.cpp")

PIN = "47c74f488bad1136559f382ce99e8e52d7a392cd"
"""The commit of SPIRV-Tools that the table of sites is about."""

_OWN = frozenset(
    {
        "use_friendly_names", "advice", "simplifications", "device", "reference_verdicts",
        "max_decorations", "max_execution_modes", "max_ext_inst_args", "max_string_length",
    }
)  # fmt: skip
"""The options of `spvls.validate` that the reference does not have."""


class DriverError(Exception):
    """The driver cannot be compiled or started, or refused a request."""


@dataclass(frozen=True, slots=True)
class Message:
    """`level` is 0 to 2 for an error, 3 for a warning, more for information. `line` and `column` count from 0 and are of
    texts. `instruction` counts from 1, None where none is named. `frames` are addresses of the calls that were under way,
    the innermost first."""

    level: int
    line: int
    column: int
    instruction: int | None
    text: str
    frames: tuple[int, ...] = ()

    @property
    def first_line(self) -> str:
        return self.text.partition("\n")[0].strip()


@dataclass(frozen=True, slots=True)
class Answer:
    """`ok` is None where the driver died or took too long; `died` says which then, and is empty else."""

    ok: bool | None
    messages: tuple[Message, ...] = ()
    payload: bytes = b""
    died: str = ""

    @property
    def error(self) -> Message | None:
        """The last message of a refusal, which is the one that `spirv-val` shows. A few checks refuse with a warning."""
        return self.messages[-1] if self.ok is False and self.messages else None


def compile_driver(include: Path, library: Path, out: Path, compiler: str = "c++") -> None:
    """Compile the driver with the headers and the static library of an installed or built SPIRV-Tools.

    The result has fixed addresses, which `frames` reads. Raises DriverError with what the compiler says.
    """
    command = [compiler, "-std=c++17", "-O2", "-no-pie", f"-I{include}", str(SOURCE), str(library), "-lpthread", "-o", str(out)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise DriverError(f"{' '.join(command)}\n{done.stderr}")


class Driver:
    """Answers of the reference tools. `seconds` is how long one answer may take."""

    def __init__(self, path: Path, seconds: float = 20.0) -> None:
        self.path = path
        self._seconds = seconds
        self._process: subprocess.Popen[bytes] | None = None
        self._read = b""

    def validate(self, words: bytes, env: str, options: Mapping[str, object] | None = None) -> Answer:
        """The verdict on a binary in this machine's byte order; options by the names of `spvls.validate`."""
        return self._ask("val", env, words, flags_of(options or {}))

    def assemble(self, text: bytes, env: str, *, preserve_numeric_ids: bool = False) -> Answer:
        return self._ask("as", env, text, ["preserve-numeric-ids"] if preserve_numeric_ids else [])

    def disassemble(self, words: bytes, flags: Iterable[str] = (), env: str = "spv1.6") -> Answer:
        return self._ask("dis", env, words, flags)

    def close(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def __enter__(self) -> Driver:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def _ask(self, operation: str, env: str, payload: bytes, flags: Iterable[str]) -> Answer:
        process = self._started()
        assert process.stdin is not None
        head = " ".join([operation, env, str(len(payload)), *flags])
        self._read = b""
        self._until = monotonic() + self._seconds
        try:
            process.stdin.write(f"{head}\n".encode() + payload)
            process.stdin.flush()
            return self._answer()
        except (EOFError, BrokenPipeError):
            status = process.wait()
            assert process.stderr is not None
            said = process.stderr.read().decode("utf-8", "replace").strip()
            self.close()
            if status == 2:
                raise DriverError(said) from None
            return Answer(None, died=f"status {status} {said}".strip())
        except TimeoutError:
            self.close()
            return Answer(None, died=f"no answer in {self._seconds:g} s")

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            self.close()
            pipe = subprocess.PIPE
            try:
                self._process = subprocess.Popen([self.path], stdin=pipe, stdout=pipe, stderr=pipe)
            except OSError as error:
                raise DriverError(f"{self.path}: {error.strerror}") from error
        return self._process

    def _answer(self) -> Answer:
        result, count, size = map(int, self._line().split())
        messages = tuple([self._message() for _ in range(count)])
        return Answer(bool(result), messages, self._octets(size))

    def _message(self) -> Message:
        level, line, column, index, size, *frames = self._line().split()
        text = self._octets(int(size)).decode("utf-8", "replace")
        places = tuple([int(frame, 16) for frame in frames])
        return Message(int(level), int(line), int(column), int(index) or None, text, places)

    def _line(self) -> str:
        while b"\n" not in self._read:
            self._more()
        line, _, self._read = self._read.partition(b"\n")
        return line.decode("ascii")

    def _octets(self, size: int) -> bytes:
        while len(self._read) < size:
            self._more()
        taken, self._read = self._read[:size], self._read[size:]
        return taken

    def _more(self) -> None:
        assert self._process is not None
        assert self._process.stdout is not None
        output = self._process.stdout.fileno()
        if not select.select([output], [], [], max(0.0, self._until - monotonic()))[0]:
            raise TimeoutError
        read = os.read(output, 1 << 16)
        if not read:
            raise EOFError
        self._read += read


def flags_of(options: Mapping[str, object]) -> list[str]:
    """Options of `spvls.validate` as the driver takes them; those that the reference does not have are left out."""
    flags = []
    for name, value in options.items():
        flag = name.replace("_", "-")
        if name in _OWN or value is False or value == "":
            continue
        flags.append(flag if value is True else f"{flag}={value}")
    return flags
