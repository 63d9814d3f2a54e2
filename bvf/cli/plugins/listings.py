"""``bvf languages``, ``backends``, ``criteria``, ...: list all plugin entries of one kind, or show one."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import typer

from bvf.builtin import LISTED
from bvf.cli.listing import fact_section, option_rows, plugins_here, show_listing
from bvf.errors import BvfError, in_one_line
from bvf.interfaces.section import Section
from bvf.terminal.format import Format, FormatName, show_as

if TYPE_CHECKING:
    from bvf.hooks.loader import Plugins
    from bvf.hooks.registry import Entry

Fact = tuple[str, str]


def no_facts(entry: "Entry[Any]", plugins: "Plugins") -> list[Fact]:
    """Return nothing, for kinds of which only the options are shown."""
    return []


@dataclass(frozen=True)
class Kind:
    """A kind of entries of plugins, such as criteria, under the name of the command that lists them."""

    name: str
    what: str
    letter: str = ""
    facts: "Callable[[Entry[Any], Plugins], list[Fact]]" = no_facts


def _of_language(entry: "Entry[Any]", plugins: "Plugins") -> list[Fact]:
    language = entry.make()
    code = language.code
    topics, contexts = (
        ", ".join(each.provider.name for each in registry if each.provider.language == code)
        for registry in (plugins.topics, plugins.contexts)
    )
    return [
        ("code", f"--lang {code}"),
        ("default topic", language.default_topic),
        ("default model", language.default_model),
        ("topics", topics),
        ("context sets", contexts),
    ]


def _of_criterion(entry: "Entry[Any]", plugins: "Plugins") -> list[Fact]:
    if not entry.takes():
        return [("parameter", f"goes after a colon: --criterion {entry.provider.name}:...")]
    criterion = entry.make()
    facts = [("what", in_one_line((type(criterion).__doc__ or "").partition("\n\n")[0]))]
    if hasattr(criterion, "curvature"):
        facts += [
            ("curvature", criterion.curvature),
            ("parts", "shared and particular add up to R or more" if criterion.sublinear else "R cannot be divided"),
            ("reference p*", "uniform only" if criterion.needs_uniform_reference else "any"),
        ]
    return facts


def _of_analysis(entry: "Entry[Any]", plugins: "Plugins") -> list[Fact]:
    analysis = entry.make()
    schema = analysis.results.model_fields["schema_"].default
    figures = [f"{field} ({column})" for field, column in analysis.figures.items()]
    return [("results", schema), ("figures", ", ".join(figures))]


def _of_benchmark(entry: "Entry[Any]", plugins: "Plugins") -> list[Fact]:
    benchmark = entry.make()
    origin = benchmark.origin
    return [
        ("title", benchmark.title),
        ("language", benchmark.language),
        ("from", origin.url),
        ("licence", origin.licence),
        ("cite", origin.citation),
        ("run it", f"bvf factors run {entry.provider.name} --data DIR"),
    ]


def _of_model(entry: "Entry[Any]", plugins: "Plugins") -> list[Fact]:
    folder = entry.make()
    size = sum(file.stat().st_size for file in folder.path.rglob("*") if file.is_file())
    return [
        ("name", f"--model bundled:{entry.provider.name}"),
        ("language", folder.language),
        ("folder", str(folder.path)),
        ("size", f"{size / 1e6:.1f} MB"),
    ]


MODELS = Kind("models", "bundled models", facts=_of_model)
LETTERS = {"backends": "B", "engines": "E", "miners": "M"}
FACTS: "dict[str, Callable[[Entry[Any], Plugins], list[Fact]]]" = {
    "languages": _of_language,
    "criteria": _of_criterion,
    "analyses": _of_analysis,
    "benchmarks": _of_benchmark,
}
KINDS = (*(Kind(name, what, LETTERS.get(name, ""), FACTS.get(name, no_facts)) for name, what in LISTED.items()), MODELS)


def commands_of(kind: Kind) -> typer.Typer:
    """Return the commands that list the entries of a kind (such as criteria), and show one."""
    group = typer.Typer(invoke_without_command=True)

    @group.callback(help=f"List the {kind.what}, and the plugin each one comes from.")
    def listed(ctx: typer.Context, form: Format = "text") -> None:
        if ctx.invoked_subcommand is None:
            show_listing(kind.what, getattr(plugins_here(), kind.name), form)

    options = f"its options with their defaults, for -{kind.letter} KEY=VALUE" if kind.letter else "what is known of it"

    @group.command("show", help=f"Show one: what it is, the plugin that it comes from, and {options}.")
    def shown(name: str, form: Format = "text") -> None:
        plugins = plugins_here()
        show_entry(kind, getattr(plugins, kind.name).find(name.partition(":")[0]), plugins, form)

    return group


languages, backends, engines, miners, criteria, analyses, benchmarks, readers = map(commands_of, KINDS[:-1])


def show_entry(kind: Kind, entry: "Entry[Any]", plugins: "Plugins", form: FormatName) -> None:
    """Print the name, summary and plugin of an entry, and also its options or other facts."""
    provider, owner = entry.provider, entry.owner
    facts, problem = _facts(kind, entry, plugins)
    options = None if problem else entry.options()
    title = f"{provider.name}: {provider.summary}"
    section = fact_section(title, facts)
    if kind.letter:
        section = Section(title, ("option", "what"), option_rows(kind.letter, options), last="text")
    remark = problem or ("it has no options" if kind.letter and options is None else "")
    origin = f"of the plugin {owner.plugin} {owner.version}"
    value = {
        "name": provider.name,
        "summary": provider.summary,
        "language": provider.language,
        "plugin": owner.plugin,
        "distribution": owner.distribution,
        "version": owner.version,
        "usable": problem,
        "facts": dict(facts),
        "options": {} if options is None else options.model_json_schema().get("properties", {}),
    }
    show_as(form, [replace(section, subtitle=[origin, remark] if remark else [origin])], value)


def _facts(kind: Kind, entry: "Entry[Any]", plugins: "Plugins") -> tuple[list[Fact], str]:
    """The known facts of an entry, and also why it cannot be used (empty: it can be used)."""
    if entry.missing_modules:
        return [], f"not usable: {entry.missing_modules[0][1]}"
    try:
        return [(name, value) for name, value in kind.facts(entry, plugins) if value], ""
    except BvfError as error:
        return [], f"broken: {in_one_line(error.message)}"


plugins = typer.Typer(invoke_without_command=True)


@plugins.callback()
def list_plugins(ctx: typer.Context, form: Format = "text") -> None:
    """List the plugins, and those that could not be loaded."""
    if ctx.invoked_subcommand is not None:
        return
    installed = plugins_here()
    rows = [
        {"name": owner.plugin, "distribution": owner.distribution, "version": owner.version, "problem": ""}
        for owner in installed.owners.values()
    ] + [{"name": name, "distribution": "", "version": "", "problem": why} for name, why in installed.broken.items()]
    lines = [
        (row["name"], row["distribution"], row["version"], f"broken: {row['problem']}" if row["problem"] else "loaded")
        for row in rows
    ]
    columns = ("name", "distribution", "version", "state")
    show_as(form, [Section("plugins", columns, lines, names=3, last="text")], rows)


@plugins.command("show")
def show_plugin(name: str, form: Format = "text") -> None:
    """Show what a plugin offers, by kind."""
    from bvf.hooks.loader import KINDS as HOOKS

    installed = plugins_here()
    owner = installed.of(name)
    kinds = [hook.removeprefix("bvf_") for hook in HOOKS]
    offered = {kind: list(getattr(installed, kind).of_plugin(name).names()) for kind in kinds}
    title = f"{owner.plugin}: of the distribution {owner.distribution} {owner.version}"
    section = fact_section(
        title, [(kind.replace("_", " "), ", ".join(names)) for kind, names in offered.items() if names]
    )
    show_as(form, [section], {**vars(owner), **offered})
