"""The default ``--out`` of a run: a folder below ``runs``.

Its name contains a digest of all that affects probabilities.
"""

from pathlib import Path

from bvf.asking.folders import folder_in_runs, slug
from bvf.errors import BvfError
from bvf.files.digests import digest_of
from bvf.measuring.folder import read_record
from bvf.measuring.plan import Plan


def default_folder(plan: Plan, identity: dict[str, str]) -> Path:
    """Return the folder ``runs/TOPIC-LANGUAGE-NAME-DIGEST`` of a measurement.

    If the same measurement already has a folder under another ``--name``, return that folder.
    """

    def holds_it(folder: Path) -> bool:
        try:
            record = read_record(folder)
        except BvfError:
            return False
        return record.identity == plan.identity and record.model.path == plan.model.path

    first = [slug(plan.topic.name), plan.language.code]
    return folder_in_runs(first, plan.model.name, digest_of(identity), holds_it)
