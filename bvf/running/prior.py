"""Neutral subjects of a run: the model is asked for them too, in each context.

Every run reads what groups add to the mean over neutral subjects n of p(y | n, c). With ``--reference prior`` that mean
is p*(y | c): a lean that a context has for everybody, and one that the words of a class have everywhere, is not counted
as a stereotype of a group then.
"""

from dataclasses import replace

from bvf.asking.model import ChosenModel
from bvf.domain.measurement import PRIOR_FOLDER, Measurement
from bvf.domain.topic import Topic
from bvf.errors import BvfError
from bvf.files.run_folders import run_at
from bvf.files.writing import is_read_only
from bvf.hooks.loader import Plugins
from bvf.measuring.plan import Plan
from bvf.measuring.run import Load, OnProgress, folder_of, measure_plan
from bvf.running.config import RunConfig
from bvf.running.controls import OverallProgress
from bvf.running.several import failure_of
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


def asks_neutral(config: RunConfig, plan: Plan) -> bool:
    """Whether neutral subjects are asked after the groups of a run."""
    idle = bool(config.precision) or is_read_only(folder_of(plan).path)
    return config.reference == PRIOR or (bool(plan.topic.neutral) and not idle)


def measure_neutral(
    config: RunConfig, plan: Plan, measurement: Measurement, plugins: Plugins, progress: OverallProgress, loading: Load
) -> Measurement:
    """Ask neutral subjects after the groups of a run, if its topic names some, and nothing that is there already.

    Without ``--reference prior``, the run goes on if the model fails for them: the measurement has a remark then.
    """
    if not asks_neutral(config, plan):
        return measurement
    progress.begin_next()
    try:
        measure_prior(plan, measurement, plugins, progress, loading)
    except Exception as error:
        if config.reference == PRIOR:
            raise
        why = f"neutral subjects were not asked: {failure_of(config, error)}"
        return replace(measurement, remarks=(*measurement.remarks, why))
    return measurement


def measure_prior(
    plan: Plan,
    measurement: Measurement,
    plugins: Plugins,
    on_progress: OnProgress | None = None,
    loading: Load = ChosenModel.load,
) -> Measurement:
    """Measure a model for neutral subjects, in the contexts that were used for groups.

    What the run has checked is not checked again: how much rounding of the weights matters, and the candidate mass.
    """
    topic, description = plan.topic.with_neutral_subjects(), plan.model.description
    out = run_at(measurement.folder or "").sub(PRIOR_FOLDER).own_path()
    few = {"groups": (), "limit_groups": 0, "mass_sample": 1}
    config = plan.config.model_copy(update={"out": str(out), **few})
    asked = replace(
        plan,
        topic=topic,
        model=replace(plan.model, description=replace(description, rounds={})),
        groups=topic.groups,
        selection=None,
        config=config,
        draws=measurement.record.asked.draws,
    )
    return measure_plan(asked, plugins, on_progress, loading=ChosenModel.load if description.rounds else loading)
