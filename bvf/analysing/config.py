"""How answers are analysed; and every choice of a run: one field here, one option of ``bvf run``, one key of a file."""

import os
from collections.abc import Collection
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError

from bvf.errors import BvfError
from bvf.files.parsing import parse_toml, read_text
from bvf.measuring.config import EVERYDAY, Config, Count, MeasureConfig, setting_refused

SEPARATORS = {"plugin": ",", "without": ",", "words": ";", "label": ";"}
"""What stands between the values of a list in the environment."""


class AnalysisConfig(Config):
    """What is done with answers that are there; no model is asked again, whatever is chosen here."""

    analysis: str = Field(default="", description="See `bvf analyses`; the one for the criterion if not said.")
    criterion: str = Field(
        default="",
        description="Criterion J, see `bvf criteria`: lk:2, direction:male, ...; the topic's own or linf if not said.",
    )
    distractors: Count = Field(
        default=0,
        description="Knowledge: the true answer and N wrong ones per subject, drawn by the seed; 0: all answers.",
    )
    scale: Literal["unit", "raw"] = Field(
        default="unit", description="unit: 1 is a fully stereotyped model; raw: J as it is, Eq. 1 and 2 as written."
    )
    reference: str = Field(
        default="uniform",
        description="Unbiased model p*: uniform, mean (the model's own over all groups), prior (its own for neutral "
        "subjects, by context), a table of the topic, or a CSV of group and classes, by context if it has that column.",
    )
    group_weights: str = Field(
        default="uniform", description="P(X): uniform, a table of the topic (employment), or a CSV of group and weight."
    )
    margin: str = Field(
        default="", description="Crossed topics: only this factor, its classes summed over those of the others: gender."
    )
    words: dict[str, tuple[str, ...]] = Field(
        default={}, description="Only these words of a class count: 'male=he,him'; all that were asked if not said."
    )
    unit: Literal["", "document", "occurrence", "template"] = Field(
        default="",
        description="The unit by which contexts were drawn, for intervals: document, occurrence or template; the best "
        "one known for the set if not said.",
    )
    level: Annotated[float, Field(ge=0.5, lt=1)] = Field(default=0.95, description="Level of the intervals.")
    seed: Count = Field(default=0, description="Seed of everything that is sampled.")

    @classmethod
    def refusal(cls, error: ValidationError, where: str) -> BvfError:
        return setting_refused(error, where, RunConfig, tuple(EVERYDAY))


class RunConfig(MeasureConfig, AnalysisConfig):
    """Every choice of a run: what is asked of one model, and how its answers are analysed."""

    words: dict[str, tuple[str, ...]] = Field(default={}, description="Other words for a class: 'male=he,him'.")
    controls: bool = Field(
        default=False,
        description="Ask the same groups of the language's control topics too, in which nobody expects a stereotype.",
    )


def read_config(path: Path) -> dict[str, Any]:
    """Read the keys of a ``run.toml``; ``model`` may be a list of names or of tables there, ``contexts`` one of names.

    Raises:
        BvfError: The file is missing or not TOML; says where.
    """
    return parse_toml(read_text(path), str(path))


def environment(fields: Collection[str] = (*RunConfig.model_fields, *EVERYDAY)) -> dict[str, Any]:
    """Return the values of the fields that ``BVF_MODEL``, ``BVF_TOPIC``, ... set.

    ``BVF_PLUGIN``, ``BVF_WITHOUT`` and ``BVF_CROSS`` are names with commas between them; ``BVF_WORDS`` has a
    semicolon between classes, as in ``male=he,him;female=she,her``, and ``BVF_LABEL`` one between labels.
    """
    names = {f"BVF_{field.upper()}": field for field in fields if not field.endswith("_options")}
    given = {field: os.environ[name] for name, field in names.items() if os.environ.get(name)}
    return {field: _split(text, SEPARATORS[field]) if field in SEPARATORS else text for field, text in given.items()}


def _split(text: str, separator: str) -> list[str]:
    return [part.strip() for part in text.split(separator) if part.strip()]


def checked_config(values: dict[str, Any], where: str) -> RunConfig:
    """Return the configuration, or raise `BvfError` with one line that says what is wrong with which field."""
    return RunConfig.checked(values, where)


def checked_analysis(values: dict[str, Any], where: str) -> AnalysisConfig:
    """Return the choices of an analysis, or raise `BvfError` likewise."""
    return AnalysisConfig.checked(values, where)
