"""Every choice of a run. Each is a field here, an option of ``bvf run``, and a key of a file."""

import os
from collections.abc import Collection
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from bvf.domain.config import Option
from bvf.domain.numbers import written_number
from bvf.files.parsing import parse_toml, read_text
from bvf.measuring.config import EVERYDAY, MeasureConfig
from bvf.study.config import AnalysisConfig

SEPARATORS = {"plugin": ",", "without": ",", "words": ";", "label": ";", "chat_variable": ";"}
"""Separators of the values of a list in the environment."""


class RunConfig(MeasureConfig, AnalysisConfig):
    """Every choice of a run: what is asked of one model, and how its answers are analysed."""

    controls: Annotated[bool, Option("What", kind=bool)] = Field(
        default=False,
        description="Ask the same groups of the language's control topics too, which have no known stereotype.",
    )
    other_words: Annotated[bool | None, Option("What", kind=bool, may_be_off=True)] = Field(
        default=None,
        description="Ask other words in the same prompts too, as a standard for how far apart groups are; where that "
        "takes no further forward pass, if not given.",
    )


def read_config(path: Path) -> dict[str, Any]:
    """Read a ``run.toml``. ``model`` may be a list of names or tables, and ``contexts`` a list of names."""
    return parse_toml(read_text(path), str(path))


def environment(fields: Collection[str] = (*RunConfig.model_fields, *EVERYDAY)) -> dict[str, Any]:
    """Return the values of the fields set by environment variables ``BVF_MODEL``, ``BVF_TOPIC``, ...

    ``BVF_PLUGIN``, ``BVF_WITHOUT`` and ``BVF_CROSS`` are names with commas between them; ``BVF_WORDS`` has a
    semicolon between classes, as in ``male=he,him;female=she,her``. ``BVF_LABEL`` and ``BVF_CHAT_VARIABLE`` have one
    between labels and variables.
    """
    names = {f"BVF_{field.upper()}": field for field in fields if not field.endswith("_options")}
    given: dict[str, Any] = {
        field: _value_of(field, os.environ[name]) for name, field in names.items() if os.environ.get(name)
    }
    for field in SEPARATORS.keys() & given.keys():
        given[field] = [part.strip() for part in given[field].split(SEPARATORS[field]) if part.strip()]
    return given


def _value_of(field: str, text: str) -> Any:
    """The value of a variable: a number where the option of the field takes one."""
    info = RunConfig.model_fields.get(field)
    kinds = [each.kind for each in info.metadata if isinstance(each, Option)] if info else []
    return written_number(text) if {int, float} & {*kinds} else text
