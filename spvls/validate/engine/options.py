"""Options of the validator, by the names of the reference validator's flags where it has them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from functools import cache
from typing import Any

from spvls.grammar.device import device_described, device_of
from spvls.text.escaping import visible

MAX_LIMIT = 0xFFFFFFFF
"""The largest number that a limit can be set to: that of a word."""

_LONGEST = 60
_LAYOUT = re.compile(r"(?:[0-9]{1,9}:[0-9]{1,9})?").fullmatch


@dataclass(frozen=True, slots=True)
class Options:
    """Relaxations of layout and pointer rules, universal limits (SPIR-V 2.17), descriptors' `size:alignment` in bytes, and
    the Vulkan device that the module is for, as `spvls.grammar.device.device_of` reads it; none where it is empty.

    With `advice`, hints tell what is allowed and yet better written otherwise, or left out."""

    relax_logical_pointer: bool = False
    relax_block_layout: bool = False
    relax_struct_store: bool = False
    uniform_buffer_standard_layout: bool = False
    scalar_block_layout: bool = False
    workgroup_scalar_block_layout: bool = False
    skip_block_layout: bool = False
    allow_localsizeid: bool = False
    allow_offset_texture_operand: bool = False
    allow_vulkan_32_bit_bitwise: bool = False
    before_hlsl_legalization: bool = False
    use_friendly_names: bool = True
    advice: bool = False
    max_struct_members: int = 16383
    max_struct_depth: int = 255
    max_local_variables: int = 524287
    max_global_variables: int = 65535
    max_switch_branches: int = 16383
    max_function_args: int = 255
    max_control_flow_nesting_depth: int = 1023
    max_access_chain_indexes: int = 255
    max_id_bound: int = 0x3FFFFF
    image_descriptor_layout: str = ""
    sampler_descriptor_layout: str = ""
    buffer_descriptor_layout: str = ""
    device: str = ""

    @classmethod
    def of(cls, given: Mapping[str, Any] | None) -> Options:
        """Options from a mapping; ValueError for a name that is none, or a value of another type than the default's."""
        defaults = _defaults()
        for name, value in (given or {}).items():
            if name not in defaults:
                raise ValueError(f"there is no validator option {shown_value(name)}; there are {', '.join(defaults)}")
            if type(value) is not type(defaults[name]):
                wanted = type(defaults[name]).__name__
                raise ValueError(f"the option {name} takes {wanted}, not {shown_value(value)}")
            if isinstance(value, int) and not 0 <= value <= MAX_LIMIT:
                raise ValueError(f"the option {name} takes a number from 0 to {MAX_LIMIT}")
            if name.endswith("_descriptor_layout") and not _LAYOUT(value):
                raise ValueError(f"the option {name} takes a size and an alignment such as 8:8, not {shown_value(value)}")
        device_of((given or {}).get("device", ""))
        return replace(cls(), **(given or {}))


@cache
def _defaults() -> dict[str, Any]:
    return {field.name: field.default for field in fields(Options)}


def described_device(given: Mapping[str, Any], read: Callable[[str], str]) -> str:
    """The option `device` for a table, as `spvls.grammar.device.device_described` reads it. Raises ValueError."""
    try:
        text = str(device_described(given, read))
        device_of(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(shortened(str(error), 5 * _LONGEST)) from error
    return text


def shown_value(value: object) -> str:
    """A value of a configuration as messages show it, whatever its size."""
    try:
        return shortened(repr(value))
    except (ValueError, RecursionError):  # a number with thousands of digits, lists in lists
        return f"this {type(value).__name__}"


def shortened(text: str, longest: int = _LONGEST) -> str:
    """A text as messages show it: on one line, every character visible, cut off where it is long."""
    text = visible(text)
    return text if len(text) <= longest else f"{text[: longest - 1]}…"
