"""Where work lies if ``--out`` does not say: a folder below ``runs``, found again by what the work depends on."""

from pathlib import Path

from bvf.asking.folders import folder_in_runs, slug
from bvf.errors import BvfError
from bvf.files.digests import digest_of
from bvf.measuring.folder import read_record
from bvf.measuring.plan import Plan


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
