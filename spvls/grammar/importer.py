"""Makes the data of the instruction tables, and the modules of constants, from the grammars of Khronos.

    python -m spvls.grammar.importer [--check] PATH

PATH is the folder `include/spirv/unified1` of SPIRV-Headers. The generators come from `spir-v.xml`, in PATH or in
the folder above it. With `--check` nothing is written: what differs is printed, and the exit status is 1 when
anything does.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections.abc import Iterator
from xml.etree import ElementTree

from spvls.grammar.constants import constants, module_path
from spvls.grammar.data_text import data_folder
from spvls.grammar.tables import folder_source
from spvls.text.files import read_text
from spvls.typed import Any

Document = Any
"""What one file of the data holds, as JSON reads it."""

CORE = "spirv.core.grammar.json"
REGISTRY = "spir-v.xml"
CATEGORIES = {
    "BitEnum": "mask",
    "ValueEnum": "value",
    "Id": "id",
    "Literal": "literal",
    "Composite": "composite",
}

GROUPS = frozenset({"instructions", "kinds", "enumerants"})
"""Keys under which entries stand, one a line."""


def convert(path: str, index: dict[str, Any]) -> dict[str, Document]:
    """The files of the data, by name, that the headers in `path` give.

    `index` is the content of `extended_sets.json`. A set that the index has and the headers lack is left out;
    one that the index lacks is added to it under the name of its file. Raises OSError when a file cannot be
    read, ValueError when it is not a grammar.
    """
    core = _read(os.path.join(path, CORE))
    try:
        documents: dict[str, Document] = {
            "opcodes.json": {item["opname"]: _opcode(item) for item in core["instructions"]},
            "operand_kinds.json": {item["kind"]: _kind(item) for item in core["operand_kinds"]},
            "extended_sets.json": _complete_index(index, os.listdir(path)),
        }
        for folder in (path, os.path.dirname(os.path.abspath(path))):
            if os.path.isfile(os.path.join(folder, REGISTRY)):
                documents["generators.json"] = _generators(os.path.join(folder, REGISTRY))
                break
        for name, entry in documents["extended_sets.json"].items():
            source = os.path.join(path, entry["source"])
            if os.path.isfile(source):
                documents[f"extended/{name}.json"] = _extended(_read(source), "prefix" in entry)
    except (KeyError, TypeError, AttributeError, ElementTree.ParseError) as error:
        raise ValueError(f"{path} holds no grammar of SPIR-V: {error!r}") from error
    return documents


def render(document: Document) -> str:
    """A file of the data as text: one entry a line."""
    grouped = isinstance(document, dict) and not GROUPS.isdisjoint(document)
    return (_entry(document) if grouped else _lines(document)) + "\n"


def differences(old: Document, new: Document, where: str) -> Iterator[str]:
    """Says, a line each, what an importer's document changes in an older one."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in [*old, *(key for key in new if key not in old)]:
            if key not in new:
                yield f"{where} {key}: not in the headers"
            elif key not in old:
                yield f"{where} {key}: only in the headers"
            else:
                yield from differences(old[key], new[key], f"{where} {key}")
        if list(old) != list(new) and set(old) == set(new):
            yield f"{where}: the order differs"
    elif old != new:
        yield f"{where}: {json.dumps(old)} here, {json.dumps(new)} in the headers"


def main(arguments: list[str] | None = None, folder: str | None = None) -> int:
    """Writes or checks the data in `folder`; the exit status is 1 when a check found a difference."""
    parser = argparse.ArgumentParser(
        prog="python -m spvls.grammar.importer",
        description="Makes the data of the instruction tables from the grammars of Khronos.",
    )
    parser.add_argument("path", metavar="PATH", help="folder include/spirv/unified1 of SPIRV-Headers")
    parser.add_argument("--check", action="store_true", help="write nothing, print what differs")
    options = parser.parse_args(arguments)
    folder = folder or data_folder()
    read = folder_source(folder)
    try:
        documents = convert(options.path, read("extended_sets.json"))
    except (OSError, ValueError) as error:
        parser.exit(2, f"{parser.prog}: {error}\n")
    if options.check:
        found = list(_check(folder, documents))
        print("\n".join(found) if found else "the tables agree with the headers")
        return 1 if found else 0
    os.makedirs(os.path.join(folder, "extended"), exist_ok=True)
    for name, document in documents.items():
        with open(os.path.join(folder, *name.split("/")), "w", encoding="utf-8", newline="\n") as file:
            file.write(render(document))
    if folder == data_folder():
        for file_name, text in constants(documents["opcodes.json"], documents["operand_kinds.json"]).items():
            with open(module_path(file_name), "w", encoding="utf-8", newline="\n") as file:
                file.write(text)
    return 0


