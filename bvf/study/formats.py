"""Splits a run in formats into a measurement per format. Contexts of two formats are paired by their template."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from bvf.domain.context import properties_in
from bvf.domain.measurement import AskedTemplate, Measurement
from bvf.domain.variants.formats import FORMAT
from bvf.domain.variants.placebo import ORIGIN
from bvf.errors import BvfError


def in_formats(measurements: Sequence[Measurement]) -> list[Measurement]:
    """Return a measurement per run and format, in the order in which each run has its formats.

    Raises:
        BvfError: The contexts of a run are not in formats, were drawn from all formats together, or differ in nothing.
    """
    return [part for each in measurements for part in _parts(each)]


def context_key(measurement: Measurement, context: AskedTemplate) -> str:
    """Return what identifies a context of a measurement: in a part of a run in formats, all but the format."""
    if not measurement.format:
        return context.context.key
    others = {**properties_in(context.columns), FORMAT: ""}
    return " ".join([others.pop(ORIGIN), *(f"({name}: {level})" for name, level in others.items() if level)])


def _parts(measurement: Measurement) -> Iterator[Measurement]:
    asked, name = measurement.record.asked, str(measurement.folder or measurement.record.model.name)
    if not all(each.columns.get(FORMAT) and ORIGIN in each.columns for each in asked.templates):
        message = f"{name}: its contexts are not in formats"
        raise BvfError(message, "bvf run --formats bare,user asks each template in several")
    if asked.draws is not None:
        message = f"{name}: contexts were drawn from all formats together, so not each template is in every one"
        raise BvfError(message, "bvf run --formats draws templates, and asks each in every format")
    for level in dict.fromkeys(each.columns[FORMAT] for each in asked.templates):
        part = _part(measurement, level)
        (key, times), *_ = Counter(context_key(part, each) for each in part.record.asked.templates).most_common(1)
        if times > 1:
            message = f'{name}: "{key}" stands {times} times in the format {level}'
            raise BvfError(message, f"give these contexts different values of {ORIGIN} or of another column")
        yield part


def _part(measurement: Measurement, level: str) -> Measurement:
    asked = measurement.record.asked
    kept = [c for c, each in enumerate(asked.templates) if each.columns[FORMAT] == level]
    of_format = asked.model_copy(update={"templates": tuple(asked.templates[c] for c in kept)})
    return replace(measurement.at(of_format, range(len(asked.groups)), kept), format=level)
