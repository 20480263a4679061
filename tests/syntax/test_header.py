"""What the comments at the top of a text choose."""

from __future__ import annotations

import pytest

from spvls.syntax.header import Header, read_header
from spvls.text.lines import split_lines


@pytest.mark.parametrize(
    ("text", "header", "environment"),
    [
        ("", Header(), "spv1.6"),
        ("; Version: 1.3\nOpNop", Header(3), "spv1.3"),
        ("; SPIR-V\n\n; Version: 1.0\n; Generator: x", Header(0, version_line=2, generator="x"), "spv1.0"),
        ("; Generator: Google rspirv; 7", Header(generator="Google rspirv, version 7"), "spv1.6"),
        ("  ; Version: 1.4", Header(4), "spv1.4"),
        ("; Version: 1.3\n; Version: 1.5", Header(3), "spv1.3"),
        ("; Version: 1.7", Header(), "spv1.6"),
        ("; Version: 1.31", Header(), "spv1.6"),
        (";Version: 1.3", Header(), "spv1.6"),
        ("; Version:  1.3", Header(), "spv1.6"),
        ("OpNop\n; Version: 1.3", Header(), "spv1.6"),
        ("; spvls: target-env=vulkan1.1", Header(None, "vulkan1.1"), "vulkan1.1"),
        ("; Version: 1.0\n;spvls: target-env = opencl2.2, more", Header(0, "opencl2.2", 1), "opencl2.2"),
        ("; Version: 1.2\n; spvls: target-env=vulkan9.9", Header(2, "vulkan9.9", 1), "spv1.2"),
    ],
)
def test_headers(text: str, header: Header, environment: str) -> None:
    found = read_header(split_lines(text))
    assert found == header
    assert found.environment().name == environment


def test_what_is_chosen_outweighs_what_the_text_says() -> None:
    assert read_header(["; spvls: target-env=vulkan1.1"]).environment("spv1.2").name == "spv1.2"


@pytest.mark.parametrize(
    ("text", "chosen", "version"),
    [
        ("; Version: 1.1", "vulkan1.3", (1, 1)),
        ("; Version: 1.6", "vulkan1.0", (1, 0)),
        ("OpNop", "vulkan1.3", (1, 6)),
        ("; Version: 1.1\n; spvls: target-env=vulkan1.2", None, (1, 1)),
    ],
)
def test_a_version_stands_where_the_environment_takes_it(text: str, chosen: str | None, version: tuple[int, int]) -> None:
    header = read_header(split_lines(text))
    assert header.version_in(header.environment(chosen)) == version


def test_an_environment_that_does_not_exist_is_refused_with_those_that_do() -> None:
    with pytest.raises(ValueError, match=r"vulkan1\.3"):
        Header().environment("vulkan")
