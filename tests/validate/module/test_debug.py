"""Rules of `module/debug`: names and source lines."""

from __future__ import annotations

from tests.validate.check import check
from tests.validate.sources.annotation import annotation_module


def test_the_file_of_a_line_is_a_string() -> None:
    check(annotation_module('%file = OpString "f"', "OpLine %file 1 1"))
    check(annotation_module("", "OpLine %int 1 1 ; error: module/line-file-is-string `%int`"))
