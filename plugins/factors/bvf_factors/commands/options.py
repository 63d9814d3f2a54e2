"""The options that the commands of ``bvf factors`` share."""

from pathlib import Path
from typing import Annotated

import typer

from bvf.terminal.options import flag

Texts = list[str] | None
Text = str | None
SOURCES_HELP = "Tables (CSV, TSV, JSON lines, Parquet), logs of other programs, folders of runs."
FACTORS_HELP = "What the factors and the outcome are: a TOML file, or the name of a benchmark."
ITEMS_HELP = "A table of items whose columns are added to the rows of their answers."
ON_HELP = "A column in which a row and its item agree. May be said several times."
FACTOR_HELP = "A factor to look at. May be said several times. [default: all]"
DROP_HELP = "Leave the rows out in which a factor has a level. May be said several times."
REFERENCE_HELP = "The level that the others of a factor are compared with. May be said several times."
MISSING_HELP = "Leave rows out in which a value is missing, and count them."
LEVEL_HELP = "Of intervals. [default: 0.95]"
SHOW_HELP = "Rows to show of a table. [default: 8]"
FIGURES = "Figures"
HEATMAP_HELP = "Draw the prompts of two factors: the first two that are named. PNG, SVG or PDF."
SUNBURST_HELP = "Draw the log disparities of two factors as rings: the first two that are named."
FOREST_HELP = "Draw the coefficients and their intervals."
ECDF_HELP = "Draw the distribution function of the rates of subgroups."
Sources = Annotated[list[Path], typer.Argument(metavar="TABLE...", help=SOURCES_HELP, show_default=False)]
Declared = Annotated[str, flag("--factors", help_text=FACTORS_HELP, panel="Table", metavar="FILE|NAME")]
Items = Annotated[Path | None, flag("--items", help_text=ITEMS_HELP, panel="Table", metavar="FILE")]
On = Annotated[Texts, flag("--on", help_text=ON_HELP, panel="Table", metavar="COLUMN")]
Drop = Annotated[Texts, flag("--drop", help_text=DROP_HELP, panel="Table", metavar="FACTOR=LEVEL")]
Reference = Annotated[Texts, flag("--reference", help_text=REFERENCE_HELP, panel="Table", metavar="FACTOR=LEVEL")]
DropMissing = Annotated[bool, flag("--drop-missing", help_text=MISSING_HELP, panel="Table")]
Plugin = Annotated[Texts, flag("--plugin", help_text="A plugin to load: a module or ./file.py.", panel="Table")]
Chosen = Annotated[Texts, flag("--factor", help_text=FACTOR_HELP, panel="Method", metavar="NAME")]
Level = Annotated[float, flag("--level", help_text=LEVEL_HELP, panel="Method", metavar="P")]
Order = Annotated[int, flag("--order", help_text="Factors that a subgroup is made of.", panel="Method", metavar="K")]
Fewest = Annotated[
    int, flag("--fewest", help_text="Fewest prompts of a subgroup. [default: 10]", panel="Method", metavar="N")
]
Target = Annotated[float, flag("--target", help_text="C, the rate that is wanted. [default: 0]", panel="Method")]
Seed = Annotated[int, flag("--seed", help_text="Seed of what is drawn. [default: 0]", panel="Method", metavar="N")]
Details = Annotated[bool, flag("--details", help_text="Everything: coverage, subgroups, their spread, levels.")]
Show = Annotated[str, flag("--show", help_text=SHOW_HELP, metavar="N|all")]
Heatmap = Annotated[Path | None, flag("--heatmap", help_text=HEATMAP_HELP, panel=FIGURES, metavar="FILE")]
Sunburst = Annotated[Path | None, flag("--sunburst", help_text=SUNBURST_HELP, panel=FIGURES, metavar="FILE")]
Forest = Annotated[Path | None, flag("--forest", help_text=FOREST_HELP, panel=FIGURES, metavar="FILE")]
Ecdf = Annotated[Path | None, flag("--ecdf", help_text=ECDF_HELP, panel=FIGURES, metavar="FILE")]
Out = Annotated[Path | None, flag("--out", "-o", help_text="Write all rows as a table.", metavar="FILE.csv")]
