"""What the comments at the top of a text say of the whole: the version, and the settings meant for spvls."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from spvls.diagnostic import Edit, Position, Range
from spvls.grammar.environments import DEFAULT, Environment, environment, environments
from spvls.grammar.records import Version
from spvls.record import NamedTuple
from spvls.text.pattern import pattern

_VERSION = pattern(r"; Version: 1\.([0-6])(?![0-9])")
_VERSIONS = tuple(f"; Version: 1.{minor}" for minor in range(7))
_TARGET = pattern(r";\s*spvls:.*?\btarget-env\s*=\s*([^\s,;]+)")


class Header(NamedTuple):
    """`version` is the minor version of a `; Version: 1.N` line; `target` names an environment, and stands on
    line `target_line`, the version on line `version_line`. `generator` is the tool that a `; Generator: …` line names, with its
    version. None where the text says nothing."""

    version: int | None = None
    target: str | None = None
    target_line: int = 0
    version_line: int = 0
    generator: str | None = None

    def environment(self, chosen: str | None = None) -> Environment:
        """The environment to read the text for: the one chosen, else the text's own, else its version's."""
        if chosen is not None:
            return environment(chosen)
        if self.target in environments():
            return environment(str(self.target))
        return environment(DEFAULT if self.version is None else f"spv1.{self.version}")

    def version_in(self, taken: Environment) -> Version:
        """The version to check the text as: its own one where the environment takes that, else the newest of the environment."""
        return taken.version if self.version is None else min((1, self.version), taken.version)


def raised(header: Header, lines: Sequence[str], version: Version, taken: Environment) -> Edit | None:
    """The edit after which the header of a text that is checked for an environment asks for a version of SPIR-V, or for the
    first environment of the same client that has it; None where there is none to ask for, or where the text says nothing."""
    number, stated, new = header.version_line, _VERSION, str(version[1])
    if header.version is not None and (1, header.version) < version <= taken.version:
        pass
    elif header.environment() != taken:
        return None
    elif header.target in environments():
        own = environment(str(header.target))
        better = [found for found in environments().values() if found.api == own.api and found.embedded == own.embedded]
        fitting = sorted((found.api_version, found.version, found.name) for found in better if found.version >= version)
        if not fitting:
            return None
        number, stated, new = header.target_line, _TARGET, fitting[0][2]
    elif header.version is None:
        return None
    match = stated.search(lines[number])
    if match is None:
        return None
    return Edit(Range(Position(number, match.start(1)), Position(number, match.end(1))), new)


def target_range(line: str, number: int) -> Range:
    """Where a comment on a line of that number names the target."""
    match = _TARGET.search(line)
    if match is None:
        raise ValueError(f"line {number} names no target environment")
    return Range(Position(number, match.start(1)), Position(number, match.end(1)))


def read_header(lines: Iterable[str]) -> Header:
    """The header of a text: its leading comments and empty lines.

    The name of the target is as it stands there; that it is one of an environment is checked along with other comments.
    """
    version: int | None = None
    version_line = 0
    target: tuple[str, int] | None = None
    generator: str | None = None
    for number, line in enumerate(lines):
        comment = line.lstrip(" \t\r\n")
        if comment and not comment.startswith(";"):
            break
        if version is None and comment.startswith(_VERSIONS) and not "0" <= comment[14:15] <= "9":
            version, version_line = int(comment[13]), number
        if comment.startswith("; Generator:"):
            generator = _generator(comment[12:].rstrip()) or generator
        if target is None and "spvls:" in comment and (match := _TARGET.match(comment)):
            target = match[1], number
    name, target_line = target or (None, 0)
    return Header(version, name, target_line, version_line, generator)


def _generator(said: str) -> str | None:
    name, mark, version = (part.strip(" ") for part in said.partition(";"))
    if not name or name[0].isspace() or (mark and not version.isdecimal()):
        return None
    return f"{name}, version {version}" if mark else name
