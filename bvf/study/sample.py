"""Whether the contexts of a measurement are a sample: its population and sampling unit, or why there is no interval."""

import numpy as np

from bvf.arrays import FloatArray, IntArray
from bvf.domain.asked import Asked
from bvf.domain.measurement import Measurement
from bvf.domain.variants.placebo import ORIGIN
from bvf.errors import BvfError
from bvf.interfaces.analysis import Choices
from bvf.interfaces.criterion import Criterion, KnowledgeCriterion
from bvf.stats.sampling.samples import FEWEST, ContextSample, DrawnFrom, Unit
from bvf.tables.quantities import symbol

WHOLE = 1e-9
ROUNDING = 1e-9
FEWEST_DOCUMENTS = 5
"""The fewest documents for which there are intervals by document: the variance of fewer is hardly known."""
NOT_SAMPLED = "the contexts were written, not sampled"


def sample_of(measurement: Measurement, choices: Choices) -> ContextSample | None:
    """Return the contexts as a random sample, in the chosen or best known sampling unit; None: see `why_no_sample`."""
    if why_no_sample(measurement, choices):
        return None
    return sample_by(measurement, choices.unit or _best_unit(measurement, choices))


def _best_unit(measurement: Measurement, choices: Choices) -> Unit:
    if opened_in_turn(measurement.record.asked):
        return "opening" if measurement.record.asked.sampling.written else "template"
    if measurement.format or are_wordings(measurement.record.asked, choices):
        return "template"
    return "occurrence" if measurement.replicates is None else "document"


def are_wordings(asked: Asked, choices: Choices) -> bool:
    """Return whether the contexts were written as wordings of one question, so that each counts as drawn from others.

    That is so where true answers are scored, by a criterion of knowledge.
    """
    return asked.sampling.written and isinstance(choices.criterion, KnowledgeCriterion)


def opened_in_turn(asked: Asked) -> bool:
    """Return whether templates took turns, and only the openings before them were drawn."""
    return asked.draws is not None and asked.draws.in_turn


def as_if_counted(asked: Asked, choices: Choices) -> bool:
    """Return whether the user has counts that were written taken for counts of occurrences."""
    return asked.sampling.written and choices.unit == "occurrence"


def refuse_unknown_unit(measurement: Measurement, choices: Choices) -> None:
    """Raise `BvfError` if documents or openings are to be the sampling unit of contexts that have none."""
    if choices.unit == "document" and measurement.replicates is None:
        raise BvfError(
            f"--unit document: the documents that the contexts of {measurement.record.asked.contexts} are from are not "
            "known",
            "leave it out, or mine the set again: `bvf mine` keeps them",
        )
    if choices.unit == "opening" and not opened_in_turn(measurement.record.asked):
        message = "--unit opening: openings alone were not drawn, as templates were drawn too or stand bare"
        raise BvfError(message, "leave it out; --openings NAME asks contexts that were written after openings")


def how_to_get_intervals(asked: Asked) -> str:
    """Return the options that take contexts that were written for a sample; empty if they are too few."""
    if not asked.sampling.written or len(asked.in_order) == 1:
        return ""
    options = list[str]()
    if not _too_few_templates(asked.context_weights, ""):
        options.append("--unit template: as if these templates had been drawn")
    if asked.whole.are_whole and asked.whole.total >= FEWEST:
        options.append("--unit occurrence: as if these counts had been counted")
    return "; ".join(options)


def sample_by(measurement: Measurement, unit: Unit) -> ContextSample:
    """Return the contexts as a sample with the sampling unit ``unit``. It does not check `why_no_sample`."""
    asked, replicates = measurement.record.asked, measurement.replicates
    contexts = asked.in_order
    counts = np.array([each.count for each in contexts])
    if unit == "template":
        return _of_templates(measurement)
    if unit == "opening":
        times = np.array([each.drawn for each in asked.in_order], dtype=np.intp)
        return sample_of_openings(times, asked.places, asked.context_weights)
    if asked.draws is not None:
        drawn = np.array([float(each.drawn) for each in contexts])
        replicates, documents = (replicates, asked.sampling.documents) if unit == "document" else (None, None)
        source = DrawnFrom(asked.sampling.occurrences or np.inf, counts, replicates, documents)
        return ContextSample(drawn, unit, drawn_from=source)
    return ContextSample(counts, unit, replicates if unit == "document" else None, asked.sampling.documents)


def sample_of_openings(times: IntArray, places: IntArray, weights: FloatArray) -> ContextSample:
    """Return contexts as a sample of openings, for templates that stay as they are.

    Replicates resample the draws of each template among themselves, by the rescaled bootstrap (Rao & Wu 1988).

    Args:
        times: How often each context was drawn, shape (C,).
        places: The index of the template of each context, shape (C,).
        weights: P(C), shape (C,).
    """
    of_draw, template = np.repeat(np.arange(len(times)), times), np.repeat(places, times)
    rng, redrawn = np.random.default_rng(0), np.zeros((len(times), ContextSample.RESAMPLES))
    for place in np.unique(template):
        own = np.flatnonzero(template == place)
        moved = rng.multinomial(len(own), np.full(len(own), 1.0 / len(own)), ContextSample.RESAMPLES).T - 1.0
        np.add.at(redrawn, of_draw[own], moved * np.sqrt(len(own) / max(len(own) - 1, 1)))
    replicates = weights[:, np.newaxis] * (1.0 + redrawn / times[:, np.newaxis])
    return ContextSample(weights, "opening", replicates, int(times.sum() - len(np.unique(places)) + 1))


