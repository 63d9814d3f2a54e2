"""The base class of configurations, the user's choices, the texts of options, and one-line errors for wrong fields."""

import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import PathLike, fspath
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
from pydantic_core import ErrorDetails

from bvf.domain.spelling import plain_letters
from bvf.errors import BvfError, nearest, shortened

MEANT = {"tuple_type": "a list", "list_type": "a list", "string_type": "a text"}
MEANT |= dict.fromkeys(("dict_type", "model_type", "model_attributes_type", "dataclass_type"), "a table")
"""What a value should have been, by the type of the error."""


def first_wrong(error: ValidationError) -> str:
    """Return a line with the field and the message of the first error. Errors on unknown fields come first."""
    return all_wrong(error)[0]


def all_wrong(error: ValidationError) -> list[str]:
    """Return a line per error, with its field and message. Errors on unknown fields come first.

    A list that is too short because its values are wrong has lines on these alone.
    """
    problems = sorted(error.errors(), key=lambda problem: problem["type"] != "extra_forbidden")
    parents = {each["loc"][:depth] for each in problems for depth in range(len(each["loc"]))}
    return [_line(each) for each in problems if each["type"] != "too_short" or each["loc"] not in parents]


def _line(problem: ErrorDetails) -> str:
    field = ".".join(str(part) for part in problem["loc"])
    if problem["type"] in MEANT:
        return _of_another_kind(problem["loc"], problem["input"], MEANT[problem["type"]])
    message = " ".join(problem["msg"].split()).removeprefix("Value error, ")
    message = message.replace("Extra inputs are not permitted", "no such field")
    return f"{field}: {message}" if field else message


def _of_another_kind(place: tuple[int | str, ...], found: Any, meant: str) -> str:
    """A line on a text where a list is meant, or the like. A list inside lists is shown with these.

    >>> _of_another_kind(("units", 0), "he", "a list")
    'units: "he" stands where a list is meant: write [["he", ...]]'
    """
    given, names, right = shortened(json.dumps(found, ensure_ascii=False, default=str)), list(place), ""
    if meant == "a list" and isinstance(found, str):
        right = f"[{given}, ...]"
        while len(names) > 1 and isinstance(names[-1], int):
            names, right = names[:-1], f"[{right}]"
    elif meant == "a text" and isinstance(found, int | float):
        right = f'"{given}"'
    field = ".".join(map(str, names))
    where, instead = f"{field}: " if field else "", f": write {right}" if right else ""
    return f"{where}{given} stands where {meant} is meant{instead}"


def parse_all_words(texts: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return the words of every class, each given as ``class=word,word``.

    Raises:
        BvfError: A text has no words, or two texts have the same class.
    """
    words: dict[str, tuple[str, ...]] = {}
    for name, listed in map(parse_words, texts):
        if name in words:
            both = ",".join((*words[name], *listed))
            raise BvfError(f'--words: the class "{name}" occurs twice', f"write its words once: '{name}={both}'")
        words[name] = listed
    return words


def parse_labels(texts: Sequence[str]) -> dict[str, str]:
    """Return labels by name, each given as ``name=value``.

    Raises:
        BvfError: A text is not of this form, or two texts have the same name.
    """
    labels: dict[str, str] = {}
    for text in texts:
        name, _, value = (part.strip() for part in text.partition("="))
        if not name or not value:
            raise BvfError(f'--label "{text}" is not a label', "write name=value, e.g. --label size=7b")
        if name in labels:
            raise BvfError(f"--label {text}: {name} occurs twice", "name every label once")
        labels[name] = value
    return labels


def parse_words(text: str) -> tuple[str, tuple[str, ...]]:
    """Return the class and its words, given as ``class=word,word``. Raises `BvfError` if there are no words."""
    name, equals, words = plain_letters(text).partition("=")
    listed = tuple(word.strip() for word in words.split(",") if word.strip())
    if not equals or not listed:
        raise BvfError(f'--words "{text}" names no words', "write class=word,word, e.g. --words 'male=he,him'")
    return name.strip(), listed


def parse_values(texts: Sequence[str], option: str, *, what: str = "value", name: str = "NAME") -> dict[str, Any]:
    """Return values by name, each given as ``name=value``. `value_of` reads the value.

    Raises:
        BvfError: A text is not of this form, or two texts have the same name; the message names the ``option``.
    """
    values: dict[str, Any] = {}
    for text in texts:
        key, equals, value = (part.strip() for part in text.partition("="))
        if not equals or not key:
            raise BvfError(f"{option} {text}: no {what} is set", f"write {option} {name}=VALUE")
        if key in values:
            raise BvfError(f"{option} {text}: {key} is set twice", "set it once")
        values[key] = value_of(value)
    return values


def value_of(text: str) -> Any:
    """Return the value that a text is in TOML, if JSON has such a value too. Otherwise it is the text.

    >>> value_of("false"), value_of("26 Jul 2024"), value_of("2024-07-26"), value_of("'3'")
    (False, '26 Jul 2024', '2024-07-26', '3')
    """
    try:
        value = tomllib.loads(f"value = {text}")["value"]
        json.dumps(value, allow_nan=False)
    except (ValueError, TypeError, RecursionError):
        return text
    return value


def text_of(value: Any) -> str:
    """Return the text from which `value_of` makes this value.

    >>> text_of(False), text_of("low"), text_of("3"), text_of({"a": [1, "b"]})
    ('false', 'low', '"3"', '{"a" = [1, "b"]}')
    """
    if isinstance(value, str):
        return value if value == value.strip() and value_of(value) == value else _quoted(value)
    return _toml(value)


def assignments(values: Mapping[str, str]) -> str:
    """Return values by name as one text: ``a=1, b=2``."""
    return ", ".join(f"{name}={value}" for name, value in values.items())


def _toml(value: Any) -> str:
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_quoted(str(key))} = {_toml(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return json.dumps(value)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007F")


File = str | PathLike[str]
Names = str | Sequence[File]
"""Keyword arguments whose values a configuration stores as text."""


def _listed(value: object) -> object:
    if not isinstance(value, str):
        return value
    names = [part.strip() for part in value.split(",") if part.strip()]
    if not names:
        raise ValueError("there is no name in it")
    return names


def _several(value: object) -> object:
    return (value,) if isinstance(value, str) else value


Listed = Annotated[tuple[str, ...], BeforeValidator(_listed)]
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
    """The user's choices: frozen, without unknown fields, with valid UTF-8 text. A path is stored as text.

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
    return fspath(value) if isinstance(value, PathLike) else value
