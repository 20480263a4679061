"""Rules of `function/linkage`: imports and exports."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.sources.annotation import ANNOTATION_FUNCTION, annotation_module

DECLARATION = "%f = OpFunction %void None %fn{}\nOpFunctionEnd"


@pytest.mark.parametrize(
    ("annotation", "function"),
    [
        ('OpDecorate %f LinkageAttributes "f" Import', DECLARATION.format("")),
        ('OpDecorate %f LinkageAttributes "f" Export', ANNOTATION_FUNCTION.format("")),
        ('OpDecorate %f LinkageAttributes "f" Export', DECLARATION.format(" ; error: function/only-imports-lack-body `%f`")),
        ('OpDecorate %f LinkageAttributes "f" Import', ANNOTATION_FUNCTION.format(" ; error: function/only-imports-lack-body `%f`")),
        ("", DECLARATION.format(" ; error: function/only-imports-lack-body `%f`")),
        ('OpDecorate %v LinkageAttributes "v" Import', "%v = OpVariable %private Private"),
        (
            'OpDecorate %v LinkageAttributes "v" Import',
            "%zero = OpConstant %float 0\n"
            "%v = OpVariable %private Private %zero ; error: function/import-has-no-initializer `%zero`",
        ),
    ],
)
def test_linkage(annotation: str, function: str) -> None:
    check(annotation_module(annotation, function), env="spv1.3")
