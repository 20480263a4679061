"""`python -m spvls`."""

from __future__ import annotations

from spvls.cli.main import main

if __name__ == "__main__":
    raise SystemExit(main())
