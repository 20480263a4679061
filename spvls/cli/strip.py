"""`spvls strip`: a module without debug information, non-semantic instructions and reflection."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from spvls.cli.transformed import file_arguments, write_transformed
from spvls.ide.transform.strip import ALL, Part, strip

_PARTS = {
    Part.DEBUG: "only names, lines, sources and the instruction sets of debug information",
    Part.NON_SEMANTIC: "only the instructions of all non-semantic sets",
    Part.REFLECTION: "only decorations and instruction sets that reflection alone uses",
}


def arguments(parser: ArgumentParser) -> None:
    file_arguments(parser)
    for part, meaning in _PARTS.items():
        parser.add_argument(f"--{part.value}", action="append_const", dest="parts", const=part, help=f"remove {meaning}")


def run(options: Namespace) -> int:
    parts = frozenset(options.parts or ALL)
    return write_transformed(options, lambda source: strip(source, parts))
