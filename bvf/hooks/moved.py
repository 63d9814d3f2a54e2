"""New names of modules and objects that moved, for a plugin that was written before."""

import re
import tomllib
from functools import cache
from pathlib import Path


@cache
def moved() -> dict[str, str]:
    """Return the new names by the old ones."""
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))


def where_it_is_now(error: BaseException) -> str:
    """Return ``; bvf.testing is bvf_testing now`` where an import failed for what moved; else an empty text.

    >>> where_it_is_now(ModuleNotFoundError("No module named 'bvf.testing'", name="bvf.testing"))
    '; bvf.testing is bvf_testing now'
    """
    if not isinstance(error, ImportError):
        return ""
    parts = [*str(error.name or "").split("."), *re.findall(r"^cannot import name '(\w+)'", str(error))]
    olds = (".".join(parts[:length]) for length in range(len(parts), 1, -1))
    return next((f"; {old} is {moved()[old]} now" for old in olds if old in moved()), "")
