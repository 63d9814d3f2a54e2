"""What the commands on tables of answers share: the checks of outputs, the table, and the files that they write."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from bvf import BvfError
from bvf.domain import Declaration, Factor, value_text
from bvf.files import Output
from bvf.terminal import Given, note, output, view_of
from bvf_factors.commands.options import TableConfig, Texts

if TYPE_CHECKING:
    from bvf import Picture
    from bvf_factors.reading.table import FactorColumn, Table

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
    table = read_table(
        tables,
        declaration,
        items=chosen.items or None,
        on=chosen.on,
        filters=chosen.filter,
        drop_missing=chosen.drop_missing,
    )
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
