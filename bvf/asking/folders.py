"""Where answers lie if ``--out`` does not say: a folder below ``runs``, found again by what the answers depend on."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path

LONGEST_SLUG = 48


def folder_in_runs(first: Sequence[str], model: str, digest: str, holds_it: Callable[[Path], bool]) -> Path:
    """Return the folder below ``runs`` where work with a digest lies or will lie.

    Args:
        first: What the name of the folder begins with.
        model: The name of the model.
        digest: Of all that the work depends on; the folder has the beginning of it at the end of its name.
        holds_it: Whether a folder holds this work already, when the model had another name.
    """
    runs, end = Path("runs"), digest[:8]
    folder = runs / "-".join(filter(None, (*first, slug(model.removeprefix("bundled:")), end)))
    if folder.exists():
        return folder
    return next((each for each in sorted(runs.glob(f"*-{end}")) if holds_it(each)), folder)


def slug(name: str) -> str:
    """A part of the name of a folder, short enough for every disk."""
    return re.sub(r"[^A-Za-z0-9.]+", "-", name).strip("-.")[-LONGEST_SLUG:].strip("-.")
