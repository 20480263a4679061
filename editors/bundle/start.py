"""Starts the server with the packages beside this file: `python -I start.py serve`."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "packages"))

from spvls.cli.main import main

raise SystemExit(main())
