"""The bias scenario of a measurement, stated by an auditor."""

from collections.abc import Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bvf.errors import BvfError, nearest
from bvf.files.parsing import is_file, parse_toml, read_text

EXAMPLE = '[scenario] and, below it, group_at_risk = "..."'


class Scenario(BaseModel):
    """A bias scenario as prEN 18283 has it (six fields), and who measured for what. Every field is free text."""

    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True)

    group_at_risk: str = Field("", title="Group at risk")
    hazard: str = Field("", title="Hazard")
    measurement: str = Field("", title="Measurement")
    acceptability_threshold: str = Field("", title="Acceptability threshold")
    mitigation: str = Field("", title="Mitigation")
    review_trigger: str = Field("", title="Review trigger")
    purpose: str = Field("", title="Intended purpose of the system")
    conducted_by: str = Field("", title="Conducted by")
    signed: str = Field("", title="Date and signature")

    def stated(self) -> tuple[tuple[str, str], ...]:
        """Return the name of each field and its statement, or a note that there is none."""
        fields = type(self).model_fields
        return tuple((str(field.title), getattr(self, name) or "not stated") for name, field in fields.items())

    def missing(self, names: Sequence[str]) -> list[str]:
        """Return the titles of those of the named fields that are not stated."""
        fields = type(self).model_fields
        return [str(fields[name].title).lower() for name in names if not getattr(self, name)]


def read_scenario(file: Path) -> Scenario:
    """Read the table ``[scenario]`` of a TOML file. Other tables of the file are ignored."""
    if not is_file(file):
        raise BvfError(f"{file}: no file", f"write one with {EXAMPLE}")
    table = parse_toml(read_text(file), str(file)).get("scenario")
    if not isinstance(table, dict):
        raise BvfError(f"{file}: no table [scenario]", f"write {EXAMPLE}")
    try:
        return Scenario.model_validate(table)
    except ValidationError as error:
        field = str(error.errors()[0]["loc"][0])
        if field not in Scenario.model_fields:
            hint = nearest(field, list(Scenario.model_fields))
            raise BvfError(f'{file}: [scenario] has no field "{field}"', hint) from error
        raise BvfError(f"{file}: [scenario] {field} is not a text", f'write {field} = "..."') from error
