"""Completion lists as JSON. One has hundreds of items, so that what holds for all is said once where the client can read that."""

from __future__ import annotations

import json
from collections.abc import Iterable
from json.encoder import encode_basestring_ascii as _quoted

from lsprotocol import types

from spvls.ide.features.candidate import WHOLE, Candidate, CandidateKind
from spvls.record import NamedTuple
from spvls.server.convert import Json
from spvls.server.params import text_of
from spvls.server.protocol import Raw
from spvls.server.server import SpirvServer
from spvls.text.escaping import visible

_KINDS = {
    CandidateKind.OPCODE: types.CompletionItemKind.Keyword,
    CandidateKind.ENUMERANT: types.CompletionItemKind.EnumMember,
    CandidateKind.EXTENDED: types.CompletionItemKind.Function,
    CandidateKind.TYPE: types.CompletionItemKind.Class,
    CandidateKind.CONSTANT: types.CompletionItemKind.Constant,
    CandidateKind.VARIABLE: types.CompletionItemKind.Variable,
    CandidateKind.VALUE: types.CompletionItemKind.Variable,
    CandidateKind.FUNCTION: types.CompletionItemKind.Function,
    CandidateKind.LABEL: types.CompletionItemKind.Reference,
    CandidateKind.MODULE: types.CompletionItemKind.Module,
    CandidateKind.LITERAL: types.CompletionItemKind.Value,
    CandidateKind.SKELETON: types.CompletionItemKind.Snippet,
}

_NUMBERS = {kind: shown.value for kind, shown in _KINDS.items()}
_SNIPPET = f',"insertTextFormat":{types.InsertTextFormat.Snippet.value}'
_DEPRECATED = f',"tags":[{types.CompletionItemTag.Deprecated.value}]'
_COMPLETION = "text_document.completion"


class ItemForm(NamedTuple):
    """What the items of a client may have: snippets, a description beside the label, and a range and data that the list has for
    all of them (`CompletionList.itemDefaults`)."""

    snippets: bool
    descriptions: bool
    defaults: bool

    @classmethod
    def of(cls, server: SpirvServer) -> ItemForm:
        defaults = (f"{_COMPLETION}.completion_list.item_defaults.{name}" for name in ("editRange", "data"))
        return cls(
            server.supports(f"{_COMPLETION}.completion_item.snippet_support"),
            server.supports(f"{_COMPLETION}.completion_item.label_details_support"),
            all(server.supports(name) for name in defaults),
        )


def completion_list(candidates: Iterable[Candidate], span: str, reference: Json, form: ItemForm) -> Raw:
    """The list of these candidates for what stands at `span`, a range as JSON. `reference` names the module in the items' data."""
    data = json.dumps(reference, separators=(",", ":"))
    if form.defaults:
        defaults = f'"itemDefaults":{{"editRange":{span},"data":{data}}},'
        items = ",".join([_item(one, None, data, form) for one in candidates])
    else:
        defaults = ""
        items = ",".join([_item(one, span, data, form) for one in candidates])
    return Raw(f'{{"isIncomplete":false,{defaults}"items":[{items}]}}')


def key_of_item(item: types.CompletionItem) -> str:
    """The candidate's key in an item that the client sends back."""
    return text_of(item.data, "key") if isinstance(item.data, dict) and "key" in item.data else item.label


def _item(candidate: Candidate, span: str | None, data: str, form: ItemForm) -> str:
    """An item as JSON; `span` is its range and None where the list has that and `data`. The key is left out where it is the label,
    and `continues` where it is not so."""
    label, detail = _quoted(candidate.label), _quoted(visible(candidate.detail))
    more = ""
    text = candidate.text
    if form.snippets and candidate.snippet is not None:
        text, more = candidate.snippet, _SNIPPET
    if form.descriptions and candidate.detail:
        more += f',"labelDetails":{{"description":{detail}}}'
    if candidate.deprecated:
        more += _DEPRECATED
    own = "" if candidate.key == candidate.label else f',"key":{_quoted(candidate.key)}'
    if candidate.continues:
        own += ',"continues":true'
    if span is not None:
        more += f',"textEdit":{{"range":{span},"newText":{_quoted(text)}}}'
    elif text != candidate.label:
        more += f',"textEditText":{_quoted(text)}'
    if own or span is not None:
        more += f',"data":{data[:-1]}{own}}}'
    order = _quoted(f"{candidate.rank - WHOLE}{candidate.label}")
    return f'{{"label":{label},"kind":{_NUMBERS[candidate.kind]},"detail":{detail},"sortText":{order}{more}}}'
