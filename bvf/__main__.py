"""Entry point of ``python -m bvf``; takes the working folder off ``sys.path``, so that nothing is imported from it."""

import sys

if not sys.flags.safe_path:
    del sys.path[0]

from bvf.cli import main

main()
