"""What ``run.json`` says of a run: which run it is, and which result is its own."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bvf.errors import BvfError
from bvf.files.parsing import parse_json, read_text

RECORD = "run.json"
RESULT = "result.json"
IDENTITY = "identity"
RESULT_DIGEST = "result_digest"


@dataclass(frozen=True)
class Record:
    """What others rely on of the record of a run.

    Args:
        identity: Everything that an answer depends on.
        result_digest: Of the bytes of ``result.json``; empty as long as there is no result.
    """

    identity: dict[str, Any]
    result_digest: str


def read_record(folder: Path) -> Record:
    """Return what the record in a results folder says.

    Raises:
        BvfError: There is none, or it is damaged.
    """
    file = folder / RECORD
    raw = parse_json(read_text(file), str(file))
    if not isinstance(raw, dict) or not isinstance(raw.get(IDENTITY), dict):
        raise BvfError(f"{file}: no record of a run")
    return Record(raw[IDENTITY], str(raw.get(RESULT_DIGEST, "")))
