"""Where work lies if ``--out`` does not say: a folder below ``runs``, found again by what the work depends on."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path

from bvf.errors import BvfError
from bvf.files.digests import digest_of
from bvf.measuring.folder import read_record
from bvf.measuring.plan import Plan

LONGEST_SLUG = 48


def default_folder(plan: Plan, identity: dict[str, str]) -> Path:
    """Return ``runs/TOPIC-LANGUAGE-NAME-DIGEST``; a folder of the same measurement by another name, if there is one."""
    first = [slug(plan.topic.name), plan.language.code]
    return folder_in_runs(first, plan.model.name, digest_of(identity), lambda folder: _is_of(plan, folder))


def _is_of(plan: Plan, folder: Path) -> bool:
    """Whether a folder holds this measurement of a model that ``--model`` named in the same way."""
    try:
        record = read_record(folder)
    except BvfError:
        return False
    return record.identity == plan.identity and record.model.path == plan.model.path


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
