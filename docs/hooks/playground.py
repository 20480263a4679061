"""Links to the playground, which hold a module in their fragment as those that it makes itself; see `editors/web/src/share.ts`."""

from __future__ import annotations

import json
import zlib
from base64 import urlsafe_b64encode

FOLDER = "playground"
"""Where the playground is on the site."""

LONGEST = 32_000
"""Characters of a link at most, as the playground has it."""

_FRAME = """\
# Playground

The language server runs in this page; the text leaves the browser only in a link that you share.
[Open it in a window of its own](playground/index.html).

<iframe class="playground" title="Playground" src="../playground/index.html"></iframe>
"""

_ABSENT = """\
# Playground

This copy of the site was built without the playground. `npm ci && npm run build` in `editors/web` makes it, and the next build of
the site takes it; [its page](editors/web.md) says more.
"""


def fragment(text: str, environment: str = "") -> str:
    """The part of an address that holds a module: JSON, compressed (RFC 1951), in the alphabet for addresses (RFC 4648, 5)."""
    data = json.dumps({"text": text, "environment": environment}, ensure_ascii=False, separators=(",", ":")).encode()
    compressor = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    packed = compressor.compress(data) + compressor.flush()
    return "#module=" + urlsafe_b64encode(packed).decode().rstrip("=")


def link(words: str, page: str, text: str) -> str:
    """Words on a page of the site that open a module in the playground; empty where the link would be too long."""
    shared = fragment(text)
    above = "../" * page.count("/")
    return f"[{words}]({above}{FOLDER}/index.html{shared})" if len(shared) <= LONGEST else ""


def page(*, has_playground: bool) -> str:
    """The page that shows the playground."""
    return _FRAME if has_playground else _ABSENT
