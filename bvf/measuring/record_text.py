"""The record of a measurement as text: its digest, and what records of before have in other words."""

from bvf.domain.measurement import MeasuredModel, MeasurementRecord
from bvf.domain.model_names import model_name
from bvf.files.digests import digest_of


def with_short_name(model: MeasuredModel) -> MeasuredModel:
    """Return the model of a record, also of one that was written when ``name`` was what --model said."""
    return model if model.path else model.model_copy(update={"name": model_name(model.name), "path": model.name})


def content_of(record: MeasurementRecord) -> str:
    """Return a digest of everything that a record says."""
    told = record.model_dump(mode="json", exclude={"content"})
    for template in told["asked"]["templates"]:
        if not template["media"]:  # as in a record that was written before contexts had any
            del template["media"]
    for group in told["asked"]["groups"]:
        if not group["features"]:  # likewise
            del group["features"]
    for later in ("path", "user", "package"):  # likewise
        if not told["model"][later]:
            del told["model"][later]
    for later in ("labels", "begun_with"):  # likewise
        if not told[later]:
            del told[later]
    return digest_of(told)


def text_of(record: MeasurementRecord) -> str:
    """Return a record as the text of its file, with the digest of its content."""
    whole = record.model_copy(update={"content": content_of(record)})
    return whole.model_dump_json(by_alias=True, indent=1) + "\n"
