"""Commands are imported when they are named, and the list of them says what they say of themselves."""

import inspect
import io
import re
from contextlib import redirect_stdout
from importlib.metadata import version

import pytest
from typer.rich_utils import rich_format_help

from bvf.cli.app import ORDER, command
from bvf.cli.help_page import draw
from bvf.cli.lazy import MOST
from bvf.hooks.installed import offered_by

NAMED = command().commands
PROVIDERS = {each.name: each for offered in offered_by("bvf_commands", ours=True).values() for each in offered}


@pytest.mark.parametrize("name", NAMED)
def test_the_list_has_the_first_paragraph_of_the_help_of_a_command(name):
    loaded = NAMED[name].loaded
    assert loaded.name == name
    assert not loaded.hidden
    assert NAMED[name].help == inspect.cleandoc(loaded.short_help or loaded.help).partition("\n\n")[0]


def test_every_example_is_one_of_a_command():
    examples = {name: each.example for name, each in PROVIDERS.items() if each.example}
    assert {"run", "merge", "analyse", "compare", "gate", "explain", "report", "plot", "mine"} <= set(examples)
    for name, example in examples.items():
        assert f"bvf {name} " in example
        assert NAMED[name].loaded.epilog == f"Example: {example}"


def test_a_shell_is_told_the_commands_and_the_options_of_one():
    def completed(command, incomplete):
        with command.make_context("bvf", [], resilient_parsing=True) as context:
            return [item.value for item in command.shell_complete(context, incomplete)]

    with command().make_context("bvf", [], resilient_parsing=True) as context:
        contexts, run = (command().resolve_command(context, [name])[1] for name in ("contexts", "run"))
    assert completed(command(), "co") == ["compare", "contexts"]
    assert completed(contexts, "") == ["show", "merge", "placebo", "frame", "compare", "export"]
    assert completed(run, "--limit") == ["--limit-contexts", "--limit-groups"]


def test_a_shell_gets_no_error_where_the_command_is_not_known(monkeypatch, command):
    monkeypatch.setenv("_TYPER_COMPLETE_ARGS", "bvf nosuch --")
    monkeypatch.setenv("_BVF_COMPLETE", "complete_zsh")
    done = command()
    assert (done.code, done.err) == (0, "")


def options_of(name, below):
    command = NAMED[name].loaded.commands[below] if below else NAMED[name].loaded
    return {each.opts[0] for each in command.params if each.param_type_name == "option"}


@pytest.mark.parametrize("name", NAMED)
def test_help_has_80_columns_and_of_many_options_those_that_most_people_need(name, command):
    about = PROVIDERS[name]
    for below in getattr(NAMED[name].loaded, "commands", {"": ""}):
        every = options_of(name, below)
        short, whole = (command(name, *below.split(), option).out for option in ("--help", "--help-all"))
        assert max(map(len, f"{short}\n{whole}".splitlines())) <= 80
        assert all(re.search(rf" {each}[ ,]", whole) for each in every)
        if len(every) > MOST:
            shown = {*re.findall(r"^│[* ]{1,5}(--[\w-]+)", short, re.MULTILINE)}
            assert shown == every & {*about.common.split()} | {"--help"}
            assert 5 < len(shown) <= 13
            assert {"--plugin", *re.findall(r"--\w[\w-]*", about.example)} & every <= shown
            assert f"--help-all shows all {len(every)}." in short
        assert below or {*about.common.split()} <= every


def test_the_help_of_bvf_shows_eight_commands_and_says_how_to_see_all(command):
    short, whole = command("--help").out, command("--help-all").out
    assert [re.findall(r"^│ (\w+) ", text, re.MULTILINE) for text in (short, whole)] == [[*NAMED][:8], [*NAMED]]
    assert f"--help-all shows all {len(NAMED)}." in short
    assert list(NAMED)[: len(ORDER)] == list(ORDER)  # commands of bvf and of its packages by their use


def test_a_mistyped_command_gets_the_nearest(refused):
    assert refused("comapre").startswith("error: No such command 'comapre'. Did you mean 'compare'?\n")


def visible(text):
    """The characters of each line with their colours: spaces look alike in all of them."""
    coloured = re.findall(r"(?:\x1b\[([\d;]+)m)?([^\x1b]+)(?:\x1b\[0m)?", text)
    return [(column == " " or colour, column) for colour, run in coloured for column in run]


@pytest.mark.parametrize("width", [40, 80, 120])
@pytest.mark.parametrize("coloured", [False, True])
def test_the_help_of_bvf_looks_like_that_of_its_commands(width, coloured, monkeypatch):
    """Only the options differ: typer has a column of their types, which takes room here for nothing."""

    def drawn(draws):
        with redirect_stdout(io.StringIO()) as shown:
            draws()
        top, _, options_and_rest = shown.getvalue().partition("Options")
        options, _, commands = options_and_rest.partition("Commands")
        return visible(top), visible(commands), options

    monkeypatch.setattr("typer.rich_utils.FORCE_TERMINAL", None)  # it is read at import
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    if coloured:
        monkeypatch.setenv("FORCE_COLOR", "1")
    with command().make_context("bvf", ["--help-all"], resilient_parsing=True) as context:
        ours = drawn(lambda: draw(command(), context))
        theirs = drawn(lambda: rich_format_help(obj=command(), ctx=context, markup_mode="rich"))
    assert ours[:2] == theirs[:2]
    assert all(option in ours[2] for option in ("--version", "--install-completion", "--show-completion", "--help"))


def test_bvf_prints_its_version(command):
    printed = command("--version")
    assert (printed.code, printed.out, printed.err) == (0, f"bvf {version('bvf')}\n", "")
