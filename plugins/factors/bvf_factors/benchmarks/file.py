"""Scores of a benchmark printed as JSON: their report sections, and what they are less a baseline's."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

from pydantic import ValidationError

from bvf import BvfError, Picture, ReportedFile, Section
from bvf.domain import first_wrong
from bvf.hooks import Plugins
from bvf.interfaces import ROWS_SHOWN, ReportedFigure, ReportedGroup
from bvf_factors.benchmarks.answer_folder import SCORES, answers_in, stored_answers
from bvf_factors.benchmarks.asking import Answered
from bvf_factors.benchmarks.scored import BenchmarkScores, ModelAsked, ScoreDifference, ScoreFigure, benchmark_scores
from bvf_factors.benchmarks.tables import score_sections
from bvf_factors.pictures import Scores, scores_of


class ScoresFile(ReportedFile):
    """Scores that ``bvf factors run --format json`` printed."""

    what = "Scores of a benchmark"
    pictures = (Scores,)

    def __init__(self, values: Mapping[str, Any], name: str) -> None:
        try:
            self.scores = BenchmarkScores.model_validate(dict(values))
        except ValidationError as error:
            raise BvfError(f"no scores of a benchmark: {first_wrong(error)}") from error
        self.title, self.asked = self.scores.title or name, self.scores.items

    def sections(self, show: int = ROWS_SHOWN) -> list[Section]:
        """Return the tables of scores and of their differences."""
        return score_sections(self.scores, show)

    def picture(self, of: type[Picture], *, show: int = ROWS_SHOWN, factors: Sequence[str] = ()) -> Picture:
        """Return the picture of one score; ``factors`` may name it."""
        return scores_of(self.scores, show, factors)

    def figures(self) -> list[ReportedFigure]:
        """Return the scores, and those of parts as ``accuracy[Age]``; counts and undefined scores are left out."""
        cluster, level = self.scores.cluster, self.scores.level
        main = self.scores.main
        return [
            ReportedFigure(
                each.full_name,
                each.model,
                each.value,
                each.low,
                each.high,
                level,
                cluster,
                each.lowest,
                each.highest,
                each.why_rough(cluster),
                ideal=each.ideal,
                of_part=each.key not in main,
            )
            for each in self.scores.scores
            if each.value is not None and each.clusters
        ]

    def differences(self, file: Path, baseline: Self, file_of_baseline: Path, plugins: Plugins) -> list[ReportedFigure]:
        """Return each score of each model less that of the baseline, as ``bvf factors compare`` has it.

        Counts and undefined scores are left out. Clusters and level are those of this file.

        Raises:
            BvfError: The baseline has several models, or the answers of a model are not in the folder that its file
                names.
        """
        models, scores = baseline.scores.models, self.scores
        if len(models) > 1:
            raise BvfError(
                f"--baseline {file_of_baseline}: has {len(models)} models, and a baseline is one model",
                "name the folder of its answers",
            )
        theirs = _answers(models[0], file_of_baseline, plugins)
        made = []
        for model in scores.models:
            mine = _answers(model, file, plugins)
            if mine.folder.resolve() == theirs.folder.resolve():
                raise BvfError(
                    f"{file} has the answers in {theirs.folder}, which are compared with themselves",
                    "take another file, or another baseline",
                )
            found = benchmark_scores([mine, theirs], cluster=scores.cluster, level=scores.level)
            ours, others = ({e.key: e for e in found.scores if e.model == name.model} for name in found.models)
            tested = {each.key: each for each in found.differences}
            made += [
                _less(each, others[key], tested.get(key), model.model, scores)
                for key, each in ours.items()
                if key in others and each.clusters
            ]
        return [each for each in made if each is not None]

    def group_figures(self) -> list[ReportedGroup]:
        """Return how far the items about each group tie it to another, such as an occupation to women."""
        return [ReportedGroup(each.model, each.group, each.to, each.values) for each in self.scores.treated]


def _answers(model: ModelAsked, file: Path, plugins: Plugins) -> Answered:
    """The answers of a model in the folder of its file, or else in the folder that the file names."""
    folder = (answers_in(file.parent) if file.name == SCORES else None) or answers_in(Path(model.folder))
    if folder is None:
        raise BvfError(
            f"{file}: the answers of {model.model} are not in {model.folder}, and scores are compared answer by answer",
            "name the folder of its answers",
        )
    return stored_answers(folder, plugins)


def _less(
    ours: ScoreFigure, theirs: ScoreFigure, tested: ScoreDifference | None, model: str, scores: BenchmarkScores
) -> ReportedFigure | None:
    if ours.value is None or theirs.value is None or ours.lowest is None or ours.highest is None:
        return None
    span = ours.highest - ours.lowest
    return ReportedFigure(
        name=ours.full_name,
        model=model,
        value=tested.value if tested else ours.value - theirs.value,
        low=tested.low if tested else None,
        high=tested.high if tested else None,
        level=scores.level,
        unit=scores.cluster,
        lowest=-span,
        highest=span,
        rough=tested.why_rough(scores.cluster) if tested else "",
    )
