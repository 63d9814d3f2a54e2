"""``bvf topics``, ``backends``, ``criteria``, ``models``, ``plugins``: what is there, and from where."""

from dataclasses import dataclass
from pathlib import Path
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
Names = Annotated[list[str], typer.Argument(metavar="TOPIC TOPIC...", help="Topics by their names, or files.")]
Out = Annotated[Path, typer.Option("--out", "-o", metavar="FILE.toml", help="The topic of them all.")]
Phrase = Annotated[
    str, typer.Option("--phrase", metavar="PATTERN", help=r"How words are joined: `a \[race] \[gender]`.")
]
Words = Annotated[list[str] | None, typer.Option("--words", metavar="CLASS=WORD,WORD", help="Words to be joined.")]
Force = Annotated[bool, typer.Option("--force", help="Replace a file that is there.")]
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


@topics.command("cross", epilog="Example: bvf topics cross race gender -o race-gender.toml")
def cross_topics(
    names: Names, out: Out, phrase: Phrase = "", words: Words = None, lang: Lang = "en", force: Force = False
) -> None:
    """Write a topic file whose classes are those of several topics at once, to be read over and edited."""
    from bvf.domain.crossing import size_of
    from bvf.files.parsing import is_file
    from bvf.files.topics import topic_text
    from bvf.files.writing import disk_errors_explained, write_text
    from bvf.measuring.config import parse_all_words
    from bvf.measuring.topics import crossed_topic, find_topic

    if out.suffix != ".toml":
        raise BvfError(f"--out {out}: a topic is a .toml", f"--out {out.stem or 'topic'}.toml")
    if is_file(out) and not force:
        raise BvfError(f"--out {out}: is there already", "say another --out, or --force to replace it")
    found = plugins_here()
    language = found.languages.find(lang).make()
    topics = [find_topic(name, found, language) for name in names]
    topic = crossed_topic(topics, phrase, parse_all_words(words or ()), language)
    with disk_errors_explained(out, "say another --out"):
        out.parent.mkdir(parents=True, exist_ok=True)
        write_text(out, topic_text(topic))
    stdout().print(f"{size_of(topic)}: {out}", markup=False, soft_wrap=True)


def with_options(kind: str, letter: str) -> typer.Typer:
    """Return the commands that list the backends, engines or miners, and show the options of one."""
    group = typer.Typer(
        help=f"List the {kind}; `bvf {kind} show NAME` shows the options of one.", invoke_without_command=True
    )

    @group.callback(help=f"List the {kind} and the plugin each one comes from.")
    def listed(ctx: typer.Context, json_: AsJson = False) -> None:
        if ctx.invoked_subcommand is None:
            show_listing(kind, getattr(plugins_here(), kind), json_)

    @group.command("show", help=f"Show the options of one with their defaults, for -{letter} KEY=VALUE.")
    def shown(name: str, json_: AsJson = False) -> None:
        show_options(getattr(plugins_here(), kind).find(name), f"-{letter}", json_)

    return group


def show_options(entry: "Entry[Any]", letter: str, as_json: bool) -> None:
    """Print what a thing is, and each of its options with its default and what it is for."""
    provider = entry.provider
    options = provider.load_options()
    fields = {} if options is None else options.model_fields
    if as_json:
        schema = {} if options is None else options.model_json_schema()
        print_json({"name": provider.name, "summary": provider.summary, "options": schema.get("properties", {})})
        return
    rows = [(provider.name, provider.summary), ("plugin", f"{entry.owner.plugin} {entry.owner.version}")]
    rows += [(f"{letter} {name}={_as_typed(field.default)}", field.description or "") for name, field in fields.items()]
    print_rows(rows if fields else [*rows, ("options", "none")])


def _as_typed(default: Any) -> str:
    return str(default).lower() if isinstance(default, bool) else str(default)


def criteria(json_: AsJson = False) -> None:
    """List the risk criteria and the plugin each one comes from."""
    show_listing("criteria", plugins_here().criteria, json_)


def analyses(json_: AsJson = False) -> None:
    """List the analyses and the plugin each one comes from."""
    show_listing("analyses", plugins_here().analyses, json_)


def benchmarks(json_: AsJson = False) -> None:
    """List the bias benchmarks that `bvf factors run` takes, and the plugin each one comes from."""
    show_listing("benchmarks", plugins_here().benchmarks, json_)


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
