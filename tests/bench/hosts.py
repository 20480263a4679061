"""Times of documents with many modules: opened, and edited inside and outside of them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from statistics import quantiles

from lsprotocol import types

from spvls.host.languages import LANGUAGES
from spvls.server.host_document import HostDocument
from spvls.server.settings import Settings
from spvls.text.encoding import ColumnCodec
from tests.bench.modules import module_text

KEYSTROKES = 200


def hosts(say: Callable[[str, list[float]], None]) -> None:
    """Tell times in seconds of the processor, since others may be at work on the machine."""
    asyncio.run(_hosts(say))


async def _hosts(say: Callable[[str, list[float]], None]) -> None:
    one = module_text(lines=50_000)
    several = module_text(lines=1000) * 50
    raw = "".join(f'const char *a{at} = R"(\n{_shader()})";\nint b{at};\n' for at in range(400))
    filler = "".join(f"int c{at} = {at};\n" for at in range(max(0, 30_000 - raw.count("\n"))))
    for name, text, language, where in (
        ("one module of 50,000 lines", one, "spirv", "inside"),
        ("50 modules in 50,000 lines", several, "spirv", "inside"),
        ("400 raw strings in 30,000 lines of C++", raw + filler, "cpp", "inside"),
        ("400 raw strings in 30,000 lines of C++", raw + filler, "cpp", "outside"),
    ):
        began = time.process_time()
        document = HostDocument("file:///a", text, 1, LANGUAGES[language].ids[0], ColumnCodec("utf-16"), Settings())
        await document.check()
        if where == "inside":
            say(f"opened, to all findings: {name}", [time.process_time() - began])
        line = _line(document, where)
        say(f"a letter {where} of a module: {name}", await _typing(document, line, ("x", "")))
        say(f"a line break {where} of a module: {name}", await _typing(document, line, ("\n", "\n")))


def _shader() -> str:
    """A module of 40 lines."""
    head = ["OpCapability Shader", "OpMemoryModel Logical GLSL450", 'OpEntryPoint GLCompute %main "main"']
    head += ["OpExecutionMode %main LocalSize 1 1 1", "%void = OpTypeVoid", "%fn = OpTypeFunction %void"]
    head += ["%uint = OpTypeInt 32 0", "%v0 = OpConstant %uint 1", "%main = OpFunction %void None %fn", "%entry = OpLabel"]
    body = [f"%v{at + 1} = OpIAdd %uint %v{at} %v{at}" for at in range(28)]
    return "".join(f"{line}\n" for line in (*head, *body, "OpReturn", "OpFunctionEnd"))


def _line(document: HostDocument, where: str) -> int:
    middle = len(document.lines) // 2 if where == "inside" else 0
    wanted = "OpReturn" if where == "inside" else "int c"
    return next(at for at in range(middle, len(document.lines)) if wanted in document.lines[at])


async def _typing(document: HostDocument, line: int, texts: tuple[str, str]) -> list[float]:
    """A comment at the end of a line gets a letter and loses it; or empty lines come below it. To text and findings."""
    times = []
    column = len(document.lines[line].rstrip("\n"))
    start = types.Position(line, column)
    for at in range(KEYSTROKES):
        removes = texts[1] == "" and at % 2 == 1
        end = types.Position(line, column + 1) if removes else start
        change = types.TextDocumentContentChangePartial(types.Range(start, end), texts[at % 2])
        began = time.process_time()
        document.apply([change], at)
        await document.check()
        _ = document.result_id
        times.append(time.process_time() - began)
    return times


def spread(times: list[float]) -> str:
    """Times in milliseconds, the middle one and the one that 95 % stay below."""
    if len(times) == 1:
        return f"{1000 * times[0]:.0f} ms"
    cuts = quantiles(times, n=20)
    return f"{1000 * cuts[9]:.2f} ms (p50), {1000 * cuts[18]:.2f} ms (p95)"
