"""`python -m tests.corpora.listings FOLDER`: listings of `glslang -H` beside the words that they list.

FOLDER is the folder `Test` of a glslang source. Each listing `baseResults/spv.*` must be converted to a text that assembles. Where
`glslangValidator` or `glslang` is on the PATH, each source `spv.*` is compiled, and what is made of its listing must assemble to the words
of its binary. Printed are counts, and each file that fails.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from spvls import AssembleError, assemble
from spvls.binary.paper_listing import is_paper_listing, paper_to_assembly
from spvls.host.host_text import HostText
from spvls.host.languages import language_of
from spvls.text.lines import split_lines

STAGES = ("vert", "tesc", "tese", "geom", "frag", "comp", "task", "mesh", "rgen", "rint", "rahit", "rchit", "rmiss", "rcall")


def compiler() -> str | None:
    """The compiler of GLSL, by either of its names."""
    return shutil.which("glslangValidator") or shutil.which("glslang")


def compiled(tool: str, source: Path, environment: str = "vulkan1.3") -> tuple[str, bytes] | None:
    """The listing and the words of a source; None where it does not compile."""
    with TemporaryDirectory() as folder:
        output = Path(folder) / "module.spv"
        command = [tool, "-H", "--target-env", environment, str(source), "-o", str(output)]
        done = subprocess.run(command, capture_output=True, check=False)
        if not output.exists():
            return None
        return done.stdout.decode("utf-8", "surrogateescape"), output.read_bytes()


def read_listing(path: Path) -> str:
    """What becomes of a listing: "not a listing", "" where all of its modules assemble, or the first error."""
    text = path.read_text("utf-8", "surrogateescape")
    if not is_paper_listing(split_lines(text), anywhere=True):
        return "not a listing"
    host = HostText(paper_to_assembly(text), language_of("a.spvasm"))
    return next(filter(None, (_error(host.module_text(span)) for span in host.spans)), "")


def _error(text: str) -> str:
    try:
        assemble(text)
    except AssembleError as error:
        return str(error)
    return ""


def compare(tool: str, source: Path) -> str:
    """What becomes of the listing of a source: "not compiled", "" where the words are equal, or what is wrong."""
    found = compiled(tool, source)
    if found is None:
        return "not compiled"
    try:
        made = assemble(paper_to_assembly(found[0]))
    except AssembleError as error:
        return str(error)
    return "" if made == found[1] else "other words"


def _counted(results: Iterator[tuple[Path, str]]) -> tuple[Counter[str], bool]:
    counts: Counter[str] = Counter()
    failed = False
    for path, result in results:
        counts[result if not result or result.startswith("not ") else "failed"] += 1
        if result and not result.startswith("not "):
            failed = True
            print(f"{path.name}: {result}", flush=True)
    return counts, failed


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.corpora.listings")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--every", type=int, default=1, metavar="N", help="compile every Nth source only")
    options = parser.parse_args()
    listings = sorted((options.folder / "baseResults").glob("spv.*"))
    counts, failed = _counted((path, read_listing(path)) for path in listings)
    print(f"{counts['']} listings assemble, {counts['failed']} do not, {counts['not a listing']} files are no listings")
    tool = compiler()
    if tool is not None:
        sources = [path for path in sorted(options.folder.glob("spv.*")) if path.suffix[1:] in STAGES]
        counts, others = _counted((path, compare(tool, path)) for path in sources[:: options.every])
        print(f"{counts['']} sources have the words of their listings, {counts['failed']} do not, {counts['not compiled']} do not compile")
        failed = failed or others
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
