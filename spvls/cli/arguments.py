"""Arguments of commands. Plain ones are read without argparse, which would take a tenth of a short run."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import cache, partial
from types import SimpleNamespace

from spvls.cli.console import columns
from spvls.text.escaping import log_lines, visible
from spvls.typed import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from argparse import ArgumentParser as ArgumentParser
    from argparse import Namespace as Namespace
else:
    ArgumentParser = Namespace = Any

_FLAGS = {"store_true": True, "store_false": False}


def unfit(message: str) -> Exception:
    """The error that the `type` of an argument raises."""
    from argparse import ArgumentTypeError

    return ArgumentTypeError(message)


@cache
def parser_class() -> type[ArgumentParser]:
    """A parser whose messages have visible characters, and whose help is as wide as the terminal."""
    from argparse import ArgumentParser, RawDescriptionHelpFormatter

    # argparse makes one for every argument, and would import `shutil` for its width.
    formatter = partial(RawDescriptionHelpFormatter, max_help_position=34, width=(columns(sys.stdout) or 80) - 2)

    class Parser(ArgumentParser):
        def __init__(self, formatter_class: Any = formatter, **settings: Any) -> None:
            super().__init__(formatter_class=formatter_class, **settings)

        def error(self, message: str) -> NoReturn:
            super().error(log_lines(visible(message)))

        def _print_message(self, message: str, file: Any = None) -> None:
            if file is not None or sys.stderr is not None:
                super()._print_message(message, file)

    return Parser


class PlainArguments:
    """Is told of arguments as a parser of argparse is."""

    def __init__(self) -> None:
        self._values: dict[str, Any] = {}
        self._options: dict[str, tuple[str, str, dict[str, Any]]] = {}
        self._paths: list[tuple[str, bool]] = []
        self.epilog: str | None = None

    def add_argument(self, *flags: str, action: str = "store", dest: str = "", **said: Any) -> None:
        name = dest or flags[0].lstrip("-").replace("-", "_")
        self._values.setdefault(name, said.get("default", not _FLAGS[action] if action in _FLAGS else None))
        if not flags[0].startswith("-"):
            self._paths.append((name, said.get("nargs") in ("*", "+")))
        elif "nargs" not in said:
            self._options.update(dict.fromkeys(flags, (name, action, said)))

    def add_argument_group(self, _: str) -> PlainArguments:
        return self

    def add_mutually_exclusive_group(self, *, required: bool = False) -> PlainArguments:
        """Where one of it must be given, or is, argparse reads all."""
        apart = PlainArguments()
        apart._values = self._values
        if required:
            self._paths += [("", False)] * 2
        return apart

    def set_defaults(self, **values: Any) -> None:
        self._values.update(values)

    def read(self, arguments: Sequence[str]) -> SimpleNamespace | None:
        """What arguments mean that are paths, which stand together, and options in full with their values; None where these are
        others, or something is wrong with them."""
        values, places = self._values.copy(), []
        left = iter(enumerate(arguments))
        try:
            for at, argument in left:
                if _is_value(argument):
                    places.append(at)
                    continue
                name, action, said = self._options[argument]
                values[name] = _FLAGS[action] if action in _FLAGS else _taken(values[name], action, said, next(left)[1])
            if places or self._paths:
                [(name, many)] = self._paths
                paths = arguments[places[0] : places[-1] + 1]
                [values[name]] = [paths] if many else paths
                if len(paths) > len(places):
                    return None
            return SimpleNamespace(**values)
        except Exception:
            return None


def _is_value(argument: str) -> bool:
    return argument == "-" or not argument.startswith("-")


def _taken(before: Any, action: str, said: dict[str, Any], argument: str) -> Any:
    """The value of an option with an argument more. Raises what its `type` raises, and ValueError."""
    value = said.get("type", str)(argument)
    if not _is_value(argument) or value not in said.get("choices", (value,)):
        raise ValueError
    if action == "store":
        return value
    return [*before, *{"append": (value,), "extend": value}[action]]
