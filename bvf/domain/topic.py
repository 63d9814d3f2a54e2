"""A topic: the groups X, the attributes Y with their words, crossed phrases, and tables of facts about groups."""

import json
import re
from collections import ChainMap, Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from itertools import chain, product
from math import prod
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import (
    AfterValidator,
    BeforeValidator,
    ConfigDict,
    Field,
    ModelWrapValidatorHandler,
    ValidationError,
    ValidationInfo,
    model_validator,
)

from bvf.domain.config import all_wrong, first_wrong
from bvf.domain.numbers import Amount, Count, Record
from bvf.domain.pair import PAIR
from bvf.domain.spelling import written
from bvf.errors import BvfError, nearest, shortened

SLOT = re.compile(r"\[([^\[\]]*)\]")


def filled(pattern: str, words: Mapping[str, str]) -> str:
    """Return a pattern with its slots filled by words.

    >>> filled("[race] [gender]", {"race": "Black", "gender": "woman"})
    'Black woman'
    """
    return SLOT.sub(lambda slot: words[slot[1]], pattern)


def combinations(levels: Mapping[str, Sequence[str]]) -> Iterator[dict[str, str]]:
    """Yield every combination of one level per factor. The last factor changes fastest.

    >>> list(combinations({"race": ["Black", "white"], "gender": ["female"]}))
    [{'race': 'Black', 'gender': 'female'}, {'race': 'white', 'gender': 'female'}]
    """
    for chosen in product(*levels.values()):
        yield dict(zip(levels, chosen, strict=True))


def size_text(numbers: Sequence[int]) -> str:
    """Return the product of numbers as text that shows its factors.

    >>> size_text([7, 78, 40])
    '7 x 78 x 40 = 21,840'
    """
    return f"{' x '.join(map(str, numbers))} = {prod(numbers):,}"


def check_pattern(pattern: str, factors: Sequence[str]) -> None:
    """Check that a pattern has exactly one slot per factor.

    Raises:
        ValueError: A slot is missing, repeated or unknown; the message names it.
    """
    slots = SLOT.findall(pattern)
    for factor in factors:
        if slots.count(factor) != 1:
            raise ValueError(f'the phrase "{pattern}" has [{factor}] {slots.count(factor)} times, not once')
    unknown = [slot for slot in slots if slot not in factors]
    if unknown:
        raise ValueError(f'the phrase "{pattern}" has [{unknown[0]}], which is not one of {", ".join(factors)}')


MOST_GROUPS = 100_000
"""The most groups that a crossing of factors may make."""
MOST_NAMED = 10
"""The most errors of a topic that a message names."""
FEWEST_LETTERS_OF_A_SOURCE = 12

Name = Annotated[str, Field(min_length=1, pattern=r"^\S(.*\S)?$")]


def _written(name: str) -> str:
    try:
        return written(name)
    except BvfError as error:
        raise ValueError(f"{error.message}; {error.hint}") from error


Written = Annotated[Name, AfterValidator(_written)]
"""A name that a model reads, in one spelling."""
Spelt = Annotated[str, AfterValidator(_written)]
"""A text that names one of these, in the same spelling."""


def _one_or_several(true: Any) -> Any:
    several = true if isinstance(true, list | tuple) else [true]
    if not several or not all(isinstance(answer, str) for answer in several):
        found = shortened(json.dumps(true, ensure_ascii=False, default=str))
        raise ValueError(f'{found} stands where a text is meant: write "Paris", or several, ["Pretoria", "Cape Town"]')
    return several[0] if len(several) == 1 else tuple(several)


Truth = Annotated[Spelt | tuple[Spelt, ...], BeforeValidator(_one_or_several)]
"""The true answer of a group; a list if several are true."""


class _OfTopic(Record):
    """A table of a topic file; its fields are the keys in the file."""

    model_config = ConfigDict(populate_by_name=False)


