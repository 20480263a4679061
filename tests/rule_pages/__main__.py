"""`python -m tests.rule_pages FOLDER…`: what is left to write in folders of rules; takes what is written from their lists."""

from __future__ import annotations

import sys

from spvls.validate.engine.explanation import explained, explanation
from tests.rule_pages.writing import faults, unwritten, write_lists

if __name__ == "__main__":
    folders = sys.argv[1:] or sorted({id_.partition("/")[0] for id_ in explained()})
    for folder in folders:
        pages = [found for id_ in explained() if id_.startswith(f"{folder}/") and (found := explanation(id_)) is not None]
        left = [found for found in pages if any(True for _ in faults(found))]
        if len(sys.argv) > 1:
            for found in left:
                print(found.id)
                for part, fault in faults(found):
                    print(f"  {part}: {fault}" + ("" if part in unwritten().get(found.id, ()) else " (new)"))
        print(f"{folder}: {len(left)} of {len(pages)} pages are not written")
    write_lists(folders)
