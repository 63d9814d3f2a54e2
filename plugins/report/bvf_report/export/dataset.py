"""Writes a folder for ``datasets.load_dataset``: three tables as Parquet, and a card."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bvf import ResultBase
from bvf.files import Folder, FolderKind, disk_errors_explained
from bvf.tables import escaped
from bvf_report.export.names import hub_id, without_folder, without_folders
from bvf_report.export.papers import markdown_text
from bvf_report.export.runs import check_together, group_figures, model_figures, record_of
from bvf_report.export.wide_tables import ENDS, group_table, key_of, model_table

if TYPE_CHECKING:
    import pandas as pd

ROWS = {
    "stereotypes": "a row per model, group, context and class: the whole distribution",
    "groups": "a row per model and group",
    "models": "a row per model",
}
COLUMNS = {
    "measurement": "Digest of what was asked and of which model: it tells runs apart",
    "model": "The model that was asked",
    "backend": "What read the model",
    "group": "The group in the slot [X] of a context",
    "context": "The template, after its opening if there is one",
    "opening": "What stands before the template; none: nothing",
    "template": "The template alone",
    "attribute": "A class of words",
    "weight": "Share of the group, or of the context, in means",
    "probability": "Of the class, among all classes: p(y | x, c); null where the model gave no answer",
    "stereotype": "How far that is from the unbiased model p*: s = p / p* - 1",
    "gloss": "The group in English",
    "truth": "The true answer",
    "corrected_says": "The answer that is most probable on average, corrected for how often other subjects get it",
    "says": "The answer that is most probable on average",
    "topic": "What was measured",
    "language": "Of groups, words and contexts",
    "contexts": "The set of contexts",
    "number_of_contexts": "How many of them were asked",
    "prompts": "Groups times contexts",
    "schema": "Of the result",
    "scale": "unit: divided by the risk of the most stereotyped model; raw: not divided",
    "criterion": "The measure of risk or of knowledge",
    "reference": "The unbiased model p*",
    "groups_changing_sides": "Groups whose class changes with the context",
    "candidate_mass_prompts": "Prompts on which it was measured how probable the compared words are at all",
    "candidate_mass_mean": "How probable they are together, on average",
    "candidate_mass_quantile_05": "In 5 % of these prompts it is less than this",
    "candidate_mass_quantile_25": "In 25 % of these prompts it is less than this",
    "uncertainty_level": "Of the intervals: 0.95 is 95 %",
}
BEGINNINGS = {
    "p_": "Mean probability over contexts of the class",
    "lean_": "The same, less p*, of the class",
    "factor_": "Level that the group has of the factor",
}
ENDINGS = dict(
    zip(ENDS, ("Lower end of the interval of", "Upper end of the interval of", "Cross-fit estimate of"), strict=True)
)
USES = """\
For questions on what models say: which groups they tie to which class, in which contexts, and how surely. The figures
are associations in the contexts that were asked. They do not measure harm in use, and a low figure does not
certify a model. They say nothing about people: a probability here is what a model says, not a fact. Do not train on
these data, and do not decide anything about a person by them."""
DATASET = FolderKind(dict.fromkeys((r"(models|groups|stereotypes)\.parquet", "README.md"), 10_000_000_000))


def card_of(results: Sequence[ResultBase], columns: Mapping[str, Sequence[str]]) -> str:
    """Return the card of a data set in Markdown with a YAML header. ``columns`` are the columns of each table."""
    import yaml

    first = results[0]
    title = f"{first.topic} ({first.language}): bias and volatility of language models"
    configs: list[dict[str, Any]] = [
        {"config_name": name, "data_files": [{"split": "test", "path": f"{name}.parquet"}]} for name in ROWS
    ]
    configs[0]["default"] = True
    header = {"pretty_name": title, "language": [first.language], "tags": ["bias", "evaluation", "bvf"]}
    top = yaml.safe_dump({**header, "configs": configs}, sort_keys=False, allow_unicode=True)
    sections = [f"# {escaped(title)}", _origin(results), markdown_text(results).rstrip(), *_tables(results, columns)]
    gaps = [f"- {escaped(gap)}" for gap in record_of(first).asked.meaning.gaps] or ["The topic does not say."]
    ends = [f"## What it may be used for\n\n{USES}", "\n".join(["## What is left out\n", *gaps])]
    return "\n\n".join([f"---\n{top}---", *sections, *ends]) + "\n"


def meaning_of(column: str, results: Sequence[ResultBase]) -> str:
    """Return the meaning of a column in a few words; empty if it is not described."""
    figures = {each.field: each.meaning for each in (*group_figures(results), *model_figures(results))}
    described = figures.get(column) or COLUMNS.get(column) or _described(column, results[0])
    if described:
        return described
    for ending, meaning in ENDINGS.items():
        if column.endswith(f"_{ending}"):
            return f"{meaning} {column.removesuffix(f'_{ending}')}"
    for beginning, meaning in BEGINNINGS.items():
        if column.startswith(beginning):
            return f"{meaning} {column.removeprefix(beginning)}"
    return ""


def _described(column: str, result: ResultBase) -> str:
    """The description of a column's field in the result's class; empty if there is no such field."""
    fields = {f"uncertainty_{name}": info for name, info in type(result.uncertainty).model_fields.items()}
    for part in (*result.groups[:1], result):
        fields |= type(part).model_fields
    return (fields[column].description or "") if column in fields else ""


def _origin(results: Sequence[ResultBase]) -> str:
    asked = record_of(results[0]).asked
    called = (hub_id(result.model_path) or without_folder(result.model) for result in results)
    models = ", ".join(dict.fromkeys(map(escaped, called)))
    packages = filter(None, (record_of(result).model.package for result in results))
    licences = "; ".join(dict.fromkeys(escaped(package.described) for package in packages))
    lines = [
        f"{escaped(asked.summary)}. Models that were asked: {models}. Written by `bvf export --to datasets`.",
        *([f"Models from Python packages: {licences}."] if licences else []),
        f"What is measured: {escaped(asked.meaning.construct_)}",
        f"Groups and words: {escaped('; '.join(asked.sources))}",
        f"Contexts: {escaped(without_folders(asked.contexts_source))}",
        "Licence: not stated. Whoever publishes this adds `license:` to the header, after a look at the sources.",
    ]
    return "\n\n".join(lines)


def _tables(results: Sequence[ResultBase], columns: Mapping[str, Sequence[str]]) -> list[str]:
    sections = []
    for name, rows in ROWS.items():
        lines = [f"| {escaped(column)} | {escaped(meaning_of(column, results))} |" for column in columns[name]]
        table = "\n".join(["| column | |", "| --- | --- |", *lines])
        sections.append(f'## {name}\n\n`load_dataset(FOLDER, "{name}")`: {rows}.\n\n{table}')
    return sections


def write_dataset(results: Sequence[ResultBase], folder: Path | str) -> None:
    """Write ``models``, ``groups`` and ``stereotypes`` as Parquet, in place of such files, and a card."""
    check_together(results)
    place = Folder(Path(folder), DATASET)
    with disk_errors_explained(folder, "choose another folder"):
        columns = {
            "models": _written(place, "models", iter([model_table(results)])),
            "groups": _written(place, "groups", iter([group_table(results)])),
            "stereotypes": _written(place, "stereotypes", map(_stereotypes, results)),
        }
        place.write("README.md", card_of(results, columns))


def _stereotypes(result: ResultBase) -> "pd.DataFrame":
    frame = result.stereotypes()
    for place, (name, value) in enumerate(key_of(result).items()):
        frame.insert(place, name, value)
    return frame


def _written(place: Folder, name: str, parts: "Iterator[pd.DataFrame]") -> list[str]:
    """Write data frames below each other to one Parquet file, and return the names of their columns."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    first = pa.Table.from_pandas(next(parts), preserve_index=False)
    with place.replacing(f"{name}.parquet") as out, pq.ParquetWriter(out, first.schema) as writer:
        writer.write_table(first)
        for part in parts:
            writer.write_table(pa.Table.from_pandas(part, schema=first.schema, preserve_index=False))
    return list(first.schema.names)
