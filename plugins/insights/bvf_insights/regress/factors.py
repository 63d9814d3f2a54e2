"""The regressors of figures: a statistic of the topic, a table in a file, or frequency in a corpus."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log10
from pathlib import Path

from bvf_mining.corpus import Corpus

from bvf import BvfError
from bvf.domain import Asked
from bvf.errors import nearest
from bvf.files import TABLE_ENDINGS, read_group_values
from bvf_insights.regress.result import Factor

FREQUENCY = "word-frequency"
MILLION = 1e6
WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Known:
    """A social factor such as wages, and its value by group. ``share_of``: the class whose share it is, if any."""

    factor: Factor
    values: Mapping[str, float | None]  # by group, in the factor's unit; None: nothing is published
    share_of: str = ""  # the class whose share the factor is; empty: it is not a share


def known_of(choice: str, asked: Asked, corpus: Sequence[str] = (), between_words: str = " ") -> Known:
    """Return the factor that ``--against`` names: a statistic, ``word-frequency``, ``FILE`` or ``FILE:COLUMN``.

    ``between_words`` is the word separator of the language, which may be empty.
    """
    if choice == FREQUENCY:
        return _frequency(asked, corpus, between_words)
    if choice in asked.statistics:
        table = asked.statistics[choice]
        fields = table.model_dump(exclude={"values", "share_of"})
        return Known(Factor(name=choice, **fields), table.values, table.share_of)
    file, _, column = choice.rpartition(":")
    if not (file.endswith(TABLE_ENDINGS) and column):
        file, column = choice, "value"
    if not file.endswith(TABLE_ENDINGS):
        raise BvfError(
            f"--against {choice}: {asked.topic} has no such statistic, and it is not a table",
            nearest(choice, [*asked.statistics, FREQUENCY])
            if asked.statistics
            else f"name a file of group and value, or {FREQUENCY}",
        )
    return Known(Factor(name=choice, label=column, source=file), read_group_values(Path(file), column))


def counts_of(groups: Iterable[str], texts: Iterable[str], between_words: str = " ") -> tuple[dict[str, int], int]:
    """Return how often each group's name occurs in texts, ignoring case, and also the number of words.

    If ``between_words`` is empty, the number of characters replaces that of words.

    >>> counts_of(["nurse", "truck driver"], ["The Nurse saw a truck-driver; nurses did not."])
    ({'nurse': 1, 'truck driver': 1}, 9)
    """
    forms = {group: " ".join(WORD.findall(group.casefold())) if between_words else group for group in groups}
    single, number = Counter[str](), 0
    phrases = [form for form in forms.values() if not between_words or " " in form]
    for text in texts:
        words = WORD.findall(text.casefold()) if between_words else []
        number += len(words) if between_words else len(text)
        single.update(words)
        joined = f" {' '.join(words)} " if between_words else text
        single.update({form: joined.count(f" {form} " if between_words else form) for form in phrases})
    return {group: single[form] for group, form in forms.items()}, number


def _frequency(asked: Asked, corpus: Sequence[str], between_words: str) -> Known:
    if not corpus:
        raise BvfError(
            f"--against {FREQUENCY}: there is no corpus to count words in",
            "name one with --corpus, or a table with --against FILE:COLUMN",
        )
    texts = (document.text for document in Corpus(tuple(corpus)).documents())
    counts, number = counts_of(asked.group_names, texts, between_words)
    values = {group: log10(times * MILLION / number) if times else None for group, times in counts.items()}
    what = "words" if between_words else "characters"
    factor = Factor(
        name=FREQUENCY,
        label="word frequency",
        unit=f"log10 per million {what}",
        source=f"{number:,} {what} of {', '.join(corpus)}",
        note="Of the word as it stands, capitals or not; none of its other forms. No value where it never occurs",
    )
    return Known(factor, values)
