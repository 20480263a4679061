"""Compares spvls with the reference tools: `python -m tests.reference COMMAND`.

`driver` compiles the driver with an installed or built SPIRV-Tools. `sites` compares the table with the sources, and fails
when a site is new; with `--write` the table takes the sites as they are. `fill` runs modules and writes what they reach
into the table. `search` looks for modules that reach sites without a witness, and `adopt` makes witnesses of these and of what
the fuzzer reached. `check` runs the witnesses of the table again, and the modules that pin differences. `work` counts what is left,
by file.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

from tests.fuzz.limits import enforced
from tests.reference.adoption import Adopted, wanted, witness_of, write_witnesses
from tests.reference.cases import Case, own_cases, recorded_cases
from tests.reference.deliberate import agreed, pinned
from tests.reference.driver import PIN, DriverError, compile_driver
from tests.reference.inventory import Inventory, Meeting, adopted, filled
from tests.reference.search import Search, seeds
from tests.reference.sites import sites_below
from tests.reference.table import TABLE, Row, counts, read_table, write_table

_inventory: Inventory


def _start(driver: Path, source: Path) -> None:
    global _inventory
    _inventory = Inventory(driver, sites_below(source))


def _meeting(case: Case) -> Meeting | None:
    with enforced():
        return _inventory.meeting(case)


def _meetings(options: argparse.Namespace, cases: Iterable[Case]) -> Iterator[Meeting]:
    with multiprocessing.Pool(options.jobs, _start, (options.driver, options.source)) as pool:
        yield from filter(None, pool.imap(_meeting, cases, chunksize=8))


def _driver(options: argparse.Namespace) -> int:
    compile_driver(options.include, options.library, options.out, options.compiler)
    return 0


def _sites(options: argparse.Namespace) -> int:
    sites = sites_below(options.source)
    rows = read_table() if TABLE.exists() else {}
    new = [site for site in sites if site.key not in rows]
    gone = sorted({*rows} - {site.key for site in sites})
    for site in new:
        print(f"new: {site.file}:{site.first}: {site.key}")
    for key in gone:
        print(f"gone: {key}")
    print(f"{len(sites)} sites, {len(new)} new, {len(gone)} gone (the table is of {PIN})")
    if options.write:
        write_table(adopted(rows, sites))
        return 0
    return 1 if new else 0


def _fill(options: argparse.Namespace) -> int:
    cases = [*own_cases(), *(case for path in options.cases for case in recorded_cases(path))]
    meetings = list(_meetings(options, cases))
    rows = filled(read_table().values(), meetings)
    write_table(rows)
    reached = {meeting.site for meeting in meetings if meeting.site}
    taken = sum(not meeting.ours and not meeting.raised for meeting in meetings)
    print(f"{len(cases)} modules, {len(meetings)} refused, at {len(reached)} sites; spvls takes {taken} of them")
    for raised, count in Counter(meeting.raised for meeting in meetings if meeting.raised).most_common():
        print(f"spvls raised {count} times: {raised}")
    if options.out:
        lines = [json.dumps(_record(meeting)) for meeting in meetings]
        options.out.write_text("\n".join(lines) + "\n", "utf-8")
    return _work(options)


def _record(meeting: Meeting) -> dict[str, object]:
    names = ("site", "checks", "kinds", "here", "ours", "raised", "message")
    return {"case": meeting.case.name, "env": meeting.case.env, **{name: getattr(meeting, name) for name in names}}


def _found(job: tuple[Path, Path, re.Pattern[str], int, int, int, float]) -> list[dict[str, object]]:
    """What one process finds: that with a number, of so many, each with its share of the seeds."""
    driver, source, only, number, jobs, seed, seconds = job
    chance, end = Random(seed + number), monotonic() + seconds
    inventory = Inventory(driver, sites_below(source))
    wanted = {row.site for row in read_table().values() if not row.settled}
    own = [one for at, one in enumerate(seeds(inventory.driver)) if at % jobs == number and only.search(one.name)]
    search = Search(inventory, wanted, chance)
    found: list[dict[str, object]] = []
    for one in chance.sample(own, len(own)):
        found += search.run(one)
        if monotonic() > end:
            break
    return found


def _search(options: argparse.Namespace) -> int:
    shared = (options.driver, options.source, re.compile(options.only))
    jobs = [(*shared, number, options.jobs, options.seed, options.seconds) for number in range(options.jobs)]
    sites_below(options.source)
    with multiprocessing.Pool(options.jobs) as pool:
        lines = [line for found in pool.imap(_found, jobs) for line in found]
    options.out.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    print(f"{len({line['site'] for line in lines})} sites without a witness are reached; `adopt` makes witnesses of them")
    return 0


def _witness(entry: Mapping[str, Any]) -> Adopted:
    with enforced():
        return witness_of(_inventory, entry)


def _adopt(options: argparse.Namespace) -> int:
    entries = [json.loads(line) for path in options.reached for line in path.read_text("utf-8").splitlines()]
    chosen = wanted(entries, read_table())
    made: dict[str, str] = {}
    with multiprocessing.Pool(options.jobs, _start, (options.driver, options.source)) as pool:
        for one in pool.imap_unordered(_witness, chosen.values()):
            if one.text is None:
                print(f"{one.site}: {one.fault}", flush=True)
            else:
                made[one.site] = one.text
    print(f"{len(chosen)} sites without a witness are reached; {write_witnesses(made)} witnesses are new; `fill` notes them")
    return 0


def _fault(row: Row, meeting: Meeting | None) -> str:
    """Why a module is not a witness of the row; empty if it is."""
    if meeting is None:
        return "is not refused, or is not a module of the project"
    if row.site not in (meeting.site, *meeting.checks):
        return f"is refused at {meeting.site}"
    if {*meeting.here} & {*row.rules}:
        return ""
    return f"has {', '.join(meeting.here) or 'nothing'} at that place, not {', '.join(row.rules)}"


def _check(options: argparse.Namespace) -> int:
    rows = {row.site: row for row in read_table().values() if row.witness}
    wanted = {row.witness for row in rows.values()}
    met = {meeting.case.name: meeting for meeting in _meetings(options, (case for case in own_cases() if case.name in wanted))}
    faults = 0
    for row in rows.values():
        fault = _fault(row, met.get(row.witness))
        if not fault:
            continue
        faults += 1
        print(f"{row.site}: {row.witness} {fault}")
    print(f"{len(rows)} witnesses, {faults} wrong")
    gone = agreed(Inventory(options.driver, sites_below(options.source)))
    for name in gone:
        print(f"{name}: both sides agree")
    print(f"{len(pinned())} pinned differences, {len(gone)} gone")
    return 1 if faults or gone else 0


def _work(options: argparse.Namespace) -> int:
    print(f"{'file':45}{'sites':>7}{'witness':>9}{'reason':>8}{'rule only':>11}{'left':>7}")
    for file, every, witnessed, reasoned, known in counts(read_table().values()):
        print(f"{file:45}{every:7}{witnessed:9}{reasoned:8}{known:11}{every - witnessed - reasoned:7}")
    return 0


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.reference", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    driver = commands.add_parser("driver", help="compile the driver")
    driver.add_argument("--include", type=Path, required=True, help="the folder of `spirv-tools/libspirv.hpp`")
    driver.add_argument("--library", type=Path, required=True, help="the static library, best with line tables (-g1)")
    driver.add_argument("--out", type=Path, required=True)
    driver.add_argument("--compiler", default="c++")
    driver.set_defaults(run=_driver)
    sites = commands.add_parser("sites", help="compare the table with the sources")
    sites.add_argument("--write", action="store_true", help="take the sites into the table as they are")
    sites.set_defaults(run=_sites)
    fill = commands.add_parser("fill", help="run modules, and write what they reach into the table")
    fill.add_argument("cases", type=Path, nargs="*", help="files of recorded cases, beside the project's own modules")
    fill.add_argument("--out", type=Path, help="a file of JSON lines for what each module reaches")
    fill.set_defaults(run=_fill)
    adopt = commands.add_parser("adopt", help="make witnesses of what the fuzzer reached")
    adopt.add_argument("reached", type=Path, nargs="+", help="files `reached.jsonl` of `python -m tests.fuzz reference`")
    adopt.set_defaults(run=_adopt)
    search = commands.add_parser("search", help="look for modules that reach sites without a witness")
    search.add_argument("--out", type=Path, required=True, help="a file of JSON lines for `adopt`")
    search.add_argument("--only", default="", help="a pattern of the names of seeds: paths of fixtures, keys of the documentation")
    search.add_argument("--seconds", type=float, default=600.0, help="how long it may take (default: 600)")
    search.add_argument("--seed", type=int, default=1)
    search.set_defaults(run=_search)
    check = commands.add_parser("check", help="run the witnesses of the table and the pinned differences again")
    check.set_defaults(run=_check)
    for command in (fill, search, adopt, check):
        command.add_argument("--driver", type=Path, required=True)
        command.add_argument("--jobs", type=int, default=2, help="processes (default: 2)")
    for command in (sites, fill, search, adopt, check):
        command.add_argument("--source", type=Path, required=True, help="the folder `source` of SPIRV-Tools at that commit")
    work = commands.add_parser("work", help="count what is left")
    work.set_defaults(run=_work)
    options = parser.parse_args(arguments)
    try:
        return int(options.run(options))
    except (DriverError, FileNotFoundError, ValueError) as error:
        print(error, file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
