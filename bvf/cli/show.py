"""``bvf topics``, ``backends``, ``criteria``, ``models``, ``plugins``: what is there, and from where."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich import box
from rich.table import Table

from bvf.cli.console import plain, print_json, stdout
from bvf.errors import BvfError, in_one_line

if TYPE_CHECKING:
    from bvf.hooks.loader import Plugins
    from bvf.hooks.registry import Entry, Registry

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, and nothing else.")]
Lang = Annotated[str, typer.Option("--lang", help="Language of the topic or context set.")]
topics = typer.Typer(help="List the topics; `bvf topics show NAME` shows one.", invoke_without_command=True)


@dataclass(frozen=True)
class Line:
    """One thing in a listing."""

    name: str
    language: str
    summary: str
    plugin: str
    version: str
    usable: str


@topics.callback()
def list_topics(ctx: typer.Context, json_: AsJson = False) -> None:
    """List the topics and the plugin each one comes from."""
    if ctx.invoked_subcommand is None:
        show_listing("topics", plugins_here().topics, json_, lambda entry: str(entry.make().summary))


@topics.command("show")
def show_topic(name: str, lang: Lang = "en", json_: AsJson = False) -> None:
    """Show a topic: what it measures, its groups, classes and words."""
    topic = plugins_here().topics.in_language(lang).make(name)
    if json_:
        print_json(topic.model_dump(mode="json", by_alias=True))
        return
    measurement = topic.measurement
    rows = [
        ("topic", f"{topic.name} ({topic.language}): {topic.summary}"),
        ("construct", measurement.construct_),
        ("harm", measurement.harm),
        ("chosen by", measurement.chosen_by),
        ("reference p*", measurement.reference),
        *(("known gap", gap) for gap in measurement.gaps),
        *((f"class {name}", ", ".join(words)) for name, words in topic.counted_words().items()),
        *([("in no class", ", ".join(topic.ambiguous) + " (in the lists of several)")] if topic.ambiguous else []),
        (f"{len(topic.groups)} groups", ", ".join(f"{g} {topic.glosses.get(g, '')}".rstrip() for g in topic.groups)),
        ("contexts", topic.contexts),
        *((f"weights {key}", f"{table.source} ({table.year})") for key, table in topic.group_weights.items()),
        *((f"reference {key}", f"{table.source} ({table.year})") for key, table in topic.references.items()),
        *(("source", source) for source in topic.sources),
    ]
    print_rows(rows)


def backends(json_: AsJson = False) -> None:
    """List the backends and the plugin each one comes from."""
    show_listing("backends", plugins_here().backends, json_)


def criteria(json_: AsJson = False) -> None:
    """List the risk criteria and the plugin each one comes from."""
    show_listing("criteria", plugins_here().criteria, json_)


def models(json_: AsJson = False) -> None:
    """List the bundled models and the plugin each one comes from."""
    show_listing("bundled models", plugins_here().models, json_)


def plugins(json_: AsJson = False) -> None:
    """List the plugins, and those that could not be loaded."""
    found = plugins_here()
    rows = [
        {"name": owner.plugin, "distribution": owner.distribution, "version": owner.version, "problem": ""}
        for owner in found.owners.values()
    ] + [{"name": name, "distribution": "", "version": "", "problem": why} for name, why in found.broken.items()]
    if json_:
        print_json(rows)
        return
    table = listing_table("plugins", ("name", "distribution", "version", "state"))
    for row in rows:
        state = f"broken: {row['problem']}" if row["problem"] else "loaded"
        table.add_row(*map(plain, (row["name"], row["distribution"], row["version"], state)))
    stdout().print(table)


def show_listing(title: str, registry: "Registry[Any]", as_json: bool, summary: Any = None) -> None:
    """Print a line per thing: name, summary, plugin and version; and what is wrong where it cannot be made."""
    lines = [_line(entry, summary) for entry in registry]
    if as_json:
        print_json([line.__dict__ for line in lines])
        return
    table = listing_table(title, ("name", "what", "plugin"))
    for line in lines:
        name = f"{line.name} ({line.language})" if line.language else line.name
        table.add_row(*map(plain, (name, line.usable or line.summary, f"{line.plugin} {line.version}")))
    stdout().print(table)


def _line(entry: "Entry[Any]", summary: Any) -> Line:
    from bvf.hooks.registry import missing_modules

    provider, owner = entry.provider, entry.owner
    missing = missing_modules(provider)
    text, usable = provider.summary, f"not usable: {missing[0][1]}" if missing else ""
    if summary and not missing and not text:
        try:
            text = summary(entry)
        except BvfError as error:
            usable = f"broken: {in_one_line(str(error))}"
    return Line(provider.name, provider.language, text, owner.plugin, owner.version, usable)


def listing_table(title: str, columns: tuple[str, ...]) -> Table:
    """Return an empty table of the columns."""
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for index, column in enumerate(columns):
        table.add_column(column, no_wrap=index == 0, overflow="fold")
    return table


def print_rows(rows: list[tuple[str, str]]) -> None:
    """Print names and what they stand for."""
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    for key, value in rows:
        table.add_row(plain(key), plain(value))
    stdout().print(table)


def plugins_here() -> "Plugins":
    """Return what is installed."""
    from bvf.hooks.loader import load

    return load()
