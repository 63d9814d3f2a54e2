"""``bvf paper``: the printed tables of the papers, and runs beside them."""

from pathlib import Path
from typing import Annotated

import typer

from bvf import AnalysisConfig, BvfError
from bvf.terminal import Format, flag, option, print_text, show_as, show_found

NAME_HELP = "A printed table, such as table1; all are listed if not given."
CONFIG_HELP = "Print a run.toml that asks the models of the table what the paper asked."
Name = Annotated[str, typer.Argument(metavar="[TABLE]", help=NAME_HELP, show_default=False)]
Folders = Annotated[list[Path] | None, typer.Argument(metavar="[DIR...]", help="Folders of runs.", show_default=False)]


def paper(
    name: Name = "",
    folders: Folders = None,
    config: Annotated[bool, flag("--config", help_text=CONFIG_HELP)] = False,
    criterion: Annotated[str, option("criterion", AnalysisConfig)] = "",
    form: Format = "text",
) -> None:
    """``bvf paper``.

    List the printed tables of the papers; print one, your runs beside it, or its configuration.

    Each table has the figures as they are printed, its slips, and what differences to expect.
    """
    from bvf_paper.beside import compare_with, compared_sections, listing, printed_section
    from bvf_paper.tables import config_of, printed_table, printed_tables

    if config and not name:
        raise BvfError("--config: no table is named", "bvf paper table1 --config > run.toml")
    if config and (folders or criterion):
        raise BvfError("--config does nothing with folders or --criterion", "leave these out")
    if criterion and not folders:
        raise BvfError("--criterion: no folder of a run is named", "bvf paper table1 runs/* --criterion released:b")
    if not name:
        tables = printed_tables()
        show_as(form, [listing(tables)], [table.model_dump(mode="json") for table in tables.values()])
        return
    table = printed_table(name)
    if config:
        print_text(config_of(table))
    elif folders:
        comparison = compare_with(table, folders, criterion)
        show_found(form, compared_sections(comparison), comparison)
    else:
        show_as(form, [printed_section(table)], table.model_dump(mode="json"))
