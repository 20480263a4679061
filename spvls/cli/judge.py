"""One module linted: read, judged, and repaired where that is asked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from spvls import validate
from spvls.cli.console import described
from spvls.cli.failure import Failure
from spvls.cli.modules import modules_of
from spvls.cli.outcome import Entry, Format, Known, Listing, Outcome, format_named, local_path
from spvls.cli.output import write
from spvls.cli.source import STDIN, is_binary, read, shown, text_of
from spvls.cli.tally import Tally
from spvls.diagnostic import Diagnostic, Position, Range
from spvls.host.findings import in_host
from spvls.host.host_text import HostText
from spvls.host.languages import language_of
from spvls.record import NamedTuple
from spvls.text.files import MAX_FILE_SIZE
from spvls.text.lines import split_lines
from spvls.validate.config import Config, config_for
from spvls.validate.engine.rule_patterns import Choice
from spvls.validate.validator import collection_paused

_START = Range(Position(0, 0), Position(0, 0))


MAX_FINDINGS = 10_000
"""So many findings of one rule in one file are listed as text, unless more are asked for."""


class Fixing(NamedTuple):
    """What becomes of fixes: of those that are not sure too if `unsafe`; with `show` the changes are shown, else written, with
    `force` also to protected files."""

    unsafe: bool = False
    show: bool = False
    force: bool = False


class Settings(NamedTuple):
    """What all modules are linted by."""

    target_env: str | None
    options: dict[str, Any]
    format: str = "text"
    colour: bool = False
    max_file_size: int = MAX_FILE_SIZE
    choice: Choice = Choice()
    baseline: Known | None = None
    fixing: Fixing | None = None
    stdin_filename: str = STDIN
    max_findings: int = MAX_FINDINGS


def lint(path: str, settings: Settings) -> Outcome:
    """Read and judge one file."""
    with collection_paused():
        return _linted(path, settings)


def _linted(path: str, settings: Settings) -> Outcome:
    name = shown(path)
    try:
        data = read(path, settings.max_file_size)
        config = config_for(settings.stdin_filename if path == STDIN else path)
        if _is_module(data, path):
            found = _judged_binary(data, config, settings)
            return _outcome(_binary_listing(name, data, settings) if found else Listing(name, []), found, settings)
        text = text_of(data, path)
        if settings.fixing is not None:
            return _repaired(path, data, text, config, settings, settings.fixing)
        return _judged(text, path, config, settings).outcome(name, settings)
    except Failure as failure:
        return Outcome(name, failure=str(failure))
    except Exception as error:  # one module must not keep the others from being judged
        return Outcome(name, failure=f"{name}: internal error: {described(error)}")


def lint_config(config: Config, settings: Settings) -> Outcome:
    """What is wrong with a configuration, whatever rules are selected."""
    assert config.path is not None  # without a file there is nothing that could be wrong
    listing = Listing(local_path(config.path), split_lines(config.text), colour=settings.colour)
    always = settings._replace(choice=Choice(ignore=settings.choice.ignore))
    return _outcome(listing, list(config.problems), always)._replace(is_module=False)


def _judged_binary(module: bytes, config: Config, settings: Settings) -> list[Diagnostic]:
    """All findings of a binary, in its order, with the severities that its configuration gives them."""
    options = {**config.options, **settings.options}
    return config.applied(validate(module, target_env=settings.target_env or config.target_env, options=options))


class _Judged(NamedTuple):
    """The findings of all modules of a text, at their places in it."""

    host: HostText
    findings: list[Diagnostic]

    def outcome(self, name: str, settings: Settings) -> Outcome:
        """The same as the format has them."""
        listing = Listing(name, self.host.lines, colour=settings.colour, spans=self.host.spans)
        return _outcome(listing, self.findings, settings)._replace(modules=len(self.host.spans))


def _judged(text: str, path: str, config: Config, settings: Settings) -> _Judged:
    """All findings of the modules of a text, with the severities that its configuration gives them."""
    options = {**config.options, **settings.options}
    name = settings.stdin_filename if path == STDIN else path
    host = HostText(text, language_of(name))
    found: list[Diagnostic] = []
    for module in modules_of(host):
        target = module.target(settings.target_env, config.target_env)
        said = validate(module.text, target_env=target, options=options)
        if said or "\0" in module.text or not module.text.isascii():
            from spvls.cli import invalid_bytes

            octets = invalid_bytes.findings(split_lines(module.text))
            said = sorted([*said, *octets], key=lambda finding: finding.range or _START) if octets else said
        found += in_host(said, host, module.span, module.text)
    return _Judged(host, config.applied(found))


def _repaired(path: str, data: bytes, text: str, config: Config, settings: Settings, fixing: Fixing) -> Outcome:
    """The outcome of a text after repair, which is written to its file unless it is only to be shown. Raises Failure."""
    from spvls.cli.diff import diff_of
    from spvls.validate.repair import repaired

    name = shown(path)

    def wanted(finding: Diagnostic) -> bool:
        return settings.choice.has(finding.rule)

    result = repaired(text, lambda text: _judged(text, path, config, settings).findings, wanted=wanted, unsafe=fixing.unsafe)
    diff = ""
    if result.text != text:
        if fixing.show:
            diff = diff_of(name, text, result.text)
        elif read(path, settings.max_file_size) != data:
            raise Failure(f"{name}: this file has changed since it was read; it stays as it is")
        else:
            write(path, result.text.encode("utf-8", "surrogateescape"), force=fixing.force)
    host = HostText(result.text, language_of(settings.stdin_filename if path == STDIN else path))
    outcome = _Judged(host, result.findings).outcome(name, settings)
    return outcome._replace(fixed=result.fixed.total(), refused=result.refused, diff=diff)


def _outcome(listing: Listing, found: list[Diagnostic], settings: Settings) -> Outcome:
    """The findings that are wanted and not known already, as the format writes them."""
    wanted = {rule for rule in {finding.rule for finding in found} if settings.choice.has(rule)}
    chosen = [finding for finding in found if finding.rule in wanted]
    made = format_named(settings.format)
    if not chosen:
        return Outcome(listing.path)
    known = 0
    marks = [""] * len(chosen)
    if made.fingerprints or settings.baseline is not None:
        from spvls.cli.fingerprint import fingerprints

        marks = fingerprints(listing, chosen)
    shown = list(zip(chosen, marks, strict=True))
    if settings.baseline is not None:
        name = local_path(listing.path)
        shown = [(finding, mark) for finding, mark in shown if (name, mark) not in settings.baseline]
        known = len(chosen) - len(shown)
    entries = tuple(_entries(listing, shown, made, settings.max_findings))
    return Outcome(listing.path, entries, Tally(finding for finding, _ in shown), known=known)


def _entries(listing: Listing, shown: list[tuple[Diagnostic, str]], made: Format, most: int) -> Iterator[Entry]:
    """Findings, each with its fingerprint, as a format writes them; one that can be brief writes `most` of a rule."""
    if made.brief is None:
        for finding, mark in shown:
            yield Entry(finding.rule, made.entry(listing, finding, mark))
        return
    seen: Counter[str] = Counter()
    for finding, mark in shown:
        rule = finding.rule
        seen[rule] += 1
        if seen[rule] <= most:
            is_full = seen[rule] <= made.in_full
            yield Entry(rule, made.entry(listing, finding, mark) if is_full else made.brief(listing, finding))


def _is_module(data: bytes, path: str) -> bool:
    """Whether to judge the bytes as a binary; those of a `.spv` file with a damaged magic number too."""
    return is_binary(data) or (path.endswith(".spv") and b"\0" in data)


def _binary_listing(name: str, data: bytes, settings: Settings) -> Listing:
    """The lines to show with findings of a binary: its disassembly, as far as there is one."""
    from spvls import DisassembleError, disassemble
    from spvls.syntax.scanner import scan

    try:
        lines = split_lines(disassemble(data, friendly_names=False, indent=False, header=False))
    except DisassembleError:
        return Listing(name, [], colour=settings.colour)
    return Listing(name, lines, [line for line, _ in scan(lines)], settings.colour)
