"""The figures of a site as data: `data/leaderboard.json` is a `Leaderboard`, and `leaderboard.csv` its data frame."""

from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from bvf import Interval
from bvf.domain import Count, Finite, Level, Record

if TYPE_CHECKING:
    import pandas as pd


class ListedModel(Record):
    """A model in a table of the site."""

    name: str
    measurement: str = Field(description="Digest of the identity of its measurement")
    page: str = Field(description="Path of its page in the site")
    records: dict[str, str] = Field(description="Paths of its records in formats of others, by format")
    figures: dict[str, Finite] = Field(description="Those of its own run")
    intervals: dict[str, Interval] = Field(description="By the name of the figure; empty: there are none")
    ranks: dict[str, tuple[Count, Count]] = Field(
        description="First and last rank that it may have by each figure, 1 the highest; empty: not compared"
    )


class Board(Record):
    """Models that were asked the same and analysed alike."""

    title: str
    topic: str
    language: str
    contexts: str
    question: dict[str, Any] = Field(description="Everything that its models have in common, by field")
    level: Level = Field(description="Of the intervals")
    page: str = Field(description="Path of the page that compares its models; empty: there is none")
    unranked: str = Field(description="Why there are no ranks; empty: there are")
    tied: Count = Field(description="How many pairs of its models have no significant difference in the first figure")
    models: tuple[ListedModel, ...] = Field(description="By the ranks of the first figure; by name where these agree")

    @property
    def figures(self) -> tuple[str, ...]:
        """The names of the figures of its models."""
        return tuple(self.models[0].figures)


class OmittedFolder(Record):
    """A folder that the site does not show, and why."""

    folder: str
    why: str


class Leaderboard(Record):
    """Every table of a site."""

    schema_: Literal["bvf.leaderboard/1"] = Field("bvf.leaderboard/1", alias="schema")
    version: str = Field(description="Of bvf")
    boards: tuple[Board, ...]
    left_out: tuple[OmittedFolder, ...]

    def to_frame(self) -> "pd.DataFrame":
        """Return a data frame with a row per table, model and figure."""
        import pandas as pd

        rows = []
        for board in self.boards:
            shared = board.model_dump(include={"topic", "language", "contexts"}) | {
                "criterion": board.question["criterion"]
            }
            for model in board.models:
                of_model = {"model": model.name, "measurement": model.measurement, "page": model.page}
                for figure, value in model.figures.items():
                    ends, ranks = model.intervals.get(figure), model.ranks.get(figure, (None, None))
                    found = {"figure": figure, "value": value, "low": ends and ends.low, "high": ends and ends.high}
                    rows.append({**shared, **of_model, **found, "best_rank": ranks[0], "worst_rank": ranks[1]})
        return pd.DataFrame(rows).astype({"best_rank": "Int64", "worst_rank": "Int64"})
