"""The default of ``--out``: a folder below ``runs``, found again by the digest of all that the work depends on."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path

from bvf.errors import BvfError
from bvf.files.digests import digest_of
from bvf.measuring.folder import read_record
from bvf.measuring.plan import Plan

LONGEST_SLUG = 48


def default_folder(plan: Plan, identity: dict[str, str]) -> Path:
    """Return ``runs/TOPIC-LANGUAGE-NAME-DIGEST``, or the folder of the same measurement under another ``--name``."""

    def holds_it(folder: Path) -> bool:
        try:
            record = read_record(folder)
        except BvfError:
            return False
        return record.identity == plan.identity and record.model.path == plan.model.path

    first = [slug(plan.topic.name), plan.language.code]
    return folder_in_runs(first, plan.model.name, digest_of(identity), holds_it)


def folder_in_runs(first: Sequence[str], model: str, digest: str, holds_it: Callable[[Path], bool]) -> Path:
    """Return the folder below ``runs`` of work with a digest, which may not be there yet.

    Its name has the ``first`` words, the name of the model and the beginning of the digest. ``holds_it`` returns
    whether a folder with the same digest, but another name of the model, has this work already.
    """
    runs, end = Path("runs"), digest[:8]
    folder = runs / "-".join(filter(None, (*first, slug(model.removeprefix("bundled:")), end)))
    if folder.exists():
        return folder
    return next((each for each in sorted(runs.glob(f"*-{end}")) if holds_it(each)), folder)


def slug(name: str) -> str:
    """Return a name as part of the name of a folder, short enough for every disk."""
    return re.sub(r"[^A-Za-z0-9.]+", "-", name).strip("-.")[-LONGEST_SLUG:].strip("-.")
