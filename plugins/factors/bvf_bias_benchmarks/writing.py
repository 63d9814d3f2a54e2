"""HONEST, BOLD and the like: prompts that a model continues, lexica of the user, and scores of the texts."""

import hashlib
import math
import re
import unicodedata
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import ClassVar

import numpy as np

from bvf import BvfError, Reader, load
from bvf.domain import value_text
from bvf.files import Row, delimited_rows, parse_json
from bvf.interfaces import Answer, Item, Score, Sums, Text
from bvf_bias_benchmarks.pack import Cells, Pack, parts, ratio
from bvf_bias_benchmarks.reading import group_called, name_of, text_of

TEXT, ITEM, PROMPT = "text", "item", "prompt"
OF_ANSWERS = ("model", "wording", "group", "sample", TEXT, ITEM, PROMPT)
"""Columns of a table of texts that are no figures."""
IN_LEXICON = "hurtful"
TRUTHS = {"true": 1.0, "false": 0.0}
CONSERVATIVE = "conservative"
"""The level of those words of HurtLex that hurt in most senses. HONEST counts these alone."""
NO_LETTER = re.compile(r"[\W_]+")
GENDER, MOST_WORDS = "gender", "share"
"""The topic whose words say that a text is about a man or a woman, and the reader by the class with most of them."""
GAP = "[M]"
HURTLEX = "https://github.com/valeriobasile/hurtlex"


@dataclass(frozen=True)
class Lexicon:
    """Words and phrases, without accents and capitals."""

    words: frozenset[str]  # each is one word, or several with a space between them

    @property
    def digest(self) -> str:
        """A digest of the words: equal lexica have equal ones, in whichever file and order."""
        return hashlib.sha256("\n".join(sorted(self.words)).encode()).hexdigest()[:16]

    def is_in(self, text: str) -> bool:
        """Whether a text has one of the words as a whole word.

        >>> words = Lexicon(frozenset({"fool", "old goat"}))
        >>> words.is_in("She is no Foól."), words.is_in("What an old goat!"), words.is_in("foolish")
        (True, True, False)
        """
        words = plain(text).split()
        longest = max((word.count(" ") for word in self.words), default=0) + 1
        return any(
            " ".join(words[start : start + length]) in self.words
            for length in range(1, longest + 1)
            for start in range(len(words) - length + 1)
        )


def read_lexicon(file: Path) -> Lexicon:
    """Return the words of a file: one a line, or those of HurtLex whose level is ``conservative``."""
    text = text_of(file)
    header, lemmas = text.split("\n", 1)[0].strip().split("\t"), text.split("\n")
    if "lemma" in header:
        if "level" not in header:
            raise BvfError(
                f'{file}: there is no column "level"', "HurtLex has id, pos, category, stereotype, lemma, level"
            )
        rows = delimited_rows(text, str(file))
        lemmas = [row.text("lemma") for row in rows if row.values["level"] == CONSERVATIVE]
    words = frozenset(filter(None, map(plain, lemmas)))
    if not words:
        raise BvfError(f"{file}: there is no word in it", "write one per line, or take HurtLex as it is published")
    return Lexicon(words)


def plain(text: str) -> str:
    """Return the words of a text in small letters without accents, with one space between them.

    >>> plain("He said: «À la carte, good-for-nothing!»")
    'he said a la carte good for nothing'
    """
    letters = unicodedata.normalize("NFKD", text)
    bare = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return NO_LETTER.sub(" ", bare.lower()).strip()


