"""The folder that a session works in: modules, settings and files that are none."""

from __future__ import annotations

import json
import os
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import spvls
from tests.corpus import BINARIES, FIXTURES, text_of
from tests.hostile import FILE_NAME, HARM, faulty_module, sound_module

FOLDER = "/FOLDER"
"""Stands for the path of the folder in messages."""

SENTINEL = b"must stay as it is"


class Workspace:
    """A folder that is made anew for each session. With `is_limited` the server may reach no other file."""

    def __init__(self, root: Path, is_limited: bool = False) -> None:
        self.is_limited = is_limited
        self._root = root
        self._sentinel = root / "sentinel"
        self.folder = root / "folder"

    @property
    def uri(self) -> str:
        return f"file://{FOLDER}"

    def fill(self) -> None:
        """Make the files, those that a session before has written as well."""
        self._sentinel.write_bytes(SENTINEL)
        out = self.folder / "out"
        out.mkdir(parents=True, exist_ok=True)
        for path in out.iterdir():
            with suppress(OSError):
                path.unlink()
        (out / "module.spv").write_bytes(BINARIES[0].read_bytes())
        (out / "other.spv").write_bytes(b"no module")
        (out / "folder.spv").mkdir(exist_ok=True)
        with suppress(OSError):
            os.mkfifo(out / "pipe.spv")
        with suppress(OSError):
            os.symlink(self._sentinel, out / "link.spv")
        if (self.folder / "a.spvasm").exists():
            return
        (self.folder / "a.spvasm").write_text(text_of(FIXTURES / "kernels" / "saxpy.spvasm"))
        (self.folder / "b.spvasm").write_text(faulty_module(), newline="")
        (self.folder / "notes.md").write_text(text_of(FIXTURES / "hosts" / "notes.md"))
        (self.folder / "a.spv").write_bytes(spvls.assemble(sound_module()))
        (self.folder / "damaged.spv").write_bytes(spvls.assemble(sound_module())[:-6])
        with suppress(OSError):
            (self.folder / FILE_NAME).write_text(sound_module(), newline="")
        for name, target in (("zero.spvasm", "/dev/zero"), ("loop.spvasm", "loop.spvasm"), ("up", "..")):
            with suppress(OSError):
                os.symlink(target, self.folder / name)
        hostile = self.folder / "hostile"
        hostile.mkdir()
        (hostile / "spvls.toml").write_text(
            f'target-env = ["a"]\nprofile = "/dev/zero"\n[rules]\n{json.dumps(HARM)} = 5\n[options]\nmax-id-bound = "x"\n'
        )
        configured = self.folder / "configured"
        configured.mkdir()
        (configured / "spvls.toml").write_text('target-env = "vulkan1.1"\n[rules]\n"capability/*" = "warning"\n')

    def documents(self) -> list[str]:
        """Addresses that documents may be opened under, without the end of their names."""
        folders = [f"file://{FOLDER}{part}" for part in ("/doc", "/a", "/configured/doc", "/hostile/doc", "/doc%20with%20blanks")]
        return [*folders, "untitled:Untitled-1", "file:///nowhere/doc", "http://example.org/doc"]

    def others(self) -> list[str]:
        """Addresses of what is not open, and of what is no file."""
        here = [f"file://{FOLDER}/{name}" for name in ("a.spv", "damaged.spv", "b.spvasm", "out/pipe.spv", "zero.spvasm", "loop.spvasm", "out")]
        made = [f"spvls-{kind}://{FOLDER}/{name}" for kind in ("words", "listing", "summary", "cfg") for name in ("a.spv", "b.spvasm", "doc.spvasm")]
        return [*here, *made, "", "file:", "file:///dev/zero", "file://host/x.spv", "file:///%00", "file://[x", HARM, "spvls-words:", "\ud800"]

    def targets(self) -> list[str]:
        """Addresses that files may be written to."""
        names = ["a.spv", "new.spv", "module.spv", "other.spv", "folder.spv", "pipe.spv", "no/folder/a.spv"]
        if self.is_limited:
            names += ["link.spv", "../../sentinel", "../up/sentinel"]
        return [f"file://{FOLDER}/out/{name}" for name in names]

    def placed(self, params: Any) -> Any:
        """Parameters with the path of the folder in its place."""
        if isinstance(params, str):
            return params.replace(FOLDER, str(self.folder)) if FOLDER in params else params
        if isinstance(params, dict):
            return {name: self.placed(value) for name, value in params.items()}
        return [self.placed(part) for part in params] if isinstance(params, list) else params

    def look(self) -> None:
        """Raise AssertionError where a file outside of the folder was changed."""
        assert self._sentinel.read_bytes() == SENTINEL, "a file outside of the folder was changed"


def new_root() -> Path:
    return Path(tempfile.mkdtemp(prefix="spvls-fuzz-session-"))
