"""The confidence curve: how many subjects are answered rightly in how many wordings (Appendix E.2)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import scipy

from bvf import BvfError, ResultBase
from bvf.drawing import GREY, Axis, Line, MarkedPicture, Marks, caption_of, looks, shown_name, whole_name
from bvf.results import comparable_choices, name_of, refuse_mixed, with_distinct_names
from bvf.stats import FloatArray
from bvf.tables import counted
from bvf_knowledge.result import KnowledgeResult, knowledge_only

A_GUESSER = "a guesser"
ROUNDING = 1e-9


@dataclass(frozen=True)
class Curve:
    """The share of subjects with the true answer on top in at least a share of wordings, at each step of it."""

    name: str
    wordings: FloatArray
    subjects: FloatArray

    def at(self, share: float) -> float:
        """Return the share of subjects that are right in at least this share of wordings."""
        return float(self.subjects[int(np.searchsorted(self.wordings, share - ROUNDING))])


@dataclass(frozen=True)
class Confidence(MarkedPicture):
    """The picture of how firmly models know what they know: a curve for each model, and one for a guesser."""

    kind: ClassVar[str] = "confidence"
    title: ClassVar[str] = "How firmly subjects are known"

    curves: tuple[Curve, ...]
    guesser: Curve
    relations: tuple[str, ...]
    of: int  # subjects of the first model

    def caption(self) -> str:
        where = shown_name(self.relations[0]) if len(self.relations) == 1 else f"{len(self.relations)} relations"
        return caption_of(
            f"Share of {counted(self.of, 'subject')} of {where} with the true answer on top in at least a share of the "
            "wordings.",
            *(
                f"{whole_name(each.name)}: {each.at(1.0):.0%} of subjects in all wordings, {each.at(0.5):.0%} in half "
                f"or more, {1.0 - each.subjects[1]:.0%} in none."
                for each in self.curves
            ),
            "A firm model has a flat curve: it knows a subject in every wording or in none.",
            "Dashed: a guesser, with a new answer for each wording.",
        )

    def marks(self) -> Marks:
        """A falling stair for each model, and a dashed one for a guesser."""
        guesser, hover = self.guesser, "%{y:.0%} of subjects in %{x:.0%} of wordings or more"
        marks = [Line(guesser.wordings, guesser.subjects, GREY, 0.8, "dashed", A_GUESSER, stepped=True)]
        for each, (colour, _) in zip(self.curves, looks(len(self.curves)), strict=True):
            marks.append(Line(each.wordings, each.subjects, colour, 1.3, name=each.name, stepped=True, hover=hover))
        axes = Axis("share of wordings", (0.0, 1.0)), Axis("share of subjects, right in as many or more", (0.0, 1.02))
        return Marks(marks, *axes, heights=(2.6, 2.6), grid="both")


def confidence(results: Sequence[ResultBase]) -> Confidence:
    """Return the picture of results of knowledge. The relations that a model was asked are taken together.

    Raises:
        BvfError: A result is not of knowledge, results differ in how they were analysed, or an older version wrote one.
    """
    of_knowledge = [knowledge_only(result) for result in results]
    refuse_mixed(of_knowledge, "draw them one by one", comparable_choices)
    by_model = dict[str, list[KnowledgeResult]]()
    apart = len({each.topic for each in of_knowledge}) == 1
    for each in with_distinct_names(of_knowledge) if apart else of_knowledge:
        by_model.setdefault(name_of(each), []).append(each)
    first = next(iter(by_model.values()))
    return Confidence(
        curves=tuple(_curve(name, of_model) for name, of_model in by_model.items()),
        guesser=_guessed(first),
        relations=tuple(dict.fromkeys(each.topic for each in of_knowledge)),
        of=sum(len(each.groups) for each in first),
    )


def _curve(name: str, results: Sequence[KnowledgeResult]) -> Curve:
    shares = list[float]()
    for result in results:
        for group in result.groups:
            if group.right is None:
                raise BvfError(
                    f"{result.folder or result.model}: an older version of bvf wrote the result, without how often "
                    "subjects are right",
                    "bvf analyse DIR --save-as new, then --analysis new",
                )
            shares.append(group.right)
    weights = np.concatenate([[group.weight for group in result.groups] for result in results]) / len(results)
    steps = np.unique([0.0, *np.round(shares, 9), 1.0])
    at_least = np.array(shares)[:, np.newaxis] >= steps - ROUNDING
    return Curve(name, steps, weights @ at_least)


def _guessed(results: Sequence[KnowledgeResult]) -> Curve:
    """The curve of a guesser, over as many wordings as the first result has."""
    wordings = results[0].number_of_contexts
    right = np.arange(wordings + 1)
    shares = np.mean([scipy.stats.binom.sf(right - 1, wordings, result.chance) for result in results], axis=0)
    return Curve(A_GUESSER, right / wordings, shares)