class Attribute(_OfTopic):
    """One class y of the judged attribute, and the words v that stand for it (Eq. 8).

    ``factors`` names its level of each factor where topics are crossed: ``{"race": "black", "gender": "female"}``.
    """

    name: Written
    words: Annotated[tuple[Written, ...], Field(min_length=1)]
    factors: dict[Written, Written] = Field({})


class Meaning(_OfTopic):
    """What R is meant to say, and what it leaves out."""

    construct_: str = Field("not declared", alias="construct")
    harm: str = "not declared"
    chosen_by: str = "not declared"
    reference: str = "not declared"
    gaps: tuple[str, ...] = ()


class Group(_OfTopic):
    """A group x: its name as it stands in ``[X]``, its English gloss, and the level of each factor that it has.

    ``features`` are what wording rules go by, such as ``gender = "feminine"`` of a noun.
    """

    name: Name
    gloss: str = ""
    factors: dict[str, str] = Field({})
    features: dict[str, str] = Field({})


class GroupCrossing(_OfTopic):
    """Groups made of every combination of factor levels: a phrase with a slot per factor, and each factor's levels."""

    phrase: Written
    levels: Annotated[dict[Written, Annotated[tuple[Written, ...], Field(min_length=1)]], Field(min_length=1)]

    @model_validator(mode="after")
    def _consistent(self) -> "GroupCrossing":
        check_pattern(self.phrase, list(self.levels))
        numbers = [len(each) for each in self.levels.values()]
        if prod(numbers) > MOST_GROUPS:
            raise ValueError(f'"{self.phrase}" makes {size_text(numbers)} groups, more than {MOST_GROUPS:,}')
        return self

    def made(self) -> dict[str, dict[str, str]]:
        """Return the groups by name, with the level of every factor."""
        groups = dict[str, dict[str, str]]()
        for levels in combinations(self.levels):
            group = filled(self.phrase, levels)
            if group in groups:
                raise ValueError(f'the phrase "{self.phrase}" makes the group "{group}" several times')
            groups[group] = levels
        return groups


class Statistic(_OfTopic):
    """A table with its source and year; ``file`` is relative to the topic file."""

    file: str
    source: str
    year: Count


class GroupStatistic(Statistic):
    """A known property of groups, such as a wage: a column of a table, on which figures of groups are regressed.

    Slopes are per ``per`` units of ``unit``. ``share_of`` names the class whose share it is; empty: it is not a share.
    """

    column: Name = "value"
    label: Name
    unit: str = ""
    per: Annotated[Amount, Field(gt=0)] = 1.0
    note: str = ""
    share_of: str = ""


