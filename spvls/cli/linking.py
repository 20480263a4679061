"""What `spvls lint --link` finds: whether the modules of all files fit together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from spvls.binary.words import DecodeError
from spvls.cli.failure import Failure
from spvls.cli.judge import Settings, file_to_judge
from spvls.cli.modules import modules_of
from spvls.cli.source import shown
from spvls.diagnostic import Diagnostic, Severity
from spvls.host.findings import in_host
from spvls.host.host_text import HostText
from spvls.host.languages import language_of
from spvls.syntax.document import Document
from spvls.validate.link import LinkEnd, LinkInput, link_ends, link_findings
from spvls.validate.validator import module_of_binary, module_of_text


def linked_findings(paths: Sequence[str], settings: Settings) -> dict[str, tuple[Diagnostic, ...]]:
    """What keeps the modules of some files from being linked, by path. What cannot be read is left out: that is said where it is
    judged."""
    inputs: list[tuple[str, LinkInput]] = []
    for path in paths:
        try:
            inputs += [(path, LinkInput(shown(path), ends)) for ends in _ends_in(path, settings)]
        except (Failure, DecodeError):
            continue
    found: dict[str, tuple[Diagnostic, ...]] = {}
    for (path, _), said in zip(inputs, link_findings([module for _, module in inputs]), strict=True):
        if said:
            found[path] = (*found.get(path, ()), *said)
    return found


def _ends_in(path: str, settings: Settings) -> Iterator[tuple[LinkEnd, ...]]:
    """What each module of a file exports and imports, at its places in the file. Raises Failure, DecodeError."""
    file = file_to_judge(path, settings)
    if file.is_binary:
        yield link_ends(module_of_binary(file.data, file.target_env), None)
        return
    host = HostText(file.text(), language_of(file.name))
    for module in modules_of(host):
        document = Document(module.text)
        target = module.target(file.target_env, file.config.target_env)
        ends = link_ends(module_of_text(document, target), document)
        placed = ((end, in_host([_at(end)], host, module.span, module.text)) for end in ends)
        yield tuple(end._replace(range=there[0].range) for end, there in placed if there)


def _at(end: LinkEnd) -> Diagnostic:
    return Diagnostic("", Severity.ERROR, "", end.range)
