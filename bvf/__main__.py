"""``python -m bvf``: without the working folder, which Python would look for modules and plugins in."""

import sys

if not sys.flags.safe_path:
    del sys.path[0]

from bvf.cli import main

main()
