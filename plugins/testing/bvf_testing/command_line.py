"""``bvf check``: the conformance kit without pytest; and ``bvf new``, which writes a package for a plugin."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bvf import BvfError
from bvf.errors import PluginError
from bvf.terminal import print_line
from bvf_testing.scaffold import Names

if TYPE_CHECKING:
    from bvf.hooks import Plugins
    from bvf_testing.check import Check

new = typer.Typer(help="Write a package for a plugin of your own: it installs, works, and passes its tests.")
Name = Annotated[str, typer.Argument(metavar="NAME", help="What users will type; lower case.")]
Code = Annotated[str, typer.Argument(metavar="CODE", help="The language's code, ISO 639: de, sw.")]
Lang = Annotated[str, typer.Option("--lang", help="Its language.")]
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
def new_topic(name: Name, into: Into = HERE, lang: Lang = "en", knowledge: Knowledge = False) -> None:
    """Write a package for a topic: groups, attributes and their words, in a TOML file."""
    of_language = "" if lang == "en" else f" --lang {lang}"
    _write(Names("topic", name, lang, knowledge), into, f"bvf run --topic {name}{of_language}")


@new.command("contexts", epilog="Example: bvf new contexts said")
def new_contexts(name: Name, into: Into = HERE, lang: Lang = "en") -> None:
    """Write a package for a context set: templates with their counts, in a table."""
    _write(Names("contexts", name, lang), into, f"bvf run --lang {lang} --contexts {name} --model baseline:random")


def _add(kind: str, example: str, run: str, text: str) -> None:
    """Add a command for a kind of plugin that has no options; ``run`` tries it."""

    @new.command(kind, epilog=f"Example: bvf new {kind} {example}", help=f"Write a package for {text}")
    def write(name: Name, into: Into = HERE) -> None:
        _write(Names(kind, name), into, run.format(name))


for simple in (
    (
        "criterion",
        "excess",
        "bvf run --criterion {}",
        "a criterion: the risk J of a stereotype, in ten lines of Python.",
    ),
    ("analysis", "flips", "bvf run --analysis {} --model baseline:random", "an analysis: figures of stored answers."),
    ("backend", "counts", "bvf run --model {0}:bvf-{0}/example.txt", "a backend: it gives words a probability."),
    (
        "engine",
        "queue",
        "bvf run --engine {}:2",
        "an engine: it scores prompts in other processes, or on other machines.",
    ),
    ("reader", "last-word", "bvf run --reading generated --reader {}", "a reader: it turns a text into a class."),
    ("benchmark", "pairs", "bvf factors run {} --model bundled:en-causal", "a benchmark: items, factors, scores."),
    ("command", "words", "bvf {} gender", "a command of `bvf`: a function whose parameters are its options."),
):
    _add(*simple)


@new.command("miner", epilog="Example: bvf new miner lines")
def new_miner(name: Name, into: Into = HERE, lang: Lang = "en") -> None:
    """Write a package for a miner: it finds sentences of a corpus that become templates."""
    corpus = f"bvf mine bvf-{name}/example.txt --lang {lang}"
    _write(Names("miner", name, lang), into, f"{corpus} --miner {name} -o {name}.csv")


@new.command("language", epilog="Example: bvf new language de")
def new_language(code: Code, into: Into = HERE) -> None:
    """Write a package for a language: the rules that word prompts, a topic and contexts."""
    _write(Names("language", code), into, f"bvf run --lang {code} --model baseline:random")


def _write(names: Names, into: Path, run: str) -> None:
    from bvf import load
    from bvf_testing.scaffold import refuse_unfit, write_package

    refuse_unfit(names, load())
    folder = write_package(names, into)
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        print_line(str(file))
    print_line("\nTry it:")
    for command in (f"pip install -e '{folder}[test]'", f"pytest {folder}", run):
        print_line(f"  {command}")
