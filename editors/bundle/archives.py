"""Makes archives for Pyodide, and runs in it: modules as its bytecode, which need not be compiled at each start."""

import os
import py_compile
import tempfile
import zipfile

STANDARD_LIBRARY = "/lib/python314.zip"
DATE = (2020, 1, 1, 0, 0, 0)
"""Of all entries, so that the same files give the same archive."""


def compiled(name: str, source: bytes, level: int) -> bytes:
    """The bytecode of a module, which is taken as it is whatever the time of its file."""
    with tempfile.TemporaryDirectory() as folder:
        module = os.path.join(folder, "module.py")
        with open(module, "wb") as file:
            file.write(source)
        code = py_compile.compile(
            module, module + "c", name, True, level, py_compile.PycInvalidationMode.UNCHECKED_HASH
        )
        with open(code, "rb") as file:
            return file.read()


def archive(target: str, files: dict[str, bytes], level: int) -> None:
    """An archive of files; `level` is that of Python's option -O."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as made:
        for name, data in sorted(files.items()):
            if name.endswith(".py"):
                name, data = name + "c", compiled(name, data, level)
            made.writestr(zipfile.ZipInfo(name, DATE), data, zipfile.ZIP_DEFLATED)


def standard_library() -> dict[str, bytes]:
    with zipfile.ZipFile(STANDARD_LIBRARY) as source:
        return {name: source.read(name) for name in source.namelist() if not name.endswith("/")}


def packages(folder: str) -> dict[str, bytes]:
    found = {}
    for parent, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(parent, name)
            with open(path, "rb") as file:
                found[os.path.relpath(path, folder)] = file.read()
    return found


def main(source: str, target: str) -> None:
    archive(f"{target}/python_stdlib.zip", standard_library(), 2)
    archive(f"{target}/server.zip", packages(source), 0)
