"""The configuration of a gate: limits, and choices of the analysis (criterion, p*), from options or ``gate.toml``."""

import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from pydantic import AfterValidator, Field, ValidationError

from bvf.domain.config import File, setting_refused
from bvf.domain.numbers import Finite
from bvf.errors import BvfError, shortened
from bvf.files.parsing import parse_toml, read_text
from bvf.study.config import AnalysisConfig, AnalysisKeywords

Bound = Literal["max", "min", "no_worse"]
BOUNDS: tuple[Bound, ...] = get_args(Bound)
UNQUOTED_GROUP = re.compile(r"^\s*(\w+\[[^\]\n]*\])\s*=", re.MULTILINE)
"""A key such as ``r_bias[nurse]`` without the quotes that TOML requires."""
EXAMPLE = "write [max] and, below it, R = 0.4"


def _stripped(limits: dict[str, float]) -> dict[str, float]:
    twice = [name for name, times in Counter(name.strip() for name in limits).items() if times > 1]
    if twice:
        raise ValueError(f"{twice[0]} has two limits")
    return {name.strip(): limit for name, limit in limits.items()}


Limits = Annotated[dict[str, Finite], AfterValidator(_stripped)]


class GateConfig(AnalysisConfig):
    """The configuration of a gate: limits, and the analysis whose figures they are for."""

    max: Limits = Field(default={}, description="The highest value that each figure may have: R = 0.4")
    min: Limits = Field(default={}, description="The lowest value that each figure may have")
    baseline: str = Field(default="", description="The folder of a run that this one is compared with")
    no_worse: Limits = Field(default={}, description="How far each figure may be above that of the baseline")
    as_is: bool = Field(
        default=False, strict=True, description="true: decide on the figure itself where there is no interval"
    )
    allow_low_mass: bool = Field(
        default=False,
        strict=True,
        description="true: decide although the compared words have little of the probability",
    )

    @classmethod
    def refusal(cls, error: ValidationError, where: str) -> BvfError:
        first = error.errors()[0]
        field, *inside = map(str, first["loc"])
        message = first["msg"].removeprefix("Value error, ")
        if field in BOUNDS and inside:
            return BvfError(f'{where}: {field}.{inside[0]} is "{shortened(str(first["input"]))}": {message}', EXAMPLE)
        if field in BOUNDS:
            return BvfError(f"{where}: {field}: {message}", EXAMPLE)
        if first["type"] == "extra_forbidden" and isinstance(first["input"], int | float):
            return BvfError(f'{where}: there is no setting "{field}"', f"write a limit in a table: {EXAMPLE}")
        return setting_refused(error, where, GateConfig)


def read_gate(file: Path) -> dict[str, Any]:
    """Read a ``gate.toml``: limits and choices of the analysis. Its path ``baseline`` is relative to the file."""
    text = read_text(file)
    try:
        values = parse_toml(text, str(file))
    except BvfError as error:
        unquoted = UNQUOTED_GROUP.search(text)
        raise BvfError(error.message, f'write "{unquoted[1]}" = 0.4, with the quotes' if unquoted else "") from error
    given = GateConfig.checked(values, str(file)).given()
    return {**given, "baseline": str(file.parent / given["baseline"])} if given.get("baseline") else given


def analysis_part(config: AnalysisConfig) -> AnalysisConfig:
    """Return an `AnalysisConfig` with the fields that were set in a gate's configuration, without its limits."""
    return AnalysisConfig(
        **{name: value for name, value in config.given().items() if name in AnalysisConfig.model_fields}
    )


class GateKeywords(AnalysisKeywords, total=False):
    """The fields of `GateConfig` as keyword arguments."""

    max: Mapping[str, float]
    min: Mapping[str, float]
    baseline: File
    no_worse: Mapping[str, float]
    as_is: bool
    allow_low_mass: bool