def _of_templates(measurement: Measurement) -> ContextSample:
    """The contexts with each as one draw; in a format of a run, each template with all contexts made from it."""
    asked = measurement.record.asked
    origins = _origins(measurement)
    if len(set(origins.tolist())) == len(origins):
        return ContextSample(asked.context_weights, "template")
    return ContextSample.of_templates(asked.context_weights, origins)[0]


def _origins(measurement: Measurement) -> IntArray:
    """Index of the template of each context, shape (C,): each has its own, except after openings or in a format."""
    if measurement.record.asked.openings is not None:
        return measurement.record.asked.places
    contexts = measurement.record.asked.in_order
    names = [each.columns[ORIGIN] if measurement.format else each.context.key for each in contexts]
    return np.unique(names, return_inverse=True)[1]


def as_templates(measurement: Measurement) -> ContextSample | None:
    """Return the contexts with each template as one independent draw; None for fewer than two templates."""
    weights = measurement.record.asked.context_weights
    return ContextSample(weights, "template") if np.count_nonzero(weights) > 1 else None


def why_no_sample(measurement: Measurement, choices: Choices) -> str:
    """Return why the contexts are not a random sample, so that there are no intervals; empty if they are."""
    asked, unit = measurement.record.asked, choices.unit
    wordings = are_wordings(asked, choices)
    if isinstance(choices.criterion, Criterion) and choices.criterion.curvature == "neither":
        bias = symbol("R_bias")
        return (
            f"the criterion {choices.criterion_name} is neither convex nor concave: {bias} may be too high or too low"
        )
    if len(asked.in_order) == 1:
        return "there is one context"
    if opened_in_turn(asked):
        whole_source = asked.sampling.written or unit == "template"
        return ("" if whole_source else _part_of_source(asked)) or _too_few_openings(asked, unit)
    if unit == "template" or ((wordings or measurement.format) and not unit):
        weights: FloatArray = np.bincount(_origins(measurement), asked.context_weights).astype(np.float64)
        return _too_few_templates(weights, "wordings" if wordings else "templates")
    sampling = asked.sampling
    if sampling.written and not (as_if_counted(asked, choices) and asked.whole.are_whole):
        return NOT_SAMPLED
    if part := _part_of_source(asked):
        return part
    if unit == "document" and measurement.replicates is None:
        return "the documents that the contexts are from are unknown"
    if not asked.whole.are_whole or (sampling.occurrences is None and not sampling.written):
        return "the context weights are not counts, so the sample size is unknown"
    return _too_few(asked, by_document=unit != "occurrence" and measurement.replicates is not None)


def _part_of_source(asked: Asked) -> str:
    """Return which part of a source the contexts are; empty if none of it is left out."""
    share = share_of_source(asked)
    if asked.sampling.cut:
        return "the contexts are the most frequent of a source whose other contexts are unknown"
    if share is not None and share < 1.0:
        return f"the contexts are a chosen {share:.1%} of their source, not a random sample"
    return ""


def _too_few_openings(asked: Asked, unit: str) -> str:
    """Return why openings before templates that took turns are no sample in this unit; empty if they are."""
    number = sum(each.drawn for each in asked.templates)
    if unit in ("occurrence", "document"):
        return f"templates took turns, so there is no interval by {unit}"
    if unit == "template" or not asked.sampling.written:
        return _too_few_templates(np.bincount(asked.places, asked.context_weights).astype(np.float64), "templates")
    if min(each.drawn for each in asked.templates) < 2:
        return "some templates were asked after one opening, so that it is not known what another would change"
    return f"only {number} openings were drawn, and intervals take {FEWEST}" if number < FEWEST else ""


def _too_few_templates(weights: FloatArray, called: str) -> str:
    effective = ContextSample(weights, "template").size
    if effective >= ContextSample.FEWEST_TEMPLATES - ROUNDING:
        return ""
    return f"there are only {effective:.1f} effective {called}, and intervals take {ContextSample.FEWEST_TEMPLATES}"


def _too_few(asked: Asked, *, by_document: bool) -> str:
    """Return that there are too few contexts, or documents, for any interval to hold; empty if there are enough."""
    documents = asked.sampling.documents
    occurrences = asked.sampling.occurrences or asked.whole.total
    if by_document and documents is not None and documents < FEWEST_DOCUMENTS:
        return f"the contexts are from only {documents} documents, and intervals take {FEWEST_DOCUMENTS}"
    if asked.draws is not None and asked.draws.number < FEWEST:
        return f"only {asked.draws.number} contexts were drawn, and intervals take {FEWEST}"
    return f"there are only {occurrences:g} occurrences, and intervals take {FEWEST}" if occurrences < FEWEST else ""


def share_of_source(asked: Asked) -> float | None:
    """Return the fraction of the corpus's matches whose template is in the context set; None if unknown."""
    occurrences, total = asked.sampling.occurrences, asked.whole.total
    if occurrences is None:
        return None
    return 1.0 if total >= occurrences * (1.0 - WHOLE) else total / occurrences
