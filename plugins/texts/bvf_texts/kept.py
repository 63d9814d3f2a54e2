"""What a reader that a file makes read, kept in the folder of the texts: a file that a result names is never opened.

The folder may be of anybody, and the file may name a model, a server or a plugin.
"""

import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, ValidationError

from bvf import BvfError
from bvf.domain import ReadingError, Record
from bvf.errors import in_one_line
from bvf.files import Folder, digest_of_bytes, disk_errors_explained

JUDGEMENTS = "judgements"
"""The folder in that of a measurement with what was read in its texts, a file per reader."""


class Readings(Record):
    """What a reader read in the texts of a measurement, and by what."""

    schema_: Literal["bvf.readings/1"] = Field("bvf.readings/1", alias="schema")
    reader: str = Field(description="The value of --reader")
    by: dict[str, Any] = Field(description="What its readings depend on")
    read: dict[str, str] = Field(description="The class of each text")
    unread: dict[str, str] = Field(description="Why the other texts were not read")
    error: ReadingError | None = Field(None, description="null: it was not measured")
    names_first: bool = Field(False, description="Whether it mostly reads the class of the first word of a class")

    def with_those_of(self, others: "Iterable[Readings]") -> "Readings":
        """Return these readings and those of other texts."""
        read, unread = dict(self.read), dict(self.unread)
        for each in others:
            read = {**{text: name for text, name in each.read.items() if text not in unread}, **read}
            unread = {**{text: why for text, why in each.unread.items() if text not in read}, **unread}
        return self.model_copy(update={"read": read, "unread": unread})


def kept_in(folder: Path, digest: str = "") -> Iterator[Readings]:
    """Yield what is kept in the folder of a measurement: what was read by what has this digest, or all.

    Raises:
        BvfError: A file is not as it was written.
    """
    kept = Folder(folder).sub(JUDGEMENTS)
    for name in kept.names():
        by, _, of_content = name.removesuffix(".json").partition(".")
        if not of_content or (digest and by != digest):
            continue  # an older bvf wrote it
        content = kept.read_bytes(name) or b""
        try:
            if digest_of_bytes(content) != of_content:
                raise ValueError("its content is not that of its name")
            yield Readings.model_validate_json(content)
        except (ValidationError, ValueError) as error:
            why = "it has other fields" if isinstance(error, ValidationError) else in_one_line(str(error))
            raise BvfError(
                f"{kept.path_of(name)}: not as it was written: {why}", "restore it, or delete it and name the --reader"
            ) from error


def keep(folder: Path, digest: str, readings: Readings) -> None:
    """Keep what was read by what has this digest, in place of what was kept before. A folder may be read-only."""
    if not os.access(folder, os.W_OK):
        return
    kept = Folder(folder).sub(JUDGEMENTS)
    content = json.dumps(readings.model_dump(mode="json", by_alias=True), ensure_ascii=False, indent=0).encode()
    new = f"{digest}.{digest_of_bytes(content)}.json"
    with disk_errors_explained(kept.path, "make room, or analyse a copy"):
        before = [name for name in kept.names() if name.startswith(f"{digest}.")]
        if new not in before:
            kept.write(new, content)
        for name in before:
            if name != new:
                kept.delete(name)
