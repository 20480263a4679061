"""`python -m tests.bench`."""

from __future__ import annotations

from tests.bench.bench import main

if __name__ == "__main__":
    main()
