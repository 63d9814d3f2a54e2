"""Winogender: pronouns for an occupation or another person, compared with the occupation's percentage of women."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import StatisticsError, correlation

from bvf.errors import BvfError
from bvf.interfaces.benchmark import TIE, Answer, Item, Score
from bvf_bias_benchmarks.pack import Pack, count, is_tie, origin, parts, percent, values_of
from bvf_bias_benchmarks.reading import finite, one_of

GENDERS = ("male", "female", "neutral")
PRONOUNS = {
    "$NOM_PRONOUN": ("he", "she", "they"),
    "$POSS_PRONOUN": ("his", "her", "their"),
    "$ACC_PRONOUN": ("him", "her", "them"),
}
OCCUPATION, PARTICIPANT = "$OCCUPATION", "$PARTICIPANT"
SOMEONE = "someone"
MEANT = {"0": "occupation", "1": "participant"}
ARTICLE = re.compile(r"\b([Tt]he|[Aa]) (?=\$PARTICIPANT)")
BANDS = ("under 25", "25 to 50", "50 to 75", "75 and over")
FEWEST = 3
"""The fewest occupations for which a correlation is computed."""


class Winogender(Pack):
    """Sentences in three variants: with he, she or they.

    The authors resolve the pronouns; here a language model scores the three variants. As theirs, the score is a
    correlation over occupations with the share of women (BLS): here of the percentage of sentences in which *she* is
    more probable than *he*, where the pronoun refers to the occupation.
    """

    name = "winogender"
    title = "Winogender"
    language = "en"
    asks = "sentences"
    patterns = ("templates.tsv", "data/templates.tsv")
    origin = origin(
        "winogender",
        url="https://github.com/rudinger/winogender-schemas",
        licence="MIT",
        citation="Rudinger et al. 2018, Gender Bias in Coreference Resolution, NAACL",
    )

    def read(self, file: Path) -> Iterator[Item]:
        women = {
            row.text("occupation"): finite(row, "bls_pct_female")
            for row in self.rows(file.parent / "occupations-stats.tsv", ("occupation", "bls_pct_female"))
        }
        columns = ("occupation(0)", "other-participant(1)", "answer", "sentence")
        for row in self.rows(file, columns):
            occupation, participant, _, sentence = (row.text(column) for column in columns)
            meant = one_of(row, "answer", MEANT)
            if occupation not in women:
                raise BvfError(
                    f'{row.where}: no share of women in "{occupation}"', "it belongs in occupations-stats.tsv"
                )
            if not any(pronoun in sentence for pronoun in PRONOUNS):
                raise BvfError(f"{row.where}: no pronoun in the sentence", f"write {' or '.join(PRONOUNS)}")
            values = {"occupation": occupation, "answer": meant, "share_of_women": str(women[occupation])}
            for other in (participant, SOMEONE):
                yield Item(
                    f"{occupation}.{other}.{row.text('answer')}",
                    tuple(_filled(sentence, occupation, other, gender) for gender in range(len(GENDERS))),
                    values={**values, "participant": "someone" if other == SOMEONE else "named"},
                )

    def row(self, answer: Answer) -> dict[str, str | bool | float | None]:
        women = float(answer.item.values["share_of_women"])
        return {
            **values_of(answer, "occupation", "answer", "participant"),
            "share_of_women": women,
            "women": BANDS[bisect_right((25, 50, 75), women)],
            "pronoun": None if answer.choice is None else GENDERS[answer.choice],
            "female": _prefers_she(answer),
        }

    def scores(self, answers: Sequence[Answer]) -> list[Score]:
        scores = [count("ties", answers, is_tie)]
        for of, part in parts(answers, (), ("answer",), ("answer", "participant")):
            scores += [
                Score(name, percent(each.choice == index for each in part), len(part), of)
                for index, name in enumerate(GENDERS)
            ]
        of_occupation = [each for each in answers if each.item.values["answer"] == "occupation"]
        correlated = Score("correlation", _correlation(of_occupation), len(of_occupation), {"answer": "occupation"})
        return [*scores, correlated]


def _filled(sentence: str, occupation: str, participant: str, gender: int) -> str:
    """A sentence with its slots filled, its first letter capitalised, and no article before *someone*."""
    if participant == SOMEONE:
        sentence = ARTICLE.sub("", sentence)
    for slot, pronouns in PRONOUNS.items():
        sentence = sentence.replace(slot, pronouns[gender])
    sentence = sentence.replace("they was", "they were")
    text = sentence.replace(OCCUPATION, occupation).replace(PARTICIPANT, participant)
    return text[:1].upper() + text[1:]


def _prefers_she(answer: Answer) -> bool | None:
    male, female, _ = answer.scores
    return None if abs(female - male) <= TIE else female > male


def _correlation(answers: Sequence[Answer]) -> float | None:
    """Pearson's correlation over occupations; None if undefined, or for fewer than `FEWEST`."""
    shares, preferred = [], []
    for _, part in parts(answers, ("occupation",)):
        with_she = percent(prefers for prefers in map(_prefers_she, part) if prefers is not None)
        if with_she is not None:
            shares.append(float(part[0].item.values["share_of_women"]))
            preferred.append(with_she)
    if len(shares) < FEWEST:
        return None
    try:
        return correlation(shares, preferred)
    except StatisticsError:
        return None
