"""What the environment of a command must be: its arguments, how matplotlib draws, and the date of files."""

import os
from collections.abc import Sequence

from bvf.errors import BvfError


def settle_environment(arguments: Sequence[str]) -> None:
    """Refuse arguments that are not text, and a date that is none; let matplotlib draw into files alone."""
    for argument in arguments:
        try:
            argument.encode()
        except UnicodeEncodeError as error:
            raise BvfError(
                f"an argument is not text in UTF-8: {argument!r}", "rename the file, or set LC_ALL=C.UTF-8"
            ) from error
    os.environ["MPLBACKEND"] = "agg"
    if not (seconds := os.environ.get("SOURCE_DATE_EPOCH") or "0").isdecimal():
        raise BvfError(f'SOURCE_DATE_EPOCH is "{seconds}"', "a number of seconds; or unset it")
