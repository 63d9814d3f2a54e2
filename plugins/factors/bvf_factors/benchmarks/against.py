"""Scores less those of a baseline, from the answers of both to the same items."""

from pathlib import Path

from bvf.errors import BvfError
from bvf.hooks.loader import Plugins
from bvf.interfaces.reported_file import ReportedFigure
from bvf_factors.benchmarks.answer_folder import answers_in
from bvf_factors.benchmarks.answered import Answered
from bvf_factors.benchmarks.kept_scores import SCORES
from bvf_factors.benchmarks.scored import BenchmarkScores, ModelAsked, ScoreDifference, ScoreFigure, benchmark_scores
from bvf_factors.benchmarks.stored import stored_answers
from bvf_factors.benchmarks.tables import few_compared


def against(
    scores: BenchmarkScores, file: Path, baseline: BenchmarkScores, file_of_baseline: Path, plugins: Plugins
) -> list[ReportedFigure]:
    """Return each score of each model less that of the baseline, as ``bvf factors compare`` has it.

    Clusters and level are those of ``scores``.

    Raises:
        BvfError: The baseline has several models, or the answers of a model are not in the folder that its file names.
    """
    if len(baseline.models) > 1:
        raise BvfError(
            f"--baseline {file_of_baseline}: has {len(baseline.models)} models, and a baseline is one model",
            "name the folder of its answers",
        )
    (model_of_baseline,) = baseline.models
    theirs = _answers(model_of_baseline, file_of_baseline, plugins)
    made = []
    for model in scores.models:
        mine = _answers(model, file, plugins)
        if mine.folder.resolve() == theirs.folder.resolve():
            raise BvfError(
                f"{file} has the answers in {theirs.folder}, which are compared with themselves",
                "take another file, or another baseline",
            )
        found = benchmark_scores([mine, theirs], cluster=scores.cluster, level=scores.level)
        ours, others = ({each.key: each for each in found.scores if each.model == name.model} for name in found.models)
        tested = {(each.name, tuple(each.of.items())): each for each in found.differences}
        made += [
            _less(each, others[key], tested.get(key), model.model, scores)
            for key, each in ours.items()
            if key in others and each.clusters
        ]
    return [each for each in made if each is not None]


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
        rough=few_compared(tested, scores.cluster) if tested else "",
    )


def _answers(model: ModelAsked, file: Path, plugins: Plugins) -> Answered:
    """The answers of a model in the folder of its file, or else in the folder that the file names."""
    folder = (answers_in(file.parent) if file.name == SCORES else None) or answers_in(Path(model.folder))
    if folder is None:
        raise BvfError(
            f"{file}: the answers of {model.model} are not in {model.folder}, and scores are compared answer by answer",
            "name the folder of its answers",
        )
    return stored_answers(folder, plugins)
