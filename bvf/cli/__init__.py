"""The command line: parse, call the API, show."""

import sys

from bvf.cli.app import app
from bvf.cli.console import complain, note
from bvf.errors import BvfError

INTERRUPTED = 130


def main() -> None:
    """Run the command line: a mistake of the user's is one line on stderr and exit code 2."""
    debug = "--debug" in sys.argv
    if debug:
        sys.argv.remove("--debug")
    try:
        app()
    except BvfError as error:
        if debug:
            raise
        complain(error)
        raise SystemExit(2) from None
    except KeyboardInterrupt:
        if debug:
            raise
        note(f"interrupted; finished shards are kept, go on with: {' '.join(['bvf', *sys.argv[1:]])}")
        raise SystemExit(INTERRUPTED) from None
