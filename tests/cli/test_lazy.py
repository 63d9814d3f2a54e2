"""Commands are imported when they are named, and the list of them says what they say of themselves."""

import inspect

import pytest

from bvf.cli.app import EXAMPLES, command

NAMED = command().commands


@pytest.mark.parametrize("name", NAMED)
def test_the_list_has_the_first_paragraph_of_the_help_of_a_command(name):
    loaded = NAMED[name].loaded
    assert loaded.name == name
    assert not loaded.hidden
    assert NAMED[name].help == inspect.cleandoc(loaded.short_help or loaded.help).partition("\n\n")[0]


def test_every_example_is_one_of_a_command():
    for name, example in EXAMPLES.items():
        assert f"bvf {name} " in example
        assert NAMED[name].loaded.epilog == f"Example: {example}"


def test_a_shell_is_told_the_commands_and_the_options_of_one():
    def completed(command, incomplete):
        with command.make_context("bvf", [], resilient_parsing=True) as context:
            return [item.value for item in command.shell_complete(context, incomplete)]

    with command().make_context("bvf", [], resilient_parsing=True) as context:
        contexts, run = (command().resolve_command(context, [name])[1] for name in ("contexts", "run"))
    assert completed(command(), "co") == ["compare", "contexts"]
    assert completed(contexts, "") == ["show", "merge", "placebo", "compare"]
    assert completed(run, "--limit") == ["--limit-contexts", "--limit-groups"]
