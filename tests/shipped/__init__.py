"""Files under `share/` that are made from the code: `python -m tests.shipped` makes them anew."""
