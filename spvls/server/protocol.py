"""The protocol's messages: parsing, dispatch, answers, and errors."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable
from concurrent.futures import Future
from contextvars import copy_context
from inspect import signature
from math import isnan
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams
from pygls.protocol import JsonRPCNotification, JsonRPCRequestMessage, LanguageServerProtocol, lsp_method

from spvls.server.garbage import give_back
from spvls.server.time_slicing import Subject, in_time_slices, leisure
from spvls.server.workspace import SessionWorkspace
from spvls.text.escaping import notification

if TYPE_CHECKING:
    from pygls.protocol.json_rpc import MsgId

log = logging.getLogger(__name__)

OWN = "spvls/"
"""What the names of the server's own requests begin with."""


class ContentModified(JsonRpcException):
    """The document changed while the answer was being made."""

    CODE = types.LSPErrorCodes.ContentModified.value
    MESSAGE = "The document has changed"


class ServerCancelled(JsonRpcException):
    """The server gave up on a pull of diagnostics, which the client is to repeat."""

    CODE = types.LSPErrorCodes.ServerCancelled.value
    MESSAGE = "The document has changed"

    def __init__(self) -> None:
        super().__init__(data={"retriggerRequest": True})


class RequestFailed(JsonRpcException):
    """A request that is well formed and yet cannot be answered; the message is for the user."""

    CODE = types.LSPErrorCodes.RequestFailed.value
    MESSAGE = "The request failed"


class NoModule(JsonRpcException):
    """A request is about a place that is in no module: it is answered with null, which leaves it to other servers."""

    CODE = types.LSPErrorCodes.RequestFailed.value
    MESSAGE = "There is no module"


LONG_TEXT = 1 << 15
"""Characters of a text from which on it is read in slices when it is opened."""

_NOTEBOOKS = (types.NOTEBOOK_DOCUMENT_DID_OPEN, types.NOTEBOOK_DOCUMENT_DID_CHANGE, types.NOTEBOOK_DOCUMENT_DID_CLOSE)
"""What pygls does for every server, whether or not it offers it; here there are no notebooks."""

MAX_UNSIGNED = 2**31 - 1
"""The largest `uinteger` of the protocol."""


def clamp_changes(params: Any) -> None:
    """Bring the places of edits into the range of the protocol's numbers, in place. Editors take any number for the nearest
    place that there is (before the first line that is the beginning of the text), and a notification that was dropped would
    leave the server with another text than the client."""
    changes = params.get("contentChanges") if isinstance(params, dict) else None
    for change in changes if isinstance(changes, list) else ():
        span = change.get("range") if isinstance(change, dict) else None
        for place in (span.get("start"), span.get("end")) if isinstance(span, dict) else ():
            if not isinstance(place, dict):
                continue
            if isinstance(place.get("line"), int | float) and place["line"] < 0:
                place["character"] = 0
            for name in ("line", "character"):
                number = place.get(name)
                if isinstance(number, int | float) and not isnan(number):
                    place[name] = int(min(max(number, 0), MAX_UNSIGNED))


def _is_message(data: Any, version: str) -> bool:
    """Whether this is an object of JSON-RPC (https://www.jsonrpc.org/specification) with fields of the right types."""
    return (
        isinstance(data, dict)
        and data.get("jsonrpc") == version
        and isinstance(data.get("method", ""), str)
        and isinstance(data.get("id"), int | str | None)
    )


class Raw(str):
    """The result of a request that is JSON already."""

    __slots__ = ()


