"""Every choice of a run: one field here, one option of ``bvf run``, one key of ``run.toml``."""

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, field_validator

from bvf.errors import BvfError, nearest
from bvf.files.parsing import parse_toml, read_text


def _number(value: object) -> object:
    if isinstance(value, bool):
        raise ValueError("Input should be a number, not true or false")
    return value


Count = Annotated[int, BeforeValidator(_number), Field(ge=0)]
Positive = Annotated[int, BeforeValidator(_number), Field(ge=1)]

RUNTIME_FIELDS = frozenset({"out", "engine", "batch_tokens", "device", "device_map", "mass_sample"})
"""Fields that may change between a killed run and the one that goes on with it."""


SEVERAL = ("model", "contexts")
"""Fields that a file or the command line may give several values, each of which is a run."""
SEPARATORS = {"plugin": ",", "without": ",", "words": ";"}
"""What stands between the values of a list in the environment."""


class RunConfig(BaseModel):
    """The configuration of one run: one model, one topic, one context set."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    model: str = Field(
        default="",
        description="Hub id, folder, bundled:NAME or BACKEND:NAME; the language's bundled model if not said.",
    )
    topic: str = Field(default="", description="What is measured, see `bvf topics`, or a topic file (.toml).")
    relation: str = Field(default="", description="Relation of a topic that has several, as in pararel:FOLDER: P36.")
    lang: str = Field(default="en", description="Language of the topic, contexts and wording rules.")
    contexts: str = Field(
        default="",
        description="Context set by name, or a CSV, TSV, JSONL or Parquet file; the topic's own if not said. "
        "On the command line, several give a row each.",
    )
    words: dict[str, tuple[str, ...]] = Field(default={}, description="Other words for a class: 'male=he,him'.")
    limit_contexts: Count = Field(default=0, description="Only the N heaviest contexts; 0: all.")
    limit_groups: Count = Field(default=0, description="Only the first N groups; 0: all.")
    criterion: str = Field(
        default="",
        description="Criterion J, see `bvf criteria`: lk:2, direction:male, ...; the topic's own or linf if not said.",
    )
    distractors: Count = Field(
        default=0,
        description="Knowledge: the true answer and N wrong ones a subject, drawn by the seed; 0: all answers.",
    )
    scale: Literal["unit", "raw"] = Field(
        default="unit", description="unit: 1 is a fully stereotyped model; raw: J as it is, Eq. 1 and 2 as written."
    )
    reference: str = Field(
        default="uniform",
        description="Unbiased model p*: uniform, mean (the model's own over all groups), a table of the topic, "
        "or a CSV of group and classes.",
    )
    group_weights: str = Field(
        default="uniform", description="P(X): uniform, a table of the topic (employment), or a CSV of group and weight."
    )
    backend: str = Field(
        default="", description="How the model is read, see `bvf backends`; found from the model's config if not said."
    )
    engine: str = Field(
        default="", description="Where shards are scored: here if not said; processes:4 in so many at once."
    )
    device: str = Field(default="auto", description="auto, cpu, cuda, cuda:1, mps.")
    dtype: Literal["auto", "float32", "bfloat16", "float16"] = Field(
        default="auto", description="Number format of the weights; auto: float32 on a CPU."
    )
    device_map: str = Field(default="", description="accelerate's device map (auto) for models larger than one device.")
    revision: str = Field(default="", description="Branch, tag or commit of the model on the hub.")
    trust_remote_code: bool = Field(default=False, description="Run code that comes with the model.")
    allow_pickle: bool = Field(default=False, description="Read weights that are not safetensors.")
    chat_template: bool = Field(
        default=False, description="Chat models: put every context into the user's turn; the words begin the answer."
    )
    system: str = Field(default="", description="Chat models: what the system's turn says.")
    word_boundary: bool = Field(
        default=False,
        description="Causal models: count a word only where it ends, so that 'he' has nothing of 'heir'.",
    )
    tolerance: Annotated[float, BeforeValidator(_number), Field(ge=0, lt=1)] = Field(
        default=0.0,
        description="Leave words out that can move no class probability by more, as 1e-3; 0: ask every word.",
    )
    batch_tokens: Annotated[Positive | Literal["auto"], Field(union_mode="left_to_right")] = Field(
        default="auto", description="Tokens a batch; auto: grows, and backs off when memory runs out."
    )
    mass_sample: Annotated[Positive | Literal["all"], Field(union_mode="left_to_right")] = Field(
        default=64, description="Prompts on which the candidate mass is measured, or all."
    )
    seed: Count = Field(default=0, description="Seed of everything that is sampled.")
    plugin: tuple[str, ...] = Field(
        default=(), description="A plugin whose parts become the defaults of this run; or a module or file.py."
    )
    without: tuple[str, ...] = Field(default=(), description="A plugin to leave out.")
    out: str = Field(default="", description="Results folder; runs/NAME if not said.")

    @field_validator("words", mode="before")
    @classmethod
    def _parsed_words(cls, value: Any) -> Any:
        if isinstance(value, list | tuple) and all(isinstance(text, str) for text in value):
            return parse_all_words(value)
        return value

    @field_validator("*")
    @classmethod
    def _utf8(cls, value: Any) -> Any:
        try:
            json.dumps(value, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            raise ValueError("not UTF-8, so that it cannot be stored with the result") from None
        return value

    def identity(self) -> dict[str, Any]:
        """Return the fields that must be equal for a run to go on in a folder."""
        return self.model_dump(mode="json", exclude=set(RUNTIME_FIELDS))


def parse_all_words(texts: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return the words of every class, each given as ``class=word,word``.

    Raises:
        BvfError: A text names no words, or a class is there twice.
    """
    words: dict[str, tuple[str, ...]] = {}
    for name, listed in map(parse_words, texts):
        if name in words:
            both = ",".join((*words[name], *listed))
            raise BvfError(f'--words: the class "{name}" is there twice', f"write its words once: '{name}={both}'")
        words[name] = listed
    return words


