"""The options that the commands of ``bvf factors`` share."""

from pathlib import Path
from typing import Annotated

import typer
from pydantic import Field

from bvf.domain import numbers
from bvf.domain.config import Config, Option
from bvf.terminal.options import flag


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


Texts = list[str] | None
SOURCES_HELP = "Tables (CSV, TSV, JSON lines, Parquet), logs of other programs, folders of runs and of answers."
FACTORS_HELP = "What the factors and the outcome are: a TOML file, or the name of a benchmark."
COMPARED_BY_HELP = f"{FACTORS_HELP} [default: none, and scores are compared]"
CLUSTER_HELP = (
    "Column that says which answers belong together, for intervals; item: each is independent. "
    "[default: the benchmark's]"
)
GROUP_HELP = "Who is judged worse: scores of items about a group, against others. Can be repeated; all: every group."
FACTOR_HELP = "A factor to look at. Can be repeated. [default: all]"
OF_FACTOR_HELP = "A factor that subgroups are made of. Can be repeated. [default: all]"
COMPARED_ORDER_HELP = "Factors that a subgroup is made of. [default: 2, or 1 where there is one]"
FIGURES = "Figures"
HEATMAP_HELP = "Draw the prompts of two factors: the first two that are named. PNG, SVG or PDF."
SUNBURST_HELP = "Draw the log disparities of two factors as rings: the first two that are named."
ECDF_HELP = "Draw the distribution function of the rates of subgroups."
Sources = Annotated[list[Path], typer.Argument(metavar="TABLE...", help=SOURCES_HELP, show_default=False)]
Declared = Annotated[str, flag("--factors", help_text=FACTORS_HELP, panel="Table", metavar="FILE|NAME")]
ComparedBy = Annotated[str, flag("--factors", help_text=COMPARED_BY_HELP, panel="Table", metavar="FILE|NAME")]
Cluster = Annotated[str, flag("--cluster", help_text=CLUSTER_HELP, panel="Method", metavar="COLUMN")]
Group = Annotated[Texts, flag("--group", help_text=GROUP_HELP, panel="Method", metavar="NAME|all")]
Chosen = Annotated[Texts, flag("--factor", help_text=FACTOR_HELP, panel="Method", metavar="NAME")]
OfFactor = Annotated[Texts, flag("--factor", help_text=OF_FACTOR_HELP, panel="Method", metavar="NAME")]
Interactions = Annotated[
    Texts,
    flag(
        "--interaction",
        help_text="Two factors whose interaction is tested, as A:B. Can be repeated.",
        panel="Method",
        metavar="A:B",
    ),
]
Level = Annotated[
    float, flag("--level", help_text="Of intervals. [default: 0.95]", number=numbers.Level, panel="Method", metavar="P")
]
Order = Annotated[
    int,
    flag("--order", help_text="Factors that a subgroup is made of.", number=numbers.Count, panel="Method", metavar="K"),
]
ComparedOrder = Annotated[
    int | None, flag("--order", help_text=COMPARED_ORDER_HELP, number=numbers.Count, panel="Method", metavar="K")
]
Fewest = Annotated[
    int,
    flag(
        "--fewest",
        help_text="Fewest prompts of a subgroup. [default: 10]",
        number=numbers.Positive,
        panel="Method",
        metavar="N",
    ),
]
Target = Annotated[
    float, flag("--target", help_text="C, the rate that is wanted. [default: 0]", number=numbers.Finite, panel="Method")
]
Seed = Annotated[
    int,
    flag("--seed", help_text="Seed of random draws. [default: 0]", number=numbers.Count, panel="Method", metavar="N"),
]
Show = Annotated[str, flag("--show", help_text="Rows to show of a table. [default: 8]", metavar="N|all")]
Ecdf = Annotated[Path | None, flag("--ecdf", help_text=ECDF_HELP, panel=FIGURES, metavar="FILE")]
Out = Annotated[Path | None, flag("--out", "-o", help_text="Write all rows as a table.", metavar="FILE.csv")]
