"""Writes `homebrew/resources.json`: the sources of the packages that spvls needs, as a formula names them.

    python registries/resources.py      asks PyPI, by way of pip, for the newest versions that go together
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

HERE = Path(__file__).parent
FILE = HERE / "homebrew" / "resources.json"


def pip(*arguments: str) -> str:
    command = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", *arguments]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def wanted() -> dict[str, str]:
    """Versions of all packages, by name, that pip would install for spvls."""
    report = json.loads(pip("install", "--dry-run", "--ignore-installed", "--report", "-", str(HERE.parent)))
    found = (entry["metadata"] for entry in report["install"])
    return {entry["name"].replace("_", "-"): entry["version"] for entry in found if entry["name"] != "spvls"}


def resource(name: str, version: str) -> dict[str, str]:
    """A source distribution: its address follows from its contents, whatever index it came from."""
    with TemporaryDirectory() as folder:
        pip("download", "--no-deps", "--no-binary", ":all:", "--dest", folder, f"{name}=={version}")
        [file] = Path(folder).iterdir()
        content = file.read_bytes()
    place = hashlib.blake2b(content, digest_size=32).hexdigest()
    url = f"https://files.pythonhosted.org/packages/{place[:2]}/{place[2:4]}/{place[4:]}/{file.name}"
    return {"name": name, "version": version, "url": url, "sha256": hashlib.sha256(content).hexdigest()}


if __name__ == "__main__":
    made = [resource(name, version) for name, version in sorted(wanted().items())]
    FILE.write_text(json.dumps(made, indent=2) + "\n", encoding="utf-8")
