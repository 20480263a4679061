"""`spvls.toml`: what a project asks of the validator. Searched for in the folder of a module and upward.

    target-env = "vulkan1.3"

    [options]                       # the flags of the validator
    scalar-block-layout = true

    [device]                        # the Vulkan device that the modules are for; what it has not is a finding
    version = "1.2"
    features = ["shaderInt64"]      # these and no others; without the list, features are not looked at
    extensions = ["VK_KHR_ray_query"]
    profile = "device.json"         # or a file of Vulkan profiles, in this folder or below

    [rules]                         # another severity, or "off"; `family/*` is all rules of a family
    "ssa/id-defined" = "warning"
    "debug/*" = "off"
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from spvls.diagnostic import Diagnostic, Position, Range, Severity
from spvls.grammar.device import device_described
from spvls.grammar.environments import environments
from spvls.text.files import read_text
from spvls.validate.options import Options

FILE_NAME = "spvls.toml"
OFF = "off"

#: Bytes that the file has at most.
_LARGEST = 4 << 20

_START = Range(Position(0, 0), Position(0, 0))


@dataclass(frozen=True, slots=True)
class Config:
    """`path` is the file that says so, None without one. `problems` are findings about that file."""

    path: str | None = None
    target_env: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    rules: Mapping[str, str] = field(default_factory=dict)
    problems: tuple[Diagnostic, ...] = ()

    def applied(self, found: list[Diagnostic]) -> list[Diagnostic]:
        """Findings with the severities of the file."""
        if not self.rules:
            return found
        return [kept for diagnostic in found if (kept := self._judged(diagnostic)) is not None]

    def _judged(self, diagnostic: Diagnostic) -> Diagnostic | None:
        family = diagnostic.rule.partition("/")[0] + "/*"
        chosen = self.rules.get(diagnostic.rule, self.rules.get(family))
        if chosen is None:
            return diagnostic
        return None if chosen == OFF else replace(diagnostic, severity=Severity(chosen))


def config_for(path: str) -> Config:
    """The configuration of a module: that of the nearest `spvls.toml` above it."""
    folder = os.path.dirname(os.path.abspath(path))
    while True:
        candidate = os.path.join(folder, FILE_NAME)
        if os.path.isfile(candidate):
            return read_config(candidate, os.stat(candidate).st_mtime_ns)
        parent = os.path.dirname(folder)
        if parent == folder:
            return Config()
        folder = parent


@lru_cache(maxsize=64)
def read_config(path: str, modified: int) -> Config:
    """The configuration in a file; `modified` is when it was, so that a later one is read again."""
    import tomllib

    try:
        text = read_text(path, limit=_LARGEST).replace("\r\n", "\n")
        data = tomllib.loads(text)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        return Config(path, problems=(_problem("config/unreadable", f"this file cannot be read: {error}"),))
    return _Reader(path, text).config(data)


class _Reader:
    """Takes what is right in a configuration, and notes what is wrong, at the line that names it."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.lines = text.split("\n")
        self.problems: list[Diagnostic] = []

    def config(self, data: dict[str, Any]) -> Config:
        for key in data:
            if key not in ("target-env", "options", "device", "rules"):
                known = "target-env, [options], [device] and [rules]"
                self._tell("config/unknown-key", key, f"there is no setting {key}; there are {known}")
        target = data.get("target-env")
        if target is not None and target not in environments():
            self._tell("config/target-env", "target-env", f"there is no target environment {target!r}")
            target = None
        options = {**self._options(self._table(data, "options")), **self._device(self._table(data, "device"))}
        rules = self._rules(self._table(data, "rules"))
        return Config(self.path, target, options, rules, tuple(self.problems))

    def _table(self, data: dict[str, Any], name: str) -> dict[str, Any]:
        table = data.get(name, {})
        if isinstance(table, dict):
            return table
        self._tell("config/unknown-key", name, f"[{name}] is a table")
        return {}

    def _options(self, given: dict[str, Any]) -> dict[str, Any]:
        taken: dict[str, Any] = {}
        for key, value in given.items():
            name = key.replace("-", "_")
            try:
                Options.of({name: value})
            except ValueError as error:
                self._tell("config/option", key, str(error))
            else:
                taken[name] = value
        return taken

    def _device(self, given: dict[str, Any]) -> dict[str, Any]:
        if not given:
            return {}
        try:
            return {"device": str(device_described(given, self._text_beside))}
        except ValueError as error:
            self._tell("config/device", next((key for key in given if key in str(error)), "device"), str(error))
            return {}

    def _text_beside(self, path: str) -> str:
        """The text of a file of the project, by its path from the folder of the configuration."""
        folder = os.path.dirname(self.path)
        return read_text(os.path.join(folder, path), inside=folder)

    def _rules(self, given: dict[str, Any]) -> dict[str, str]:
        from spvls.validate.rule import rules

        severities = (OFF, *(severity.value for severity in Severity))
        families = {name.partition("/")[0] + "/*" for name in rules()} | {"syntax/*"}
        taken: dict[str, str] = {}
        for name, value in given.items():
            if name not in rules() and name not in families and not name.startswith("syntax/"):
                self._tell("config/unknown-rule", name, f"there is no rule {name}; `spvls rules` lists them")
            elif value not in severities:
                self._tell("config/severity", name, f"{value!r} is no severity; there are {', '.join(severities)}")
            else:
                taken[name] = value
        return taken

    def _tell(self, rule: str, key: str, message: str) -> None:
        line = next((at for at, text in enumerate(self.lines) if key in text), 0)
        column = max(self.lines[line].find(key), 0)
        where = Range(Position(line, column), Position(line, column + len(key)))
        self.problems.append(_problem(rule, message, where))


def _problem(rule: str, message: str, where: Range = _START) -> Diagnostic:
    return Diagnostic(rule, Severity.ERROR, message, where)
