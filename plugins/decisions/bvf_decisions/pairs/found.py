"""Reads from stored probabilities what two people in one text, and each of them alone, say of groups."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from bvf import AnalysisConfig, BvfError, Group, Study, load
from bvf.errors import nearest
from bvf.results import Figures
from bvf.tables import counted
from bvf_decisions.pairs.scores import Design, Estimate, spread

PLACES = ("first", "second")
"""The factors of ordered pairs, and the classes of the question who is meant."""
ABOUT = "about"
"""The column of contexts that says of which class the person is who is meant."""
SMALLEST = 1e-12
"""Probabilities count as no smaller, so that they have a logarithm."""


@dataclass(frozen=True, eq=False)
class Found:
    """Log odds of ordered pairs of people, and what they say of each."""

    study: Study
    names: tuple[str, ...]
    design: Design
    who: bool  # whether one of the two people is named, and not a class
    arms: tuple[str, ...]  # one or two classes of the person who is meant, or the class whose log odds these are
    odds: Estimate  # (X,); of two arms, the difference
    overall: Estimate  # (X,), in all contexts alike
    notes: tuple[str, ...]

    @property
    def of(self) -> str:
        """Of which class the log odds are."""
        return " rather than ".join(self.arms)

    def place(self) -> Estimate:
        """Return the effect of the place, as an estimate of one number."""
        design = self.design
        if self.who:
            return self.overall.through(np.full((1, design.first.shape[1]), 1.0 / design.first.shape[1]))
        places = (design.first, design.second)
        (one, on_first), (two, on_second) = (spread(each @ self.odds.values) for each in places)
        moved = self.odds.through((on_first @ design.first - on_second @ design.second)[np.newaxis])
        return replace(moved, values=np.array([one - two]))


@dataclass(frozen=True, eq=False)
class Alone:
    """The same log odds of each person alone."""

    described: str
    score: Estimate
    of_pairs: Estimate
    warnings: tuple[str, ...]


def refuse_alone(groups: Sequence[Group]) -> None:
    """Raise `BvfError` for a group that is no pair, or a pair that is there in one order only."""
    chosen = {tuple(each.factors.get(place, "") for place in PLACES): each.name for each in groups}
    for (first, second), name in chosen.items():
        if not (first and second):
            message = f'"{name}" is one group, and the analysis of pairs takes two'
            raise BvfError(message, "ask about two people: contexts with [X1] and [X2]")
        if (second, first) not in chosen:
            message = f'"{name}" stands there in one order only, so that nothing tells its group from its place'
            raise BvfError(message, f'name the other order too: "{second} & {first}"')


def found_in(study: Study) -> Found:
    """Return what a run about two people says.

    Raises:
        BvfError: Groups are no pairs, contexts are about three classes or more, or in none has every pair an answer.
    """
    read = study.predictions
    refuse_alone(read.groups)
    both = [tuple(each.factors[place] for place in PLACES) for each in read.groups]
    names = tuple(dict.fromkeys(first for first, _ in both))
    first, second = (np.array([names.index(pair[place]) for pair in both]) for place in range(2))
    who = set(read.classes) == set(PLACES)
    classes = tuple(dict.fromkeys(each.columns.get(ABOUT, "") for each in read.asked.templates)) if who else ()
    if len(classes) > 2 or (len(classes) == 2 and "" in classes):
        message = f"the column {ABOUT} of {read.asked.contexts} has {', '.join(each or 'nothing' for each in classes)}"
        raise BvfError(message, "write one or two classes there, one in each row, such as female and male")
    of = read.classes.index(PLACES[0]) if who else 0
    against = [place for place in range(len(read.classes)) if place != of]
    odds, overall = (_log_odds(study, range(len(both)), of, against, arms) for arms in (classes, ()))
    left_out = int(np.isnan(read.probabilities).any(axis=(0, 2)).sum())
    notes = (f"{counted(left_out, 'context')} left out, as some pair has no answer there",) if left_out else ()
    design = Design.of(first, second, who=who)
    if design is None:
        message = "these pairs do not tell what is due to each of the two, as too few groups meet"
        raise BvfError(message, "ask about three groups or more, each with all others")
    arms = tuple(filter(None, classes)) if who else read.classes[:1]
    return Found(study, names, design, who, arms, odds, overall, notes)


def alone_in(folder: str, found: Found) -> Alone:
    """Return what a run about one person says of the same people.

    Raises:
        BvfError: There is no such run, it lacks a group or a class, or the other run names no class.
    """
    choices, record = found.study.choices, found.study.measurement.record
    study = Figures.of_run(Path(folder), AnalysisConfig(unit=choices.unit, level=choices.level), load()).study
    read, asked = study.predictions, study.measurement.record.asked
    if not found.arms:
        hint = f"write a column {ABOUT} in them, with classes of {asked.topic}: {', '.join(read.classes)}"
        raise BvfError(
            f"{record.asked.contexts}: these contexts do not say of which class the one is who is meant", hint
        )
    for what, names, known in (("class", found.arms, read.classes), ("group", found.names, read.group_names)):
        for name in names:
            if name not in known:
                raise BvfError(f'{folder}: has no {what} "{name}"', nearest(name, list(known)))
    of, *against = (read.classes.index(name) for name in found.arms)
    against = against if found.who else [place for place in range(len(read.classes)) if place != of]
    odds = _log_odds(study, [read.group_names.index(name) for name in found.names], of, against)
    described = f"{asked.topic} ({asked.contexts})"
    other = f"{folder} is of another model, {study.measurement.record.model.name}"
    warnings = () if study.measurement.record.model.weights == record.model.weights else (other,)
    return Alone(described, odds.through(found.design.centred), odds.through(found.design.apart), warnings)


def _log_odds(study: Study, rows: Sequence[int], of: int, against: Sequence[int], arms: Sequence[str] = ()) -> Estimate:
    """Log odds of a class against others, or its log p, over contexts in which all of the rows have an answer."""
    read, samples = study.predictions, study.measurement.record.model.samples
    p, least = read.probabilities[list(rows)], 0.5 / samples if samples else SMALLEST
    complete = ~np.isnan(p).any(axis=(0, 2)) & (read.context_weights > 0)
    about = np.array([each.columns.get(ABOUT, "") for each in read.templates])[complete]
    if not complete.any() or (len(arms) == 2 and not np.isin(arms, about).all()):
        raise BvfError("in no context has every group an answer", "choose groups by --groups, or other words")
    p, weights = p[:, complete], read.context_weights[complete] / read.context_weights[complete].sum()
    rest = p[..., list(against)].sum(axis=-1) if against else np.ones(p.shape[:2])
    values = np.log(np.clip(p[..., of], least, 1.0)) - np.log(np.clip(rest, least, 1.0))
    sample = study.sample.only(complete) if study.sample else None
    return Estimate.mean(values, weights, sample, [about == arm for arm in arms] if len(arms) == 2 else [])
