"""Entry point of ``python -m bvf``. It removes the working folder from ``sys.path``: no import from there."""

import sys

if not sys.flags.safe_path:
    del sys.path[0]

from bvf.cli import main

main()
