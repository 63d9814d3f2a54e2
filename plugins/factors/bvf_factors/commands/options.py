"""The options that the commands of ``bvf factors`` share."""

from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from pydantic import Field

from bvf.domain import Config, Count, Finite, Option, Positive
from bvf.domain import Level as LevelNumber
from bvf.terminal import flag


class TableConfig(Config):
    """The rows of the table that a command reads, and the references of their factors."""

    items: Annotated[str, Option("Table", "FILE")] = Field(
        "", description="A table of items whose columns are added to the rows of their answers."
    )
    on: Annotated[tuple[str, ...], Option("Table", "COLUMN", many=True)] = Field(
        (), description="A column in which a row and its item agree. Can be repeated."
    )
    filter: Annotated[tuple[str, ...], Option("Table", "NAME", many=True)] = Field(
        (), description="The filter, metric or run to take where a log has several rows per answer. Can be repeated."
    )
    drop: Annotated[tuple[str, ...], Option("Table", "FACTOR=LEVEL", many=True)] = Field(
        (), description="Leave out the rows in which a factor has this level. Can be repeated."
    )
    reference: Annotated[tuple[str, ...], Option("Table", "FACTOR=LEVEL", many=True)] = Field(
        (), description="The level that the other levels of a factor are compared with. Can be repeated."
    )
    drop_missing: Annotated[bool, Option("Table", kind=bool)] = Field(
        False, description="Leave out rows in which a value is missing, and count them."
    )
    plugin: Annotated[tuple[str, ...], Option("Table", many=True)] = Field(
        (), description="A plugin to load: a module or ./file.py."
    )


_of_table, _method = partial(flag, panel="Table", metavar="FILE|NAME"), partial(flag, panel="Method")
_figure = partial(flag, panel="Figures", metavar="FILE")
Texts = list[str] | None
SOURCES = "Tables (CSV, TSV, JSON lines, Parquet), logs of other programs, folders of runs and of answers."
FACTORS = "What the factors and the outcome are: a TOML file, or the name of a benchmark."
COMPARED = f"{FACTORS} [default: none, and scores are compared]"
CLUSTER = (
    "Column that says which answers belong together, for intervals; item: each is independent. "
    "[default: the benchmark's]"
)
GROUP = "Who is judged worse: scores of items about a group, against others. Can be repeated; all: every group."
FACTOR = "A factor to look at. Can be repeated. [default: all]"
OF_SUBGROUPS = "A factor that subgroups are made of. Can be repeated. [default: all]"
PAIR = "Two factors whose interaction is tested, as A:B. Can be repeated."
ORDER = "Factors that a subgroup is made of."
PARENT = "Compare within the same levels of all but the last factor."
LINE = "Report the share of rates above this one, such as 0.2."
STRENGTH = "2 or 3: levels that must meet once. [default: all]"
HEATMAP = "Draw the prompts of two factors: the first two that are named. PNG, SVG or PDF."
SUNBURST = "Draw the log disparities of two factors as rings: the first two that are named."
ECDF = "Draw the distribution function of the rates of subgroups."

Sources = Annotated[list[Path], typer.Argument(metavar="TABLE...", help=SOURCES, show_default=False)]
Declared = Annotated[str, _of_table("--factors", help_text=FACTORS)]
ComparedBy = Annotated[str, _of_table("--factors", help_text=COMPARED)]
By = Annotated[str, _method("--by", help_text="The factor to compare by. [default: model]")]
Cluster = Annotated[str, _method("--cluster", help_text=CLUSTER, metavar="COLUMN")]
Group = Annotated[Texts, _method("--group", help_text=GROUP, metavar="NAME|all")]
Chosen = Annotated[Texts, _method("--factor", help_text=FACTOR, metavar="NAME")]
OfFactor = Annotated[Texts, _method("--factor", help_text=OF_SUBGROUPS, metavar="NAME")]
Interactions = Annotated[Texts, _method("--interaction", help_text=PAIR, metavar="A:B")]
Order = Annotated[int, _method("--order", help_text=ORDER, number=Count, metavar="K")]
ComparedOrder = Annotated[
    int | None,
    _method("--order", help_text=f"{ORDER} [default: 2, or 1 where there is one]", number=Count, metavar="K"),
]
Parent = Annotated[bool, _method("--parent", help_text=PARENT)]
Line = Annotated[float | None, _method("--line", help_text=LINE, number=Finite)]
Strength = Annotated[int, _method("--strength", help_text=STRENGTH, number=Count)]
Level = Annotated[float, _method("--level", help_text="Of intervals. [default: 0.95]", number=LevelNumber, metavar="P")]
Fewest = Annotated[
    int, _method("--fewest", help_text="Fewest prompts of a subgroup. [default: 10]", number=Positive, metavar="N")
]
Target = Annotated[float, _method("--target", help_text="C, the rate that is wanted. [default: 0]", number=Finite)]
Seed = Annotated[int, _method("--seed", help_text="Seed of random draws. [default: 0]", number=Count, metavar="N")]
Heatmap = Annotated[Path | None, _figure("--heatmap", help_text=HEATMAP)]
Sunburst = Annotated[Path | None, _figure("--sunburst", help_text=SUNBURST)]
Ecdf = Annotated[Path | None, _figure("--ecdf", help_text=ECDF)]
Forest = Annotated[Path | None, _figure("--forest", help_text="Draw the coefficients and their intervals.")]
Empty = Annotated[bool, flag("--empty", help_text="List the combinations that have no prompt.")]
Details = Annotated[bool, flag("--details", help_text="Everything: coverage, subgroups, their spread, levels.")]
Out = Annotated[Path | None, flag("--out", "-o", help_text="Write all rows as a table.", metavar="FILE.csv")]
Show = Annotated[str, flag("--show", help_text="Rows to show of a table. [default: 8]", metavar="N|all")]
