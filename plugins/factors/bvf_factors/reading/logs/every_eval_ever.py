"""Instance-level data of Every Eval Ever, as lines of its ``instance_level_eval.schema.json``."""

from collections.abc import Iterable, Iterator

from bvf import BvfError
from bvf.errors import shortened
from bvf.files import Row
from bvf_factors.reading.rows import LogRow, Unit, field_of, with_columns

VERSIONS = ("0.2.1", "0.2.2")
PREFIX = "instance_level_eval_"
"""Some converters write it before the version."""
FIELDS = (
    *("evaluation_id", "sample_id", "interaction_type", "input.raw", "input.reference", "answer_attribution"),
    *("evaluation.score", "evaluation.is_correct"),
)
SINGLE = "single_turn"
OF_INSTANCES = {"schema_version", "evaluation_id", "sample_id"}
"""Fields by which a line is known as an instance."""


def instance_rows(rows: Iterable[Row]) -> Iterator[Row]:
    """Yield instances; rows of a sample, one per metric (``evaluation_result_id`` or ``task``), are of one answer."""
    for row in rows:
        version = row.values.get("schema_version")
        if not isinstance(version, str) or version.removeprefix(PREFIX) not in VERSIONS:
            raise BvfError(
                f'{row.where}: instances by the schema "{shortened(str(version))}" cannot be read',
                f"its schema_version should be {' or '.join(PREFIX + each for each in VERSIONS)}",
            )
        for name in FIELDS:
            field_of(row.values, name, row.where)
        field_of(row.values, "output.raw" if row.values["interaction_type"] == SINGLE else "messages", row.where)
        model, task = (field_of(row.values, name, row.where) for name in ("model_id", "evaluation_name"))
        asked = row.values.get("sample_hash") or field_of(row.values, "input.raw", row.where)
        unit = Unit("sample_id", f"{row.values['sample_id']}, {asked}", copies=("evaluation_result_id", "task"))
        columns = {"model": model, "task": task, "run": row.values["evaluation_id"]}
        yield with_columns(LogRow(row.where, row.values, unit), columns)