class Topic(_OfTopic):
    """Groups X, attributes Y, and their provenance; what a topic file holds.

    ``openings`` names the pool whose sentences stand before its contexts, or others of a pack (`Language.openings`).
    ``texts`` names the contexts after which a model writes texts, where those are others.
    ``ambiguous`` words may stand in several classes and are counted in none. ``units`` are words of the same use in
    every class, such as ``["him", "his", "her", "hers"]``: figures without one word leave out its unit. Other words are
    units by their position, where classes have equally many. ``kinds`` are words that measure differently, such as
    pronouns and nouns: a result has the figures of each, and whether they order the groups alike. ``truth`` names the
    true attribute of each group, or several, for knowledge criteria; ``criterion`` is the one to use where the user
    names none. ``neutral`` are subjects that name no particular person, such as *person*: every run asks them, and
    ``--reference prior`` takes its predictions for them as p*. ``glosses`` has English translations of groups, for
    readers of tables; ``factors`` the level of each factor that a group has, such as ``gender = "female"``. No model
    sees either.
    ``group_features`` has a table per feature of the words that groups are, such as the grammatical gender of a noun:
    the wording rules of the language get them (`Language.agree`). ``words_agree_with`` names those of the features with
    which the words of classes agree: each group is asked for one form of each word (`Language.word_form`), and whatever
    counts words counts them as they stand in the classes. A topic file may also have ``[[cross]]`` tables
    (`GroupCrossing`): their groups come after the others, with their factors. In place of ``[[attributes]]`` it may
    have ``answers = ["H", "He"]``: classes that are named after their only word. ``pairs`` are the groups that stand
    together in texts about two people, in both orders; without it, every two do. There a word may be ``[X1]`` or
    ``[X2]``, the people themselves.
    """

    schema_: Literal["bvf.topic/1"] = Field(alias="schema")
    name: Name
    language: Name
    summary: str
    contexts: Name
    openings: str = ""
    texts: str = ""
    sources: tuple[str, ...] = ()
    groups: Annotated[tuple[Written, ...], Field(min_length=1)]
    attributes: Annotated[tuple[Attribute, ...], Field(min_length=2)]
    ambiguous: tuple[Spelt, ...] = ()
    units: tuple[tuple[Spelt, ...], ...] = ()
    kinds: dict[Name, tuple[Spelt, ...]] = Field({})
    measurement: Meaning = Meaning()
    criterion: str = ""
    control: bool = False
    truth: dict[Spelt, Truth] = Field({})
    neutral: tuple[Written, ...] = ()
    glosses: dict[Spelt, Name] = Field({})
    factors: dict[Spelt, dict[Spelt, Spelt]] = Field({})
    group_features: dict[Written, dict[Spelt, Written]] = Field({})
    words_agree_with: tuple[Name, ...] = ()
    pairs: tuple[tuple[Spelt, Spelt], ...] = ()
    group_weights: dict[str, Statistic] = Field({})
    references: dict[str, Statistic] = Field({})
    statistics: dict[str, GroupStatistic] = Field({})
    EXAMPLE: ClassVar[str] = "Example of bvf new"
    """The beginning of the source in a topic that `bvf new` writes."""

    @model_validator(mode="before")
    @classmethod
    def _with_answers_as_attributes(cls, raw: Any) -> Any:
        if not isinstance(raw, dict) or "answers" not in raw:
            return raw
        rest = {name: value for name, value in raw.items() if name != "answers"}
        answers = raw["answers"]
        if "attributes" in rest:
            raise ValueError('"answers" and [[attributes]] both say what the classes are: write one of them')
        if not isinstance(answers, list | tuple) or not all(isinstance(answer, str) for answer in answers):
            raise ValueError('"answers" is a list of texts: answers = ["H", "He"]')
        return {**rest, "attributes": [{"name": answer, "words": [answer]} for answer in answers]}

    @model_validator(mode="before")
    @classmethod
    def _with_crossed_groups(cls, raw: Any) -> Any:
        if not isinstance(raw, dict) or "cross" not in raw:
            return raw
        rest = {name: value for name, value in raw.items() if name != "cross"}
        groups, factors, made = rest.get("groups", ()), rest.get("factors", {}), _crossed_groups(raw["cross"])
        if not isinstance(groups, list | tuple) or not isinstance(factors, dict):
            return rest  # their own types are refused
        levels = {group: {**levels, **factors.get(group, {})} for group, levels in made}
        return {**rest, "groups": [*groups, *(group for group, _ in made)], "factors": {**factors, **levels}}

    @model_validator(mode="after")
    def _consistent(self) -> "Topic":
        _refuse_repeats("group", self.groups)
        _refuse_repeats("neutral subject", self.neutral)
        if with_slot := [group for group in (*self.groups, *self.neutral) if "[X" in group or "[Y]" in group]:
            raise ValueError(f'the group "{with_slot[0]}" has a slot in it: only templates have [X] and [Y]')
        if both := sorted(set(self.neutral).intersection(self.groups)):
            raise ValueError(f'the neutral subject "{both[0]}" is a group: take it out of one of the two')
        _refuse_repeats("attribute", [attribute.name for attribute in self.attributes])
        for attribute in self.attributes:
            _refuse_repeats(f"word of {attribute.name},", attribute.words)
            if not set(attribute.words) - set(self.ambiguous):
                raise ValueError(f'attribute "{attribute.name}" has no word of its own')
        _refuse_missing_factors(self.attributes)
        times = Counter(word for words in self.counted_words().values() for word in set(words))
        if shared := [word for word in times if times[word] > 1]:
            word = min(shared)
            owners = " and ".join(a.name for a in self.attributes if word in a.words)
            raise ValueError(f'the word "{word}" is in two classes, {owners}: take it out, or name it in "ambiguous"')
        _refuse_wrong_words("units", self.units, {word for attribute in self.attributes for word in attribute.words})
        _refuse_units_without_a_class(self.units, self.attributes)
        _refuse_wrong_kinds(self.kinds, self.counted_words())
        for table in ("truth", "glosses", "factors"):
            _refuse_unknown_groups(table, getattr(self, table), set(self.groups))
        _refuse_wrong_pairs(self.pairs, set(self.groups))
        for group, true in self.truth.items():
            _refuse_wrong_truth(group, (true,) if isinstance(true, str) else true, self.attributes)
        for name, statistic in self.statistics.items():
            if statistic.share_of and statistic.share_of not in self.attribute_names:
                message = f'the statistic "{name}" is the share of "{statistic.share_of}", which is not an attribute'
                raise ValueError(message)
        return self

    @model_validator(mode="after")
    def _features_of_known_groups(self) -> "Topic":
        known = {*self.groups, *self.neutral}
        for feature, table in self.group_features.items():
            _refuse_unknown_groups(f"group_features.{feature}", table, known)
        for feature in self.words_agree_with:
            for group in (*self.groups, *self.neutral):
                if group not in self.group_features.get(feature, {}):
                    raise ValueError(
                        f'"words_agree_with" names the feature "{feature}", which "{group}" lacks: write it in '
                        f"[group_features.{feature}]"
                    )
        return self

    @model_validator(mode="wrap")
    @classmethod
    def _refused_in_one_line(cls, raw: Any, handler: ModelWrapValidatorHandler[Self], info: ValidationInfo) -> Self:
        try:
            return handler(raw)
        except ValidationError as error:
            wrong = all_wrong(error)
            more = f"; and {len(wrong) - MOST_NAMED:,} more" if len(wrong) > MOST_NAMED else ""
            raise BvfError(
                f"{info.context or cls.__name__}: {'; '.join(wrong[:MOST_NAMED])}{more}",
                "bvf new topic NAME writes one that is right",
            ) from None

    @property
    def attribute_names(self) -> tuple[str, ...]:
        return tuple(attribute.name for attribute in self.attributes)

    @property
    def vague_sources(self) -> tuple[str, ...]:
        """The sources that cannot be looked up. Such sources are too short, or are those of an example topic."""
        short = FEWEST_LETTERS_OF_A_SOURCE
        return tuple(each for each in self.sources if len(each.strip()) < short or each.startswith(self.EXAMPLE))

    @property
    def class_factors(self) -> tuple[dict[str, str], ...]:
        """The level of each factor, per class; empty dicts if the topic is not crossed."""
        return tuple(attribute.factors for attribute in self.attributes)

    def asked_in(self, named: str | None, installed: Sequence[str]) -> str:
        """Return the language in which the topic is asked: its own.

        Args:
            named: The language that the user named; None: no language.
            installed: The languages whose wording rules are installed.

        Raises:
            BvfError: The user named another language, or the rules of this one are not installed.
        """
        if named not in (None, self.language):
            message = f"--lang {named}: the topic {self.name} is in {self.language}"
            raise BvfError(message, f"leave --lang out, or choose a topic in {named}")
        if self.language not in installed:
            message = f'the topic {self.name} is in "{self.language}", a language whose wording rules are not installed'
            hint = f"{', '.join(installed)} are installed; `bvf new language {self.language}` writes a package of rules"
            raise BvfError(message, hint)
        return self.language

    def with_neutral_subjects(self) -> "Topic":
        """Return the topic with its neutral subjects as its groups, and without its tables on groups."""
        of_groups = ("truth", "glosses", "factors", "group_weights", "references", "statistics")
        return self.model_copy(update={"groups": self.neutral, "neutral": (), **{name: {} for name in of_groups}})

    @property
    def words_are_people(self) -> bool:
        """Whether a word of a class is one of the two people of a text."""
        return any(slot in word for attribute in self.attributes for word in attribute.words for slot in PAIR)

    def described(self, groups: Sequence[str]) -> tuple[Group, ...]:
        """Return the groups with these names, each with its gloss, factors and features."""
        return tuple(
            Group(
                name=group,
                gloss=self.glosses.get(group, ""),
                factors=self.factors.get(group, {}),
                features={name: table[group] for name, table in self.group_features.items() if group in table},
            )
            for group in groups
        )

    def counted_words(self) -> dict[str, tuple[str, ...]]:
        """Return the words of each class, except ambiguous words."""
        return {a.name: tuple(w for w in a.words if w not in self.ambiguous) for a in self.attributes}

    def counted_units(self) -> tuple[tuple[str, ...], ...]:
        """Return the named units, with the words of each that count."""
        return _whole_units(self.units, self.counted_words())

    def with_groups(self, own: Sequence[str]) -> "Topic":
        """Return the topic with more groups, of which its tables say nothing."""
        if not own:
            return self
        changed = {**self.model_dump(by_alias=True), "groups": (*self.groups, *own)}
        return checked_topic(changed, f"--groups for topic {self.name}")

    def with_words(self, overrides: Mapping[str, tuple[str, ...]]) -> "Topic":
        """Return the topic with other words for some of its classes, or with two or more other classes in their place.

        Raises:
            BvfError: There is no such class, or a word would be in two classes.
        """
        unknown = set(overrides) - set(self.attribute_names)
        if len(unknown) > 1 and unknown == set(overrides):
            return self._with_classes(overrides)
        if unknown:
            name = min(unknown)
            raise BvfError(
                f'topic {self.name} has no class "{name}"',
                f"{nearest(name, list(self.attribute_names))}; or name two classes or more of your own alone",
            )
        attributes = [
            {"name": name, "words": overrides.get(name, words), "factors": factors}
            for (name, words), factors in zip(self.counted_words().items(), self.class_factors, strict=True)
        ]
        units = _whole_units(self.units, {**self.counted_words(), **overrides})
        of_words = {"attributes": attributes, "ambiguous": (), "units": units, "kinds": {}}
        changed = {**self.model_dump(by_alias=True), **of_words}
        return checked_topic(changed, f"--words for topic {self.name}")

    def _with_classes(self, words: Mapping[str, tuple[str, ...]]) -> "Topic":
        """The topic with other classes: what it says of its own, such as its truth and p*, is left out."""
        of_own = {"ambiguous", "units", "kinds", "criterion", "control", "truth", "references", "statistics"}
        changed = self.model_dump(by_alias=True, exclude={*of_own, "measurement", "attributes"})
        attributes = [{"name": name, "words": of_class} for name, of_class in words.items()]
        instead = f"With the classes {' and '.join(words)} in place of {' and '.join(self.attribute_names)}."
        summary = f"{self.summary.removesuffix('.')}. {instead}"
        return checked_topic(
            {**changed, "summary": summary, "attributes": attributes}, f"--words for topic {self.name}"
        )


