"""Collects the checks of everything that a plugin offers, its commands too, and of a model."""

import inspect
from collections.abc import Callable, Iterator
from functools import partial
from inspect import isabstract
from typing import Any

import bvf
from bvf import BvfError, Language, MeasureConfig
from bvf.hooks import Entry, Plugins
from bvf.study import plan_of
from bvf_testing.analyses import analysis_checks
from bvf_testing.backends import backend_checks
from bvf_testing.benchmarks import benchmark_checks
from bvf_testing.check import Check, checks_of, require
from bvf_testing.criteria import criterion_checks
from bvf_testing.engines import engine_checks
from bvf_testing.languages import language_checks
from bvf_testing.readers import reader_checks
from bvf_testing.topics import contexts_checks, topic_checks

Checks = Callable[[Any], list[Check]]
MADE_WITH = {"kind of file": ("the values in the file", "its name")}
"""By kind of thing, the arguments from which it is made, if not from a request alone."""
TRIED = 5
"""How many templates and groups of a language are tried."""
ASKED = 3
"""How many groups, and contexts, a model is asked about."""


def typer_makes_it(command: Any) -> None:
    """The command is a `typer.Typer` with commands, or a function whose parameters typer takes."""
    _made(command)


def its_help_says_what_it_does(command: Any) -> None:
    """The command and each of its subcommands have a help text."""
    made = _made(command)
    for name, each in {"": made, **getattr(made, "commands", {})}.items():
        require(bool((each.help or "").strip()), f"{name or 'it'} has no help: write a docstring")


def _made(command: Any) -> Any:
    import typer

    if isinstance(command, typer.Typer):
        return typer.main.get_command(command)
    require(inspect.isfunction(command), f"it is a {type(command).__name__}, not a typer.Typer or a function")
    app = typer.Typer(add_completion=False)
    app.command()(command)
    return typer.main.get_command(app)


COMMAND_CHECKS = (typer_makes_it, its_help_says_what_it_does)


def plugin_checks(plugins: Plugins, plugin: str) -> Iterator[tuple[str, list[Check] | str]]:
    """Yield, for each object that a plugin offers, its name, and its checks or a text on why there are none."""
    made: list[tuple[Any, Checks]] = [
        (plugins.criteria, criterion_checks),
        (plugins.analyses, analysis_checks),
        (plugins.benchmarks, benchmark_checks),
        (plugins.topics, lambda topic: topic_checks(topic, plugins)),
        (plugins.contexts, contexts_checks),
        (plugins.engines, engine_checks),
        (plugins.languages, lambda language: _language_checks(plugins, language)),
        (plugins.readers, reader_checks),
        (plugins.models, lambda _: []),
        (plugins.pictures, lambda _: []),
    ]
    for registry, checks in made:
        for entry in registry.of_plugin(plugin):
            yield f"{registry.kind} {entry.provider.name}", _checks_of(entry, partial(_checks_of_made, entry, checks))
    for registry in (plugins.backends, plugins.miners, plugins.files):
        for entry in registry.of_plugin(plugin):
            kind = registry.kind
            yield f"{kind} {entry.provider.name}", _checks_of(entry, partial(_checks_of_unmade, entry, kind))
    for entry in plugins.commands.of_plugin(plugin):
        yield f"command {entry.provider.name}", _checks_of(entry, partial(_checks_of_command, entry))
    for entry in plugins.functions.of_plugin(plugin):
        yield f"function {entry.provider.name}", [Check("can_be_imported", partial(getattr, bvf, entry.provider.name))]
    for registry in (plugins.pictures, plugins.page_parts, plugins.comparisons, plugins.findings):
        for entry in registry.of_plugin(plugin):
            yield f"{registry.kind} {entry.provider.name}", [Check("can_be_imported", entry.callable)]


def model_checks(plugins: Plugins, plugin: str, model: str, lang: str = "en") -> tuple[str, list[Check]]:
    """Load a model by a backend of a plugin, and return a name for the two and the checks.

    The prompts are a few groups of the default topic of a language in a few contexts.

    Raises:
        BvfError: There is no such model, or the backend of another plugin reads it.
    """
    config = MeasureConfig(model=model, lang=lang, plugin=plugin, limit_groups=ASKED, limit_contexts=ASKED)
    small_plan = plan_of(config, plugins)
    chosen = small_plan.model
    if chosen.entry.owner.plugin != plugin:
        raise BvfError(
            f"--model {model} is read by the backend {chosen.backend} of {chosen.entry.owner.plugin}, not of {plugin}",
            "name the backend before a colon: --model BACKEND:NAME",
        )
    asked = small_plan.questions
    prompts = small_plan.prompts(range(len(small_plan.groups) * len(asked.templates)))
    checks = backend_checks(chosen.load(), prompts, asked.words, description=chosen.description)
    return f"backend {chosen.backend} with {model}", checks


def _checks_of(entry: Entry[Any], checks: Callable[[], list[Check] | str]) -> list[Check] | str:
    """The checks of an object that ``checks`` returns, or why it has none. An error becomes a check that fails."""
    if entry.missing_modules:
        return f"not usable here: {entry.missing_modules[0][1]}"
    try:
        return checks()
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001 - what is checked may fail in any way
        return [Check("can_be_made", partial(_raise, error))]


def _raise(error: BaseException) -> None:
    raise error


def _checks_of_made(entry: Entry[Any], checks: Checks) -> list[Check] | str:
    """The checks of an object made without arguments, or why there are none. The first is that it can be made."""
    if not entry.takes():
        return "needs a parameter: call the checks of bvf_testing in a test"
    made = entry.make()
    return [Check("can_be_made", lambda: None), *checks(made)]


def _checks_of_unmade(entry: Entry[Any], kind: str) -> list[Check] | str:
    """The checks of an object made from a model, topic or file, or how to run them. An unfit maker raises an error."""
    make = entry.callable()
    lacking = sorted(getattr(make, "__abstractmethods__", ())) if isabstract(make) else []
    require(not lacking, f"{make.__name__} has no method {', '.join(lacking)}")
    taken = MADE_WITH.get(kind, ("the request",))
    require(entry.takes(*taken), f"a {kind} is made with {' and '.join(taken)}")
    entry.provider.load_describe()
    if kind in MADE_WITH:
        return [Check("can_be_made", lambda: None)]
    by_hand = f"call bvf_testing.{kind}_checks on a loaded one"
    return by_hand if kind != "backend" else f"--model {entry.provider.name}:NAME checks it on a model; or {by_hand}"


def _checks_of_command(entry: Entry[Any]) -> list[Check]:
    """The checks of a command, which is imported but not called."""
    return checks_of(COMMAND_CHECKS, entry.callable())


def _language_checks(plugins: Plugins, language: Language) -> list[Check]:
    topic = plugins.topics.in_language(language.code).find(language.default_topic).make()
    contexts = plugins.contexts.in_language(language.code).make(topic.contexts)
    return language_checks(
        language, [t.text for t in contexts.templates[:TRIED]], topic.described(topic.groups[:TRIED])
    )
