"""What a text declares at its top, against what it is checked for."""

from __future__ import annotations

from tests.validate.check import check

_REST = "OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450\n"


def test_a_newer_version_than_the_target_takes() -> None:
    check(f"; Version: 1.6 ; warning: module/declared-version-fits-environment\n{_REST}", env="spv1.3")


def test_an_older_one_is_welcome() -> None:
    check(f"; Version: 1.0\n{_REST}", env="spv1.3")
    check(f"; Version: 1.6\n{_REST}")
