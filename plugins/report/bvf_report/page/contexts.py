"""The sections of a page on models measured in several context sets."""

from collections.abc import Callable, Sequence
from typing import Any

from bvf_insights.contexts.analysis import contexts_by_choices, contexts_key
from bvf_insights.contexts.pictures import over_contexts
from bvf_insights.contexts.tables import sections

from bvf.domain.measurement import Measurement
from bvf.errors import BvfError
from bvf.hooks.loader import Plugins
from bvf.results.again import words_chosen
from bvf.results.alike import method
from bvf.results.foreign import refuse_missing
from bvf.results.method import method_of
from bvf.study.config import AnalysisConfig
from bvf.study.names import model_key
from bvf_report.page.content import Block, Part
from bvf_report.page.results import Seen


def context_parts(of_risk: Sequence[Seen], plugins: Plugins) -> list[Part]:
    """Return a section that compares context sets, per topic and language.

    Empty if every model was measured in one set.

    Where sets cannot be compared, the section only says why.
    """
    by_topic = dict[tuple[str, str], list[Seen]]()
    for each in of_risk:
        by_topic.setdefault((each.result.topic, each.result.language), []).append(each)
    over_sets = [of_topic for of_topic in by_topic.values() if _over_sets([each.measurement for each in of_topic])]
    return [
        Part(f"contexts-{number}", f"Context sets: {of_topic[0].result.topic}", _blocks(of_topic, plugins))
        for number, of_topic in enumerate(over_sets)
    ]


def method_of_all(each: Seen) -> dict[str, Any]:
    """Return the choices of analysis (criterion, p*, ...) in which compared results must agree, without the topic."""
    counted = {} if each.measurement is None else words_chosen(each.result, each.measurement.record.asked)
    return {**method(each.result), "words": counted}


def compared_by(seen: Sequence[Seen]) -> Callable[[Seen], dict[str, Any]]:
    """Return `method_of_all`, without the reader where texts have one: probabilities are compared with texts."""
    if len({each.result.reader for each in seen if each.result.reader}) > 1:
        return method_of_all
    return lambda each: {name: value for name, value in method_of_all(each).items() if name != "reader"}


def compared_alike(of_risk: Sequence[Seen], plugins: Plugins) -> tuple[list[Measurement], AnalysisConfig]:
    """Return the measurements of results that have one method of analysis, and also that method as a configuration.

    Raises:
        BvfError: A measurement cannot be read, or the plugin of a criterion is not installed.
    """
    measurements, read = list[Measurement](), [each.result for each in of_risk if each.result.reader]
    for each in of_risk:
        refuse_missing(each.result, plugins)
        if each.measurement is None:
            raise BvfError(each.unread)
        measurements.append(each.measurement)
    of_first = method_of(of_risk[0].result, measurements[0].record.asked)
    return measurements, AnalysisConfig(**{**of_first, "reader": read[0].reader if read else ""})


def _over_sets(measurements: Sequence[Measurement | None]) -> bool:
    """Whether some model was measured in several context sets."""
    known = [each for each in measurements if each is not None]
    asked = {(model_key(each), contexts_key(each)) for each in known}
    return len(asked) > len({model for model, _ in asked})


def _blocks(of_topic: Sequence[Seen], plugins: Plugins) -> tuple[Block, ...]:
    try:
        compared = contexts_by_choices(*compared_alike(of_topic, plugins), plugins)
    except BvfError as error:
        return (f"Not compared over context sets: {error.message}.",)
    explanation = (
        "The same models and groups in other texts. Two sets share few contexts, so nothing is paired and there are "
        "no intervals."
    )
    return (explanation, over_contexts(compared), *sections(compared))