def checked_topic(raw: dict[str, object], where: str) -> Topic:
    """Make a topic from the fields of a topic file, and check it.

    Raises:
        BvfError: A field is wrong; the message names ``where`` and the field.
    """
    return Topic.model_validate(raw, context=where)


def features_together(topics: Sequence[Topic], groups: Sequence[str]) -> dict[str, dict[str, str]]:
    """Return the values of these groups by feature. If topics differ in a value, the first topic's is used."""
    names = dict.fromkeys(name for topic in topics for name in topic.group_features)
    known = {name: ChainMap(*(topic.group_features.get(name, {}) for topic in topics)) for name in names}
    return {name: {group: table[group] for group in groups if group in table} for name, table in known.items()}


def _crossed_groups(tables: Any) -> list[tuple[str, dict[str, str]]]:
    """Every group described by the ``[[cross]]`` tables of a topic file, with its level of each factor."""
    if not isinstance(tables, list | tuple):
        raise ValueError('"cross" is a list of tables: write [[cross]], phrase = "...", and [cross.levels]')
    try:
        made = [GroupCrossing.model_validate(table).made() for table in tables]
    except ValidationError as error:
        raise ValueError(f"cross: {first_wrong(error)}") from error
    return [(group, levels) for groups in made for group, levels in groups.items()]


