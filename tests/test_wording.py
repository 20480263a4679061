"""Texts for users are in plain technical English, in American spelling."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.util import find_spec

import pytest

from tests import wording
from tests.corpus import ROOT
from tests.tree import files_of_the_tree

_FENCE = re.compile(r"(?ms)^ *```.*?^ *```|\]\([^)]*\)|^ *;.*|^ +\d+ \|.*$")
_READ = re.compile(r"(?!tests/).*\.md|share/.*|docs/.*\.py")
"""The documents, the help of the commands as the manual and the completions have it, and the schema of the settings."""


def documents() -> list[str]:
    return [name for name in files_of_the_tree() if _READ.fullmatch(name) and "node_modules" not in name]


def test_documents_are_in_plain_words() -> None:
    found = []
    for name in documents():
        text = _FENCE.sub(" ", (ROOT / name).read_text(encoding="utf-8"))
        found += [(name, fault) for fault in wording.faults(text)]
    assert found == []


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("The merge block is behind the header.", 1),
        ("It is no structure, and there is no other.", 1),
        ("`behind` is a name.", 0),
        ("The behaviour of neighbours", 2),
        ("It is no longer than 4.", 0),
        ("Its value is specialised.", 1),
    ],
)
def test_words_are_found(text: str, count: int) -> None:
    assert len(list(wording.faults(text))) == count


def test_spelling() -> None:
    if find_spec("codespell_lib") is None:
        pytest.skip("codespell is not installed: the extra `dev` has it")
    names = [name for name in files_of_the_tree() if (ROOT / name).is_file()]
    done = subprocess.run([sys.executable, "-m", "codespell_lib", *names], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.stdout, done.returncode) == ("", 0), done.stdout + done.stderr


_COMMENT = re.compile(r"(?m)^(?:; |//--- )(?!\s*\^)(.*)$")


def test_modules_of_the_tests_say_in_plain_words_what_they_are() -> None:
    names = [name for name in files_of_the_tree() if name.endswith(".spvasm")]
    texts = {name: "\n".join(_COMMENT.findall((ROOT / name).read_text(encoding="utf-8", errors="replace"))) for name in names}
    assert [(name, fault) for name, text in texts.items() for fault in wording.faults(text)] == []