class Protocol(LanguageServerProtocol):
    """Messages as the specification has them; results are plain JSON values, or records of lsprotocol, to await or not."""

    is_over = False
    exit_code = 1

    def __init__(self, server: Any, converter: Any) -> None:
        super().__init__(server, converter)
        self._encode = json.JSONEncoder(
            default=self._serialize_message, check_circular=False, separators=(",", ":")
        ).encode
        self._initialized = False
        for method in _NOTEBOOKS:
            del self.fm.builtin_features[method]
        #: What addresses of documents begin with whose content the server makes.
        self.schemes: tuple[str, ...] = ()

    def use(self, workspace: SessionWorkspace) -> None:
        """Keep the documents in that workspace."""
        self._workspace = workspace

    # In

    def _execute_handler(self, msg_id: MsgId, handler: Any, callback: Any, args: Any = None, kwargs: Any = None) -> None:
        """As pygls does it, but what is done is not kept; pygls keeps it for every notification."""
        super()._execute_handler(msg_id, handler, callback, args, kwargs)
        future = self._request_futures.get(msg_id)
        if future is not None:
            future.add_done_callback(lambda done: self._done(msg_id, done))

    def _done(self, msg_id: MsgId, done: Future[Any]) -> None:
        """Forget what is done. Its error has been answered, or nobody waits for it any more."""
        self._request_futures.pop(msg_id, None)
        give_back(self._request_futures)
        if not done.cancelled():
            done.exception()

    async def take(self, body: bytes) -> None:
        """As `receive`, with a long text that is opened read in slices, so that the loop has its turns meanwhile."""
        leisure.postpone()
        message = self._message(body)
        item, workspace = getattr(getattr(message, "params", None), "text_document", None), self._workspace
        if isinstance(item, types.TextDocumentItem) and isinstance(workspace, SessionWorkspace) and len(item.text) > LONG_TEXT:
            try:
                await in_time_slices(Subject(), workspace.reading_steps(item))
            except Exception:
                log.exception("a text that cannot be read in slices")
        self._handle(message)

    def receive(self, body: bytes) -> None:
        """Handle one message; whatever goes wrong is logged, and answered if it was a request."""
        self._handle(self._message(body))

    def _message(self, body: bytes) -> Any:
        """The message as a record; None where it is refused."""
        try:
            data = json.loads(body)
        except (ValueError, RecursionError) as error:
            log.error("a message that is not JSON, or nests too deep: %s", error)
            self._refuse(None, types.ErrorCodes.ParseError, f"This is not JSON that can be read: {error}")
            return None
        if not _is_message(data, self.VERSION):
            self._refuse(None, types.ErrorCodes.InvalidRequest, "This is not a message of JSON-RPC 2.0")
            return None
        request = data.get("id") if "method" in data else None
        if request is not None and not self._may_ask(request, data["method"]):
            return None
        try:
            return self.structure_message(data)
        except Exception as error:
            log.exception("a message that cannot be read")
            if request is not None:
                self._refuse(request, types.ErrorCodes.InvalidParams, f"The parameters cannot be read: {error}")
            elif data.get("method") == types.TEXT_DOCUMENT_DID_CHANGE:
                self._drifted(data)
            return None

    def _handle(self, message: Any) -> None:
        if message is None:
            return
        try:
            if hasattr(message, "method") and hasattr(message, "id"):  # pygls takes long to tell what is a request
                copy_context().run(self._handle_request, message.id, message.method, message.params)
            else:
                self.handle_message(message)
        except Exception as error:
            log.exception("a message that cannot be handled")
            request = getattr(message, "id", None) if hasattr(message, "method") else None
            if request is not None:
                self._refuse(request, types.ErrorCodes.InternalError, str(error))

    def _drifted(self, data: dict[str, Any]) -> None:
        """An edit cannot be read, so that from now on the server has another text than the client: say so."""
        try:
            uri = data["params"]["textDocument"]["uri"]
        except (KeyError, TypeError):
            uri = "a document"
        message = f"An edit of {uri} cannot be read. Close and open it again: what is shown of it may be wrong."
        params = types.ShowMessageParams(types.MessageType.Error, message)
        self.notify(types.WINDOW_SHOW_MESSAGE, params)

    def _may_ask(self, request: MsgId, method: str) -> bool:
        """Whether a request is in order now; refuses it otherwise."""
        if self._shutdown:
            self._refuse(request, types.ErrorCodes.InvalidRequest, "The server is shutting down")
            return False
        if method == types.INITIALIZE:
            if self._initialized:
                self._refuse(request, types.ErrorCodes.InvalidRequest, "The server is initialized already")
                return False
            self._initialized = True
        elif not self._initialized:
            self._refuse(request, types.ErrorCodes.ServerNotInitialized, "The server is not initialized")
            return False
        return True

    def prepare(self, method: str) -> None:
        """Make what messages of a method are read with, which would be made for the first of them."""
        kind = self.get_message_type(method)
        if kind is not None:
            self._converter.get_structure_hook(kind)

    def structure_message(self, data: dict[str, Any]) -> Any:
        """A message as a record; the parameters of the server's own requests stay plain JSON."""
        method = data.get("method", "")
        if method == types.TEXT_DOCUMENT_DID_CHANGE:
            clamp_changes(data.get("params"))
        elif method.startswith(OWN):
            params = data.get("params")
            if "id" in data:
                return JsonRPCRequestMessage(data["id"], method, self.VERSION, params)
            return JsonRPCNotification(method, self.VERSION, params)
        return super().structure_message(data)

    # Out

    def send_notification(self, method: str, params: dict[str, Any]) -> None:
        """Send a notification whose parameters are plain JSON."""
        self._send_data({"jsonrpc": self.VERSION, "method": method, "params": params})

    def _send_handler_result(self, future: Future[Any], *, msg_id: MsgId) -> None:
        error = None if future.cancelled() else future.exception()
        if isinstance(error, JsonRpcException):
            # Meant for the client: nothing is wrong here.
            self._request_futures.pop(msg_id, None)
            if isinstance(error, NoModule):
                self._send_response(msg_id)
                return
            self._send_response(msg_id, error=error.to_response_error())
            return
        if error is None and not future.cancelled() and isinstance(answer := future.result(), Awaitable):
            waiting: Any = asyncio.ensure_future(answer)
            self._request_futures[msg_id] = waiting
            waiting.add_done_callback(lambda done: self._send_handler_result(done, msg_id=msg_id))
            return
        super()._send_handler_result(future, msg_id=msg_id)

    def _refuse(self, request: MsgId | None, code: types.ErrorCodes, message: str) -> None:
        self._send_data({"jsonrpc": self.VERSION, "id": request, "error": {"code": code.value, "message": notification(message)}})

    def _send_response(
        self, msg_id: MsgId, result: Any | None = None, error: types.ResponseError | None = None
    ) -> None:
        if error is not None:
            error.message = notification(error.message)  # editors show it
            self._send_data({"jsonrpc": self.VERSION, "id": msg_id, "error": error})
        elif isinstance(result, Raw):
            self._write(f'{{"jsonrpc":"{self.VERSION}","id":{json.dumps(msg_id)},"result":{result}}}')
        else:
            self._send_data({"jsonrpc": self.VERSION, "id": msg_id, "result": result})

    def _send_data(self, data: Any) -> None:
        try:
            body = self._encode(data)
        except Exception:
            log.exception("a message that cannot be written")
            if isinstance(data, dict) and "result" in data:
                self._refuse(data["id"], types.ErrorCodes.InternalError, "The answer cannot be written")
            return
        self._write(body)

    def _write(self, body: str) -> None:
        """Send the text of a message, which is ASCII."""
        if self.writer is None or self.is_over:
            return
        header = f"Content-Length: {len(body)}\r\n\r\n" if self._include_headers else ""
        try:
            self.writer.write((header + body).encode("ascii"))
        except (OSError, ValueError) as error:
            log.error("the client is gone: %s", error)
            self.is_over = True

    # What pygls does for every server, and is done otherwise here

    @lsp_method(types.INITIALIZE)
    def lsp_initialize(self, params: types.InitializeParams) -> Any:
        """Answer what the server can do, including the content of documents, which pygls leaves out."""
        result = yield from super().lsp_initialize(params)
        workspace = params.capabilities.workspace
        if workspace is not None and workspace.text_document_content is not None and self.schemes:
            own = self.server_capabilities.workspace = self.server_capabilities.workspace or types.WorkspaceOptions()
            own.text_document_content = types.TextDocumentContentOptions(self.schemes)
        return result

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: types.DidChangeTextDocumentParams) -> Any:
        """Apply all the changes of a notification as one edit."""
        workspace = self.workspace
        document = workspace.document(params.text_document.uri) if isinstance(workspace, SessionWorkspace) else None
        if document is None:
            log.error("an edit of a document that is not open: %s", params.text_document.uri)
            return
        document.apply(params.content_changes, params.text_document.version)
        handler = self.fm.features.get(types.TEXT_DOCUMENT_DID_CHANGE)
        if handler is not None:
            yield handler, (params,), None

    @lsp_method(types.WORKSPACE_EXECUTE_COMMAND)
    def lsp_workspace__execute_command(self, params: types.ExecuteCommandParams) -> Any:
        """As pygls does it, after a look at the number of the arguments."""
        command = self.fm.commands.get(params.command)
        if command is not None:
            try:
                signature(command).bind(*params.arguments or ())
            except TypeError as error:
                raise JsonRpcInvalidParams(f"{params.command}: {error}") from None
        return (yield from super().lsp_workspace__execute_command(params))

    @lsp_method(types.WINDOW_WORK_DONE_PROGRESS_CANCEL)
    def lsp_work_done_progress_cancel(self, params: types.WorkDoneProgressCancelParams) -> None:
        """As pygls does it, after a look at the token, which may be anything."""
        if isinstance(params.token, str | int):
            super().lsp_work_done_progress_cancel(params)

    @lsp_method(types.EXIT)
    def lsp_exit(self, *args: Any) -> Any:
        """End the conversation; the exit code is 0 after a shutdown."""
        self.exit_code = 0 if self._shutdown else 1
        self.is_over = True
