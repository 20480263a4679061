"""Former ids of rules and of other findings, which directives, settings and `spvls explain` still accept."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from spvls.validate.engine.rule_index import RULES


def current_id(id_: str) -> str:
    """The id that a finding has now: `id_` itself unless it is a former one."""
    return id_ if id_ in RULES else _current_by_former().get(id_, id_)


def is_former(name: str) -> bool:
    """Whether findings had that id, or ids of that family for a name such as `cfg/*`."""
    return name in _current_by_former() or bool(_formerly_in(name))


def former_names() -> frozenset[str]:
    """All names that `is_former` knows."""
    former = _current_by_former()
    families = {id_.partition("/")[0] + "/*" for id_ in former}
    return frozenset({*former, *(family for family in families if _formerly_in(family))})


def current_settings(given: Mapping[str, str]) -> dict[str, str]:
    """Settings by id or by `folder/*`, with current ids in the place of former ones. A former family becomes its rules; where
    a folder has its name, the folder is meant. Ids outweigh families."""
    if all(map(_is_current, given)):
        return dict(given)
    current = _current_by_former()
    by_family = {id_: value for name, value in given.items() for id_ in _formerly_in(name)}
    by_id = {current.get(name, name): value for name, value in given.items() if not _formerly_in(name)}
    return by_family | by_id


def _is_current(name: str) -> bool:
    """Whether a rule has that id, or a folder of rules that name; asked first, since the former ids take long to read."""
    family, _, rest = name.partition("/")
    return name in RULES or (rest == "*" and any(id_.startswith(f"{family}/") for id_ in RULES))


def _formerly_in(name: str) -> tuple[str, ...]:
    """The current ids of the rules of a former family, such as `cfg/*`; none for another name, or that of a folder."""
    family, _, rest = name.partition("/")
    current = _current_by_former()
    if rest != "*" or any(id_.startswith(f"{family}/") for id_ in current.values()):
        return ()
    return tuple(id_ for former, id_ in current.items() if former.startswith(f"{family}/"))


@cache
def _current_by_former() -> dict[str, str]:
    from spvls.validate.engine.rule_facts import former_ids  # reads what is known of all rules

    return former_ids()
