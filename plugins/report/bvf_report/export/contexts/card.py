"""Writes the data card of a context set: Markdown with the header that hubs of data sets read."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from bvf import ContextSet
from bvf.files import REPLICATE_COLUMNS, cited, contexts_digest, replicates_of
from bvf.stats import exact, sample_in_words
from bvf.tables import escaped
from bvf_report.export.contexts.licence import licence_address, licence_header
from bvf_report.export.contexts.table import meaning_of
from bvf_report.export.names import one_line

if TYPE_CHECKING:
    import pyarrow as pa

SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
LARGEST = "n>1M"
USES = """\
For asking language models for words ([Y]) about groups ([X]) in weighted contexts, and for comparing context sets. The
contexts are a choice: figures that rest on them hold for texts like those of the source, and for no others. A template
is a pattern of text and says nothing of a person. The set has no sentences of its source."""


def card_of(contexts: ContextSet, rows: "pa.Table", table: Path) -> str:
    """Return the data card of a context set whose ``rows`` are in the file ``table``."""
    title = f"{one_line(contexts.name)}: contexts for measuring the bias and volatility of language models"
    replicates = contexts.sampling.replicates
    parts = [
        f"---\n{_header(contexts, title, table)}---",
        f"# {escaped(title)}",
        "A context is a text with the slots [X], for a group, and [Y], for a word. Each has a count, its weight."
        " Written by `bvf contexts export`.",
        _facts(contexts),
        f"## How to cite\n\n{escaped(cited(contexts))}",
        f"## Licence\n\n{escaped(contexts.card.licence)} ({licence_address(contexts.card.licence)})",
        f"## How to use\n\n```bash\nbvf run --lang {contexts.card.language} --contexts {table.name}\n```",
        _columns("contexts", table.name, rows.column_names),
        *([] if replicates is None else [_columns("replicates", replicates_of(table).name, REPLICATE_COLUMNS)]),
        f"## What it may be used for\n\n{USES}",
    ]
    return "\n\n".join(parts) + "\n"


def _header(contexts: ContextSet, title: str, table: Path) -> str:
    import yaml

    size = len(contexts.templates)
    files = {"contexts": table.name, "replicates": replicates_of(table).name}
    if contexts.sampling.replicates is None:
        del files["replicates"]
    configs: list[dict[str, Any]] = [
        {"config_name": name, "data_files": [{"split": "test", "path": file}]} for name, file in files.items()
    ]
    configs[0]["default"] = True
    header = {
        "pretty_name": title,
        "language": [contexts.card.language],
        **licence_header(contexts.card.licence),
        "tags": ["bias", "evaluation", "bvf"],
        "size_categories": [next((name for below, name in SIZES if size < below), LARGEST)],
        "configs": configs,
    }
    return str(yaml.safe_dump(header, sort_keys=False, allow_unicode=True))


def _facts(contexts: ContextSet) -> str:
    sampling, card = contexts.sampling, contexts.card
    redrawn = "none" if sampling.replicates is None else f"{sampling.replicates.shape[1]} resamples of the documents"
    facts = {
        "source": contexts.source,
        "templates": f"{len(contexts.templates):,}",
        "sum of the counts": exact(float(sum(contexts.counts))),
        "sample": sample_in_words(contexts),
        "replicates": redrawn,
        "miner": card.miner or "not stated",
        "least confidence of a match": "not stated" if card.min_confidence is None else f"{card.min_confidence:g}",
        "digest of the contexts": contexts_digest(contexts),
    }
    return "\n".join(["| | |", "| --- | --- |", *(f"| {name} | {escaped(fact)} |" for name, fact in facts.items())])


def _columns(name: str, file: str, columns: list[str]) -> str:
    lines = [f"| {escaped(column)} | {escaped(meaning_of(column))} |" for column in columns]
    return "\n".join([f"## {name}\n", f"`{file}`: a row per template.\n", "| column | |", "| --- | --- |", *lines])
