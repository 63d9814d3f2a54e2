"""What commands of ``bvf factors`` share: how options such as ``--drop`` are read, the table, and outputs."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from pydantic import Field

from bvf import BvfError
from bvf.domain import Config, Count, Declaration, Factor, Finite, Option, Positive, value_text
from bvf.domain import Level as LevelNumber
from bvf.files import Output
from bvf.terminal import Given, flag, note, output, view_of

if TYPE_CHECKING:
    from bvf import Picture
    from bvf_factors.reading.table import FactorColumn, Table


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


MODEL = "model"


class Task:
    """A command, after its outputs were checked: a table, and figures by their option.

    Attributes:
        show: Rows to show of a table; 0: all.
    """

    def __init__(
        self,
        ctx: typer.Context,
        show: str,
        out: Path | None = None,
        figures: Mapping[str, Path | None] | None = None,
        *,
        force: bool = False,
    ) -> None:
        from bvf.drawing import ending_of, is_figure

        self.show, self.out = view_of(None, show).show, out
        self.figures = {option: file for option, file in (figures or {}).items() if file is not None}
        if out is not None:
            output(ctx, "--out", out, force=force)
        for option, file in self.figures.items():
            ending_of(file)
            output(ctx, option, file, is_figure, force=force)

    def write(self, frame: Any, *, as_they_are: bool = False) -> None:
        """Write a table of results, or, ``as_they_are``, of levels that are read again."""
        if self.out is None:
            return
        from bvf.tables import frame_as_csv

        text = frame.to_csv(index=False, lineterminator="\n") if as_they_are else frame_as_csv(frame)
        Output("--out", self.out).write(text)
        note(f"{self.out}: {len(frame):,} rows")

    def draw(self, picture: "Picture", option: str) -> None:
        """Draw a picture to the file of an option, and print its caption."""
        from bvf.drawing import save

        caption, file = picture.caption(), self.figures[option]
        save(picture.draw(columns=2), file, caption=caption)
        note(f"figure in {file}: {caption}")


def table_in(tables: Sequence[Path], declared: str, given: Given, *, with_model: bool = False) -> "Table":
    """Return the rows of all tables. ``with_model``: their model is a factor, where none of this name is declared."""
    from bvf_factors.reading.table import with_references, without
    from bvf_factors.run import read_table

    chosen = TableConfig.checked(given, "options")
    declaration = _declaration(declared, chosen.plugin)
    if with_model and MODEL not in declaration.factors:
        factors = {**declaration.factors, MODEL: Factor(type="model")}
        declaration = declaration.model_copy(update={"factors": factors})
    items, filters, drops = chosen.items or None, chosen.filter, chosen.drop_missing
    table = read_table(tables, declaration, items=items, on=chosen.on, filters=filters, drop_missing=drops)
    for sentence in table.notes:
        note(sentence)
    dropped: dict[str, tuple[str, ...]] = {}
    for name, level in (_assigned(text, "--drop") for text in chosen.drop):
        dropped[name] = (*dropped.get(name, ()), level)
    for column, times in table.dropped.items():
        note(f'{times:,} rows left out: no value in column "{column}"')
    references = dict(_assigned(text, "--reference") for text in chosen.reference)
    return with_references(without(table, dropped) if dropped else table, references)


def title_of(table: "Table", tables: Sequence[Path]) -> str:
    """Return the title of a table, or else the names of its files."""
    return table.title or ", ".join(each.name for each in tables)


def _declaration(named: str, plugins: Sequence[str]) -> Declaration:
    if named.endswith(".toml") or "/" in named:
        from bvf_factors.run import read_declaration

        return read_declaration(named)
    from bvf import load

    declaration = load(extra=plugins).benchmarks.make(named).declaration
    if not isinstance(declaration, Declaration):
        raise BvfError(f"the benchmark {named} declares no factors")
    return declaration


def _assigned(text: str, option: str) -> tuple[str, str]:
    name, equals, level = text.partition("=")
    if not equals or not name.strip():
        raise BvfError(f"{option} {text}: no level is named", f"write {option} FACTOR=LEVEL")
    return name.strip(), value_text(level) or ""


def pairs_in(interactions: Texts) -> tuple[tuple[str, str], ...]:
    """Return the pairs of factors of ``--interaction``."""
    pairs = []
    for text in interactions or ():
        first, colon, second = (part.strip() for part in text.partition(":"))
        if not colon or not first or not second or first == second:
            raise BvfError(f"--interaction {text}: these are not two factors", "write --interaction A:B")
        pairs.append((first, second))
    return tuple(pairs)


def two_factors(table: "Table", named: Texts, option: str) -> "tuple[FactorColumn, FactorColumn]":
    """Return the first two factors that the user named, else of the table. Refuses fewer than two."""
    names = named or [each.name for each in table.factors]
    if len(names) < 2:
        raise BvfError(f"{option} draws two factors", "name them: --factor A --factor B")
    return table.factor(names[0]), table.factor(names[1])
