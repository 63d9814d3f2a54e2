"""``bvf mine``: contexts from a corpus of one's own."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bvf.cli.console import mining_bar, note, stdout
from bvf.cli.options import flag, option, options_given, parsed_table, table
from bvf.domain.part import parts_of, said
from bvf.interfaces.section import Section
from bvf.mining.config import MineConfig, merged_mine_config

if TYPE_CHECKING:
    from bvf.mining.job import Mined, MinedPart, MiningProgress

Text = str | None
Number = int | None
Texts = list[str] | None
OUTPUT_FIELDS = ("quiet", "config", "no_examples")
TABLES = {"miner_options": "M", "engine_options": "E"}
SHOWN = 10
AGAIN = "match, but the same sentence counts already"


def _option(field: str, panel: str, metavar: str | None = None) -> Any:
    return option(field, panel=panel, metavar=metavar, of=MineConfig)


def mine(  # noqa: PLR0913 - one parameter an option, as typer wants it
    corpus: Annotated[
        Texts, typer.Argument(metavar="CORPUS...", help=MineConfig.model_fields["corpus"].description)
    ] = None,
    out: Annotated[
        Text, typer.Option("--out", "-o", help=MineConfig.model_fields["out"].description, metavar="FILE.csv|DIR")
    ] = None,
    lang: Annotated[Text, _option("lang", "What")] = None,
    topic: Annotated[Text, _option("topic", "What")] = None,
    text_column: Annotated[Text, _option("text_column", "Corpus", "NAME")] = None,
    encoding: Annotated[Text, _option("encoding", "Corpus")] = None,
    sample: Annotated[Number, _option("sample", "Corpus", "N")] = None,
    seed: Annotated[Number, _option("seed", "Corpus")] = None,
    max_words: Annotated[Number, _option("max_words", "Method", "N")] = None,
    min_confidence: Annotated[float | None, _option("min_confidence", "Method", "C")] = None,
    miner_options: Annotated[Texts, table("M", "miner")] = None,
    workers: Annotated[Number, _option("workers", "Advanced", "N")] = None,
    engine: Annotated[Text, _option("engine", "Advanced")] = None,
    engine_options: Annotated[Texts, table("E", "engine")] = None,
    plugin: Annotated[Texts, _option("plugin", "Advanced", "NAME")] = None,
    without: Annotated[Texts, _option("without", "Advanced", "NAME")] = None,
    part: Annotated[Text, _option("part", "Advanced", "I/N")] = None,
    matches: Annotated[Text, _option("matches", "Output", "FILE.jsonl")] = None,
    config: Annotated[Path | None, flag("--config", help_text="Read these options from a TOML file.")] = None,
    no_examples: Annotated[bool, flag("--no-examples", help_text="Write no sentence of the corpus.")] = False,
    quiet: Annotated[bool, flag("--quiet", "-q", help_text="No progress.")] = False,
) -> None:
    """Mine contexts from a corpus: templates in which a word of the topic means the subject, with their counts."""
    given = options_given(locals(), but=OUTPUT_FIELDS)
    for field, letter in TABLES.items():
        given[field] = parsed_table(given.get(field, []), letter)
    if no_examples:
        given["examples"] = False
    from bvf.mining.job import mine as mined_whole
    from bvf.mining.job import mine_part

    choices = merged_mine_config(given, config)
    with mining_bar(quiet) as report:

        def on_progress(source: str, state: "MiningProgress") -> None:
            report(source, state)

        if choices.part:
            parts, whole = mine_part(choices, on_progress=on_progress, on_skip=note), []
        else:
            parts, whole = [], mined_whole(choices, on_progress=on_progress, on_skip=note)
    for each in parts:
        show_part(each)
    for mined in whole:
        show(mined)


def show_part(mined: "MinedPart") -> None:
    """Print how many pieces of a corpus are there, and which parts are missing."""
    missing = parts_of(mined.missing, mined.part.of)
    there = f"{mined.pieces - len(mined.missing):,} of {mined.pieces:,} pieces are there"
    rest = f"missing: {said(missing, mined.part.of)}" if missing else "the same command without --part finishes"
    stdout().print(f"{mined.file}: part {mined.part} is done; {there}; {rest}", markup=False, soft_wrap=True)


def show(mined: "Mined") -> None:
    """Print the heaviest templates, what was dropped by which rule, and where the set lies."""
    from bvf.files.sampling import record_of
    from bvf.tables.terminal import Drawn

    console = stdout()
    counts = mined.counts
    rest = len(mined.lines) - SHOWN
    heaviest = Section(
        "heaviest templates",
        ("count", "template"),
        [(str(line.count), line.template) for line in mined.lines[:SHOWN]],
        names=0,
        notes=[f"and {rest:,} more templates"] if rest > 0 else [],
        last="text",
    )
    console.print(Drawn([heaviest]))
    console.print(
        f"\n{counts.sentences:,} sentences, {counts.parsed:,} of them parsed, {counts.kept:,} kept; dropped:",
        markup=False,
    )
    dropped = {**counts.dropped, **({AGAIN: counts.repeated} if counts.repeated else {})}
    for rule, count in sorted(dropped.items(), key=lambda item: (-item[1], item[0])):
        console.print(f"{count:>9,}  {rule}", markup=False)
    console.print(f"\ncontexts: {mined.file}\nrecord:   {record_of(mined.file)}", markup=False, soft_wrap=True)
    console.print(f"next:     bvf run --contexts {mined.file}", markup=False, soft_wrap=True)