def _whole_units(units: Sequence[Sequence[str]], words: Mapping[str, Sequence[str]]) -> tuple[tuple[str, ...], ...]:
    """The units with those of their words that are in a class, where each class has one."""
    counted = [tuple(word for word in unit if any(word in of_class for of_class in words.values())) for unit in units]
    return tuple(unit for unit in counted if not any(set(unit).isdisjoint(of_class) for of_class in words.values()))


def _refuse_units_without_a_class(units: Sequence[Sequence[str]], attributes: Sequence[Attribute]) -> None:
    for unit, attribute in product(units, attributes):
        if set(unit).isdisjoint(attribute.words):
            raise ValueError(
                f'"units" has the unit "{", ".join(unit)}" without a word of {attribute.name}: a unit has words of the '
                "same use in every class"
            )


def _refuse_wrong_words(name: str, lists: Sequence[Sequence[str]], words: Set[str]) -> None:
    for word, times in Counter(chain.from_iterable(lists)).items():
        if word not in words:
            raise ValueError(f'"{name}" names the word "{word}", which no class has')
        if times > 1:
            raise ValueError(f'"{name}" names the word "{word}" {times} times: a word is in one {name[:-1]}')


def _refuse_wrong_kinds(kinds: Mapping[str, Sequence[str]], words: Mapping[str, Sequence[str]]) -> None:
    _refuse_wrong_words("kinds", list(kinds.values()), set(chain.from_iterable(words.values())))
    for kind, listed in kinds.items():
        if without := [name for name, of_class in words.items() if not set(listed) & set(of_class)]:
            raise ValueError(f'the kind "{kind}" has no word of {without[0]}: it needs one of every class')


