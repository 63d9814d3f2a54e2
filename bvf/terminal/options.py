"""Makes command-line options from the fields of a configuration. The fields have the help and default."""

import re
from collections.abc import Callable, Collection
from functools import wraps
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from bvf.domain.config import Config, Option, parse_all_words, parse_values
from bvf.domain.numbers import checked_number
from bvf.measuring.config import EVERYDAY, MeasureConfig
from bvf.running.config import RunConfig, environment, read_config

PANELS = ("Limits", "Goal", "Model", "What", "Corpus", "Method", "Advanced", "Figures", "Output")
"""Headings of help, in their order."""
NO_CHOICE = re.compile(r"(; [^;]* if not given)?\.?( \[default:.*)?$")
"""The end of a description, which says what holds where nothing is chosen."""
Command = TypeVar("Command", bound=Callable[..., Any])
Given = dict[str, Any]
"""The fields of a configuration that the user set."""


def with_fields(
    config: type[Config], *, but: Collection[str] = (), only: Collection[str] = (), as_in_run: bool = False
) -> Callable[[Command], Command]:
    """Give a command an option for each field of a configuration that has an `Option`.

    The command gets the fields that the user set as the argument ``given``, in which options of plugins, ``-B
    KEY=VALUE``, are tables. ``only`` are the fields to take (empty: all), except those in ``but``. A command may have
    the fields of two configurations, each by a decorator. ``as_in_run``: help states no defaults, which are the choices
    of a run.
    """
    options = {
        name: (option, NO_CHOICE.sub(".", description, count=1) if as_in_run else description)
        for name, (option, description) in _options_of(config).items()
        if name not in but and name in (only or [name])
    }

    def decorated(command: Command) -> Command:
        own = [each for name, each in signature(command, eval_str=True).parameters.items() if name != "given"]

        @wraps(command)
        def called(**values: Any) -> Any:
            set_by_user = {name: value for name in options if (value := values.pop(name)) not in (None, [])}
            letters = {name: options[name][0].letter for name in set_by_user if options[name][0].letter}
            tables = {
                name: parse_values(set_by_user[name], f"-{letter}", what="option", name="KEY")
                for name, letter in letters.items()
            }
            return command(given=values.pop("given", {}) | set_by_user | tables, **values)

        of_fields = [_parameter(name, *each) for name, each in options.items()]
        parameters = [each.replace(kind=Parameter.KEYWORD_ONLY) for each in sorted([*of_fields, *own], key=_panel)]
        called.__signature__ = Signature(parameters)  # type: ignore[attr-defined]  # typer makes options of it
        called.__annotations__ = {each.name: each.annotation for each in parameters}
        del called.__wrapped__
        return called  # type: ignore[return-value]

    return decorated


def configs_of_models(given: Given, file: Path | None = None) -> list[RunConfig]:
    """Return a configuration per model and context set. Options override the environment, which overrides the file.

    Raises:
        BvfError: A setting is unknown or wrong; the message says where it was read.
    """
    from bvf.running.several import configs_of

    if "words" in given:
        given = {**given, "words": parse_all_words(given["words"])}
    return configs_of(
        [(str(file), read_config(file) if file else {}), ("environment", environment()), ("options", given)]
    )


def option(field: str, of: type[Config] = RunConfig) -> Any:
    """Return the option of one field, for a command that has it as a separate parameter."""
    return _typer_option(field, *_options_of(of)[field])


def _options_of(config: type[Config]) -> dict[str, tuple[Option, str]]:
    """The option and the help text of each field that has an `Option`, by field name."""
    of_fields = {
        name: (each, _description(info))
        for name, info in config.model_fields.items()
        for each in info.metadata
        if isinstance(each, Option)
    }
    short = {name: (each.option, each.description) for name, each in EVERYDAY.items()}
    return of_fields | (short if issubclass(config, MeasureConfig) else {})


def _panel(parameter: Parameter) -> int:
    """Sort key of a parameter in help. Arguments come first, then options by panel."""
    if parameter.annotation is typer.Context:
        return -1
    (shown,) = parameter.annotation.__metadata__
    return PANELS.index(shown.rich_help_panel) if shown.rich_help_panel in PANELS else -1


def _parameter(name: str, chosen: Option, description: str) -> Parameter:
    kind: Any = chosen.kind
    kind = list[kind] if chosen.many or chosen.letter else kind
    annotation = Annotated[kind | None, _typer_option(name, chosen, description)]
    return Parameter(name, Parameter.KEYWORD_ONLY, default=None, annotation=annotation)


def _typer_option(name: str, chosen: Option, description: str) -> Any:
    part = name.removesuffix("_options")
    help_text = f"An option of the {part}; `bvf {part}s show NAME` lists them." if chosen.letter else description
    named = name.replace("_", "-")
    contrary = f"/--no-{named}" if chosen.may_be_off else ""
    return typer.Option(
        f"-{chosen.letter}" if chosen.letter else f"--{named}{contrary}",
        help=help_text.replace("[", r"\["),  # rich would read [X] as a style
        rich_help_panel=chosen.panel,
        metavar=chosen.metavar or None,
        show_default=False,
    )


def _description(info: FieldInfo) -> str:
    default = "" if info.default in ("", (), {}, None, False, PydanticUndefined) else f" [default: {info.default}]"
    return f"{info.description}{default}"


def flag(*names: str, help_text: str, panel: str = "Output", metavar: str | None = None, number: Any = None) -> Any:
    """Return a typer option that is not a field of a configuration. ``number``: its kind in `bvf.domain.numbers`."""

    def checked(value: Any) -> Any:
        return None if value is None else checked_number(value, number, names[0])

    return typer.Option(
        *names,
        help=help_text.replace("[", r"\["),
        rich_help_panel=panel,
        metavar=metavar,
        show_default=False,
        callback=None if number is None else checked,
    )
