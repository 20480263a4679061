"""The flags that say what a module is meant for."""

from __future__ import annotations

from argparse import ArgumentParser

import pytest

from spvls.cli.target import DEVICES, LAYOUTS, LIMITS, SWITCHES, environment_argument, validator_arguments, validator_options
from spvls.grammar.environments import environments
from spvls.validate.engine.options import Options
from tests.cli.conftest import Run

PARSER = ArgumentParser()
environment_argument(PARSER)
validator_arguments(PARSER)


def test_there_is_a_flag_for_every_option_of_the_validator() -> None:
    tables = {bool: SWITCHES, int: LIMITS, str: {**LAYOUTS, **DEVICES}}
    flags = {flag.replace("-", "_"): kind for kind, table in tables.items() for flag in table}
    options = {name: type(default) for name, default in Options._field_defaults.items()}
    assert flags == {name: kind for name, kind in options.items() if name != "use_friendly_names"}


def test_flags_become_options_that_the_validator_takes() -> None:
    every = [f"--{flag}" for flag in SWITCHES] + [f"--{flag}=12" for flag in LIMITS] + [f"--{flag}=8:4" for flag in LAYOUTS]
    every.append("--device=1.2,features,shaderInt64")
    given = validator_options(PARSER.parse_args(every))
    assert len(given) == len(every)
    assert all(getattr(Options.of(given), name) == value for name, value in given.items())
    assert validator_options(PARSER.parse_args([])) == {}


@pytest.mark.parametrize("name", environments())
def test_every_environment(name: str) -> None:
    assert PARSER.parse_args(["--target-env", name]).target_env == name


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--target-env=vulkan"], "there is no environment 'vulkan'; choose one of spv1.0, "),
        (["--max-struct-depth=-1"], "'-1' is not a number from 0 to 4294967295"),
        (["--max-id-bound=many"], "'many' is not a number from 0 to 4294967295"),
        (["--image-descriptor-layout=8"], "'8' is not of the form SIZE:ALIGNMENT, such as 8:8"),
        (["--device=1.2,?"], "'?' is not a version, feature, extension or property of a device"),
        (["--device=none.json"], "the profile none.json cannot be read: No such file or directory"),
        (["--jobs=0"], "--jobs 0: expected at least 1 process"),
        (["--format=xml"], "invalid choice: 'xml'"),
    ],
)
def test_wrong_values_are_wrong_usage(run: Run, arguments: list[str], message: str) -> None:
    done = run("lint", "x.spvasm", *arguments)
    assert (done.code, done.out) == (2, "")
    assert message in done.err
