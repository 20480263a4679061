"""The fixtures: small modules of the project's own."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FIXTURES = ROOT / "fixtures"
TEXTS = sorted(FIXTURES.glob("**/*.spvasm"))
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
