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
OTHER_WORDS = "other-words"
"""The folder of the measurement of other words in the prompts of a run."""
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
        many: It may have so many files that none of them is looked for at each writing.
    """

    files: Mapping[str, int]
    folders: Mapping[str, "FolderKind"] = field(default_factory=dict)
    many: bool = False


JSON, PARQUET, SMALL = 500_000_000, 2_000_000_000, 1_000_000
"""The most bytes of files of JSON (a record of a million contexts has half of that), of Parquet, and of others."""
OF_RUN: dict[str, FolderKind] = {
    SHARDS: FolderKind({r"\d{5,12}\.[^.]+\.parquet": PARQUET}, many=True),
    **dict.fromkeys((ANALYSES, KEPT, INVOCATIONS, JUDGEMENTS), FolderKind({r".*\.json": JSON})),
    PICTURES: FolderKind({r"[0-9a-f]{16}\.jpg": SMALL}),
    PARTS: FolderKind({r".*\.lock": SMALL}),
}
RUN = FolderKind({RECORD: JSON, RESULT: JSON, RECORD_OF_BEFORE: JSON, REPLICATES: PARQUET, LOCK: SMALL}, OF_RUN)
OF_RUN |= {PRIOR_FOLDER: RUN, OTHER_WORDS: RUN, CONTROLS: FolderKind({}, {".+": RUN})}
CONTEXTS = FolderKind({r".*\.(merged|mining)\.json": JSON, r".*\.replicates\.parquet": PARQUET})
"""What stands beside a context set, in a folder of the user."""
