"""The default of ``--out``: a folder below ``runs``.

Its name contains a digest of everything that the results depend on.
"""

import re
from collections.abc import Callable, Sequence
from pathlib import Path

LONGEST_SLUG = 48


def folder_in_runs(first: Sequence[str], model: str, digest: str, holds_it: Callable[[Path], bool]) -> Path:
    """Return the folder below ``runs`` for a digest: the existing one, or else a new name.

    Its name has the ``first`` words, the name of the model and a prefix of the digest. ``holds_it`` returns whether
    a folder with the same digest, but another name of the model, holds this work already.
    """
    runs, end = Path("runs"), digest[:8]
    folder = runs / "-".join(filter(None, (*first, slug(model.removeprefix("bundled:")), end)))
    if folder.exists():
        return folder
    return next((each for each in sorted(runs.glob(f"*-{end}")) if holds_it(each)), folder)


def slug(name: str) -> str:
    """Return a name as a valid part of a folder name, short enough for every file system."""
    return re.sub(r"[^A-Za-z0-9.]+", "-", name).strip("-.")[-LONGEST_SLUG:].strip("-.")