def _refuse_wrong_pairs(pairs: Sequence[tuple[str, str]], groups: Set[str]) -> None:
    for pair in pairs:
        _refuse_unknown_groups("pairs", dict.fromkeys(pair), groups)
        if pair[0] == pair[1]:
            raise ValueError(f'"pairs" has "{pair[0]}" with itself: a pair has two groups')
    _refuse_repeats("pair", [" & ".join(sorted(pair)) for pair in pairs])  # in either order: both are asked


def _refuse_wrong_truth(group: str, truths: tuple[str, ...], attributes: Sequence[Attribute]) -> None:
    names = [attribute.name for attribute in attributes]
    _refuse_repeats(f'truth of "{group}",', truths)
    for true in truths:
        if true not in names:
            owners = [attribute.name for attribute in attributes if true in attribute.words]
            right = f'it is a word of "{owners[0]}": write that' if owners else nearest(true, names)
            raise ValueError(f'the truth of "{group}" is "{true}", which is not an attribute of the topic; {right}')
    if len(truths) == len(names):
        raise ValueError(f'every answer is true of "{group}": leave it out, or add wrong answers')


def _refuse_missing_factors(attributes: Sequence[Attribute]) -> None:
    factors = dict.fromkeys(factor for attribute in attributes for factor in attribute.factors)
    for attribute in attributes:
        for factor in factors:
            if factor not in attribute.factors:
                raise ValueError(f'the attribute "{attribute.name}" has no level of the factor "{factor}"')


def _refuse_repeats(what: str, names: tuple[str, ...] | list[str]) -> None:
    for name, times in Counter(names).items():
        if times > 1:
            raise ValueError(f'the {what} "{name}" occurs {times} times')


def _refuse_unknown_groups(table: str, named: Mapping[str, object], groups: Set[str]) -> None:
    for group in named:
        if group not in groups:
            raise ValueError(f'"{table}" names the group "{group}", which the topic does not have')
