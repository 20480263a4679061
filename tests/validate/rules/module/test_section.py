"""Rules of `module/section`: order of the sections, and what stands once in a module."""

from __future__ import annotations

import spvls


def test_an_empty_text_lacks_its_memory_model_at_its_beginning() -> None:
    (diagnostic,) = spvls.validate("; nothing")
    assert diagnostic.rule == "module/memory-model-is-declared-once"
    assert diagnostic.range is not None
    assert diagnostic.range.start == (0, 0)
