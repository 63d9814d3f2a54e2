"""The options of ``bvf run`` and ``bvf mine``: help from the fields of their configurations, defaults left to them."""

import tomllib
from collections.abc import Collection, Sequence
from typing import Any

import typer
from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from bvf.errors import BvfError
from bvf.measuring.config import EVERYDAY
from bvf.running.config import RunConfig


def option(field: str, *names: str, panel: str, metavar: str | None = None, of: type[BaseModel] = RunConfig) -> Any:
    """Return the option of a field of a configuration; it is None or empty where the user says nothing."""
    described = EVERYDAY[field].description if field in EVERYDAY else _described(of.model_fields[field])
    help_text = described.replace("[", r"\[")  # rich would read [X] as a style
    return typer.Option(
        *(names or (f"--{field.replace('_', '-')}",)),
        help=help_text,
        rich_help_panel=panel,
        metavar=metavar,
        show_default=False,
    )


def _described(info: FieldInfo) -> str:
    default = "" if info.default in ("", (), {}, False, PydanticUndefined) else f" [default: {info.default}]"
    return f"{info.description}{default}"


def table(letter: str, part: str) -> Any:
    """Return the option that sets options of a plugin, ``-B key=value``."""
    return typer.Option(
        f"-{letter}",
        help=f"An option of the {part}, as `bvf {part}s show NAME` has them.",
        rich_help_panel="Advanced",
        metavar="KEY=VALUE",
        show_default=False,
    )


def parsed_table(texts: Sequence[str], letter: str) -> dict[str, Any]:
    """Return the values in texts such as ``device=cuda``; what is TOML (numbers, true, lists) is read as such.

    Raises:
        BvfError: A text has no key or no ``=``, or a key is there twice.
    """
    values: dict[str, Any] = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals or not key.strip():
            raise BvfError(f"-{letter} {text}: no option is set", f"write -{letter} KEY=VALUE")
        if key.strip() in values:
            raise BvfError(f"-{letter} {text}: {key.strip()} is set twice", "set it once")
        values[key.strip()] = _value(value.strip())
    return values


def _value(text: str) -> Any:
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except (tomllib.TOMLDecodeError, RecursionError):
        return text


def options_given(arguments: dict[str, Any], *, but: Collection[str]) -> dict[str, Any]:
    """Return the options that the user set, but for some that are no field of the configuration."""
    return {name: value for name, value in arguments.items() if name not in but and value is not None and value != []}


def flag(*names: str, help_text: str, panel: str = "Output", metavar: str | None = None) -> Any:
    """Return an option of the command itself."""
    return typer.Option(
        *names, help=help_text.replace("[", r"\["), rich_help_panel=panel, metavar=metavar, show_default=False
    )
