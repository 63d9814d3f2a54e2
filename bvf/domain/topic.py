"""A topic: the groups X, the attributes Y with their words, and what is known of the two."""

from collections import Counter
from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from bvf.errors import BvfError

Name = Annotated[str, Field(min_length=1, pattern=r"^\S(.*\S)?$")]


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Attribute(_Frozen):
    """One class y of the judged attribute, and the words v that stand for it (Eq. 8)."""

    name: Name
    words: Annotated[tuple[Name, ...], Field(min_length=1)]


class Measurement(_Frozen):
    """What R is meant to say, and what it leaves out."""

    construct_: str = Field(alias="construct")
    harm: str
    chosen_by: str
    reference: str
    gaps: tuple[str, ...] = ()


class Statistic(_Frozen):
    """A table with its source and year; ``file`` is relative to the topic file."""

    file: str
    source: str
    year: int


class Topic(_Frozen):
    """Groups X, attributes Y, and their provenance; what a topic file holds.

    ``ambiguous`` words may stand in several classes and are counted in none. ``truth`` names the true
    attribute of each group, for knowledge criteria; ``criterion`` is the one to use where the user names none.
    ``glosses`` says in English what groups mean, for readers of tables; no model sees it.
    """

    schema_: Literal["bvf.topic/1"] = Field(alias="schema")
    name: Name
    language: Name
    summary: str
    contexts: Name
    sources: Annotated[tuple[str, ...], Field(min_length=1)]
    groups: Annotated[tuple[Name, ...], Field(min_length=1)]
    attributes: Annotated[tuple[Attribute, ...], Field(min_length=2)]
    ambiguous: tuple[str, ...] = ()
    measurement: Measurement
    criterion: str = ""
    control: bool = False
    truth: dict[str, str] = {}
    glosses: dict[str, Name] = {}
    group_weights: dict[str, Statistic] = {}
    references: dict[str, Statistic] = {}

    @model_validator(mode="after")
    def _consistent(self) -> "Topic":
        _refuse_repeats("group", self.groups)
        _refuse_slots(self.groups)
        _refuse_repeats("attribute", [attribute.name for attribute in self.attributes])
        for attribute in self.attributes:
            _refuse_repeats(f"word of {attribute.name},", attribute.words)
            if not set(attribute.words) - set(self.ambiguous):
                raise ValueError(f'attribute "{attribute.name}" has no word of its own')
        shared = _shared_words(self.attributes) - set(self.ambiguous)
        if shared:
            word = min(shared)
            owners = " and ".join(a.name for a in self.attributes if word in a.words)
            raise ValueError(f'the word "{word}" is in two classes, {owners}: take it out, or name it in "ambiguous"')
        _refuse_unknown_groups("truth", self.truth, self.groups)
        _refuse_unknown_groups("glosses", self.glosses, self.groups)
        for group, true in self.truth.items():
            if true not in self.attribute_names:
                raise ValueError(f'the truth of "{group}" is "{true}", which is no attribute of the topic')
        return self

    @property
    def attribute_names(self) -> tuple[str, ...]:
        return tuple(attribute.name for attribute in self.attributes)

    def counted_words(self) -> dict[str, tuple[str, ...]]:
        """Return the words of each class without the ambiguous ones."""
        return {a.name: tuple(w for w in a.words if w not in self.ambiguous) for a in self.attributes}

    def with_words(self, overrides: Mapping[str, tuple[str, ...]]) -> "Topic":
        """Return the topic with other words for some of its classes.

        Raises:
            BvfError: No such class, or a word would be in two classes.
        """
        unknown = set(overrides) - set(self.attribute_names)
        if unknown:
            raise BvfError(
                f'topic {self.name} has no class "{min(unknown)}"', f"its classes are {', '.join(self.attribute_names)}"
            )
        attributes = [
            {"name": a.name, "words": overrides.get(a.name, tuple(w for w in a.words if w not in self.ambiguous))}
            for a in self.attributes
        ]
        changed = {**self.model_dump(by_alias=True), "attributes": attributes, "ambiguous": ()}
        return checked_topic(changed, f"--words for topic {self.name}")


def checked_topic(raw: dict[str, object], where: str) -> Topic:
    """Return the topic that a table of fields describes.

    Raises:
        BvfError: It describes none; names ``where`` and the field.
    """
    try:
        return Topic.model_validate(raw)
    except ValidationError as error:
        first = min(error.errors(), key=lambda found: found["type"] != "extra_forbidden")
        field = ".".join(str(part) for part in first["loc"])
        message = (
            " ".join(first["msg"].split())
            .removeprefix("Value error, ")
            .replace("Extra inputs are not permitted", "no such field")
        )
        raise BvfError(f"{where}: {f'{field}: ' if field else ''}{message}", "see docs/how-to/topic.md") from error


def _refuse_repeats(what: str, names: tuple[str, ...] | list[str]) -> None:
    for name, times in Counter(names).items():
        if times > 1:
            raise ValueError(f'the {what} "{name}" is there {times} times')


def _refuse_slots(groups: tuple[str, ...]) -> None:
    for group in groups:
        if "[X]" in group or "[Y]" in group:
            raise ValueError(f'the group "{group}" has a slot in it: only templates have [X] and [Y]')


def _refuse_unknown_groups(table: str, named: Mapping[str, str], groups: tuple[str, ...]) -> None:
    for group in named:
        if group not in groups:
            raise ValueError(f'"{table}" names the group "{group}", which the topic has not')


def _shared_words(attributes: tuple[Attribute, ...]) -> set[str]:
    counts = Counter(word for attribute in attributes for word in set(attribute.words))
    return {word for word, times in counts.items() if times > 1}
