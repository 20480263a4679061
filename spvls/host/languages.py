"""The host languages: how each is read, and which files are of it."""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module

from spvls.host.reader import Reader
from spvls.record import cached_property


class Language:
    """`suffixes` end the names of its files; `ids` are what editors call it (LSP 3.17, `languageId`)."""

    def __init__(self, name: str, home: str, suffixes: tuple[str, ...], ids: tuple[str, ...]) -> None:
        """`home` names the reader: the module, a colon, and the name in it."""
        self.name = name
        self.suffixes = suffixes
        self.ids = ids
        self._home = home

    @cached_property
    def reader(self) -> Reader:
        module, _, name = self._home.partition(":")
        found: Reader = getattr(import_module(module), name)
        return found


SPIRV = "spirv"

LANGUAGES = {
    language.name: language
    for language in (
        Language(SPIRV, "spvls.host.listing:LISTING", (), ("spirv", "spvasm", "spirv-asm")),
        Language("amber", "spvls.host.blocks:AMBER", (".amber",), ("amber",)),
        Language("vkrunner", "spvls.host.blocks:VKRUNNER", (".shader_test",), ("vkrunner", "shader_test", "shadertest")),
        Language("markdown", "spvls.host.blocks:MARKDOWN", (".md", ".markdown"), ("markdown",)),
        Language("slang", "spvls.host.blocks:SLANG", (".slang",), ("slang",)),
        Language(
            "cpp",
            "spvls.host.literals:CPP",
            (".c", ".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp", ".hxx", ".inc", ".inl", ".ipp", ".mm"),
            ("c", "cpp", "cuda-cpp", "objective-c", "objective-cpp"),
        ),
        Language("rust", "spvls.host.literals:RUST", (".rs",), ("rust",)),
        Language("python", "spvls.host.literals:PYTHON", (".py", ".pyi"), ("python",)),
    )
}


def language_of(name: str) -> Language:
    """The language of a file by its name; assembly text where the name is not that of a host."""
    dot = name.rfind(".")
    return LANGUAGES[_by_suffix().get(name[dot:].lower() if dot >= 0 else "", SPIRV)]


def language_by_id(identifier: str | None, name: str) -> Language:
    """The language that an editor names, or else that of the file's name."""
    for language in LANGUAGES.values():
        if identifier in language.ids:
            return language
    return language_of(name)


@lru_cache(maxsize=1)
def _by_suffix() -> dict[str, str]:
    return {suffix: language.name for language in LANGUAGES.values() for suffix in language.suffixes}
