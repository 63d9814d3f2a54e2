"""The tables and figures that ``bvf factors`` writes to files."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from bvf.terminal.console import note
from bvf.terminal.outputs import output

if TYPE_CHECKING:
    from bvf.interfaces.picture import Picture


def draw(picture: "Picture", file: Path) -> None:
    """Draw a picture to a file, and print its caption."""
    from bvf.drawing.files import save

    caption = picture.caption()
    save(picture.draw(columns=2), file, caption=caption)
    note(f"figure in {file}: {caption}")


def check_outputs(ctx: typer.Context, out: Path | None, pictures: Mapping[str, Path | None], *, force: bool) -> None:
    """Raise `BvfError` if a table, or a figure by its option, must not be written."""
    from bvf.drawing.files import ending_of, is_figure

    if out is not None:
        output(ctx, "--out", out, force=force)
    for option, file in pictures.items():
        if file is not None:
            ending_of(file)
            output(ctx, option, file, is_figure, force=force)


def write_table(frame: Any, out: Path | None, *, as_they_are: bool = False) -> None:
    """Write a table of results, or, ``as_they_are``, of levels that are read again."""
    if out is None:
        return
    from bvf.files.writing import Output
    from bvf.tables.csv import frame_as_csv

    Output("--out", out).write(frame.to_csv(index=False, lineterminator="\n") if as_they_are else frame_as_csv(frame))
    note(f"{out}: {len(frame):,} rows")