def parse_words(text: str) -> tuple[str, tuple[str, ...]]:
    """Return the class and its words in ``class=word,word``."""
    name, equals, words = text.partition("=")
    listed = tuple(word.strip() for word in words.split(",") if word.strip())
    if not equals or not listed:
        raise BvfError(f'--words "{text}" names no words', "write class=word,word, e.g. --words 'male=he,him'")
    return name.strip(), listed


def read_config(path: Path) -> dict[str, Any]:
    """Read the keys of a ``run.toml``; ``model`` and ``contexts`` may be lists there.

    Raises:
        BvfError: The file is missing or not TOML (says where), or one of those lists is no list of names.
    """
    values = parse_toml(read_text(path), str(path))
    for field in SEVERAL:
        chosen = values.get(field)
        if isinstance(chosen, list) and not (chosen and all(isinstance(name, str) for name in chosen)):
            raise BvfError(f"{path}: {field} is a list without a name, or of more than names", _described(field))
    return values


def environment() -> dict[str, Any]:
    """Return the fields that ``BVF_MODEL``, ``BVF_TOPIC``, ... set.

    ``BVF_PLUGIN`` and ``BVF_WITHOUT`` are names with commas between them; ``BVF_WORDS`` has a semicolon between
    classes, as in ``male=he,him;female=she,her``.
    """
    names = {f"BVF_{field.upper()}": field for field in RunConfig.model_fields}
    given = {field: os.environ[name] for name, field in names.items() if os.environ.get(name)}
    return {field: _split(text, SEPARATORS[field]) if field in SEPARATORS else text for field, text in given.items()}


def _split(text: str, separator: str) -> list[str]:
    return [part.strip() for part in text.split(separator) if part.strip()]


def checked_config(values: dict[str, Any], where: str) -> RunConfig:
    """Return the configuration, or raise `BvfError` with one line that says what is wrong with which field."""
    try:
        return RunConfig.model_validate(values)
    except ValidationError as error:
        first = error.errors()[0]
        field = str(first["loc"][0]) if first["loc"] else ""
        if first["type"] == "extra_forbidden":
            raise BvfError(
                f'{where}: there is no setting "{field}"', nearest(field, list(RunConfig.model_fields))
            ) from error
        raise BvfError(
            f'{where}: {field} is "{first["input"]}": {first["msg"].removeprefix("Value error, ")}', _described(field)
        ) from error


def _described(field: str) -> str:
    return RunConfig.model_fields[field].description or "" if field in RunConfig.model_fields else ""
