"""Comparison with the reference tools, by command: `python -m tests.reference`.

`driver.cpp` answers with the library of the reference tools; `driver` compiles it and talks to it, `frames` names the place
in the sources that a message comes from. `sites` lists every place that can give a message, `table` is what is known of
each, `inventory` compares the two and fills the table in.
"""
