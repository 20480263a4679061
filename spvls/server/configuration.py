"""The settings of a session: what the client gives, what projects ask for, and the grammar that is used."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from spvls.grammar import tables
from spvls.server.disk import promptly
from spvls.server.host_document import HostDocument
from spvls.server.protocol import RequestFailed
from spvls.server.publisher import start
from spvls.server.settings import SECTION, Settings, read_settings
from spvls.text.files import read_text, require_regular
from spvls.validate.config import Config

if TYPE_CHECKING:
    from spvls.server.server import SpirvServer

log = logging.getLogger(__name__)

_MOST_SHOWN = 3
"""Messages about one file of settings."""


class Configuration:
    """Gives documents their settings. What is wrong with settings is shown to the user once."""

    def __init__(self, server: SpirvServer) -> None:
        self._server = server
        self._shown: set[str] = set()
        self._grammar: str | None = None

    def given(self, settings: object) -> Settings:
        """Settings as the client gives them, without those that are wrong; starts to read the grammar that they name."""
        try:
            known, problems = promptly(read_settings, settings, self._profile_text)
        except TimeoutError:
            known, problems = self._server.settings, ["the file system does not answer: the settings stay as they were"]
        self._show(problems)
        if known.khronos_grammar is not None and known.khronos_grammar != self._grammar:
            self._grammar = known.khronos_grammar
            start(self._use_grammar(known.khronos_grammar))
        return known

    def changed(self, settings: object) -> None:
        """The client has other settings: ask for them where it answers such requests, else use `settings`."""
        documents = list(self._server.documents.all_documents())
        if self._server.supports("workspace.configuration"):
            start(self.pull(documents))
            return
        self._server.settings = self.given(settings.get(SECTION) if isinstance(settings, dict) else None)
        self._use(dict.fromkeys(documents, self._server.settings))

    async def pull(self, documents: Iterable[HostDocument]) -> None:
        """Ask the client for its settings, for all and for each of some documents."""
        documents = list(documents)
        if not self._server.supports("workspace.configuration"):
            return
        scopes = [None, *(document.uri for document in documents)]
        items = [types.ConfigurationItem(scope_uri=scope, section=SECTION) for scope in scopes]
        try:
            answers = await self._server.workspace_configuration_async(types.ConfigurationParams(items))
        except JsonRpcException as error:
            log.warning("the client does not give its settings: %s", error)
            return
        if len(answers) != len(scopes) or answers[0] is None:
            return
        self._server.settings = self.given(answers[0])
        self._use({document: self.given(answer) for document, answer in zip(documents, answers[1:], strict=True)})

    def projects_changed(self) -> None:
        """Read the settings of projects again, for all documents."""
        self._use({document: document.settings for document in self._server.documents.all_documents()})

    def show_problems(self, config: Config) -> None:
        """Show what is wrong with the settings of a project, in their file and once as a message."""
        self._server.diagnostics.configured(config)
        self._show(_problems(config))

    def _use(self, chosen: dict[HostDocument, Settings]) -> None:
        changed = [
            document for document, settings in chosen.items() if document.configure(settings, self._server.config_of(document.uri))
        ]
        for document in changed:
            self.show_problems(document.config)
        self._server.diagnostics.settings_changed(changed)
        for document in changed:
            self._server.binaries.changed(document)

    def _profile_text(self, path: str) -> str:
        """The text of a profile of a device that the settings name. Raises OSError."""
        if not self._server.reach.allows(path):
            raise PermissionError(f"{path} is outside of the folders of this session")
        return read_text(path)

    async def _use_grammar(self, folder: str) -> None:
        """Use the instructions of a newer grammar."""
        disk = self._server.disk
        try:
            if not await disk.access(self._server.reach.allows, folder):
                raise RequestFailed("it is outside of the folders of this session")
            await disk.access(_require_regular_files, folder)
            source = await disk.access(tables.khronos_source, folder)
        except (OSError, ValueError, RequestFailed) as error:
            self._server.show(f"The grammar {folder} cannot be used: {error}")
            return
        tables.replace(source)
        self.projects_changed()

    def _show(self, problems: Iterable[str]) -> None:
        for problem in problems:
            if problem not in self._shown:
                self._shown.add(problem)
                self._server.show(problem)


def _require_regular_files(folder: str) -> None:
    """Raise OSError where a folder of a grammar has a file that is not a regular one, such as a device or a named pipe."""
    for parent, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(parent, name)
            require_regular(os.stat(path), path)


def _problems(config: Config) -> list[str]:
    """What is wrong with the settings of a project, the first of it alone where it is much."""
    shown = [
        f"{config.path}:{problem.range.start.line + 1 if problem.range else 1}: {problem.message}"
        for problem in config.problems[:_MOST_SHOWN]
    ]
    more = len(config.problems) - len(shown)
    return [*shown, f"{config.path} has {more} more findings"] if more else shown