class WritingPack(Pack):
    """A benchmark of prompts. Its scores are means over texts of what is found in them, and of figures of the user.

    Attributes:
        outcome: What is found in a text and is the declared outcome.

    Args:
        lexicon: A file with the words of the score ``hurtful``; empty: none.
    """

    asks = "texts"
    outcome: ClassVar[str]

    def __init__(self, lexicon: str = "") -> None:
        super().__init__()
        self.lexicon: Lexicon | None = read_lexicon(Path(lexicon)) if lexicon else None
        self.found = cache(self.found_in)

    @abstractmethod
    def found_in(self, text: str) -> Mapping[str, float]:
        """Return what the pack itself finds in a text, by name."""

    def in_lexicon(self, text: str) -> dict[str, float]:
        """Return whether a text has a word of the lexicon, as ``hurtful``; empty if there is no lexicon."""
        return {} if self.lexicon is None else {IN_LEXICON: float(self.lexicon.is_in(text))}

    @property
    def mark(self) -> dict[str, str]:
        """The digest of the lexicon as a value of items, so that scores by different lexica are never compared."""
        return {} if self.lexicon is None else {"lexicon": self.lexicon.digest}

    def row(self, answer: Answer) -> Cells:
        """As declared; what the pack finds in a text is yes or no, and figures of the user are numbers."""
        cells: Cells = {**self.described_by(answer), self.outcome: None}
        for text in answer.texts:
            found = self.found(text.text)
            values = self._values(text).items()
            cells |= {name: bool(value) if name in found else value for name, value in values}
        return cells

    def scores(self, answers: Sequence[Answer]) -> list[Score]:
        for answer in answers[:1]:
            if answer.item.values.get("lexicon", "") != self.mark.get("lexicon", ""):
                raise BvfError(
                    f"{self.title}: the lexicon has other words than when these texts were measured",
                    f"measure them again: bvf factors run {self.name}:FILE --data DIR --answers rows.jsonl",
                )
        answers = [each for each in answers if not all(text.missing for text in each.texts)] or answers
        named = dict.fromkeys(name for answer in answers for text in answer.texts for name in self._values(text))
        names = list(named) or [self.outcome]
        return [self._mean(name, part, of) for of, part in parts(answers, (), *self.divisions) for name in names]

    def _mean(self, name: str, answers: Sequence[Answer], of: Mapping[str, str]) -> Score:
        numbers, lowest = np.zeros((len(answers), 2)), 0.0
        for number, answer in enumerate(answers):
            values = [value for text in answer.texts if (value := self._values(text).get(name)) is not None]
            numbers[number] = sum(values), len(values)
            lowest = -1.0 if min(values, default=0.0) < 0.0 else lowest
        one_each = bool((numbers[:, 1] == 1.0).all()) and set(np.unique(numbers[:, 0])) <= {0.0, 1.0}
        sums, ideal = Sums(answers, numbers, (ratio(),), lowest, is_share=one_each), 0.0 if name == IN_LEXICON else None
        return Score.of_sums(name, sums, of, ideal=ideal, items=int(numbers[:, 1].sum()))

    def published(self, file: Path, items: Sequence[Item]) -> Iterator[Answer]:
        """Yield the answers in a table with a row per text: ``text``, the ``item`` or its ``prompt``, and figures.

        The texts of a prompt that several items have are dealt out to them in their order.
        """
        rows = list(self.rows(file, (TEXT,)))
        figures = _figures(rows, {*OF_ANSWERS, *self.described, *self.found(""), self.outcome})
        having: dict[str, list[str]] = {}
        for item in items:
            having.setdefault(_spaced(item.left), []).append(item.id)
        of_item: dict[str, list[Text]] = {item.id: [] for item in items}
        of_prompt: dict[str, list[Text]] = {prompt: [] for prompt in having}
        for number, row in enumerate(rows):
            item_id = value_text(row.values.get(ITEM))
            of_it = of_item.get(item_id) if item_id else of_prompt.get(_spaced(self.left_of(row.text(PROMPT))))
            if of_it is None:
                raise BvfError(
                    f"{row.where}: no prompt of {self.title} is this one",
                    "are these texts after the prompts of --data?",
                )
            values = {name: column[number] for name, column in figures.items()}
            of_it.append(Text(value_text(row.values[TEXT]) or "", values))
        for prompt, texts in of_prompt.items():
            for place, each in enumerate(having[prompt]):
                first, last = (len(texts) * end // len(having[prompt]) for end in (place, place + 1))
                of_item[each] += texts[first:last]
        yield from (Answer(item, texts=tuple(of_item[item.id])) for item in items if of_item[item.id])

    def left_of(self, prompt: str) -> str:
        """Return the text of a prompt that a model continues."""
        return prompt

    def _values(self, text: Text) -> dict[str, float]:
        return {} if text.missing else {**self.found(text.text), **text.values}


def _figures(rows: Sequence[Row], others: set[str]) -> dict[str, list[float]]:
    """The columns of numbers in a table of texts, from -1 to 1: one number per row. Columns of words are left out."""
    made: dict[str, list[float]] = {}
    for column in dict.fromkeys(name for row in rows for name in row.values if name and name not in others):
        if any(_is_figure(row, column) for row in rows):
            made[column] = [_figure(row, column) for row in rows]
    for column, figures in made.items():
        wrong = next((row for row, value in zip(rows, figures, strict=True) if not -1.0 <= value <= 1.0), None)
        if wrong is not None:
            raise BvfError(
                f'{wrong.where}: "{wrong.values[column]}" in column "{column}" is not from -1 to 1',
                "divide the figures of the classifier, or leave the column out",
            )
    return made


def _figure(row: Row, column: str) -> float:
    """The number in a cell; 1 for true and 0 for false."""
    truth = TRUTHS.get(str(row.values.get(column)).lower())
    return row.number(column) if truth is None else truth


def _is_figure(row: Row, column: str) -> bool:
    try:
        return math.isfinite(_figure(row, column))
    except BvfError:
        return False


def _spaced(text: str) -> str:
    return " ".join(text.split())


class Bold(WritingPack):
    """Prompts in five domains, of which each is about a group or a profession. Five empty ones are left out.

    The scores are the shares of texts with more words for men than for women (``male``), and with more for women
    (``female``), by the words of bvf's English topic on gender; that with a word of the user's lexicon; and the means
    of what the user's own classifiers say of each text.
    """

    name = "bold"
    outcome = "male"
    described = ("domain", "category", "page")
    divisions = (("domain",), ("category",))

    def read(self, file: Path) -> Iterator[Item]:
        domain = name_of(file).removesuffix("_prompt.json")
        values = parse_json(self.text(file), str(file))
        for category, pages in _objects(values, file):
            for page, prompts in _objects(pages, file):
                if not isinstance(prompts, list) or not all(isinstance(each, str) for each in prompts):
                    raise BvfError(
                        f"{file}: {category}, {page}: is not a list of prompts", "leave the file as published"
                    )
                about = {"domain": domain, "category": category, "page": f"{category}/{page}", **self.mark}
                group = group_called(category.replace("_", " "))
                for number, prompt in enumerate(prompts):
                    if prompt.strip():
                        item = f"{domain}/{category}/{page}/{number}"
                        yield Item(item, (), prompt.rstrip(), values=about, group=group)

    def found_in(self, text: str) -> Mapping[str, float]:
        gender = self._gender_of(text)
        return {name: float(gender == name) for name in ("male", "female")} | self.in_lexicon(text)

    @cached_property
    def _gender_of(self) -> Callable[[str], object]:
        """The function that reads the gender of most gendered words in a text."""
        plugins = load()
        topic = plugins.topics.in_language(self.language).make(GENDER)
        classes = topic.with_words(topic.counted_words()).attributes
        reader: Reader = plugins.readers.make(MOST_WORDS)
        return reader.reading(classes, plugins.languages.make(self.language))


def _objects(values: object, file: Path) -> Iterator[tuple[str, object]]:
    if not isinstance(values, dict):
        raise BvfError(f"{file}: not as published", 'the prompts of a page stand in {"GROUP": {"PAGE": ["..."]}}')
    yield from values.items()


class Honest(WritingPack):
    """Sentences that a model completes. The score is the share of completions with a word of the user's lexicon.

    A sentence is about the people whom its identity term names: women or men in the binary set; in the set on LGBTQIA+
    people each term is a group. A folder stands for its English files; those of other languages are given by name.
    """

    name = "honest"
    outcome = IN_LEXICON
    described = ("identity", "category", "number", "type", "template")
    divisions = (("category",), ("type",))

    def __init__(self, lexicon: str = "") -> None:
        super().__init__(lexicon)
        self.of_sample = read_lexicon(Path(str(self.sample / "lexicon.txt")))
        self.lexicon = self.lexicon or self.of_sample

    def items(self, data: Path) -> Iterator[Item]:
        self.files(data)
        if self.lexicon is self.of_sample and data != Path(str(self.sample)):
            raise BvfError(
                f"{self.name}: its score needs a lexicon of hurtful words, which bvf does not have",
                f"bvf factors run {self.name}:FILE, with HurtLex ({HURTLEX}) or a word per line",
            )
        return super().items(data)

    def read(self, file: Path) -> Iterator[Item]:
        name, columns = name_of(file).removesuffix(".tsv"), self.described[:-1]
        for number, row in enumerate(self.rows(file, ("template_masked", "raw", *columns))):
            left, gap, right = row.text("template_masked").partition(GAP)
            if not gap:
                raise BvfError(
                    f'{row.where}: "{left}" has no {GAP}, where a completion stands', "see the published file"
                )
            values = {**{column: row.text(column) for column in columns}, "template": row.text("raw"), **self.mark}
            who = values["category"] if values["category"] in ("female", "male") else values["identity"]
            group = group_called(who)
            yield Item(f"{name}/{number}", (), left.rstrip(), right, values=values, group=group)

    def found_in(self, text: str) -> Mapping[str, float]:
        return self.in_lexicon(text)

    def left_of(self, prompt: str) -> str:
        return prompt.partition(GAP)[0].rstrip()
