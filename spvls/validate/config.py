"""`spvls.toml`: what a project asks of the validator. Searched for in the folder of a module and upward.

    target-env = "vulkan1.3"
    include = ["*.amber", "tests/**/*.cpp"]   # further files of a folder that have modules in them
    exclude = ["third_party/"]                # files and folders that are left out

    [options]                       # the flags of the validator
    scalar-block-layout = true

    [device]                        # the Vulkan device that the modules are for; what it has not is a finding
    version = "1.2"
    features = ["shaderInt64"]      # these and no others; without the list, features are not checked
    extensions = ["VK_KHR_ray_query"]
    profile = "device.json"         # or a file of Vulkan profiles, in this folder or below

    [rules]                         # another severity, or "off"; `folder/*` is all rules of a folder
    "id/is-defined-before-use" = "warning"
    "debug/*" = "off"
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType

from spvls.diagnostic import Diagnostic, Severity
from spvls.record import NamedTuple
from spvls.typed import Any
from spvls.validate.engine.rule_patterns import value_for

FILE_NAME = "spvls.toml"

OFF = "off"
"""In the place of a severity: the findings of the rule are not wanted."""

_NOTHING: Mapping[str, Any] = MappingProxyType({})


class Config(NamedTuple):
    """`path` is the file that says so, None without one. `problems` are findings about that file, and `text` is what it holds
    where there are any."""

    path: str | None = None
    target_env: str | None = None
    options: Mapping[str, Any] = _NOTHING
    rules: Mapping[str, str] = _NOTHING
    problems: tuple[Diagnostic, ...] = ()
    text: str = ""
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()

    def applied(self, found: list[Diagnostic]) -> list[Diagnostic]:
        """Findings with the severities of the file."""
        if not self.rules:
            return found
        return [kept for diagnostic in found if (kept := self._judged(diagnostic)) is not None]

    def _judged(self, diagnostic: Diagnostic) -> Diagnostic | None:
        chosen = value_for(diagnostic.rule, self.rules)
        if chosen is None:
            return diagnostic
        return None if chosen == OFF else diagnostic._replace(severity=Severity(chosen))


def config_for(path: str, allows: Callable[[str], bool] | None = None) -> Config:
    """The configuration of a module: that of the nearest `spvls.toml` above it that `allows` has read, by default of all."""
    folder = os.path.dirname(os.path.abspath(path))
    while True:
        candidate = os.path.join(folder, FILE_NAME)
        try:
            modified = os.stat(candidate).st_mtime_ns
            if allows is None or allows(candidate):
                return read_config(candidate, modified)
        except (OSError, ValueError):
            pass  # there is none here
        parent = os.path.dirname(folder)
        if parent == folder:
            return Config()
        folder = parent


@lru_cache(maxsize=64)
def read_config(path: str, modified: int) -> Config:
    """The configuration in a file; `modified` is when it was, so that a later one is read again. Never raises: what cannot
    be read is a problem of the file, and all else has its default."""
    from spvls.validate.config_file import config_in  # TOML and the schema, for projects that have the file

    return config_in(path)
