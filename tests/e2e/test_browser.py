"""A real browser with a page of another origin tries to reach a server that listens on a port of this machine."""

from __future__ import annotations

import json
import queue
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from tests.e2e.editor_support import require
from tests.server.test_listener import _TOKEN, initialize, listening

FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip

_PAGE = """\
<!doctype html><script>
const body = @BODY@;
const message = `Content-Length: ${body.length}\\r\\n\\r\\n${body}`;
function socket(address) {
  return new Promise((done) => {
    const socket = new WebSocket(address);
    socket.onopen = () => socket.send(body);
    socket.onmessage = (event) => done(`answered ${event.data.includes("serverInfo") ? "serverInfo" : event.data}`);
    socket.onerror = () => done("refused");
  });
}
async function post(address, mode) {
  try {
    const answer = await fetch(address, { method: "POST", mode, body: message });
    return `answered ${answer.status} ${await answer.text()}`;
  } catch (error) {
    return "refused";
  }
}
(async () => {
  const found = {
    "socket": await socket("ws://127.0.0.1:@WS@/"),
    "socket with the token": await socket("ws://127.0.0.1:@WS@/?token=@TOKEN@"),
    "post": await post("http://127.0.0.1:@TCP@/", "cors"),
    "post without cors": await post("http://127.0.0.1:@TCP@/", "no-cors"),
    "post to the socket": await post("http://127.0.0.1:@WS@/?token=@TOKEN@", "cors"),
  };
  await fetch("/found", { method: "POST", body: JSON.stringify(found) });
})();
</script>
"""


@contextmanager
def _site(pages: list[str]) -> Iterator[tuple[str, queue.Queue[dict[str, str]]]]:
    """A site whose page is the last of `pages`: its origin, and what the page has found."""
    told: queue.Queue[dict[str, str]] = queue.Queue()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer(pages[-1].encode())

        def do_POST(self) -> None:
            told.put(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self._answer(b"")

        def _answer(self, body: bytes) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Requests are of no interest."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://localhost:{server.server_port}", told
        finally:
            server.shutdown()
            thread.join()


def _found(chromium: str, folder: Path, *, is_allowed: bool) -> dict[str, str]:
    """What a page finds when it tries all ways to servers, of which the one for WebSockets allows its origin or does not."""
    for name in ("tcp", "ws", "profile"):
        (folder / name).mkdir()
    pages: list[str] = []
    with _site(pages) as (origin, told), listening(folder / "tcp", "tcp") as (tcp, log):
        more = ["--allow-origin", origin] if is_allowed else []
        with listening(folder / "ws", "ws", *more) as (ws, _):
            values = {"WS": str(ws), "TCP": str(tcp), "TOKEN": _TOKEN, "BODY": json.dumps(json.dumps(initialize(_TOKEN)))}
            page = _PAGE
            for name, value in values.items():
                page = page.replace(f"@{name}@", value)
            pages.append(page)
            command = [chromium, *FLAGS, f"--user-data-dir={folder / 'profile'}", f"{origin}/"]
            with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as browser:
                try:
                    found = told.get(timeout=60)
                finally:
                    browser.terminate()
        assert "a client was refused" in log.read_text()
    return found


def test_a_page_of_another_origin_is_refused_even_with_the_token(tmp_path: Path) -> None:
    found = _found(require("chromium"), tmp_path, is_allowed=False)
    assert set(found.values()) == {"refused"}, found


def test_a_page_of_an_allowed_origin_is_let_in_with_the_token_alone(tmp_path: Path) -> None:
    found = _found(require("chromium"), tmp_path, is_allowed=True)
    assert found.pop("socket with the token") == "answered serverInfo"
    assert set(found.values()) == {"refused"}, found
