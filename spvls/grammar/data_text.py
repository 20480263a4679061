"""Large texts of the data folder, which an installed package has compressed."""

from __future__ import annotations

import os.path

from spvls.grammar.tables import data_folder


def data_text(name: str) -> str:
    """The text of a file of the data folder, from `NAME.bz2` where that is; empty where Python was built without bz2.

    Raises FileNotFoundError when there is neither.
    """
    path = os.path.join(data_folder(), name)
    if os.path.exists(path):
        with open(path, encoding="utf-8") as stream:
            return stream.read()
    try:
        import bz2
    except ImportError:
        return ""
    with bz2.open(f"{path}.bz2", "rt", encoding="utf-8") as stream:
        return stream.read()
