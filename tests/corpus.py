"""The fixtures: small modules of the project's own. `tests/validate/cases.py` reads those with marks."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FIXTURES = ROOT / "fixtures"
RULES = FIXTURES / "rules"
TEXTS = sorted(path for path in FIXTURES.glob("**/*.spvasm") if RULES not in path.parents)
BINARIES = sorted(FIXTURES.glob("**/*.spv"))


def is_faulty(path: Path) -> bool:
    """Whether a fixture has errors, which its comments tell."""
    return "faulty" in path.parts


def text_of(path: Path) -> str:
    """A fixture as it stands in its file, line ends included."""
    return path.read_bytes().decode("utf-8", "surrogateescape")


def name_of(path: Path) -> str:
    """How a fixture is called in the names of tests."""
    return str(path.relative_to(FIXTURES))
