"""The playground in a real browser: served as plain files, driven through Chromium by `playground/drive.mjs`.

SPVLS_VSCODE_TOOLS names the folder that `vscode/install.sh` filled. SPVLS_SCREENSHOTS, when set, names a folder for pictures.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import time
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import ClassVar

import pytest

import spvls
from tests.e2e.editor_support import BUNDLE, EXTENSION, PLAYGROUND, SHADER, require, run_npm

LARGEST_SITE = 25 << 20
CONTRAST = 4.5
"""Of text, by WCAG 2.2, level AA."""


class _Files(SimpleHTTPRequestHandler):
    """A static host that knows no types but the commonest ones."""

    extensions_map: ClassVar[dict[str, str]] = {"": "application/octet-stream", ".html": "text/html", ".js": "text/javascript", ".css": "text/css"}

    def log_message(self, format: str, *args: object) -> None:
        """Nothing is printed."""


@pytest.fixture(scope="module")
def site() -> Path:
    run_npm("run", "build", folder=PLAYGROUND)
    return PLAYGROUND / "dist"


def test_is_a_folder_of_plain_files(site: Path) -> None:
    files = [path for path in site.rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) < LARGEST_SITE
    page = (site / "index.html").read_text()
    assert not re.search(r"https?://", page)
    for name in re.findall(r'(?:src|href)="([^"]+)"', page):
        assert (site / name).is_file(), name


def test_types() -> None:
    """What the playground takes from the VS Code extension is checked with the libraries of that."""
    run_npm("--version", folder=EXTENSION)
    for folder in (BUNDLE, PLAYGROUND):
        run_npm("run", "check", folder=folder)


def _luminance(color: str) -> float:
    """Relative luminance by WCAG 2.2."""
    parts = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_all_colors_of_text_have_contrast_in_the_light_and_in_the_dark() -> None:
    pairs = re.findall(r"--([\w-]+): light-dark\((#\w+), (#\w+)\)", (PLAYGROUND / "theme.css").read_text())
    papers = [pair[1:] for pair in pairs if re.search("(?:editor|sideBar)-background$", pair[0])]
    inks = [pair for pair in pairs if not re.search("[bB]ackground$|[bB]order$", pair[0])]
    assert len(papers) == 2 and len(inks) > 10
    for name, *ink in inks:
        for paper in papers:
            for text, background in zip(ink, paper, strict=True):
                low, high = sorted((_luminance(text), _luminance(background)))
                assert (high + 0.05) / (low + 0.05) >= CONTRAST, f"{name}: {text} on {background}"


def test_what_a_user_does(site: Path, tmp_path: Path) -> None:
    tools = os.environ.get("SPVLS_VSCODE_TOOLS")
    if not tools or not (Path(tools) / "node_modules" / "playwright-core").is_dir():
        pytest.skip("SPVLS_VSCODE_TOOLS names no folder filled by tests/e2e/vscode/install.sh")
    (tmp_path / "b.spv").write_bytes(spvls.assemble(SHADER))
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Files, directory=str(site)))
    Thread(target=server.serve_forever, daemon=True).start()
    stop = Thread(target=_stop_when_asked, args=(server, tmp_path / "offline"), daemon=True)
    stop.start()
    options = {
        "tools": tools,
        "browser": require("chromium"),
        "url": f"http://127.0.0.1:{server.server_port}/",
        "folder": str(tmp_path),
        "screenshots": os.environ.get("SPVLS_SCREENSHOTS"),
    }
    script = Path(__file__).parent / "playground" / "drive.mjs"
    try:
        done = subprocess.run(
            [require("node"), str(script), json.dumps(options)], capture_output=True, text=True, timeout=600
        )
    finally:
        (tmp_path / "offline").touch()
        stop.join()
    output = done.stdout + done.stderr
    print(output)
    steps = re.search(r"^STEPS (\d+)$", output, re.MULTILINE)
    assert done.returncode == 0 and steps, output
    assert len(re.findall(r"^PASSED ", output, re.MULTILINE)) == int(steps[1]) > 0, output
    assert spvls.disassemble((tmp_path / "saved.spv").read_bytes()).count("OpTypeFloat 64") == 1


def _stop_when_asked(server: ThreadingHTTPServer, wish: Path) -> None:
    while not wish.exists():
        time.sleep(0.05)
    server.shutdown()
    server.server_close()
