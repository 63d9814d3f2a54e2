"""The default folder of ``--out``, below ``runs``; it is named by a digest of all that the work depends on."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path

LONGEST_SLUG = 48


def folder_in_runs(first: Sequence[str], model: str, digest: str, holds_it: Callable[[Path], bool]) -> Path:
    """Return the folder below ``runs`` where work with a digest lies or will lie.

    Its name has the ``first`` words, the name of the model and the beginning of the digest. ``holds_it`` says whether
    a folder with the same digest, but another name of the model, holds this work already.
    """
    runs, end = Path("runs"), digest[:8]
    folder = runs / "-".join(filter(None, (*first, slug(model.removeprefix("bundled:")), end)))
    if folder.exists():
        return folder
    return next((each for each in sorted(runs.glob(f"*-{end}")) if holds_it(each)), folder)


def slug(name: str) -> str:
    """Return a name in a form fit for a folder name, and short enough for every disk."""
    return re.sub(r"[^A-Za-z0-9.]+", "-", name).strip("-.")[-LONGEST_SLUG:].strip("-.")
