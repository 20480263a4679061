"""Arguments that are read without argparse mean what it says they mean."""

from __future__ import annotations

import pytest

from spvls.cli.arguments import PlainArguments, parser_class
from spvls.cli.main import COMMANDS, _add_arguments

PLAIN = {
    "lint": (
        "a", "a b", "--strict a b", "a --strict", "--jobs 2 --fix a --diff", "- --format json", "--select type/* --select id/* a",
        "--include x --include y a", "--output - a", "-o r a", "--target-env vulkan1.3 a", "--max-file-size 3 a", "--advice a",
        "--max-id-bound 7 --buffer-descriptor-layout 8:8 a",
    ),
    "as": ("a", "a -o -", "-o b a --id-map c --module 2"),
    "dis": ("a", "--color --no-color a", "--no-color --color a", "--source - -o b"),
    "doc": ("OpNop OpPhi", "--module OpNop"),
    "fmt": ("a b", "a"),
    "serve": ("", "--root a --root b"),
    "strip": ("a",),
}  # fmt: skip

UNUSUAL = {
    "lint": (
        "", "a --strict b", "--jobs x a", "--jobs=2 a", "--jobs", "a --jobs", "-ob a", "--str a", "-- a", "a --nothing", "-h", "--jobs -1 a",
        "--format csv a", "--output --fix a", "--target-env x a",
    ),
    "as": ("", "a b"),
    "serve": ("--stdio", "a"),
    "specialize": ("--full a", "a -o b"),
    "strip": ("--debug a",),
    "explain": ("", "a", "--list"),
}  # fmt: skip


def plain(command: str, arguments: str) -> dict[str, object] | None:
    told = PlainArguments()
    _add_arguments(told, COMMANDS[command])
    read = told.read(arguments.split())
    return None if read is None else vars(read)


@pytest.mark.parametrize(("command", "arguments"), [(command, each) for command, all_ in PLAIN.items() for each in all_])
def test_plain_arguments_mean_what_argparse_says(command: str, arguments: str) -> None:
    parser = parser_class()()
    _add_arguments(parser, COMMANDS[command])
    assert plain(command, arguments) == vars(parser.parse_args(arguments.split()))


@pytest.mark.parametrize(("command", "arguments"), [(command, each) for command, all_ in UNUSUAL.items() for each in all_])
def test_others_are_for_argparse(command: str, arguments: str) -> None:
    assert plain(command, arguments) is None
