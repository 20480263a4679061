"""Writes the queries for the editors that have their own folders or capture names: Helix, Neovim, Zed.

`python export.py` writes them; `python export.py --check` lists what is not up to date and exits with 1.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

QUERIES = Path(__file__).resolve().parent
EDITORS = QUERIES.parents[1]

#: Captures by other names than those of the grammar's own queries, which are Neovim's.
HELIX = {
    "constant.macro": "constant.numeric",
    "function.call": "function",
    "keyword.conditional": "keyword.control.conditional",
    "keyword.debug": "keyword.directive",
    "keyword.import": "keyword.control.import",
    "keyword.modifier": "keyword.storage.modifier",
    "keyword.repeat": "keyword.control.repeat",
    "keyword.return": "keyword.control.return",
    "local.definition.import": "local.definition.namespace",
    "local.definition.parameter": "local.definition.variable.parameter",
    "local.definition.var": "local.definition.variable",
    "module": "namespace",
    "number": "constant.numeric.integer",
    "number.float": "constant.numeric.float",
    "string.escape": "constant.character.escape",
    "type.definition": "type",
}
ZED = {"function.call": "function", "module": "namespace", "type.definition": "type"}

#: For each folder, the queries that it has and the names of their captures there.
TARGETS: dict[str, tuple[tuple[str, ...], dict[str, str]]] = {
    "helix/queries/spirv": (("highlights", "injections", "locals", "tags"), HELIX),
    "neovim/queries/spirv": (("highlights", "injections", "locals", "folds"), {}),
    "zed/languages/spirv": (("highlights", "injections"), ZED),
}


def exported(query: str, names: dict[str, str]) -> str:
    """The text of a query with its captures renamed."""
    text = (QUERIES / f"{query}.scm").read_text(encoding="utf-8")
    renamed = re.sub(r"@([\w.]+)", lambda match: "@" + names.get(match[1], match[1]), text)
    return f"; Made from {query}.scm of tree-sitter-spirv by its export.py.\n\n{renamed}"


def outdated() -> dict[Path, str]:
    """The files that differ from what they must be, with that text."""
    found = {}
    for folder, (queries, names) in TARGETS.items():
        for query in queries:
            path, text = EDITORS / folder / f"{query}.scm", exported(query, names)
            if not path.is_file() or path.read_text(encoding="utf-8") != text:
                found[path] = text
    return found


if __name__ == "__main__":
    for path, text in outdated().items():
        print(path)
        if sys.argv[1:] == ["--check"]:
            continue
        path.write_text(text, encoding="utf-8")
    sys.exit(sys.argv[1:] == ["--check"] and bool(outdated()))
