"""The text of records in the formats of others, as files have it."""

import json
from typing import Any


def as_json(record: dict[str, Any]) -> str:
    """Return a record of Every Eval Ever as the text of its file."""
    return json.dumps(record, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def as_yaml(entries: list[dict[str, Any]]) -> str:
    """Return entries of the hub as the text of their file."""
    import yaml

    return str(yaml.safe_dump(entries, sort_keys=False, allow_unicode=True))
