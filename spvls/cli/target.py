"""The options that say what a module is meant for: the environment, and the validator's relaxations and limits."""

from __future__ import annotations

import re
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from typing import Any

from spvls.grammar.device import device_of
from spvls.grammar.environments import environments
from spvls.text.files import read_text
from spvls.validate.engine.options import MAX_LIMIT, described_device, shortened

#: The validator's switches by their long flags, and what each allows.
SWITCHES = {
    "relax-logical-pointer": "let pointers be stored, and returned from functions, under logical addressing",
    "relax-struct-store": "let a structure be stored to one of another type with the same layout",
    "relax-block-layout": "lay blocks out by the relaxed rules of VK_KHR_relaxed_block_layout",
    "uniform-buffer-standard-layout": "lay uniform buffers out by the rules of storage buffers",
    "scalar-block-layout": "lay blocks out by the rules of scalar alignment",
    "workgroup-scalar-block-layout": "the same for blocks in Workgroup storage",
    "skip-block-layout": "do not check the layout of blocks",
    "allow-localsizeid": "allow LocalSizeId where the environment does not",
    "allow-offset-texture-operand": "allow the image operand Offset where the environment does not",
    "allow-vulkan-32-bit-bitwise": "allow bit instructions on other widths than 32 bits under Vulkan",
    "before-hlsl-legalization": "allow what a compiler of HLSL leaves for legalization",
    "advice": "give hints on what is deprecated, unused or never reached, as editors show them",
}

#: Limits, and the number of what each sets (SPIR-V 2.17).
LIMITS = {
    "max-struct-members": "members of a structure",
    "max-struct-depth": "structures nested in each other",
    "max-local-variables": "variables of a function",
    "max-global-variables": "variables outside of functions",
    "max-switch-branches": "cases of an OpSwitch",
    "max-function-args": "parameters of a function",
    "max-control-flow-nesting-depth": "constructs nested in each other",
    "max-access-chain-indexes": "indexes of an access chain",
    "max-id-bound": "largest bound on ids",
}

#: Sizes and alignments of descriptors in memory.
LAYOUTS = {
    "image-descriptor-layout": "of an image descriptor",
    "sampler-descriptor-layout": "of a sampler descriptor",
    "buffer-descriptor-layout": "of a buffer descriptor",
}

#: What the module is to run on.
DEVICES = {
    "device": "the Vulkan device that the module is for: a .json file of Vulkan profiles, or a list such as "
    "1.2,shaderInt64,VK_KHR_ray_query; what it does not have is reported",
}


_LIMIT_DIGITS = 10
_LAYOUT = re.compile(r"[0-9]{1,9}:[0-9]{1,9}").fullmatch


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
        limits.add_argument(f"--{flag}", metavar="SIZE:ALIGNMENT", type=_layout, help=f"octets {meaning}")
    for flag, meaning in DEVICES.items():
        parser.add_argument(f"--{flag}", metavar="DEVICE", type=_device, help=meaning)


def validator_options(options: Namespace) -> dict[str, Any]:
    """The flags given, as `spvls.validate` takes them."""
    names = [flag.replace("-", "_") for flag in (*SWITCHES, *LIMITS, *LAYOUTS, *DEVICES)]
    return {name: value for name in names if (value := getattr(options, name)) is not None}


def _environment(name: str) -> str:
    if name not in environments():
        raise ArgumentTypeError(f"there is no environment {name!r}; choose one of {', '.join(environments())}")
    return name


def _count(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= _LIMIT_DIGITS and int(text) <= MAX_LIMIT):
        raise ArgumentTypeError(f"{shortened(text)!r} is not a number from 0 to {MAX_LIMIT}")
    return int(text)


def _layout(text: str) -> str:
    if not _LAYOUT(text):
        raise ArgumentTypeError(f"{text!r} is not of the form SIZE:ALIGNMENT, such as 8:8")
    return text


def _device(text: str) -> str:
    try:
        if text.endswith(".json"):
            return described_device({"profile": text}, read_text)
        return str(device_of(text))
    except ValueError as error:
        raise ArgumentTypeError(str(error)) from None
