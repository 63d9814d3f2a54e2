"""``bvf check``: the conformance kit without pytest; and ``bvf new``, which writes a package for a plugin."""

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
    from bvf_testing.scaffold import Kind

new = typer.Typer(help="Write a package for a plugin of your own: it installs, works, and passes its tests.")
Name = Annotated[str, typer.Argument(metavar="NAME", help="What users will type; lower case.")]
Code = Annotated[str, typer.Argument(metavar="CODE", help="The language's code, ISO 639: de, sw.")]
Into = Annotated[Path, typer.Option("--into", metavar="DIR", help="Folder to write the package in.")]
Knowledge = Annotated[bool, typer.Option("--knowledge", help="Subjects of which one answer is true, and the answers.")]
HERE = Path()


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
    from packaging.utils import canonicalize_name

    from bvf import load

    named, owners = canonicalize_name(plugin), load().owners.values()
    of_distribution = [owner.plugin for owner in owners if canonicalize_name(owner.distribution) == named]
    if of_distribution and plugin not in of_distribution:
        commands = " or ".join(f"bvf check {name}" for name in of_distribution)
        raise PluginError(f"{plugin} is a distribution, not a plugin", f"{commands} checks what it offers")
    return load(extra=[plugin])


@new.command("topic", epilog="Example: bvf new topic temper")
def new_topic(name: Name, into: Into = HERE, knowledge: Knowledge = False) -> None:
    """Write a package for a topic: groups, attributes and their words, in a TOML file."""
    _write("topic", name, into, f"bvf run --topic {name}", knowledge=knowledge)


@new.command("criterion", epilog="Example: bvf new criterion excess")
def new_criterion(name: Name, into: Into = HERE) -> None:
    """Write a package for a criterion: the risk J of a stereotype, in ten lines of Python."""
    _write("criterion", name, into, f"bvf run --criterion {name}")


@new.command("analysis", epilog="Example: bvf new analysis flips")
def new_analysis(name: Name, into: Into = HERE) -> None:
    """Write a package for an analysis: figures of stored probabilities other than the risk, and a table of them."""
    _write("analysis", name, into, f"bvf run --analysis {name} --model baseline:random")


@new.command("backend", epilog="Example: bvf new backend counts")
def new_backend(name: Name, into: Into = HERE) -> None:
    """Write a package for a backend: it loads a model, and gives words in prompts a probability."""
    _write("backend", name, into, f"bvf run --model {name}:bvf-{name}/example.txt")


@new.command("engine", epilog="Example: bvf new engine queue")
def new_engine(name: Name, into: Into = HERE) -> None:
    """Write a package for an engine: it scores prompts in other processes, or on other machines."""
    _write("engine", name, into, f"bvf run --engine {name}:2")


@new.command("reader", epilog="Example: bvf new reader last-word")
def new_reader(name: Name, into: Into = HERE) -> None:
    """Write a package for a reader: it turns a text that a model wrote into a class."""
    _write("reader", name, into, f"bvf run --reading generated --reader {name}")


@new.command("language", epilog="Example: bvf new language de")
def new_language(code: Code, into: Into = HERE) -> None:
    """Write a package for a language: the rules that word prompts, a topic and contexts."""
    _write("language", code, into, f"bvf run --lang {code} --model baseline:random")


def _write(kind: "Kind", name: str, into: Path, run: str, *, knowledge: bool = False) -> None:
    from bvf import load
    from bvf_testing.scaffold import checked_names, write_package

    folder = write_package(checked_names(kind, name, load(), knowledge=knowledge), into)
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        print_line(str(file))
    print_line("\nTry it:")
    for command in (f"pip install -e '{folder}[test]'", f"pytest {folder}", run):
        print_line(f"  {command}")
