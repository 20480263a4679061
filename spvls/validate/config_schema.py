"""The schema of `spvls.toml`: for what is wrong with such a file, and for editors."""

from __future__ import annotations

from functools import cache

from spvls.diagnostic import Severity
from spvls.grammar.device import DEVICE_SCHEMA
from spvls.grammar.environments import environments
from spvls.schema import DRAFT, Schema
from spvls.typed import Any
from spvls.validate.config import OFF
from spvls.validate.engine.aliases import former_names
from spvls.validate.engine.options import options_schema
from spvls.validate.engine.rule_patterns import known_patterns

_RULE: Schema = {"type": "string", "enum": [OFF, *(severity.value for severity in Severity)]}
_PATTERNS: Schema = {"type": "array", "title": "a list of strings", "items": {"type": "string"}}


@cache
def config_schema() -> Schema:
    """What a configuration holds. The names of options have hyphens, or underscores as in the library;
    rules may also have their former names."""
    options = options_schema()["properties"]
    return {
        "type": "object",
        "properties": {
            "target-env": {
                "type": "string",
                "enum": list(environments()),
                "description": "What modules are meant for that do not say so themselves.",
            },
            "include": {
                **_PATTERNS,
                "description": "Patterns, as in .gitignore, of further files that have modules in them, such as *.amber.",
            },
            "exclude": {
                **_PATTERNS,
                "description": "Patterns, as in .gitignore, of files and folders that are left out when a folder is searched.",
            },
            "options": {
                "type": "object",
                "description": "The options of the validator.",
                "properties": {name.replace("_", "-"): option for name, option in options.items()},
                "patternProperties": {f"^{name}$": option for name, option in options.items() if "_" in name},
                "additionalProperties": False,
            },
            "device": {"description": "The Vulkan device that the modules are for: what it lacks is reported.", **DEVICE_SCHEMA},
            "rules": {
                "type": "object",
                "description": "Another severity for a rule or for a folder of rules, or none.",
                "properties": dict.fromkeys(sorted(known_patterns()), _RULE),
                "patternProperties": {f"^({'|'.join(map(_literal, sorted(former_names())))})$": _RULE},
                "additionalProperties": False,
            },
        },
        "additionalProperties": False,
    }


def _literal(name: str) -> str:
    """A pattern of one name."""
    return name.replace(".", r"\.").replace("*", r"\*")


def published_schema() -> dict[str, Any]:
    """The same for editors, with a word on each rule."""
    from spvls.validate.engine.explanation import title_of

    schema = dict(config_schema())
    properties = dict(schema["properties"])
    described = {
        pattern: {**_RULE, "description": title_of(pattern) or f"All rules of the folder {pattern.removesuffix('/*')}."}
        for pattern in properties["rules"]["properties"]
    }
    properties["rules"] = {**properties["rules"], "properties": described}
    return {
        "$schema": DRAFT,
        "title": "spvls.toml",
        "description": "Settings of spvls for the modules in a folder and below.",
        **schema,
        "properties": properties,
    }