def _check(folder: str, documents: dict[str, Document]) -> Iterator[str]:
    for name, document in documents.items():
        file = os.path.join(folder, *name.split("/"))
        if not os.path.isfile(file):
            yield f"{name}: only in the headers"
            continue
        with open(file, encoding="utf-8") as stream:
            text = stream.read()
        found = list(differences(json.loads(text), document, name))
        yield from found
        if not found and text != render(document):
            yield f"{name}: the layout differs from what the importer writes"
    if folder == data_folder():
        for name, made in constants(documents["opcodes.json"], documents["operand_kinds.json"]).items():
            with open(module_path(name), encoding="utf-8") as stream:
                if stream.read() != made:
                    yield f"spvls/grammar/{name}: differs from what the importer writes"
    for name, entry in documents["extended_sets.json"].items():
        if f"extended/{name}.json" not in documents:
            yield f"extended/{name}.json: {entry['source']} is not in the headers"
    if "generators.json" not in documents:
        yield f"generators.json: {REGISTRY} is not in the headers"


def _read(file: str) -> Any:
    try:
        return json.loads(read_text(file))
    except RecursionError:
        raise ValueError(f"{file}: this is nested too deeply") from None


def _entry(value: Document) -> str:
    """A value on one line, but for the groups of entries in it."""
    if not isinstance(value, dict) or GROUPS.isdisjoint(value):
        return json.dumps(value, ensure_ascii=False)
    parts = [
        f"{json.dumps(key)}: {_lines(part) if key in GROUPS else _entry(part)}" for key, part in value.items()
    ]
    return "{" + ", ".join(parts) + "}"


def _lines(group: dict[str, Any] | list[Any]) -> str:
    """A group of entries, one a line."""
    if isinstance(group, list):
        return "[\n" + ",\n".join(map(_entry, group)) + "\n]"
    entries = [f"{json.dumps(key, ensure_ascii=False)}: {_entry(value)}" for key, value in group.items()]
    return "{\n" + ",\n".join(entries) + "\n}"


def _opcode(item: dict[str, Any]) -> dict[str, Any]:
    class_ = item.get("class", "@")  # headers of before 2019 have no classes
    class_ = "Reserved" if class_.startswith("@") else class_
    return {"value": item["opcode"], "class": class_, **_operands(item, "operands"), **_conditions(item)}


def _kind(item: dict[str, Any]) -> dict[str, Any]:
    kind: dict[str, Any] = {"category": CATEGORIES[item["category"]]}
    if "bases" in item:
        kind["bases"] = item["bases"]
    if "enumerants" in item:
        kind["enumerants"] = {part["enumerant"]: _enumerant(part) for part in item["enumerants"]}
    return kind


def _enumerant(item: dict[str, Any]) -> dict[str, Any]:
    value = item["value"]
    number = int(value, 0) if isinstance(value, str) else value
    return {"value": number, **_operands(item, "parameters"), **_conditions(item)}


def _operands(item: dict[str, Any], key: str) -> dict[str, list[str]]:
    operands = [
        f"{operand['kind']}{operand.get('quantifier', '')} {_plain(operand.get('name', ''))}".rstrip()
        for operand in item.get(key, ())
    ]
    return {key: operands} if operands else {}


def _plain(name: str) -> str:
    """The name of an operand without the markup that some have."""
    name = re.sub(r"<<[^,>]*,([^>]*)>>", r"\1", name).replace("~", "").replace(" +\n", " ")
    return " ".join(name.replace("'", "").split())


def _conditions(item: dict[str, Any]) -> dict[str, Any]:
    """Capabilities, extensions, versions and so on; what is usual is left out."""
    conditions: dict[str, Any] = {}
    capabilities = item.get("capabilities") or item.get("capability")
    if capabilities:
        conditions["capabilities"] = [capabilities] if isinstance(capabilities, str) else capabilities
    if item.get("extensions"):
        conditions["extensions"] = item["extensions"]
    version = item.get("version", "1.0")
    if version != "1.0":
        conditions["version"] = None if version == "None" else version
    if item.get("lastVersion"):
        conditions["last_version"] = item["lastVersion"]
    if item.get("aliases"):
        conditions["aliases"] = item["aliases"]
    if item.get("provisional"):
        conditions["provisional"] = True
    return conditions


def _extended(grammar: dict[str, Any], numbered: bool) -> dict[str, Any]:
    document: dict[str, Any] = {}
    if numbered:
        document["revision"] = grammar.get("version", grammar["revision"])
    document["instructions"] = {
        item["opname"]: {"value": item["opcode"], **_operands(item, "operands"), **_conditions(item)}
        for item in grammar["instructions"]
    }
    if grammar.get("operand_kinds"):
        document["kinds"] = {item["kind"]: _kind(item) for item in grammar["operand_kinds"]}
    return document


def _complete_index(index: dict[str, Any], files: list[str]) -> dict[str, Any]:
    known = {source for entry in index.values() for source in [entry["source"], *entry.get("includes", ())]}
    complete = dict(index)
    for file in sorted(files):
        match = re.fullmatch(r"extinst\.(.+)\.grammar\.json", file)
        if match and file not in known:
            complete[match[1]] = {"source": file, "folded": match[1]}
    return complete


def _generators(file: str) -> dict[str, str]:
    tools = ElementTree.parse(file).getroot().findall("ids[@type='vendor']/id")
    return {
        tool.attrib["value"]: " ".join(filter(None, (tool.attrib["vendor"], tool.get("tool"))))
        for tool in tools
    }


if __name__ == "__main__":
    sys.exit(main())
