"""What to mine and how: one field per option of ``bvf mine``, and keyword of `bvf.mine`."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, TypedDict

from pydantic import Field, ValidationError, field_validator, model_validator

from bvf import BvfError, Topic
from bvf.domain import MIN_CONFIDENCE, Amount, Config, Count, Names, OneOrMore, Option
from bvf.errors import shortened
from bvf.files import parse_toml, read_text
from bvf.study import PartOf, TopicChoice, with_options_in_tables

REQUIRED = ("corpus", "out")
WITH_OPTIONS = ("miner", "engine", "topic")
OPTIONS, IN_PYTHON = "options", "mine"
"""How error messages name the source of a setting: the command line, or keywords of `bvf.mine`."""


class MineConfig(Config):
    """What to mine, for which topic, and how."""

    corpus: Annotated[OneOrMore, Field(min_length=1)] = Field(
        description="Files, folders, globs or addresses of .txt, .jsonl, .csv, .tsv, .parquet, .xml (dumps of wikis), "
        "each also .gz, .bz2, .zst; - or hf:NAME."
    )
    out: str = Field(description="Context set to write (.csv); a folder of them for several corpora.")
    lang: Annotated[str, Option("What")] = Field(default="en", description="Language of the corpus.")
    topic: Annotated[TopicChoice, Option("What")] = Field(
        default="", description="Topic whose words are looked for, or a topic file (.toml)."
    )
    text_column: Annotated[str, Option("Corpus", "NAME")] = Field(
        default="", description="Field or column of the text; found by its usual names if not given."
    )
    encoding: Annotated[str, Option("Corpus")] = Field(
        default="utf-8", description="Of text, JSON lines and CSV: gb18030, latin-1, ..."
    )
    sample: Annotated[Count, Option("Corpus", "N", kind=int)] = Field(
        default=0, description="Only N documents, drawn by the seed; 0: all."
    )
    seed: Annotated[Count, Option("Corpus", kind=int)] = Field(default=0, description="Seed of the sample.")
    miner: Annotated[str, Option("Method")] = Field(
        default="",
        description="What makes templates of sentences, see `bvf miners`; that of the language if not given.",
    )
    max_words: Annotated[Annotated[Count, Field(ge=2)], Option("Method", "N", kind=int)] = Field(
        default=60, description="Pass over longer sentences; Chinese characters count as words."
    )
    min_confidence: Annotated[Annotated[Amount, Field(le=1)], Option("Method", "C", kind=float)] = Field(
        default=MIN_CONFIDENCE,
        description="Leave out matches in which the miner is less sure whom the pronoun means: 0 (keep all) to 1.",
    )
    workers: Annotated[Count, Option("Advanced", "N", kind=int)] = Field(
        default=0, description="Processes; 0: one per processor that may be used. The result is the same."
    )
    engine: Annotated[str, Option("Advanced")] = Field(
        default="",
        description="Where pieces are mined, in place of --workers: local, processes:4, or that of a plugin.",
    )
    engine_options: Annotated[dict[str, Any], Option("Advanced", "KEY=VALUE", letter="E")] = Field(
        default={}, description="Options of the engine, see `bvf engines show`."
    )
    miner_options: Annotated[dict[str, Any], Option("Advanced", "KEY=VALUE", letter="M")] = Field(
        default={}, description="Options of the miner, see `bvf miners show`."
    )
    topic_options: Annotated[dict[str, Any], Option("Advanced", "KEY=VALUE", letter="T")] = Field(
        default={}, description="Options of the topic, see `bvf topics show`."
    )
    matches: Annotated[str, Option("Output", "FILE.jsonl")] = Field(
        default="", description="Write every match that counts, for audit (.jsonl); a folder for several corpora."
    )
    force: Annotated[bool, Option("Output", kind=bool)] = Field(
        default=False, description="Replace existing files, whatever wrote them."
    )
    examples: bool = Field(default=True, description="Keep one sentence per template, and its document.")
    part: Annotated[PartOf, Option("Advanced", "I/N")] = Field(
        default="",
        description="Mine one part of the pieces only, as 3/16; the same command without it finishes the set.",
    )
    plugin: Annotated[OneOrMore, Option("Advanced", "NAME", many=True)] = Field(
        default=(), description="A plugin to use: a module or file.py."
    )
    without: Annotated[OneOrMore, Option("Advanced", "NAME", many=True)] = Field(
        default=(), description="A plugin to leave out."
    )

    @field_validator("*")
    @classmethod
    def _utf8(cls, value: Any) -> Any:
        """Take file names unchanged. Unlike other settings, they need not be stored as UTF-8."""
        return value

    @model_validator(mode="before")
    @classmethod
    def _options_in_their_tables(cls, values: Any) -> Any:
        return with_options_in_tables(values, WITH_OPTIONS) if isinstance(values, dict) else values

    @classmethod
    def refusal(cls, error: ValidationError, where: str) -> BvfError:
        first = min(error.errors(), key=lambda problem: problem["type"] != "extra_forbidden")
        field = str(first["loc"][0]) if first["loc"] else ""
        name = "CORPUS" if field == "corpus" else f"--{field.replace('_', '-')}"
        described = cls.model_fields[field].description or "" if field in cls.model_fields else ""
        if first["type"] == "missing":
            return BvfError(_not_given(name, where), described)
        if where != OPTIONS or not described:
            return super().refusal(error, where)
        return BvfError(f'{name} is "{shortened(str(first["input"]))}": {first["msg"]}', described)


def merged_mine_config(given: dict[str, Any], file: Path | None) -> MineConfig:
    """Return the configuration of a TOML file. Settings from the command line replace those of the file.

    The file has the fields of `MineConfig`; options of the miner and of the engine may stand in tables ``[miner]`` and
    ``[engine]``, beside their ``name``.
    """
    if file is None:
        return MineConfig.checked(given, OPTIONS)
    of_file = with_options_in_tables(parse_toml(read_text(file), str(file)), WITH_OPTIONS)
    required = {field: given[field] for field in REQUIRED if field in given}
    MineConfig.checked({**required, **of_file}, str(file))
    fields = [f"{part}_options" for part in WITH_OPTIONS]
    options = {field: {**of_file.get(field, {}), **given.get(field, {})} for field in fields}
    return MineConfig.checked({**of_file, **given, **options}, OPTIONS)


def _not_given(option: str, where: str) -> str:
    if where in {MineConfig.__name__, IN_PYTHON}:
        return f"{where}: {option.removeprefix('--').lower()} is not given"
    return f"{option} is not given" if where == OPTIONS else f"{option} is not given, and not in {where}"


class MineKeywords(TypedDict, total=False):
    """All fields of `MineConfig`."""

    corpus: Names
    out: str | Path
    lang: str
    topic: str | Path | Topic
    text_column: str
    encoding: str
    sample: int
    seed: int
    miner: str | Mapping[str, Any]
    max_words: int
    min_confidence: float
    workers: int
    engine: str | Mapping[str, Any]
    engine_options: Mapping[str, Any]
    miner_options: Mapping[str, Any]
    topic_options: Mapping[str, Any]
    matches: str | Path
    examples: bool
    part: str
    force: bool
    plugin: Names
    without: Names
