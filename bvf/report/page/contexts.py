"""The parts of a page on models that were measured in several context sets."""

from collections.abc import Sequence

from bvf.analyses.contexts.analysis import compare_contexts, contexts_key
from bvf.analyses.contexts.pictures import over_contexts
from bvf.analyses.contexts.tables import sections
from bvf.domain.measurement import Measurement
from bvf.errors import BvfError
from bvf.hooks.loader import Plugins
from bvf.report.page.content import Block, Part, table_of
from bvf.report.page.results import Seen
from bvf.results.again import words_chosen
from bvf.study.config import AnalysisConfig
from bvf.study.names import model_key

CHOICES = ("criterion", "scale", "reference", "group_weights", "margin")
"""The choices of analysis that results of one comparison must share."""


def context_parts(of_risk: Sequence[Seen], plugins: Plugins) -> list[Part]:
    """Return a part for each topic with a model in several sets; it has a note if the sets cannot be compared."""
    by_topic = dict[tuple[str, str], list[Seen]]()
    for each in of_risk:
        by_topic.setdefault((each.result.topic, each.result.language), []).append(each)
    over_sets = [of_topic for of_topic in by_topic.values() if _over_sets([each.measurement for each in of_topic])]
    return [
        Part(f"contexts-{number}", f"Context sets: {of_topic[0].result.topic}", _blocks(of_topic, plugins))
        for number, of_topic in enumerate(over_sets)
    ]


def compared_alike(of_risk: Sequence[Seen]) -> tuple[list[Measurement], AnalysisConfig]:
    """Return the measurements of results, and also the choices, the same for all, by which they were analysed."""
    measurements = list[Measurement]()
    for each in of_risk:
        if each.measurement is None:
            raise BvfError(each.unread)
        measurements.append(each.measurement)
    first, *others = (
        {
            **{name: getattr(each.result, name) for name in CHOICES},
            "words": words_chosen(each.result, measurement.record.asked),
        }
        for each, measurement in zip(of_risk, measurements, strict=True)
    )
    if any(other != first for other in others):
        raise BvfError("these results were analysed in different ways")
    return measurements, AnalysisConfig(**first, level=of_risk[0].result.uncertainty.level)


def _over_sets(measurements: Sequence[Measurement | None]) -> bool:
    """Whether some model was measured in several context sets."""
    known = [each for each in measurements if each is not None]
    asked = {(model_key(each), contexts_key(each)) for each in known}
    return len(asked) > len({model for model, _ in asked})


def _blocks(of_topic: Sequence[Seen], plugins: Plugins) -> tuple[Block, ...]:
    try:
        compared = compare_contexts(*compared_alike(of_topic), plugins=plugins)
    except BvfError as error:
        return (f"Not compared over context sets: {error.message}.",)
    explanation = (
        "The same models and groups in other texts. Two sets share few contexts, so nothing is paired and there are "
        "no intervals."
    )
    return (explanation, over_contexts(compared), *(table_of(section) for section in sections(compared)))
