"""Options of the validator, by the names of the reference validator's flags where it has them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from spvls.grammar.device import device_of


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
        known = {field.name: field for field in fields(cls)}
        for name, value in (given or {}).items():
            if name not in known:
                raise ValueError(f"there is no validator option {name!r}; there are {', '.join(known)}")
            if type(value) is not type(known[name].default):
                raise ValueError(f"the option {name} takes {type(known[name].default).__name__}, not {value!r}")
        device_of((given or {}).get("device", ""))
        return replace(cls(), **(given or {}))
