"""Ending with the process that asked for the server."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable

INTERVAL = 2.0
"""Seconds between two looks at the process."""

GRACE = 10.0
"""Seconds that the server has to end by itself."""


def watch(process: int, gone: Callable[[], object]) -> None:
    """Call `gone`, in another thread, once a process has ended; end this one too if that has not done so after `GRACE` seconds.

    A process that is not there at the start is not waited for: the number is that of another machine or container. Nor is one
    on Windows, where the end of the standard input has to do, or in WebAssembly, where there are no processes.
    """
    if sys.platform in ("win32", "emscripten") or process <= 0 or not _is_running(process):
        return

    def run() -> None:
        while _is_running(process):
            time.sleep(INTERVAL)
        gone()
        time.sleep(GRACE)
        os._exit(1)

    threading.Thread(target=run, name="spvls-lifetime", daemon=True).start()


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True
