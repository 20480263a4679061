"""Reading `spvls.toml`: what is right in it as a configuration, and what is wrong with it, at its place."""

from __future__ import annotations

import os
import re

from spvls.diagnostic import Diagnostic, Position, Range, Severity
from spvls.record import cached_property
from spvls.schema import Path, Violation, explained, shortened, violations
from spvls.text.files import read_text
from spvls.text.lines import position_in
from spvls.text.pattern import pattern
from spvls.typed import Any
from spvls.validate.config import Config
from spvls.validate.config_schema import config_schema
from spvls.validate.engine.aliases import current_settings
from spvls.validate.engine.options import Options, described_device
from spvls.validate.engine.rule_patterns import unknown_pattern
from spvls.validate.toml_places import MOST_PARTS, KeyPlaces, deep_value, long_key

#: Bytes that the file has at most, and problems that are listed one by one.
_LARGEST = 2 << 20
_MOST_PROBLEMS = 100

#: Brackets around the one that is named where values are nested deeper than they can be read.
_SHOWN_DEPTH = 100

_PLACE = pattern(r"(?P<message>.*) \(at line (?P<line>[0-9]+), column (?P<column>[0-9]+)\)", re.DOTALL)
_LONG_NUMBER = pattern(r"[0-9](?:_?[0-9]){4000}")

#: The rules about values, and what keys are called, by table.
_RULES = {"target-env": "config/target-env", "options": "config/option", "device": "config/device", "rules": "config/severity"}
_NOUNS = {"options": "validator option", "device": "device setting", "rules": "rule"}

_START = Range(Position(0, 0), Position(0, 0))


def config_in(path: str) -> Config:
    """The configuration in a file. Never raises: what cannot be read is a problem of the file, and all else has its default."""
    try:
        text = read_text(path, limit=_LARGEST).replace("\r\n", "\n")
    except OSError as error:
        return Config(path, problems=(_unreadable(error.strerror or str(error), None),))
    except UnicodeDecodeError as error:
        where = _at(Position(error.object.count(b"\n", 0, error.start), 0))
        text = error.object.decode("utf-8", "surrogateescape")
        return Config(path, problems=(_unreadable("it is not UTF-8", where),), text=text)
    data = _parsed(text)
    if isinstance(data, Diagnostic):
        return Config(path, problems=(data,), text=text)
    return _Reader(path, text).config(data)


def _parsed(text: str) -> dict[str, Any] | Diagnostic:
    """The data of a TOML text, or the one finding about a text that is not TOML or too deep or long in some part."""
    import tomllib

    key = long_key(text)
    if key is not None:
        return _unreadable(f"a key has more than {MOST_PARTS} parts", _at(position_in(text, key)))
    try:
        return tomllib.loads(text)
    except RecursionError:
        return _unreadable("values are nested too deeply here", _at(position_in(text, deep_value(text, _SHOWN_DEPTH))))
    except ValueError as error:
        message = str(error)
    if (place := _PLACE.fullmatch(message)) is not None:
        where = Position(int(place["line"]) - 1, int(place["column"]) - 1)
        return _unreadable(place["message"], _at(where))
    if (number := _LONG_NUMBER.search(text)) is not None:
        return _unreadable("a number has too many digits", _at(position_in(text, number.start())))
    return _unreadable(message, _at(position_in(text, len(text))))


class _Reader:
    """Takes what is right in a configuration, and notes what is wrong, at the line that names it."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.text = text
        self.problems: list[Diagnostic] = []
        self._more = 0
        self._wrong: set[Path] = set()

    def config(self, data: dict[str, Any]) -> Config:
        for violation in violations(config_schema(), data):
            self._wrong.add(violation.path)
            self._note(_rule_of(violation), violation.path, violation)
        target = None if ("target-env",) in self._wrong else data.get("target-env")
        options = {**self._options(self._right(data, "options")), **self._device(self._right(data, "device"))}
        rules = current_settings(self._right(data, "rules"))
        if self._more:
            self.problems.append(_problem("config/unknown-key", f"{self._more} more settings of this file are wrong"))
        problems = tuple(self.problems)
        text = self.text if problems else ""
        include, exclude = (self._globs(data, name) for name in ("include", "exclude"))
        return Config(self.path, target, options, rules, problems, text, include, exclude)

    def _right(self, data: dict[str, Any], name: str) -> dict[str, Any]:
        """The entries of a table that nothing is wrong with."""
        if (name,) in self._wrong:
            return {}
        return {key: value for key, value in data.get(name, {}).items() if (name, key) not in self._wrong}

    def _globs(self, data: dict[str, Any], name: str) -> tuple[str, ...]:
        return () if any(path[0] == name for path in self._wrong) else tuple(data.get(name, ()))

    def _options(self, given: dict[str, Any]) -> dict[str, Any]:
        taken: dict[str, Any] = {}
        for key, value in given.items():
            name = key.replace("-", "_")
            try:
                Options.of({name: value})
            except ValueError as error:  # the text of a device may hold words that are none
                self._note("config/option", ("options", key), str(error))
            else:
                taken[name] = value
        return taken

    def _device(self, given: dict[str, Any]) -> dict[str, Any]:
        if not given or any(path[0] == "device" for path in self._wrong):
            return {}
        try:
            return {"device": described_device(given, self._text_beside)}
        except ValueError as error:
            named = next(((key,) for key in given if key in str(error)), ())
            self._note("config/device", ("device", *named), str(error))
            return {}

    def _text_beside(self, path: str) -> str:
        """The text of a file of the project, by its path from the folder of the configuration."""
        folder = os.path.dirname(self.path)
        return read_text(os.path.join(folder, path), inside=folder)

    def _note(self, rule: str, key: Path, problem: str | Violation) -> None:
        if len(self.problems) < _MOST_PROBLEMS:
            message = problem if isinstance(problem, str) else _message(problem)
            self.problems.append(_problem(rule, message, self._places.place(*key)))
        else:
            self._more += 1

    @cached_property
    def _places(self) -> KeyPlaces:
        return KeyPlaces(self.text)


def _rule_of(violation: Violation) -> str:
    """The rule that a violation breaks."""
    table, *inner = violation.path
    if table in ("include", "exclude") and violation.known is None:
        return "config/globs"
    if not inner and table != "target-env":
        return "config/unknown-key"
    return "config/unknown-rule" if table == "rules" and violation.known is not None else _RULES[table]


def _message(violation: Violation) -> str:
    if violation.known is not None and violation.path[0] == "rules" and len(violation.path) > 1:
        return unknown_pattern(shortened(violation.path[-1]))
    is_setting = len(violation.path) == 1 or violation.path[0] not in _NOUNS
    return explained(violation, "setting" if is_setting else _NOUNS[violation.path[0]])


def _at(place: Position) -> Range:
    return Range(place, Position(place.line, place.column + 1))


def _unreadable(reason: str, where: Range | None) -> Diagnostic:
    return _problem("config/unreadable", f"this file cannot be read: {reason}", where)


def _problem(rule: str, message: str, where: Range | None = _START) -> Diagnostic:
    return Diagnostic(rule, Severity.ERROR, message, where)
