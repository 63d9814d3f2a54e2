"""``bvf check``: the conformance kit without pytest."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bvf import BvfError
from bvf.errors import PluginError
from bvf.terminal import print_line

if TYPE_CHECKING:
    from bvf.hooks import Plugins
    from bvf_testing.check import Check


def check(
    plugin: Annotated[
        str, typer.Argument(metavar="PLUGIN|TOPIC.toml", help="A plugin by name, a module, ./file.py, or a topic file.")
    ],
    model: Annotated[
        str, typer.Option("--model", metavar="BACKEND:NAME", help="Load a model with a backend of it, and check that.")
    ] = "",
    lang: Annotated[str, typer.Option("--lang", help="Language in which the model is asked.")] = "en",
) -> None:
    """``bvf check``."""
    from bvf_testing.check import problem_of

    failed = tried = things = 0
    for name, checks in _topic_checks(plugin, model) if plugin.endswith(".toml") else _checks(plugin, model, lang):
        things += 1
        if isinstance(checks, str):
            print_line(f"-     {name}: {checks}")
            continue
        problems = [problem for problem in map(problem_of, checks) if problem]
        tried, failed = tried + len(checks), failed + len(problems)
        print_line(f"{'wrong' if problems else 'ok   '} {name}: {len(checks)} checks")
        for problem, names in _alike(problems).items():
            others = f" and {len(names) - 1} more" if len(names) > 1 else ""
            print_line(f"      {names[0]}{others}: {problem}")
    if failed:
        raise BvfError(
            f"{failed} of {tried} checks of {plugin} failed", "python -m pydoc bvf_testing says what must hold"
        )
    if not things:
        raise BvfError(f"{plugin} offers nothing", "its hooks return no bvf.Provider")


def _topic_checks(file: str, model: str) -> "list[tuple[str, list[Check]]]":
    """The name and the checks of a topic file."""
    from bvf import read_topic
    from bvf_testing.topics import topic_checks

    if model:
        raise BvfError(f"--model {model}: {file} is a topic, which has no backend", "leave --model out")
    topic = read_topic(Path(file))
    return [(f"topic {topic.name}", topic_checks(topic))]


def _checks(plugin: str, model: str, lang: str) -> "Iterable[tuple[str, list[Check] | str]]":
    """The names and the checks of what a plugin offers, and of a model of its backend."""
    from bvf_testing.plugin import model_checks, plugin_checks

    plugins = _installed_and(plugin)
    of_model = [model_checks(plugins, plugin, model, lang)] if model else []
    for name, checks in plugin_checks(plugins, plugin):
        if not any(tried_with.startswith(f"{name} with ") for tried_with, _ in of_model):
            yield name, checks
    yield from of_model


def _alike(problems: list[str]) -> dict[str, list[str]]:
    """The names of the checks that failed, by what each says."""
    names: dict[str, list[str]] = {}
    for name, _, problem in (problem.partition(": ") for problem in problems):
        names.setdefault(problem, []).append(name)
    return names


def _installed_and(plugin: str) -> "Plugins":
    """Load the installed plugins and one more. A distribution's name is refused with the names of its plugins."""
    from bvf import load
    from bvf.files import spelt

    of_distribution = [owner.plugin for owner in load().owners.values() if spelt(owner.distribution) == spelt(plugin)]
    if of_distribution and plugin not in of_distribution:
        commands = " or ".join(f"bvf check {name}" for name in of_distribution)
        raise PluginError(f"{plugin} is a distribution, not a plugin", f"{commands} checks what it offers")
    return load(extra=[plugin])
