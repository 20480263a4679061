"""The sites of sources are found, and keep their keys."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.reference.sites import Site, sites_below, sites_of

SOURCE = """\
#include "a.h"  // diag(x)
#define CHECK_IT(NAME) \\
  if (auto e = Check(_, NAME)) return e
namespace spvtools {
struct S { int diag(int); };
DiagnosticStream S::diag(int code) { return DiagnosticStream(code); }
namespace {
const char* kTable[] = {"diag(", R"(})"};
template <typename T>
spv_result_t First(ValidationState_t& _, const T* inst) {
  if (inst->a()) {
    return _.diag(SPV_ERROR_INVALID_DATA, inst)
           << "some " << Name('"') << " message";
  }
  auto later = [&]() { return _.diag(SPV_ERROR_INVALID_DATA, inst) << "later"; };
  if (inst->b()) return _.diag(SPV_ERROR_INVALID_ID, inst) << "later";
  CHECK_IT("Name");
  CHECK_IT("Value");
  return later();
}
}  // namespace
spv_result_t A::B::Second(int x) {
  /* _.diag(SPV_ERROR_INVALID_ID, inst) << "no"; */
  return diagnostic() << "some " << x << " message";
}
spv_result_t Third(int x, const std::function<spv_result_t(const std::string&)>& diag) { return diag("none"); }
}  // namespace spvtools
"""


def _without_hash(site: Site) -> str:
    return re.sub(r":[0-9a-f]{8}", ":#", site.key)


def test_each_site_has_its_function_and_its_lines() -> None:
    found = [(_without_hash(site), site.function, site.first, site.last, site.macro, site.passed) for site in sites_of("a.cpp", SOURCE)]
    assert found == [
        ("a.cpp:First:#", "First", 12, 13, "", False),
        ("a.cpp:First:#", "First", 15, 15, "", False),
        ("a.cpp:First:#:2", "First", 16, 16, "", False),
        ("a.cpp:First:#", "First", 17, 17, "CHECK_IT", False),
        ("a.cpp:First:#", "First", 18, 18, "CHECK_IT", False),
        ("a.cpp:A::B::Second:#", "A::B::Second", 24, 24, "", False),
        ("a.cpp:Third:#", "Third", 26, 26, "", True),
    ]


def test_keys_hold_nothing_of_the_message() -> None:
    assert not any(word in site.key for site in sites_of("a.cpp", SOURCE) for word in ("some", "later", "Value"))


def test_a_key_stays_when_lines_and_other_sites_come_and_go() -> None:
    more = SOURCE.replace(
        "  if (inst->a()) {", '\n  if (inst->c()) return _.diag(SPV_ERROR_INVALID_ID, inst) << "new";\n  if (inst->a()) {'
    )
    before, after = ({site.key for site in sites_of("a.cpp", text)} for text in (SOURCE, more))
    assert before < after
    assert len(after - before) == 1


def test_another_message_is_another_site() -> None:
    before, after = ({site.key for site in sites_of("a.cpp", text)} for text in (SOURCE, SOURCE.replace('"later"', '"sooner"')))
    assert len(before - after) == len(after - before) == 2


def test_a_folder_without_the_sources_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        sites_below(tmp_path)


def test_all_files_of_a_folder_are_read(tmp_path: Path) -> None:
    (tmp_path / "val").mkdir()
    for name in ("val/a.cpp", "text.cpp", "opt.cpp"):
        (tmp_path / name).write_text(SOURCE)
    assert {site.file for site in sites_below(tmp_path)} == {"val/a.cpp", "text.cpp"}
