"""The records of lsprotocol are completed when they are used, and are then what they would have been."""

from __future__ import annotations

import json
import subprocess
import sys

from tests.corpus import ROOT

_PROGRAM = """
import json, sys
import spvls.server
from spvls.server.lsp_records import is_pending
from lsprotocol import types
from lsprotocol.converters import get_converter

converter = get_converter()
records = [record for record in vars(types).values() if isinstance(record, type) and record.__module__ == types.__name__]
pending = sum(map(is_pending, records))
params = {"textDocument": {"uri": "file:///a"}, "position": {"line": 1, "character": 2}}
read = converter.structure(params, types.HoverParams)
assert read == types.HoverParams(types.TextDocumentIdentifier("file:///a"), types.Position(line=1, character=2))
assert converter.unstructure(read) == params
assert types.Position(1, 2) < types.Position(1, 3) and repr(types.Position(1, 2)) == "1:2"
print(json.dumps([pending, sum(map(is_pending, records))]))
"""

_ALL = """
import sys
if sys.argv[1] == "late":
    import spvls.server
import attrs
from lsprotocol import types

for name, record in sorted(types.ALL_TYPES_MAP.items()):
    if isinstance(record, type) and attrs.has(record):
        attrs.resolve_types(record, types.ALL_TYPES_MAP, {})
        print(name, [(field.name, str(field.type), repr(field.default), field.kw_only) for field in attrs.fields(record)])
"""


def _output(program: str, *arguments: str) -> str:
    return subprocess.run([sys.executable, "-c", program, *arguments], cwd=ROOT, capture_output=True, text=True, check=True).stdout


def test_few_records_are_completed() -> None:
    before, after = json.loads(_output(_PROGRAM))
    assert before > 500
    assert 0 < before - after < 10


def test_completed_records_have_the_fields_that_they_would_have_had() -> None:
    late = _output(_ALL, "late")
    assert late == _output(_ALL, "at once")
    assert late.count("\n") > 500


def test_nothing_is_left_to_be_made_ready_for_the_first_hover() -> None:
    """Once the server has warmed up, a hover imports nothing, compiles no expression and opens no file."""
    program = """
import builtins, re, sys
from spvls.diagnostic import Position
from spvls.ide.features.hover import hover
from spvls.ide.source.source_module import SourceModule
from spvls.server.handlers import lifecycle
from spvls.server.server import SpirvServer

for _ in lifecycle._warm_up(SpirvServer()):
    pass
source = SourceModule("OpCapability Kernel\\n%float = OpTypeFloat 32\\n%two = OpConstant %float 2\\n")
assert source.module
before, done = set(sys.modules), []

def counting(name, call):
    def counted(*given, **named):
        done.append((name, given))
        return call(*given, **named)
    return counted

re._compiler.compile = counting("compile", re._compiler.compile)
builtins.open = counting("open", open)
for place in (Position(0, 0), Position(0, 13), Position(1, 0), Position(1, 12), Position(2, 0)):
    assert hover(source, place) is not None
assert not done and set(sys.modules) == before, (done, set(sys.modules) - before)
"""
    subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True)
