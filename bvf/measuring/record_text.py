"""The record of a measurement as the text of its file, and the digest of what it says."""

from bvf.domain.measurement import MeasurementRecord
from bvf.files.digests import digest_of


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
