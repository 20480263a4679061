"""Files under `share/`, and the facts about rules, that are made from the code: `python -m tests.shipped` makes them anew."""
