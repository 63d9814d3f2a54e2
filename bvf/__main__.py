"""Entry point of ``python -m bvf``. It takes the working folder off ``sys.path``: nothing is imported from there."""

import sys

if not sys.flags.safe_path:
    del sys.path[0]

from bvf.cli import main

main()
