"""The section of a page with the pictures that a model was shown."""

import base64
from collections.abc import Iterator, Mapping

import numpy as np

from bvf import Measurement, Media, Predictions, Result
from bvf.domain import PICTURES
from bvf.files import IMAGE, THUMBNAIL, Folder
from bvf.results import Part
from bvf_report.page.content import Gallery, ShownPicture

MOST_SHOWN = 100


def gallery(result: Result, measurement: Measurement, predictions: Predictions, number: int) -> list[Part]:
    """Return a section with each picture, small, and how predictions lean beside it. Empty if there are no pictures."""
    of_context = {
        each.context.key: [media for media in each.media if media.kind == IMAGE]
        for each in measurement.record.asked.templates
    }
    rows = tuple(_shown(Folder(result.folder).sub(PICTURES), of_context, predictions)) if result.folder else ()
    if not rows:
        return []
    said = "The pictures that the model was shown, and how all groups lean beside each, on average over its contexts."
    left_out = [f"{MOST_SHOWN} of {len(rows)} pictures."] if len(rows) > MOST_SHOWN else []
    return [Part(f"pictures-{number}", "Pictures", (said, *left_out, Gallery(rows[:MOST_SHOWN])), 3)]


def _shown(folder: Folder, of_context: Mapping[str, list[Media]], predictions: Predictions) -> Iterator[ShownPicture]:
    contexts_with: dict[Media, list[int]] = {}
    for c, key in enumerate(predictions.contexts):
        for media in of_context.get(key, ()):
            contexts_with.setdefault(media, []).append(c)
    for media, contexts in contexts_with.items():
        weights = predictions.context_weights[contexts]
        leans = np.ma.average(np.ma.masked_invalid(predictions.lean[:, contexts]), axis=1, weights=weights).mean(axis=0)
        y = int(leans.argmax())
        yield ShownPicture(
            _address(folder.read_bytes(f"{media.digest}{THUMBNAIL}")),
            media.file,
            f"{predictions.classes[y]} {100 * float(leans[y]):+.1f} points",
        )


def _address(picture: bytes | None) -> str:
    """The small picture as a data URL; empty if it is not there."""
    return f"data:image/jpeg;base64,{base64.b64encode(picture).decode()}" if picture else ""
