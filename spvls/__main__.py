"""`python -m spvls`."""

from __future__ import annotations

import os
import sys

if __name__ == "__main__":
    # `python -m` puts the working directory first, and the files there may be anybody's: what is imported from here on is not
    # looked for among them, unless this package itself is there. `python -P -m spvls` looks nowhere there from the start.
    if not sys.flags.safe_path and sys.path[0] != os.path.dirname(os.path.dirname(os.path.abspath(__file__))):
        del sys.path[0]

    from spvls.cli.own_modules import find_own_modules

    find_own_modules()

    from spvls.cli.main import main

    raise SystemExit(main())
