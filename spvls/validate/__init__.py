"""The validator: rules by family, and the frame that runs them.

The package has the name of the function that it is there for, and importing a part of it binds that name in `spvls`; so
calling the package is calling `spvls.validate.validator.validate`.
"""

from __future__ import annotations

import sys
from types import ModuleType

from spvls.typed import Any


class _Validate(ModuleType):
    def __call__(self, *args: Any, **options: Any) -> Any:
        from spvls.validate.validator import validate

        return validate(*args, **options)


sys.modules[__name__].__class__ = _Validate
