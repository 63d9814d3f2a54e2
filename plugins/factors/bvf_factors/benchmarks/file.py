"""Scores of a benchmark printed as JSON: their report sections and picture."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

from pydantic import ValidationError

from bvf.domain.refusals import first_wrong
from bvf.errors import BvfError
from bvf.hooks.loader import Plugins
from bvf.interfaces.picture import Picture
from bvf.interfaces.reported_file import ROWS_SHOWN, ReportedFigure, ReportedFile, ReportedGroup
from bvf.interfaces.section import Section
from bvf_factors.benchmarks.against import against
from bvf_factors.benchmarks.scored import BenchmarkScores
from bvf_factors.benchmarks.tables import score_sections
from bvf_factors.pictures.scores import Scores, scores_of
from bvf_factors.reading.table import ENOUGH_CLUSTERS


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
                f"{each.clusters} values of {cluster} are fewer than {ENOUGH_CLUSTERS}" if each.rough else "",
                ideal=each.ideal,
                of_part=each.key not in main,
            )
            for each in self.scores.scores
            if each.value is not None and each.clusters
        ]

    def differences(self, file: Path, baseline: Self, file_of_baseline: Path, plugins: Plugins) -> list[ReportedFigure]:
        """Return each score less that of the baseline; counts are left out, and undefined scores."""
        return against(self.scores, file, baseline.scores, file_of_baseline, plugins)

    def group_figures(self) -> list[ReportedGroup]:
        """Return the scores of the groups that items are about."""
        return [
            ReportedGroup(
                each.name,
                each.model,
                each.group,
                self.scores.called.get(each.group, ()),
                each.value,
                each.low,
                each.high,
                rough=each.rough,
            )
            for each in self.scores.groups
        ]
