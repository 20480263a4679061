"""What the user may set, in the section `spvls` of the editor's configuration."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from spvls.diagnostic import Severity
from spvls.grammar.environments import environments
from spvls.schema import shortened, shown_value
from spvls.text.files import read_text
from spvls.validate.config import OFF
from spvls.validate.engine.aliases import current_settings
from spvls.validate.engine.options import Options, described_device

SECTION = "spvls"

MOST_PROBLEMS = 20
"""This many faults of settings are shown one by one."""


GROUPINGS = ("off", "warnings", "all")
"""Which findings are shown as one where a function has many of a rule."""


@dataclass(frozen=True, slots=True)
class InlayHintSettings:
    """Which inlay hints are shown."""

    types: bool = True
    values: bool = True
    members: bool = True
    names: bool = True
    offsets: bool = False
    decorations: bool = True
    member_decorations: bool = True
    type_decorations: bool = True


@dataclass(frozen=True, slots=True)
class Settings:
    """`target_env` is None where the text is to say it. `options` are those of the validator that are set, by their names in
    `Options`, the device among them. `rules` gives rules another severity, or turns them off; `folder/*` is all rules of a folder.

    `group_findings` says what is shown as one finding where a function has many of a rule: "warnings", and all that is less grave,
    "all", which are errors too, or nothing with "off". `khronos_grammar` is a folder of a newer grammar to take the instructions
    from. With `nested_format` the formatter indents by control flow. With `hover_details` a hover also shows kinds of operands,
    and ids and words of the binary. With `workspace_diagnostics` the texts that are not open are checked as well, with
    `link_diagnostics` also whether the modules of the workspace can be linked with each other.
    """

    target_env: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    rules: Mapping[str, str] = field(default_factory=dict)
    inlay_hints: InlayHintSettings = field(default_factory=InlayHintSettings)
    hover_details: bool = False
    code_lens: bool = True
    group_findings: str = "warnings"
    nested_format: bool = False
    workspace_diagnostics: bool = True
    link_diagnostics: bool = False
    khronos_grammar: str | None = None


def read_settings(given: object, read: Callable[[str], str] = read_text) -> tuple[Settings, list[str]]:
    """The settings of a configuration as the client gives it, and what is wrong with that; wrong parts do not count.

    `read` gives the text of a file that they name.
    """
    if not isinstance(given, Mapping):
        return Settings(), []
    problems: list[str] = []

    def take(name: str, fits: Callable[[Any], bool], wanted: str) -> Any:
        value = given.get(name)
        if value is None or fits(value):
            return value
        problems.append(f"spvls.{name} is {shown_value(value)}, and must be {wanted}")
        return None

    is_bool: Callable[[Any], bool] = lambda value: isinstance(value, bool)  # noqa: E731
    is_mapping: Callable[[Any], bool] = lambda value: isinstance(value, Mapping)  # noqa: E731
    names = environments()
    target = take("targetEnv", lambda value: isinstance(value, str) and value in names, f"one of {', '.join(names)}")
    validation = take("validation", is_mapping, "an object")
    rules = take("rules", is_mapping, "an object")
    device = take("device", is_mapping, "an object")
    hints = take("inlayHints", is_mapping, "an object")
    lens = take("codeLens", is_bool, "true or false")
    details = take("hoverDetails", is_bool, "true or false")
    grouping = take("groupFindings", lambda value: value in GROUPINGS, f"one of {', '.join(GROUPINGS)}")
    everywhere = take("workspaceDiagnostics", is_bool, "true or false")
    linked = take("linkDiagnostics", is_bool, "true or false")
    style = take("format", lambda value: value in ("aligned", "nested"), "aligned or nested")
    grammar = take("khronosGrammar", lambda value: isinstance(value, str), "a path")
    settings = Settings(
        target_env=target,
        options={**_options(validation or {}, problems), **_device(device or {}, problems, read)},
        rules=_rules(rules or {}, problems),
        inlay_hints=InlayHintSettings(**_switches(hints or {}, problems)),
        hover_details=bool(details),
        code_lens=True if lens is None else lens,
        group_findings=grouping or "warnings",
        nested_format=style == "nested",
        workspace_diagnostics=True if everywhere is None else everywhere,
        link_diagnostics=bool(linked),
        khronos_grammar=grammar or None,
    )
    if len(problems) > MOST_PROBLEMS:
        problems[MOST_PROBLEMS:] = [f"spvls: {len(problems) - MOST_PROBLEMS} more settings are wrong"]
    return settings, problems


def _options(given: Mapping[str, Any], problems: list[str]) -> dict[str, Any]:
    taken: dict[str, Any] = {}
    for name, value in given.items():
        if value is None:
            continue
        try:
            Options.of({_snake(name): value})
        except ValueError as error:
            problems.append(f"spvls.validation: {error}")
        else:
            taken[_snake(name)] = value
    return taken


def _device(given: Mapping[str, Any], problems: list[str], read: Callable[[str], str]) -> dict[str, Any]:
    said = {name: value for name, value in given.items() if value is not None}
    if not said:
        return {}
    try:
        return {"device": described_device(said, read)}
    except ValueError as error:
        problems.append(f"spvls.device: {error}")
        return {}


def _rules(given: Mapping[str, Any], problems: list[str]) -> dict[str, str]:
    severities = (OFF, *(severity.value for severity in Severity))
    for rule, value in given.items():
        if value not in severities:
            wanted = ", ".join(severities)
            problems.append(f"spvls.rules: {shortened(rule)} is {shown_value(value)}, and must be one of {wanted}")
    return current_settings({rule: value for rule, value in given.items() if value in severities})


def _switches(given: Mapping[str, Any], problems: list[str]) -> dict[str, bool]:
    known: Iterable[str] = [entry.name for entry in fields(InlayHintSettings)]
    chosen = {_snake(name): value for name, value in given.items() if _snake(name) in known and isinstance(value, bool)}
    problems += [
        f"spvls.inlayHints has no switch {shortened(name)} of value {shown_value(value)}"
        for name, value in given.items()
        if _snake(name) not in chosen
    ]
    return chosen


def _snake(name: str) -> str:
    """`scalarBlockLayout` as `scalar_block_layout`."""
    return re.sub(r"(?<=[a-z])(?=[A-Z0-9])|(?<=[0-9])(?=[A-Z])", "_", name).lower()
