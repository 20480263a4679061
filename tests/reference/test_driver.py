"""The driver is asked and understood; that it compiles and answers rightly is for `python -m tests.reference check`."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests.reference.driver import Driver, DriverError, compile_driver, flags_of
from tests.reference.frames import Place, place_of

STAND_IN = """\
#!{python}
import sys, time
while line := sys.stdin.buffer.readline():
    operation, env, size, *flags = line.decode().split()
    payload = sys.stdin.buffer.read(int(size))
    if payload == b"die":
        sys.exit(3)
    if payload == b"sleep":
        time.sleep(60)
    if env == "none":
        print("no environment", file=sys.stderr)
        sys.exit(2)
    text = " ".join([operation, env, *flags]).encode()
    sys.stdout.buffer.write(b"0 2 %d\\n3 0 0 0 5 1f\\nfirst2 4 5 6 %d 10 ff\\n" % (len(payload), len(text)) + text + payload)
    sys.stdout.buffer.flush()
"""

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the driver is for systems with pipes that can be waited for")


@pytest.fixture
def stand_in(tmp_path: Path) -> Path:
    path = tmp_path / "driver"
    path.write_text(STAND_IN.format(python=sys.executable))
    path.chmod(0o755)
    return path


def test_an_answer_has_its_messages_and_its_octets(stand_in: Path) -> None:
    with Driver(stand_in) as driver:
        for payload in (b"", b"abc\n", bytes(200_000)):
            answer = driver.validate(payload, "spv1.3", {"scalar_block_layout": True, "max_id_bound": 7})
            assert answer.ok is False
            assert answer.payload == payload
            first, second = answer.messages
            assert (first.level, first.instruction, first.text, first.frames) == (3, None, "first", (0x1F,))
            assert answer.error == second
            assert (second.line, second.column, second.instruction, second.frames) == (4, 5, 6, (0x10, 0xFF))
            assert second.first_line == "val spv1.3 scalar-block-layout max-id-bound=7"


def test_a_driver_that_dies_is_started_again(stand_in: Path) -> None:
    with Driver(stand_in) as driver:
        assert driver.assemble(b"die", "spv1.0").died == "status 3"
        assert driver.assemble(b"", "spv1.0").ok is False


def test_a_driver_that_does_not_answer_is_given_up(stand_in: Path) -> None:
    with Driver(stand_in, seconds=0.2) as driver:
        answer = driver.disassemble(b"sleep")
        assert answer.ok is None
        assert answer.error is None
        assert answer.died == "no answer in 0.2 s"


def test_what_a_driver_refuses_is_raised(stand_in: Path, tmp_path: Path) -> None:
    with Driver(stand_in) as driver, pytest.raises(DriverError, match="no environment"):
        driver.validate(b"", "none")
    with Driver(tmp_path / "missing") as driver, pytest.raises(DriverError, match="missing"):
        driver.validate(b"", "spv1.0")


def test_what_the_compiler_says_is_raised(tmp_path: Path) -> None:
    with pytest.raises(DriverError, match=r"driver\.cpp"):
        compile_driver(tmp_path, tmp_path / "library", tmp_path / "out", compiler="false")


def test_options_that_the_reference_lacks_are_left_out() -> None:
    given = {
        "advice": True,
        "device": "x",
        "use_friendly_names": True,
        "skip_block_layout": False,
        "buffer_descriptor_layout": "8:8",
    }
    assert flags_of(given) == ["buffer-descriptor-layout=8:8"]


@pytest.mark.parametrize(
    ("line", "place"),
    [
        ("/a/source/source/val/validate.cpp:12\n", Place("val/validate.cpp", 12)),
        ("/a/source/text.cpp:7 (discriminator 3)\n", Place("text.cpp", 7)),
        ("/a/source/text.cpp:?\n", None),
        ("??:0\n", None),
        ("/usr/include/c++/12/bits/std_function.h:591\n", None),
    ],
)
def test_lines_of_addr2line(line: str, place: Place | None) -> None:
    assert place_of(line) == place
