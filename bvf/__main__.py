"""``python -m bvf``."""

from bvf.cli import main

main()
