"""Options of the validator, by the names of the flags of spirv-val where it has them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

from spvls.record import NamedTuple
from spvls.typed import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from spvls.schema import Schema

MAX_LIMIT = 0xFFFFFFFF
"""The largest number that a limit can be set to: that of a word."""

_LONGEST = 300
_LAYOUT = "^([0-9]{1,9}:[0-9]{1,9})?$"


class Options(NamedTuple):
    """Relaxations of layout and pointer rules, universal limits (SPIR-V 2.17), descriptors' `size:alignment` in bytes, and
    the Vulkan device that the module is for, as `spvls.grammar.device.device_of` reads it; none where it is empty. With
    `max_decorations` 0 there may be as many as there are kinds of decorations.

    With `advice`, hints show what is allowed but better written in another way, or left out; with `simplifications`, also what a
    later tool would replace. With `reference_verdicts`, errors that spirv-val does not give are warnings."""

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
    simplifications: bool = False
    reference_verdicts: bool = False
    max_struct_members: int = 16383
    max_struct_depth: int = 255
    max_local_variables: int = 524287
    max_global_variables: int = 65535
    max_switch_branches: int = 16383
    max_function_args: int = 255
    max_control_flow_nesting_depth: int = 1023
    max_access_chain_indexes: int = 255
    max_id_bound: int = 0x3FFFFF
    max_string_length: int = 65535
    max_decorations: int = 0
    max_execution_modes: int = 255
    max_ext_inst_args: int = 255
    image_descriptor_layout: str = ""
    sampler_descriptor_layout: str = ""
    buffer_descriptor_layout: str = ""
    device: str = ""

    @classmethod
    def of(cls, given: Mapping[str, Any] | None) -> Options:
        """Options from a mapping; `before_hlsl_legalization` sets `relax_logical_pointer`, too. ValueError for a name that is none,
        or a value that the option does not take."""
        if not given:
            return cls()
        from spvls.grammar.device import device_of
        from spvls.schema import explained, violations

        wrong = next(violations(options_schema(), dict(given)), None)
        if wrong is not None:
            raise ValueError(explained(wrong, "validator option"))
        device_of(given.get("device", ""))
        relaxed = bool(given.get("before_hlsl_legalization")) or bool(given.get("relax_logical_pointer"))
        return cls(**{**given, "relax_logical_pointer": relaxed})


@cache
def options_schema() -> Schema:
    """What values each option takes, by its name in `Options`."""
    taken = {name: _taken(name, default) for name, default in Options._field_defaults.items()}
    return {"type": "object", "properties": taken, "additionalProperties": False}


def _taken(name: str, default: object) -> Schema:
    """What values an option takes."""
    from spvls.validate.engine.option_names import DESCRIPTIONS

    described = {"default": default, "description": DESCRIPTIONS[name]}
    if isinstance(default, bool):
        return {"type": "boolean", **described}
    if isinstance(default, int):
        return {"type": "integer", "minimum": 0, "maximum": MAX_LIMIT, **described}
    if name.endswith("_descriptor_layout"):
        return {"type": "string", "pattern": _LAYOUT, "title": "a size and an alignment such as 8:8", **described}
    return {"type": "string", **described}


def described_device(given: Mapping[str, Any], read: Callable[[str], str]) -> str:
    """The option `device` for a table, as `spvls.grammar.device.device_described` reads it. Raises ValueError."""
    from spvls.grammar.device import device_described, device_of
    from spvls.schema import shortened

    try:
        text = str(device_described(given, read))
        device_of(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(shortened(str(error), _LONGEST)) from error
    return text
