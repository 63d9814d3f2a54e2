"""``bvf check``: the conformance kit without pytest."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bvf.cli.console import stdout
from bvf.errors import BvfError

if TYPE_CHECKING:
    from bvf.plugins import Plugins
    from bvf.testing import Check

SHOWN = 5


def check(
    plugin: Annotated[str, typer.Argument(metavar="PLUGIN", help="A plugin by name, a module, or ./file.py.")],
) -> None:
    """Check everything that a plugin offers against what it must do."""
    from bvf.plugins import load

    plugins = load(extra=[plugin])
    plugins.of(plugin)
    failed = tried = 0
    console = stdout()
    for name, checks in checks_of_plugin(plugins, plugin):
        if isinstance(checks, str):
            console.print(f"-     {name}: {checks}", markup=False, highlight=False, soft_wrap=True)
            continue
        problems = [problem for problem in map(problem_of, checks) if problem]
        tried, failed = tried + len(checks), failed + len(problems)
        console.print(
            f"{'wrong' if problems else 'ok   '} {name}: {len(checks)} checks",
            markup=False,
            highlight=False,
            soft_wrap=True,
        )
        for problem in problems:
            console.print(f"      {problem}", markup=False, highlight=False, soft_wrap=True)
    if failed:
        raise BvfError(f"{failed} of {tried} checks of {plugin} failed", "docs/reference/testing.md has them all")


def problem_of(check: "Check") -> str:
    """Return what a check finds wrong, or nothing."""
    try:
        check()
    except (AssertionError, BvfError) as error:
        return f"{check.name}: {error}"
    return ""


def checks_of_plugin(plugins: "Plugins", plugin: str) -> "Iterator[tuple[str, list[Check] | str]]":
    """Yield the name of each thing with its checks, or with why it cannot be checked here."""
    from bvf import testing

    yield from _made(plugins.criteria, plugin, testing.criterion_checks)
    yield from _made(plugins.topics, plugin, testing.topic_checks)
    yield from _made(plugins.contexts, plugin, testing.contexts_checks)
    yield from _made(plugins.engines, plugin, testing.engine_checks)
    yield from _made(plugins.languages, plugin, lambda language: _language_checks(plugins, language))
    for registry in (plugins.backends, plugins.miners):
        for entry in registry.of_plugin(plugin):
            yield f"{registry.kind} {entry.provider.name}", f"call bvf.testing.{registry.kind}_checks on a loaded one"


def _made(registry: Any, plugin: str, checks: Any) -> "Iterator[tuple[str, list[Check] | str]]":
    for entry in registry.of_plugin(plugin):
        name = f"{registry.kind} {entry.provider.name}"
        try:
            yield name, checks(entry.make())
        except TypeError:
            yield name, "needs a parameter: call the checks of bvf.testing in a test"


def _language_checks(plugins: "Plugins", language: Any) -> "list[Check]":
    from bvf.testing import language_checks

    topic = plugins.topics.in_language(language.code).find(language.default_topic).make()
    contexts = plugins.contexts.in_language(language.code).make(topic.contexts)
    return language_checks(language, [t.text for t in contexts.templates[:SHOWN]], topic.groups[:SHOWN])
