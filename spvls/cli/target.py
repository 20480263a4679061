"""The options that say what a module is meant for: the environment, and the validator's relaxations and limits."""

from __future__ import annotations

from spvls.cli.arguments import ArgumentParser, Namespace, unfit
from spvls.grammar.environments import environments
from spvls.text.pattern import pattern
from spvls.typed import Any
from spvls.validate.engine.option_names import DEVICES, LAYOUTS, LIMITS, SWITCHES
from spvls.validate.engine.options import MAX_LIMIT, described_device

_LIMIT_DIGITS = 10
_LAYOUT = pattern(r"[0-9]{1,9}:[0-9]{1,9}")


def environment_argument(parser: ArgumentParser) -> None:
    """Add `--target-env` to a parser."""
    names = list(environments())
    parser.add_argument(
        "--target-env",
        metavar="ENV",
        type=_environment,
        help=f"what the module is meant for; by default what it says itself. One of {', '.join(names)}",
    )


def validator_arguments(parser: ArgumentParser) -> None:
    """Add the flags of the validator to a parser."""
    relaxations = parser.add_argument_group("relaxations")
    for flag, meaning in SWITCHES.items():
        relaxations.add_argument(f"--{flag}", action="store_true", default=None, help=meaning)
    limits = parser.add_argument_group("limits")
    for flag, meaning in LIMITS.items():
        limits.add_argument(f"--{flag}", metavar="N", type=_count, help=meaning)
    for flag, meaning in LAYOUTS.items():
        limits.add_argument(f"--{flag}", metavar="SIZE:ALIGNMENT", type=_layout, help=f"bytes {meaning}")
    for flag, meaning in DEVICES.items():
        parser.add_argument(f"--{flag}", metavar="DEVICE", type=_device, help=meaning)


def validator_options(options: Namespace) -> dict[str, Any]:
    """The flags given, as `spvls.validate` takes them."""
    names = [flag.replace("-", "_") for flag in (*SWITCHES, *LIMITS, *LAYOUTS, *DEVICES)]
    return {name: value for name in names if (value := getattr(options, name)) is not None}


def _environment(name: str) -> str:
    if name not in environments():
        raise unfit(f"there is no environment {name!r}; choose one of {', '.join(environments())}")
    return name


def _count(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= _LIMIT_DIGITS and int(text) <= MAX_LIMIT):
        from spvls.schema import shortened

        raise unfit(f"{shortened(text)!r} is not a number from 0 to {MAX_LIMIT}")
    return int(text)


def _layout(text: str) -> str:
    if not _LAYOUT.fullmatch(text):
        raise unfit(f"{text!r} is not of the form SIZE:ALIGNMENT, such as 8:8")
    return text


def _device(text: str) -> str:
    from spvls.grammar.device import device_of
    from spvls.text.files import read_text

    try:
        if text.endswith(".json"):
            return described_device({"profile": text}, read_text)
        return str(device_of(text))
    except ValueError as error:
        raise unfit(str(error)) from None
