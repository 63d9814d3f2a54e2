"""p* from the model itself: its class probabilities for neutral subjects in each context.

p*(y | c) is the mean over neutral subjects n of p(y | n, c). A lean that a context has for everybody, and one that the
words of a class have everywhere, is in p* then, and is not counted as a stereotype of a group.
"""

from dataclasses import replace

from bvf.asking.model import ChosenModel
from bvf.domain.measurement import PRIOR_FOLDER, Measurement
from bvf.domain.topic import Topic
from bvf.errors import BvfError
from bvf.files.run_folders import run_at
from bvf.hooks.loader import Plugins
from bvf.measuring.plan import Plan
from bvf.measuring.run import Load, OnProgress, measure_plan
from bvf.running.config import RunConfig
from bvf.study.reference import PRIOR


def refuse_no_prior(config: RunConfig, topic: Topic) -> None:
    """Raise `BvfError` if a run cannot take p* from neutral subjects, but is to do so."""
    if config.reference != PRIOR:
        return
    if not topic.neutral:
        raise BvfError(
            f"--reference prior: the topic {topic.name} names no neutral subjects",
            'add some to the topic file that fit [X] and name no particular person: neutral = ["person"]',
        )
    for option, value in (("part", config.part), ("precision", config.precision)):
        if value:
            raise BvfError(
                f"--reference prior with --{option} {value}: neutral subjects are asked once all groups have been",
                f"run with --{option} first; the same command without it, and with --reference prior, asks the rest",
            )


def measure_prior(
    plan: Plan,
    measurement: Measurement,
    plugins: Plugins,
    on_progress: OnProgress | None = None,
    loading: Load = ChosenModel.load,
) -> Measurement:
    """Measure a model for neutral subjects, in the contexts that were used for groups."""
    topic = plan.topic.with_neutral_subjects()
    out = run_at(measurement.folder or "").sub(PRIOR_FOLDER).own_path()
    config = plan.config.model_copy(update={"out": str(out), "groups": (), "limit_groups": 0})
    asked = replace(
        plan,
        topic=topic,
        groups=topic.groups,
        selection=None,
        config=config,
        draws=measurement.record.asked.draws,
    )
    return measure_plan(asked, plugins, on_progress, loading=loading)
