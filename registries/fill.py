"""Makes the entries for other projects' registries ready to hand in.

    python registries/fill.py dist/spvls-X.Y.Z.tar.gz OUT

Facts of the project come from pyproject.toml, `spvls.__version__` and the source distribution that is named. They go where a file
of this folder has `@NAME@`. Files of the tree that registries want too are put beside the entries.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from datetime import UTC, datetime
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent
ENTRIES = (
    "conda-forge",
    "helix",
    "homebrew",
    "kate",
    "linguist",
    "mason-registry",
    "melpa",
    "nvim-lspconfig",
    "package-control",
    "schemastore",
    "zed",
)

COPIES = {
    "helix/runtime/queries/spirv": "editors/helix/queries/spirv",
    "kate/data/syntax/spirv.xml": "editors/kate/spirv.xml",
    "linguist/samples/SPIR-V Assembly/compute.comp.spvasm": "fixtures/shaders/reduce.comp.spvasm",
    "linguist/samples/SPIR-V Assembly/fragment.frag.spvasm": "fixtures/shaders/lit.frag.spvasm",
    "linguist/samples/SPIR-V Assembly/vertex.vert.spvasm": "fixtures/shaders/transform.vert.spvasm",
}

SUBLIME_PACKAGE = ("SPIR-V.sublime-syntax", "README.md")
"""What of `editors/sublime` is the package of Package Control."""

RESOURCES = HERE / "homebrew" / "resources.json"
"""The packages that spvls needs, as `resources.py` writes them."""

RESOURCE = '  resource "{name}" do\n    url "{url}"\n    sha256 "{sha256}"\n  end\n'


def facts(sdist: Path) -> dict[str, str]:
    """What stands for each `@NAME@`."""
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    project = pyproject["project"]
    [version] = re.findall(r'^__version__ = "([^"]+)"', (ROOT / "spvls" / "__init__.py").read_text(encoding="utf-8"), re.MULTILINE)
    if sdist.name != f"spvls-{version}.tar.gz":
        raise SystemExit(f"{sdist.name} is not the source distribution of version {version}")
    slug = project["urls"]["Repository"].removeprefix("https://github.com/")
    resources = json.loads(RESOURCES.read_text(encoding="utf-8"))
    return {
        "VERSION": version,
        "REPOSITORY": project["urls"]["Repository"],
        "SLUG": slug,
        "OWNER": slug.partition("/")[0],
        "SHA256": hashlib.sha256(sdist.read_bytes()).hexdigest(),
        "COMMIT": _git("rev-parse", "HEAD"),
        "DATE": datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S"),
        "PYTHON_MIN": project["requires-python"].removeprefix(">="),
        "BUILD_REQUIREMENTS": _conda(pyproject["build-system"]["requires"]),
        "REQUIREMENTS": _conda(project["dependencies"]),
        "RESOURCES": "\n".join(RESOURCE.format(**resource) for resource in resources),
    }


def _git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def _conda(requirements: list[str]) -> str:
    return "\n".join("    - " + re.sub(r"(?=[<>=!~])", " ", requirement, count=1) for requirement in requirements)


def fill(sdist: Path, out: Path) -> None:
    """Writes the entries and the Sublime package into a folder, which is made anew."""
    known = facts(sdist)
    shutil.rmtree(out, ignore_errors=True)
    files = {path for name in ENTRIES for path in (HERE / name).rglob("*") if path.is_file()} - {RESOURCES}
    for path in sorted(files):
        target = out / path.relative_to(HERE)
        target.parent.mkdir(parents=True, exist_ok=True)
        text = re.sub(r"@([A-Z][A-Z0-9_]+)@", lambda match: known[match[1]], path.read_text(encoding="utf-8"))
        target.write_text(text, encoding="utf-8", newline="\n")
    for name, source in COPIES.items():
        target = out / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / source).is_dir():
            shutil.copytree(ROOT / source, target)
        else:
            shutil.copy(ROOT / source, target)
    with zipfile.ZipFile(out / "package-control" / "SPIR-V.sublime-package", "w", zipfile.ZIP_DEFLATED) as package:
        for name in SUBLIME_PACKAGE:
            package.write(ROOT / "editors" / "sublime" / name, name)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    fill(Path(sys.argv[1]), Path(sys.argv[2]))
