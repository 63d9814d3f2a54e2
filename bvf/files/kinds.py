"""Kinds of folders: the names that may stand in them, and how large a file may be."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from bvf.domain.measurement import PICTURES, PRIOR_FOLDER, RECORD

SHARDS = "probabilities"
"""The folder of the shards in that of a measurement."""
RESULT, ANALYSES, KEPT = "result.json", "analyses", "kept"
"""The newest analysis of a run, the folder of them all, and that of those stored under a name."""
INVOCATIONS, JUDGEMENTS, CONTROLS = "invocations", "judgements", "controls"
"""Folders with records of commands, with what judges said of texts (a file per judge), and with a run per control."""
REPLICATES = "replicates.parquet"
"""Counts of the templates in each bootstrap resample of the source documents."""
RECORD_OF_BEFORE = "run.json"
"""Record of a run by an earlier version of bvf, which cannot be continued."""
LOCK, PARTS = "lock", "parts"
"""The lock of a folder, and the folder with a lock per part."""


@dataclass(frozen=True)
class FolderKind:
    """What may stand in folders of a kind. Names are regular expressions, which match a whole name.

    Args:
        files: The largest size in bytes of a file, by its name.
        folders: The kind of a folder below, by its name.
    """

    files: Mapping[str, int]
    folders: Mapping[str, "FolderKind"] = field(default_factory=dict)


LARGEST = {"json": 500_000_000, "parquet": 2_000_000_000, "picture": 1_000_000, "lock": 1_000}
"""The most bytes of a file of each kind. A record of a million contexts has half of that."""
JSON = FolderKind({r".*\.json": LARGEST["json"]})
LOCKS = {PARTS: FolderKind({r".*\.lock": LARGEST["lock"]})}
OF_RUN: dict[str, FolderKind] = {
    SHARDS: FolderKind({r"\d{5,12}\.[^.]+\.parquet": LARGEST["parquet"]}),
    **dict.fromkeys((ANALYSES, KEPT, INVOCATIONS, JUDGEMENTS), JSON),
    PICTURES: FolderKind({r"[0-9a-f]{16}\.jpg": LARGEST["picture"]}),
    **LOCKS,
}
RUN = FolderKind(
    {
        **dict.fromkeys((RECORD, RESULT, RECORD_OF_BEFORE), LARGEST["json"]),
        REPLICATES: LARGEST["parquet"],
        LOCK: LARGEST["lock"],
    },
    OF_RUN,
)
OF_RUN |= {PRIOR_FOLDER: RUN, CONTROLS: FolderKind({}, {".+": RUN})}
