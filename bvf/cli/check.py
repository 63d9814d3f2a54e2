"""``bvf check``: the conformance kit without pytest."""

from collections.abc import Callable, Iterator
from inspect import isabstract
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bvf.cli.console import stdout
from bvf.errors import BvfError, in_one_line, said

if TYPE_CHECKING:
    from bvf.hooks.loader import Plugins
    from bvf.hooks.registry import Entry, Registry
    from bvf.testing import Check

SHOWN = 5
Checks = Callable[[Any], "list[Check]"]


def check(
    plugin: Annotated[str, typer.Argument(metavar="PLUGIN", help="A plugin by name, a module, or ./file.py.")],
) -> None:
    """Check everything that a plugin offers against what it must do."""
    from bvf.hooks.loader import load

    plugins = load(extra=[plugin])
    failed = tried = things = 0
    for name, checks in checks_of_plugin(plugins, plugin):
        things += 1
        if isinstance(checks, str):
            _print(f"-     {name}: {checks}")
            continue
        problems = [problem for problem in map(problem_of, checks) if problem]
        tried, failed = tried + len(checks), failed + len(problems)
        _print(f"{'wrong' if problems else 'ok   '} {name}: {len(checks)} checks")
        for problem in problems:
            _print(f"      {problem}")
    if failed:
        raise BvfError(f"{failed} of {tried} checks of {plugin} failed", "docs/reference/testing.md has them all")
    if not things:
        raise BvfError(f"{plugin} offers nothing", "its hooks return no bvf.Provider")


def problem_of(check: "Check") -> str:
    """Return what a check finds wrong, or nothing; whatever it raises is something wrong."""
    try:
        check()
    except KeyboardInterrupt:
        raise
    except (AssertionError, BvfError) as error:
        return f"{check.name}: {in_one_line(str(error))}"
    except BaseException as error:  # noqa: BLE001 - what is checked may fail in any way
        return f"{check.name}: {said(error)}"
    return ""


def checks_of_plugin(plugins: "Plugins", plugin: str) -> "Iterator[tuple[str, list[Check] | str]]":
    """Yield the name of each thing with its checks, or with why it cannot be checked here."""
    from bvf import testing

    made: list[tuple[Registry[Any], Checks]] = [
        (plugins.criteria, testing.criterion_checks),
        (plugins.topics, testing.topic_checks),
        (plugins.contexts, testing.contexts_checks),
        (plugins.engines, testing.engine_checks),
        (plugins.languages, lambda language: _language_checks(plugins, language)),
        (plugins.models, lambda _: []),
    ]
    for registry, checks in made:
        for entry in registry.of_plugin(plugin):
            yield f"{registry.kind} {entry.provider.name}", _checks_of_made(entry, checks)
    for registry in (plugins.backends, plugins.miners):
        for entry in registry.of_plugin(plugin):
            yield f"{registry.kind} {entry.provider.name}", _checks_of_unmade(entry, registry.kind)


def _checks_of_made(entry: "Entry[Any]", checks: Checks) -> "list[Check] | str":
    """The checks of what can be made as it stands; the first is that it can be."""
    from bvf.hooks.registry import missing_modules
    from bvf.testing import Check

    missing = missing_modules(entry.provider)
    if missing:
        return f"not usable here: {missing[0][1]}"
    try:
        if not entry.takes():
            return "needs a parameter: call the checks of bvf.testing in a test"
        made = entry.make()
        return [Check("can_be_made", lambda: None), *checks(made)]
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001 - what is checked may fail in any way
        return [Check("can_be_made", _raising(error))]


def _checks_of_unmade(entry: "Entry[Any]", kind: str) -> "list[Check] | str":
    """What can be known of something that is made for a model or a topic."""
    from bvf.hooks.registry import missing_modules
    from bvf.testing import Check
    from bvf.testing.check import require

    if missing_modules(entry.provider):
        return f"not usable here: {missing_modules(entry.provider)[0][1]}"
    try:
        make = entry.callable()
        lacking = sorted(getattr(make, "__abstractmethods__", ())) if isabstract(make) else []
        require(not lacking, f"{make.__name__} has no method {', '.join(lacking)}")
        require(entry.takes(object()), f"{kind}s are made with one argument, the request")
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001 - as above
        return [Check("can_be_made", _raising(error))]
    return f"call bvf.testing.{kind}_checks on a loaded one"


def _raising(error: BaseException) -> Callable[[], None]:
    def again() -> None:
        raise error

    return again


def _language_checks(plugins: "Plugins", language: Any) -> "list[Check]":
    from bvf.testing import language_checks

    topic = plugins.topics.in_language(language.code).find(language.default_topic).make()
    contexts = plugins.contexts.in_language(language.code).make(topic.contexts)
    return language_checks(language, [t.text for t in contexts.templates[:SHOWN]], topic.groups[:SHOWN])


def _print(line: str) -> None:
    stdout().print(line, markup=False, highlight=False, soft_wrap=True)
