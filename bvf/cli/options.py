"""The options of ``bvf run`` and ``bvf mine``: help from the fields of their configurations, defaults left to them."""

from collections.abc import Collection
from typing import Any

import typer
from pydantic import BaseModel
from pydantic_core import PydanticUndefined

from bvf.measure.config import RunConfig


def option(field: str, *names: str, panel: str, metavar: str | None = None, of: type[BaseModel] = RunConfig) -> Any:
    """Return the option of a field of a configuration; it is None or empty where the user says nothing."""
    info = of.model_fields[field]
    default = "" if info.default in ("", (), {}, False, PydanticUndefined) else f" [default: {info.default}]"
    # rich would read [X] as a style
    help_text = f"{info.description}{default}".replace("[", r"\[")
    return typer.Option(
        *(names or (f"--{field.replace('_', '-')}",)),
        help=help_text,
        rich_help_panel=panel,
        metavar=metavar,
        show_default=False,
    )


def options_given(arguments: dict[str, Any], *, but: Collection[str]) -> dict[str, Any]:
    """Return the options that the user set, but for some that are no field of the configuration."""
    return {name: value for name, value in arguments.items() if name not in but and value is not None and value != []}


def flag(*names: str, help_text: str, panel: str = "Output", metavar: str | None = None) -> Any:
    """Return an option of the command itself."""
    return typer.Option(
        *names, help=help_text.replace("[", r"\["), rich_help_panel=panel, metavar=metavar, show_default=False
    )
