"""A field of a configuration is an option of a command; nothing else has to be written for it."""

from typing import Annotated

import pytest
import typer
from bvf_mining.config import MineConfig
from pydantic import Field
from typer.testing import CliRunner

from bvf.domain.config import Config, Option
from bvf.running.config import RunConfig
from bvf.terminal.options import Given, with_fields


class Ours(Config):
    """Fields of every kind, and one that is no option."""

    text: Annotated[str, Option("What", "TEXT")] = Field(default="a", description="A [text].")
    many: Annotated[tuple[str, ...], Option("What", many=True)] = Field(default=(), description="Several.")
    number: Annotated[int, Option("Method", "N", kind=int)] = Field(default=3, description="How many.")
    flag: Annotated[bool, Option("Method", kind=bool)] = Field(default=False, description="Whether.")
    part_options: Annotated[dict[str, object], Option("Advanced", letter="P")] = Field(default={}, description="Of it.")
    only_in_python: str = ""


def called(*arguments, **chosen):
    """What a command with these fields gets, and its output."""
    got = []

    @with_fields(Ours, **chosen)
    def command(given: Given, more: Annotated[str, typer.Option("--more", rich_help_panel="Output")] = "m") -> None:
        got.append((given, more))

    app = typer.Typer()
    app.command()(command)
    done = CliRunner().invoke(app, arguments, env={"COLUMNS": "100"})
    return got[0] if got else None, done


def test_a_command_gets_what_the_user_set_and_nothing_else():
    assert called()[0] == ({}, "m")
    got, _ = called("--text", "b", "--many", "x", "--many", "y", "--number", "0", "--flag", "--more", "n")
    assert got == ({"text": "b", "many": ["x", "y"], "number": 0, "flag": True}, "n")
    (of_a_plugin, _), _ = called("-P", "a=1", "-P", "b=text")
    assert of_a_plugin == {"part_options": {"a": 1, "b": "text"}}  # a table whose values are read as TOML


def test_help_has_panel_metavar_description_and_default():
    _, done = called("--help")
    said = done.output
    assert said.index("What") < said.index("Method") < said.index("Advanced") < said.index("Output")
    for text in ("--text", "TEXT", "A [text]. [default: a]", "How many. [default: 3]", "`bvf parts show NAME`"):
        assert text in " ".join(said.split())
    assert "--no-flag" not in said
    assert "only-in-python" not in said


def test_fields_can_be_left_out_or_chosen():
    assert called("--number", "1", but=("number",))[1].exit_code == 2
    assert called("--number", "1", only=("number",))[0] == ({"number": 1}, "m")
    assert called("--text", "b", only=("number",))[1].exit_code == 2


@pytest.mark.parametrize("config", [RunConfig, MineConfig])
def test_every_field_of_a_run_and_of_mining_is_an_option(config):
    fields = {name: [type(each) for each in info.metadata] for name, info in config.model_fields.items()}
    without = [name for name, kinds in fields.items() if Option not in kinds]
    assert without == (["corpus", "out", "examples"] if config is MineConfig else [])
