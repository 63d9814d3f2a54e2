"""p* from the model itself: what it answers for subjects that name nobody in particular, context by context.

p*(y | c) is the mean over neutral subjects n of p(y | n, c). A lean that a context has for everybody, and one that the
words of a class have everywhere, is in p* then, and no stereotype of a group.
"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from shlex import join

import numpy as np

from bvf.analysing.config import RunConfig
from bvf.analysing.counting import counted
from bvf.analysing.references import PRIOR
from bvf.arrays import FloatArray
from bvf.domain.measurement import RECORD, Measurement, MeasurementRecord
from bvf.domain.topic import Topic
from bvf.errors import BvfError
from bvf.files.parsing import is_file
from bvf.hooks.loader import Plugins
from bvf.measuring.folder import Folder, read_record
from bvf.measuring.model import ChosenModel
from bvf.measuring.plan import Plan
from bvf.measuring.run import Load, OnProgress, measure_plan

OF_SUBJECTS = ("groups", "prompts")
"""The digests of an identity that differ between the two measurements."""


def refuse_no_prior(config: RunConfig, topic: Topic) -> None:
    """Raise `BvfError` if a run is to measure the answers for neutral subjects and cannot."""
    if config.reference != PRIOR:
        return
    if not topic.neutral:
        raise BvfError(
            f"--reference prior: the topic {topic.name} names no neutral subjects",
            'add some to the topic file that fit [X] and name nobody in particular: neutral = ["person"]',
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
    """Ask a model about neutral subjects, in the contexts in which it was asked about groups; what is stored is kept.

    Args:
        plan: What was asked about groups.
        measurement: What came of it; the answers lie in its folder.
        plugins: What is installed.
        on_progress: Called when a stage begins, and after every shard.
        loading: Loads the model.

    Raises:
        BvfError: As `bvf.measuring.run.measure_plan`.
    """
    topic = plan.topic.with_neutral_subjects()
    config = plan.config.model_copy(update={"out": str(measurement.prior), "limit_groups": 0})
    asked = replace(plan, topic=topic, groups=topic.groups, config=config, draws=measurement.record.asked.draws)
    return measure_plan(asked, plugins, on_progress, loading=loading)


def prior_of(measurement: Measurement, words: Mapping[str, tuple[str, ...]]) -> FloatArray:
    """Return p*(y | c), shape (C, Y), for the contexts and classes of a measurement.

    Args:
        measurement: Of the groups.
        words: Words that count, by class; a class that is not named counts all of its words.

    Raises:
        BvfError: Neutral subjects were not asked, another model was asked, or not in all contexts; or they have no
            answer in one, or none of some class.
    """
    record, folder = measurement.record, measurement.prior
    if folder is None or not is_file(folder / RECORD):
        raise BvfError("--reference prior: neutral subjects were not asked", _command(record, folder))
    of_subjects = read_record(folder)
    there, here = ({**each.identity, **dict.fromkeys(OF_SUBJECTS, "")} for each in (of_subjects, record))
    if there != here:
        apart = ", ".join(sorted(name for name in there | here if there.get(name) != here.get(name)))
        raise BvfError(f"{folder} is of another measurement: other {apart}", "delete it, and measure it again")
    prior = Folder(folder).measurement(of_subjects, words=bool(words))
    asked, p = counted(of_subjects.asked, prior, words)
    with np.errstate(invalid="ignore"):
        known = ~np.isnan(p).any(axis=2, keepdims=True)
        mean = np.where(known, p, 0.0).sum(axis=0) / known.sum(axis=0)
    of_context = dict(zip((each.context.key for each in asked.in_order), mean, strict=True))
    contexts = [each.context.key for each in record.asked.in_order]
    missing = [context for context in contexts if context not in of_context]
    if missing:
        raise BvfError(f'{folder}: neutral subjects were not asked in "{missing[0]}"', _command(record, folder))
    p_star = np.array([of_context[context] for context in contexts])
    _refuse_no_answer(p_star, contexts, asked.classes)
    return p_star


def _refuse_no_answer(p_star: FloatArray, contexts: list[str], classes: tuple[str, ...]) -> None:
    for context, p in zip(contexts, p_star, strict=True):
        if not (p > 0.0).all():
            of = f"the class {classes[int(np.argmin(p))]}" if not np.isnan(p).any() else "every class"
            raise BvfError(
                f'--reference prior: in "{context}" neutral subjects give {of} the probability 0',
                "p* is above 0 for every class: choose another reference",
            )


def _command(record: MeasurementRecord, folder: Path | None) -> str:
    asked = record.asked
    named = ["--topic", asked.topic, "--lang", asked.language, "--model", record.model.name]
    out = [] if folder is None else ["--out", str(folder.parent)]
    command = join(["bvf", "run", *named, "--reference", "prior", *out])
    return f"{command}, with the other options of that run, asks them and nothing else"
