"""``bvf topics``: list the topics, show one, or cross several."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from bvf.cli.listing import About, Lang, fact_section, option_rows, plugins_here, show_listing
from bvf.errors import BvfError
from bvf.measuring.config import EVERYDAY, MeasureConfig, with_options_in_tables
from bvf.tables.words import counted
from bvf.terminal.console import print_line
from bvf.terminal.format import Format, show_as
from bvf.terminal.options import Given, with_fields
from bvf.terminal.outputs import Force, output

Name = Annotated[str, typer.Argument(metavar="NAME|FILE", help="A topic by its name, or a file of one.")]
Names = Annotated[list[str], typer.Argument(metavar="TOPIC TOPIC...", help="Topics by their names, or files.")]
Out = Annotated[Path, typer.Option("--out", "-o", metavar="FILE.toml", help="The topic of them all.")]
Phrase = Annotated[
    str, typer.Option("--phrase", metavar="PATTERN", help=r"How words are joined: `a \[race] \[gender]`.")
]
Words = Annotated[list[str] | None, typer.Option("--words", metavar="CLASS=WORD,WORD", help="Words to be joined.")]
TOPIC_OPTIONS = ("topic_options", *(name for name, each in EVERYDAY.items() if each.part == "topic"))
topics = typer.Typer(invoke_without_command=True)


@topics.callback()
def list_topics(ctx: typer.Context, form: Format = "text") -> None:
    """List the topics and the plugin each one comes from."""
    if ctx.invoked_subcommand is None:
        show_listing("topics", plugins_here().topics, form, lambda entry: About(entry.make().summary))


@topics.command("show")
@with_fields(MeasureConfig, only=TOPIC_OPTIONS)
def show_topic(given: Given, name: Name, lang: Lang = "en", form: Format = "text") -> None:
    """Show a topic: what it measures, its groups, classes and words."""
    from bvf.measuring.topics import find_topic, options_of

    installed = plugins_here()
    options = with_options_in_tables(given, ("topic",)).get("topic_options", {})
    topic = find_topic(name, installed, lang, options)
    measurement = topic.measurement
    facts = [
        ("construct", measurement.construct_),
        ("harm", measurement.harm),
        ("chosen by", measurement.chosen_by),
        ("reference p*", measurement.reference),
        *(("known gap", gap) for gap in measurement.gaps),
        *((f"class {name}", ", ".join(words)) for name, words in topic.counted_words().items()),
        *([("in no class", ", ".join(topic.ambiguous) + " (in the lists of several)")] if topic.ambiguous else []),
        (
            counted(len(topic.groups), "group"),
            ", ".join(f"{g} {topic.glosses.get(g, '')}".rstrip() for g in topic.groups),
        ),
        *((f"feature {feature}", _by_value(table)) for feature, table in topic.group_features.items()),
        ("contexts", topic.contexts + (f", after openings of {topic.openings}" if topic.openings else "")),
        *([("contexts of texts", topic.texts)] if topic.texts else []),
        *((f"weights {key}", f"{table.source} ({table.year})") for key, table in topic.group_weights.items()),
        *((f"reference {key}", f"{table.source} ({table.year})") for key, table in topic.references.items()),
        *((f"statistic {key}", f"{table.source} ({table.year})") for key, table in topic.statistics.items()),
        *(("source", source) for source in topic.sources),
        *((f"option {option}", what) for option, what in option_rows("T", options_of(name, installed, lang))),
    ]
    title = f"{topic.name} ({topic.language}): {topic.summary}"
    show_as(form, [fact_section(title, facts)], topic.model_dump(mode="json", by_alias=True))


def _by_value(features: Mapping[str, str]) -> str:
    """The groups with each value of a feature: ``feminine: nurse, teacher; masculine: baker``."""
    groups: dict[str, list[str]] = {}
    for group, value in features.items():
        groups.setdefault(value, []).append(group)
    return "; ".join(f"{value}: {', '.join(having)}" for value, having in groups.items())


@topics.command("cross", epilog="Example: bvf topics cross race gender -o race-gender.toml")
def cross_topics(  # noqa: PLR0913 - one parameter per option, as typer wants it
    ctx: typer.Context,
    names: Names,
    out: Out,
    phrase: Phrase = "",
    words: Words = None,
    lang: Lang = "",
    force: Force = False,
) -> None:
    """Write a topic file that crosses several topics (race x gender), to be read over and edited."""
    from bvf.domain.config import parse_all_words
    from bvf.domain.crossing import size_of
    from bvf.files.topics import topic_text
    from bvf.measuring.topics import crossed_topic, find_topic

    if out.suffix != ".toml":
        raise BvfError(f"--out {out}: a topic is a .toml", f"--out {out.stem or 'topic'}.toml")
    topic_file = output(ctx, "--out", out, force=force)
    installed = plugins_here()
    topics = [find_topic(name, installed, lang or "en") for name in names]
    language = installed.languages.make(topics[0].asked_in(lang or None, installed.languages.names()))
    topic = crossed_topic(topics, phrase, parse_all_words(words or ()), language)
    topic_file.write(topic_text(topic), make_folder=True)
    print_line(f"{size_of(topic)}: {out}")
