"""One file linted: read, judged, and repaired where that is asked for.

What judges is imported when a file has to be judged: where all were judged before, none of it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import repeat
from types import MappingProxyType

from spvls.binary.gc_pause import paused_gc
from spvls.cli.console import described
from spvls.cli.failure import Failure
from spvls.cli.outcome import Entry, Format, Known, Listing, Outcome, format_named, local_path
from spvls.cli.output import write
from spvls.cli.source import STDIN, is_binary, read, shown, text_of
from spvls.cli.tally import Tally
from spvls.diagnostic import RULE_FAILED, Diagnostic, Position, Range
from spvls.host.languages import language_of
from spvls.record import NamedTuple
from spvls.text.files import MAX_FILE_SIZE
from spvls.text.lines import split_lines
from spvls.typed import TYPE_CHECKING, Any
from spvls.validate.config import Config, config_for
from spvls.validate.engine.rule_patterns import Choice

if TYPE_CHECKING:
    from spvls.cli.result_cache import ResultCache
    from spvls.host.host_text import HostText

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
    color: bool = False
    max_file_size: int = MAX_FILE_SIZE
    choice: Choice = Choice()
    baseline: Known | None = None
    fixing: Fixing | None = None
    stdin_filename: str = STDIN
    max_findings: int = MAX_FINDINGS
    #: By path: what is found where files are linked with each other.
    linked: Mapping[str, tuple[Diagnostic, ...]] = MappingProxyType({})


def lint(path: str, settings: Settings, cache: ResultCache | None = None) -> Outcome:
    """Read and judge one file. What is found is kept in the cache."""
    with paused_gc():
        return _linted(path, settings, cache)


def _linted(path: str, settings: Settings, cache: ResultCache | None) -> Outcome:
    name = shown(path)
    try:
        file = file_to_judge(path, settings)
        if file.is_binary:
            found = _found_in_binary(file)
            _keep(file, found, 1, cache)
            return _binary_outcome(file, _with_links(file, found, settings), settings)
        text = file.text()
        if settings.fixing is not None:
            return _repaired(file, text, settings, settings.fixing)
        host, found = _found_in_text(file, text, _most_listed(settings) if cache is None else None)
        _keep(file, found, len(host.spans), cache)
        return _text_outcome(file, host, _with_links(file, found, settings), settings)
    except Failure as failure:
        return Outcome(name, failure=str(failure))
    except Exception as error:  # one module must not keep the others from being judged
        return Outcome(name, failure=f"{name}: internal error: {described(error)}")


def known(path: str, settings: Settings, cache: ResultCache) -> Outcome | None:
    """The outcome of one file by what was found in it before; None where it was not judged yet, or cannot be read."""
    try:
        file = file_to_judge(path, settings)
        judgment = cache.find(_key(file, cache))
        if judgment is None:
            return None
        found = _with_links(file, list(judgment.findings), settings)
        if file.is_binary:
            return _binary_outcome(file, found, settings)
        if not found:
            return Outcome(shown(path), modules=judgment.modules)
        if judgment.modules > 1:
            from spvls.host.host_text import HostText

            return _text_outcome(file, HostText(file.text(), language_of(file.name)), found, settings)
        listing = Listing(shown(path), split_lines(file.text()), color=settings.color)
        return _outcome(listing, file.config.applied(found), settings)._replace(modules=judgment.modules)
    except (Failure, LookupError):  # an entry of another file may name places that this one does not have
        return None


def lint_config(config: Config, settings: Settings) -> Outcome:
    """What is wrong with a configuration, whatever rules are selected."""
    assert config.path is not None  # without a file there is nothing that could be wrong
    listing = Listing(local_path(config.path), split_lines(config.text), color=settings.color)
    always = settings._replace(choice=Choice(ignore=settings.choice.ignore))
    return _outcome(listing, list(config.problems), always)._replace(is_module=False)


class _File(NamedTuple):
    """A file that was read, what it is called, and what it is judged by."""

    path: str
    name: str
    data: bytes
    is_binary: bool
    config: Config
    target_env: str | None
    options: dict[str, Any]

    def text(self) -> str:
        """Raises Failure."""
        return text_of(self.data, self.path)


def file_to_judge(path: str, settings: Settings) -> _File:
    """Read a file. Raises Failure."""
    data = read(path, settings.max_file_size)
    name = settings.stdin_filename if path == STDIN else path
    config = config_for(name)
    options = {**config.options, **settings.options}
    return _File(path, name, data, _is_module(data, path), config, settings.target_env, options)


def _key(file: _File, cache: ResultCache) -> str:
    """The key of what is found in a file. The severities that its configuration gives come later."""
    reading = "binary" if file.is_binary else language_of(file.name).name
    return cache.key(file.data, (reading, file.target_env, file.config.target_env, sorted(file.options.items())))


def _keep(file: _File, found: list[Diagnostic], modules: int, cache: ResultCache | None) -> None:
    if cache is None:
        return
    from spvls.cli.result_cache import Judgment

    if not any(finding.rule == RULE_FAILED for finding in found):
        cache.keep(_key(file, cache), Judgment(tuple(found), modules))


def validate(module: str | bytes, most: int | None = None, **settings: Any) -> list[Diagnostic]:
    """As `validator.validate_for_list`, which is loaded by the first call."""
    from spvls.validate.validator import validate_for_list

    return validate_for_list(module, most, **settings)


def _with_links(file: _File, found: list[Diagnostic], settings: Settings) -> list[Diagnostic]:
    """The findings of a file, with those that are there because of the files that it is linked with."""
    linked = settings.linked.get(file.path)
    if not linked:
        return found
    return sorted([*found, *linked], key=lambda finding: (finding.range or _START, finding.instruction or 0))


def _found_in_binary(file: _File) -> list[Diagnostic]:
    """All findings of a binary, in its order."""
    return validate(file.data, target_env=file.target_env or file.config.target_env, options=file.options)


def _binary_outcome(file: _File, found: list[Diagnostic], settings: Settings) -> Outcome:
    """The findings as the format has them, with the severities that the configuration gives them."""
    name, found = shown(file.path), file.config.applied(found)
    return _outcome(_binary_listing(name, file.data, settings) if found else Listing(name, []), found, settings)


def _most_listed(settings: Settings) -> int | None:
    """How many findings of a rule are listed; None where more may be asked for than their number."""
    made = format_named(settings.format)
    return settings.max_findings if made.brief is not None and not made.fingerprints and settings.baseline is None else None


def _found_in_text(file: _File, text: str, most: int | None = None) -> tuple[HostText, list[Diagnostic]]:
    """All findings of the modules of a text, at their places in it; of these, `most` of a rule are to be listed."""
    from spvls.cli.modules import modules_of
    from spvls.host.findings import in_host
    from spvls.host.host_text import HostText

    host = HostText(text, language_of(file.name))
    found: list[Diagnostic] = []
    for module in modules_of(host):
        target = module.target(file.target_env, file.config.target_env)
        said = validate(module.text, most, target_env=target, options=file.options)
        if said or "\0" in module.text or not module.text.isascii():
            from spvls.cli import invalid_bytes

            octets = invalid_bytes.findings(split_lines(module.text))
            said = sorted([*said, *octets], key=lambda finding: finding.range or _START) if octets else said
        found += in_host(said, host, module.span, module.text)
    return host, found


def _text_outcome(file: _File, host: HostText, found: list[Diagnostic], settings: Settings) -> Outcome:
    """The findings as the format has them, with the severities that the configuration gives them."""
    listing = Listing(shown(file.path), host.lines, color=settings.color, spans=host.spans)
    return _outcome(listing, file.config.applied(found), settings)._replace(modules=len(host.spans))


def _repaired(file: _File, text: str, settings: Settings, fixing: Fixing) -> Outcome:
    """The outcome of a text after repair, which is written to its file unless it is only to be shown. Raises Failure."""
    from spvls.cli.diff import diff_of
    from spvls.host.host_text import HostText
    from spvls.validate.repair import repaired

    name = shown(file.path)

    def judged(text: str) -> list[Diagnostic]:
        return file.config.applied(_found_in_text(file, text)[1])

    def wanted(finding: Diagnostic) -> bool:
        return settings.choice.has(finding.rule)

    result = repaired(text, judged, wanted=wanted, unsafe=fixing.unsafe)
    diff = ""
    if result.text != text:
        if fixing.show:
            diff = diff_of(name, text, result.text)
        elif read(file.path, settings.max_file_size) != file.data:
            raise Failure(f"{name}: this file has changed since it was read; it stays as it is")
        else:
            write(file.path, result.text.encode("utf-8", "surrogateescape"), force=fixing.force)
    host = HostText(result.text, language_of(file.name))
    listing = Listing(name, host.lines, color=settings.color, spans=host.spans)
    outcome = _outcome(listing, result.findings, settings)
    return outcome._replace(modules=len(host.spans), fixed=result.fixed.total(), refused=result.refused, diff=diff)


def _outcome(listing: Listing, found: list[Diagnostic], settings: Settings) -> Outcome:
    """The findings that are wanted and not known already, as the format writes them."""
    rules = {finding.rule for finding in found}
    wanted = {rule for rule in rules if settings.choice.has(rule)}
    chosen = found if wanted == rules else [finding for finding in found if finding.rule in wanted]
    made = format_named(settings.format)
    if not chosen:
        return Outcome(listing.path)
    known = 0
    marks: list[str] | None = None
    if made.fingerprints or settings.baseline is not None:
        from spvls.cli.fingerprint import fingerprints

        marks = fingerprints(listing, chosen)
    if settings.baseline is not None and marks is not None:
        name, number = local_path(listing.path), len(chosen)
        new = [(finding, mark) for finding, mark in zip(chosen, marks, strict=True) if (name, mark) not in settings.baseline]
        chosen, marks = [finding for finding, _ in new], [mark for _, mark in new]
        known = number - len(chosen)
    entries = tuple(_entries(listing, zip(chosen, marks or repeat(""), strict=False), made, settings.max_findings))
    return Outcome(listing.path, entries, Tally(chosen), known=known)


def _entries(listing: Listing, shown: Iterable[tuple[Diagnostic, str]], made: Format, most: int) -> Iterator[Entry]:
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
        return Listing(name, [], color=settings.color)
    return Listing(name, lines, [line for line, _ in scan(lines)], settings.color)
