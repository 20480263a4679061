"""Who may talk to a server that listens on a port: the token, and the message that begins a session."""

from __future__ import annotations

import hmac
import json
import os
import secrets
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qs, urlsplit

from spvls.record import NamedTuple

TOKEN_VARIABLE = "SPVLS_TOKEN"
"""The environment variable that a token is taken from where no file is named."""

SHORTEST_TOKEN = 16
"""Characters of a token at least, so that it cannot be guessed."""

_BYTES = 32


class Token(NamedTuple):
    """What a client must know. `is_new` is set where it was made for this run and must be printed."""

    value: str
    is_new: bool

    def matches(self, given: object) -> bool:
        """Whether a client knows it, in the same time whatever it gives."""
        return isinstance(given, str) and hmac.compare_digest(given.encode("utf-8", "replace"), self.value.encode())


def read_token(path: str | None) -> Token:
    """The token in a file, or else in the environment, or else a new one.

    Raises OSError for a file that cannot be read, ValueError for a token that is too short or not of visible ASCII.
    """
    if path is not None:
        with open(path, encoding="utf-8") as file:
            value, source = file.read(4096).strip(), path
    else:
        value, source = os.environ.get(TOKEN_VARIABLE, ""), TOKEN_VARIABLE
        if not value:
            return Token(secrets.token_urlsafe(_BYTES), is_new=True)
    if len(value) < SHORTEST_TOKEN or not all("!" <= character <= "~" for character in value):
        raise ValueError(f"the token of {source} must have {SHORTEST_TOKEN} visible ASCII characters or more, and no spaces")
    return Token(value, is_new=False)


def socket_token(target: str, headers: Mapping[str, str]) -> str | None:
    """The token of a WebSocket's request: `token` in the query, or that of `Authorization: Bearer`."""
    scheme, _, credentials = headers.get("Authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return credentials.strip()
    found = parse_qs(urlsplit(target).query).get("token", [])
    return found[0] if len(found) == 1 else None


class Opening(NamedTuple):
    """The first message of a session as a server of its own gets it, and the token that it had."""

    body: bytes
    token: object


def read_opening(body: bytes) -> Opening | None:
    """The request `initialize`; None for anything else.

    The token in its `initializationOptions` is taken out. The client's process is that of another machine perhaps, so that
    this process takes its place: the session ends with it.
    """
    try:
        message: Any = json.loads(body)
        params = message["params"]
        if message["method"] != "initialize" or "id" not in message or not isinstance(params, dict):
            return None
    except (ValueError, RecursionError, KeyError, TypeError):
        return None
    options = params.get("initializationOptions")
    token = options.pop("token", None) if isinstance(options, dict) else None
    params["processId"] = os.getpid()
    return Opening(json.dumps(message).encode(), token)
