"""What is made, and where it goes: the folders are those of an installation."""

from __future__ import annotations

import json
import shlex
from argparse import Action, ArgumentParser, _SubParsersAction
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import shtab

import spvls
from spvls.cli.main import parser
from spvls.grammar.environments import environments
from spvls.validate.config_schema import published_schema
from spvls.validate.engine.explanation import explained
from spvls.validate.engine.rule_patterns import known_patterns
from tests.corpus import ROOT
from tests.rule_pages.facts import PATH as FACTS
from tests.rule_pages.facts import facts_text
from tests.shipped import rule_index
from tests.shipped.manual import manual

SHARE = ROOT / "share"

SCRIPTS = {
    "bash": "bash-completion/completions/spvls",
    "zsh": "zsh/site-functions/_spvls",
    "fish": "fish/vendor_completions.d/spvls.fish",
}
"""Where each shell looks for completions."""

PATHS = ("FILE", "PATH", "OUT", "FOLDER", "DEVICE")
"""What names a file, as help calls it."""


def made() -> dict[Path, str]:
    """The contents of all files."""
    texts = {SHARE / "man/man1/spvls.1": manual(whole(), spvls.__version__)}
    texts |= {SHARE / path: completions(shell) for shell, path in SCRIPTS.items()}
    texts[SHARE / "spvls/spvls.schema.json"] = json.dumps(published_schema(), indent=1) + "\n"
    texts[FACTS] = facts_text()
    texts[rule_index.PATH] = rule_index.index_text()
    return texts


def completions(shell: str) -> str:
    """The completions for a shell. They ask spvls for the ids of rules when they are loaded: each list of them would take 15 KB."""
    script = shtab.complete(completed(whole()), shell=shell).rstrip() + "\n"
    head, _, rest = script.partition("\n")
    join, define, refer = _LISTS[shell]
    rules, folders = explained(), sorted({*known_patterns()} - {*explained()})
    for name, words in (("_spvls_patterns", [*folders, *rules]), ("_spvls_rules", rules)):
        assert join(words) in rest, f"shtab writes the names of rules otherwise for {shell}"
        rest = rest.replace(join(words), refer.format(name))
    definitions = (_LISTED[shell], define.format("_spvls_patterns", f"{join(folders)} {refer.format('_spvls_rules')}"))
    return "\n".join([head, *definitions, rest])


_LISTS: dict[str, tuple[Callable[[Iterable[str]], str], str, str]] = {
    "bash": (shlex.join, "{}=({})", '"${{{}[@]}}"'),
    "zsh": (" ".join, 'typeset -g {}="{}"', "${{{}}}"),
    "fish": (shlex.join, 'set -l {} "{}"', "${}"),
}
"""By shell: how it has a list of words, how that gets a name, and how the name is used."""

_LISTED = {
    "bash": "_spvls_rules=($(spvls explain --list 2>/dev/null))",
    "zsh": 'typeset -g _spvls_rules="${(j: :)${(f)"$(spvls explain --list 2>/dev/null)"}}"',
    "fish": "set -l _spvls_rules (spvls explain --list 2>/dev/null)",
}
"""By shell: how it lists the ids of rules."""


def whole() -> ArgumentParser:
    """What reads the arguments of all commands."""
    return parser(lambda _name: True)


def completed(commands: ArgumentParser) -> ArgumentParser:
    """The same with what the values of arguments can be."""
    names = {"ENV": list(environments()), "RULE": explained(), "RULES": sorted(known_patterns(), key=lambda name: (not name.endswith("*"), name))}
    for action in _actions(commands):
        if action.metavar in PATHS or action.dest in ("output", "path", "paths"):
            action.complete = shtab.FILE  # type: ignore[attr-defined]
        elif isinstance(action.metavar, str) and action.metavar in names:
            action.choices = names[action.metavar]
            action.help = (action.help or "").partition(". One of")[0]
    return commands


def _actions(commands: ArgumentParser) -> Iterator[Action]:
    for action in commands._actions:
        if isinstance(action, _SubParsersAction):
            for sub in dict.fromkeys(action.choices.values()):
                yield from _actions(sub)
        else:
            yield action
