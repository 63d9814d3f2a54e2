"""The options of ``bvf run``: help from the fields of `RunConfig`, defaults left to them."""

from typing import Any

import typer

from bvf.config import RunConfig


def option(field: str, *names: str, panel: str, metavar: str | None = None) -> Any:
    """Return the option of a field of `RunConfig`; it is None or empty where the user says nothing."""
    info = RunConfig.model_fields[field]
    default = "" if info.default in ("", (), {}, False) else f" [default: {info.default}]"
    # rich would read [X] as a style
    help_text = f"{info.description}{default}".replace("[", r"\[")
    return typer.Option(
        *(names or (f"--{field.replace('_', '-')}",)),
        help=help_text,
        rich_help_panel=panel,
        metavar=metavar,
        show_default=False,
    )


def flag(*names: str, help_text: str, panel: str = "Output") -> Any:
    """Return an on/off option of the command itself."""
    return typer.Option(*names, help=help_text, rich_help_panel=panel, show_default=False)
