"""What to mine and how: one field an option of ``bvf mine``."""

from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from bvf.domain.certainty import MIN_CONFIDENCE
from bvf.errors import BvfError
from bvf.files.parsing import parse_toml, read_text
from bvf.measuring.config import PartOf, setting_refused, with_options_in_tables

REQUIRED = ("corpus", "out")
WITH_OPTIONS = ("miner", "engine")


def _several(value: object) -> object:
    return [value] if isinstance(value, str) else value


class MineConfig(BaseModel):
    """What to mine, for which topic, and how; one field an option of ``bvf mine``."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    corpus: Annotated[tuple[str, ...], BeforeValidator(_several), Field(min_length=1)] = Field(
        description="Files, folders or globs of .txt, .jsonl, .csv, .tsv, .parquet (.gz, .bz2, .zst), - or hf:NAME."
    )
    out: str = Field(description="Context set to write (.csv); a folder of them for several corpora.")
    lang: str = Field(default="en", description="Language of the corpus.")
    topic: str = Field(default="", description="Topic whose words are looked for, or a topic file (.toml).")
    text_column: str = Field(
        default="", description="Field or column of the text; found by its usual names if not said."
    )
    encoding: str = Field(default="utf-8", description="Of text, JSON lines and CSV: gb18030, latin-1, ...")
    sample: Annotated[int, Field(ge=0)] = Field(default=0, description="Only N documents, drawn by the seed; 0: all.")
    seed: Annotated[int, Field(ge=0)] = Field(default=0, description="Seed of the sample.")
    max_words: Annotated[int, Field(ge=2)] = Field(
        default=60, description="Pass over longer sentences; Chinese characters count as words."
    )
    min_confidence: Annotated[float, Field(ge=0, le=1)] = Field(
        default=MIN_CONFIDENCE,
        description="Leave out matches of whose pronoun the miner is less sure: 0 (all) to 1.",
    )
    workers: Annotated[int, Field(ge=0)] = Field(
        default=0, description="Processes; 0: one per core. The result is the same."
    )
    engine: str = Field(
        default="",
        description="Where pieces are mined, in place of --workers: local, processes:4, or that of a plugin.",
    )
    engine_options: dict[str, Any] = Field(default={}, description="Options of the engine, see `bvf engines show`.")
    miner_options: dict[str, Any] = Field(default={}, description="Options of the miner, see `bvf miners show`.")
    matches: str = Field(
        default="", description="Write every match that counts, for audit (.jsonl); a folder for several corpora."
    )
    examples: bool = Field(default=True, description="Keep a sentence a template, and where it stands.")
    part: PartOf = Field(
        default="",
        description="Mine one part of the pieces only, as 3/16; the same command without it finishes, on one folder.",
    )
    plugin: tuple[str, ...] = Field(default=(), description="A plugin to use: a module or file.py.")
    without: tuple[str, ...] = Field(default=(), description="A plugin to leave out.")


def merged_mine_config(given: dict[str, Any], file: Path | None) -> MineConfig:
    """Return the configuration of a TOML file with what was given on the command line in its place.

    The file has the fields of `MineConfig`; options of the miner and of the engine may stand in tables ``[miner]`` and
    ``[engine]``, where the latter has a ``name``.

    Raises:
        BvfError: A setting is unknown, wrong or missing; says where it was read.
    """
    if file is None:
        return checked_mine_config(given)
    of_file = with_options_in_tables(parse_toml(read_text(file), str(file)), WITH_OPTIONS)
    required = {field: given[field] for field in REQUIRED if field in given}
    _checked({**required, **of_file}, str(file))
    fields = [f"{part}_options" for part in WITH_OPTIONS]
    options = {field: {**of_file.get(field, {}), **given.get(field, {})} for field in fields}
    return checked_mine_config({**of_file, **given, **options})


def checked_mine_config(values: dict[str, Any]) -> MineConfig:
    """Return the configuration, or raise `BvfError` with one line that says which option is wrong."""
    return _checked(values, "")


def _checked(values: dict[str, Any], file: str) -> MineConfig:
    try:
        return MineConfig.model_validate(values)
    except ValidationError as error:
        first = error.errors()[0]
        field = str(first["loc"][0])
        name = "CORPUS" if field == "corpus" else f"--{field.replace('_', '-')}"
        described = MineConfig.model_fields[field].description or "" if field in MineConfig.model_fields else ""
        if first["type"] == "missing":
            raise BvfError(f"{name} is not said" + (f", and not in {file}" if file else ""), described) from error
        if file or not described:
            raise setting_refused(error, file or "options", MineConfig) from error
        raise BvfError(f'{name} is "{first["input"]}": {first["msg"]}', described) from error
