"""The server ends with the process that asked for it."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator

import pytest

from spvls.server import lifetime
from spvls.server.handlers import lifecycle
from tests.server.client import CAPABILITIES, Client

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there the end of the standard input has to do")


@pytest.fixture
def asking() -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        yield process
        process.kill()


@pytest.fixture
def ended(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Set where the server would be ended by force."""
    found = threading.Event()
    monkeypatch.setattr(lifetime, "INTERVAL", 0.01)
    monkeypatch.setattr(lifetime, "GRACE", 0.01)
    monkeypatch.setattr(lifetime.os, "_exit", lambda code: found.set())
    return found


def test_the_end_of_the_process_is_noticed(asking: subprocess.Popen[bytes], ended: threading.Event) -> None:
    gone = threading.Event()
    lifetime.watch(asking.pid, gone.set)
    assert not gone.wait(0.1)
    asking.kill()
    asking.wait()
    assert gone.wait(10)
    assert ended.wait(10)


def test_a_process_that_is_not_there_is_not_waited_for(asking: subprocess.Popen[bytes], ended: threading.Event) -> None:
    asking.kill()
    asking.wait()
    threads = threading.active_count()
    for process in (asking.pid, 0, -1):
        lifetime.watch(process, ended.set)
    assert threading.active_count() == threads
    assert not ended.is_set()


async def test_the_client_says_which_process_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    watched: list[int] = []
    monkeypatch.setattr(lifecycle, "watch", lambda process, gone: watched.append(process))
    client = Client()
    await client.request("initialize", {"processId": 7, "rootUri": None, "capabilities": CAPABILITIES})
    assert watched == [7]
