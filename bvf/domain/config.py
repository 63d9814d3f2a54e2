"""The base class of configurations (the user's choices). An unknown or wrong field raises a one-line error."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Self, TypeVar

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    ModelWrapValidatorHandler,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)

from bvf.domain.option_texts import parse_all_words, parse_labels
from bvf.errors import BvfError, nearest, shortened


def _listed(value: object) -> object:
    if not isinstance(value, str):
        return value
    names = [part.strip() for part in value.split(",") if part.strip()]
    if not names:
        raise ValueError("there is no name in it")
    return names


def _several(value: object) -> object:
    return (value,) if isinstance(value, str) else value


Names = Annotated[tuple[str, ...], BeforeValidator(_listed)]
OneOrMore = Annotated[tuple[str, ...], BeforeValidator(_several)]


@dataclass(frozen=True)
class Option:
    """The command-line option of a field of a configuration.

    Args:
        panel: The heading below which help lists it.
        metavar: The placeholder of its value in help; empty: the usual one for its kind.
        kind: The type of its value; bool: the option is a flag without a value.
        may_be_off: A flag NAME has a contrary one, no-NAME.
        many: The option may be given several times.
        letter: For a table of a plugin's options: the letter, such as ``B`` in ``-B KEY=VALUE``.
    """

    panel: str
    metavar: str = ""
    kind: type[str | int | float | bool] = str
    many: bool = False
    letter: str = ""
    may_be_off: bool = False


class Config(BaseModel):
    """The user's choices: frozen, without unknown fields, with valid UTF-8 text. A `Path` is stored as text.

    Raises:
        BvfError: A field is unknown or wrong; the message names it in one line.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    @classmethod
    def checked(cls, values: Mapping[str, Any], where: str) -> Self:
        """Make a configuration from values by field name.

        Raises:
            BvfError: A field is unknown or wrong; the message names it and ``where``, the source of the values.
        """
        return cls.model_validate(dict(values), context=where)

    @classmethod
    def refusal(cls, error: ValidationError, where: str) -> BvfError:
        """Return the one-line error for fields that pydantic refuses. It names ``where``, the source of the values."""
        return setting_refused(error, where, cls)

    @model_validator(mode="wrap")
    @classmethod
    def _refused_in_one_line(cls, values: Any, handler: ModelWrapValidatorHandler[Self], info: ValidationInfo) -> Self:
        try:
            return handler(values)
        except ValidationError as error:
            raise cls.refusal(error, info.context or cls.__name__) from None

    @model_validator(mode="before")
    @classmethod
    def _with_paths_as_text(cls, values: Any) -> Any:
        return {name: _as_text(value) for name, value in values.items()} if isinstance(values, dict) else values

    def given(self) -> dict[str, Any]:
        """Return the values of the fields that were set explicitly, by field name."""
        return {name: getattr(self, name) for name in type(self).model_fields if name in self.model_fields_set}

    @field_validator("words", "label", mode="before", check_fields=False)
    @classmethod
    def _parsed(cls, value: Any, info: ValidationInfo) -> Any:
        if isinstance(value, list | tuple) and all(isinstance(text, str) for text in value):
            return parse_labels(value) if info.field_name == "label" else parse_all_words(value)
        return value

    @field_validator("*")
    @classmethod
    def _utf8(cls, value: Any) -> Any:
        if hasattr(value, "name"):
            return value
        try:
            json.dumps(value, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            raise ValueError("not UTF-8, so that it cannot be stored with the result") from None
        return value


C = TypeVar("C", bound=Config)


def setting_refused(
    error: ValidationError, where: str, config: type[BaseModel], others: Sequence[str] = ()
) -> BvfError:
    """Return the one-line error for the first field that a configuration refuses. It names ``where``, the source.

    If the field is unknown, the hint suggests similar names among the fields and ``others``.
    """
    first = min(error.errors(), key=lambda problem: problem["type"] != "extra_forbidden")
    fields = config.model_fields
    field = str(first["loc"][0]) if first["loc"] else ""
    if first["type"] == "extra_forbidden":
        return BvfError(f'{where}: there is no setting "{field}"', nearest(field, [*fields, *others]))
    hint = fields[field].description or "" if field in fields else ""
    given, message = shortened(str(first["input"])), first["msg"].removeprefix("Value error, ")
    return BvfError(f'{where}: {field} is "{given}": {message}', hint)


def settings_of(kind: type[C], config: C | None, choices: Mapping[str, Any], where: str) -> C:
    """Return a configuration with the fields in ``choices`` set. Other fields are as in ``config``, or have defaults.

    Raises:
        BvfError: A field is unknown or wrong, or ``config`` is not a configuration of this kind.
    """
    if config is not None and not isinstance(config, kind):
        raise BvfError(f"{where}: {config!r:.80} is not a {kind.__name__}", 'name what you choose: model="gpt2"')
    if config is not None and not choices:
        return config
    return kind.checked({**(config.given() if config is not None else {}), **choices}, where)


def _as_text(value: Any) -> Any:
    """The value with every path replaced by its text, also in lists."""
    if isinstance(value, list | tuple):
        return [_as_text(each) for each in value]
    return str(value) if isinstance(value, Path) else value
