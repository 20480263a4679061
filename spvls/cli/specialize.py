"""`spvls specialize`: a module whose specialization constants have been given values (SPIR-V 2.12)."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator

from spvls.cli.console import complain
from spvls.cli.failure import Failure
from spvls.cli.source import read, shown, text_of
from spvls.cli.transformed import file_arguments, write_transformed
from spvls.diagnostic import Edit
from spvls.ide.source.source_module import SourceModule
from spvls.ide.transform.specialize import specialize
from spvls.module.specialization_values import SpecializationError, given_values, pair_of
from spvls.text.escaping import json_text

_COMMENT = "#"


def arguments(parser: ArgumentParser) -> None:
    file_arguments(parser)
    parser.add_argument(
        "values",
        nargs="*",
        metavar="CONSTANT=VALUE",
        help="a constant by its SpecId, its OpName or its id (%%size), and its value: a number, true or false",
    )
    parser.add_argument(
        "--values",
        dest="file",
        metavar="FILE",
        help="read values from a file too: CONSTANT=VALUE on each line, with # before comments, or a JSON object",
    )
    extent = parser.add_mutually_exclusive_group()
    extent.add_argument(
        "--partial", action="store_true", help="leave constants without a value to be specialized later (the default)"
    )
    extent.add_argument("--full", action="store_true", help="give all other constants their default values")


def run(options: Namespace) -> int:
    try:
        pairs = [*_of_file(options.file, options.max_file_size), *map(pair_of, options.values)]
    except SpecializationError as error:
        raise Failure(str(error)) from None
    unfolded: list[str] = []

    def transformation(source: SourceModule) -> list[Edit]:
        try:
            done = specialize(source, given_values(source.module, pairs), full=options.full)
        except SpecializationError as error:
            raise Failure(f"{shown(options.path)}: {error}") from None
        unfolded.extend(done.unfolded)
        return done.edits

    code = write_transformed(options, transformation)
    for name in unfolded:
        complain(f"%{name} stays OpSpecConstantOp: its operation has no value that a literal states")
    return code


def _of_file(path: str | None, limit: int) -> Iterator[tuple[str, str]]:
    """The constants and values of a file. Raises Failure and SpecializationError."""
    if path is None:
        return
    text = text_of(read(path, limit), path)
    if not text.lstrip().startswith("{"):
        for line in text.splitlines():
            if said := line.partition(_COMMENT)[0].strip():
                yield pair_of(said)
        return
    try:
        given = json.loads(text, parse_int=str, parse_float=str, parse_constant=str, object_pairs_hook=list)
    except (ValueError, RecursionError) as error:
        raise Failure(f"{shown(path)}: this is not JSON: {error}") from None
    for key, value in given:
        if not isinstance(value, str | bool):
            raise Failure(f"{shown(path)}: the value of {json_text(key)} is not a number, a string, true or false")
        yield key, value if isinstance(value, str) else str(value).lower()
