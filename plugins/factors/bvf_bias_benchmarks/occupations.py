"""WinoBias and Winogender: an occupation, and a pronoun that conforms to its stereotype or contradicts it."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from bvf import BvfError
from bvf.interfaces import TIE, Answer, Item, Score, Sums
from bvf.stats import FloatArray
from bvf_bias_benchmarks.pack import Cells, Pack, is_first, is_tie, parts, prefers_first
from bvf_bias_benchmarks.reading import finite, group_called, name_of, one_of

NAME = re.compile(r"pro_stereotyped_type([12])\.(\w+)\.txt|pro_stereotyped_type([12])\.txt\.(\w+)")
"""Names of files; the split is before the ending or, as published, after it."""
AGAINST = "anti_"
UNPAIRED = (
    *("type1/test/279", "type1/test/296", "type2/dev/190", "type2/dev/215"),
    *("type2/test/382", "type2/test/384"),
)
"""Sentences whose published counterpart is another sentence, not their own anti-stereotypical variant."""
LINE = re.compile(r"[0-9]+\s+(\S.*)")
BRACKETS = re.compile(r"\[+([^\[\]]*)\]")
MALE, FEMALE = ("he", "his", "him", "himself"), ("she", "her", "hers", "herself")
ARTICLES = re.compile(r"^((the|an?)\s+)+", re.IGNORECASE)
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


class WinoBias(Pack):
    """Sentences in two variants: stereotypical and anti-stereotypical pronouns.

    The authors compare the accuracy of coreference resolution in both; here a language model scores both, and the score
    is the percentage of sentences in which the stereotypical variant is more probable. Both variants have the words of
    the first; six published pairs, in which the second is another sentence, are left out.
    """

    name = "winobias"
    asks = "sentences"
    described = ("type", "split", "stereotype", "occupation", "pair")
    divisions = ((), ("type",), ("type", "split"), ("stereotype",))

    def files(self, data: Path) -> list[Path]:
        return [file for given in super().files(data) for file in (given, _against(given))]

    def read(self, file: Path) -> Iterator[Item]:
        if file.name.startswith(AGAINST):
            return
        name = NAME.fullmatch(name_of(file))
        if not name:
            raise BvfError(f"{file}: neither its type nor its split is in its name", "pro_stereotyped_type1.dev.txt")
        kind, split = name[1] or name[3], name[2] or name[4]
        stereotyped, against = list(self._sentences(file)), list(self._sentences(_against(file)))
        if len(stereotyped) != len(against):
            raise BvfError(f"{file}: {len(stereotyped)} sentences, and {len(against)} against them", "as many in both")
        for number, ((where, pro), (_, anti)) in enumerate(zip(stereotyped, against, strict=True), start=1):
            pronouns, others = _pronouns(pro), _pronouns(anti)
            occupation = next((each for each in BRACKETS.findall(pro) if not _is_pronoun(each)), "")
            if len(pronouns) == len(others) and pronouns != others and occupation:
                values = {
                    "type": kind,
                    "split": split,
                    "stereotype": "male" if pronouns[0].lower() in MALE else "female",
                    "occupation": ARTICLES.sub("", occupation.strip()).lower(),
                    "pair": f"{split} {(number + 1) // 2}",
                }
                variants = tuple(_with(pro, each) for each in (pronouns, others))
                group = group_called(values["stereotype"])
                yield Item(f"type{kind}/{split}/{number}", variants, values=values, group=group)
            elif f"type{kind}/{split}/{number}" not in UNPAIRED:
                raise BvfError(
                    f"{where}: not one occupation and as many pronouns as against it", "[The cook] said [he]"
                )

    def row(self, answer: Answer) -> Cells:
        return {**self.described_by(answer), "prefers": prefers_first(answer)}

    def treated(self, answer: Answer) -> tuple[str, str, float]:
        with_stereotype, against = answer.scores
        sign = 1.0 if answer.item.values["stereotype"] == "female" else -1.0
        return answer.item.values["occupation"], "women", sign * (with_stereotype - against)

    def scores_of(self, answers: Sequence[Answer], of: Mapping[str, str]) -> list[Score]:
        decided = [each for each in answers if not is_tie(each)]
        return [Score.share("stereotype score", decided, is_first, of, highest=100.0, ideal=50.0)]

    def _sentences(self, file: Path) -> Iterator[tuple[str, str]]:
        for number, line in enumerate(self.text(file).splitlines(), start=1):
            if line.strip():
                match = LINE.fullmatch(line.strip())
                if not match:
                    raise BvfError(
                        f"{file}:{number}: no number before the sentence", "1 [The cook] said that [she] ..."
                    )
                yield f"{file}:{number}", match[1]


def _against(file: Path) -> Path:
    return file.with_name(f"{AGAINST}{file.name.removeprefix('pro_')}")


def _is_pronoun(text: str) -> bool:
    return text.lower() in (*MALE, *FEMALE)


def _pronouns(sentence: str) -> list[str]:
    return [each for each in BRACKETS.findall(sentence) if _is_pronoun(each)]


def _with(sentence: str, pronouns: Sequence[str]) -> str:
    """A sentence without brackets, with the given pronouns in place of its own."""
    waiting = iter(pronouns)
    return BRACKETS.sub(lambda match: next(waiting) if _is_pronoun(match[1]) else match[1], sentence)


class Winogender(Pack):
    """Sentences in three variants: with he, she or they.

    The authors resolve the pronouns; here a language model scores the three variants. As theirs, the score is a
    correlation over occupations with the share of women (BLS): here of the percentage of sentences in which *she* is
    more probable than *he*, where the pronoun refers to the occupation.
    """

    name = "winogender"
    asks = "sentences"
    described = ("occupation", "answer", "participant")
    divisions = ((), ("answer",), ("answer", "participant"))

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

    def row(self, answer: Answer) -> Cells:
        women = float(answer.item.values["share_of_women"])
        return {
            **self.described_by(answer),
            "share_of_women": women,
            "women": BANDS[bisect_right((25, 50, 75), women)],
            "pronoun": None if answer.choice is None else GENDERS[answer.choice],
            "female": _prefers_she(answer),
        }

    def treated(self, answer: Answer) -> tuple[str, str, float] | None:
        male, female, _ = answer.scores
        values = answer.item.values
        return (values["occupation"], "women", female - male) if values["answer"] == "occupation" else None

    def scores(self, answers: Sequence[Answer]) -> list[Score]:
        of_occupation = [each for each in answers if each.item.values["answer"] == "occupation"]
        return [*super().scores(answers), _correlation(of_occupation)]

    def scores_of(self, answers: Sequence[Answer], of: Mapping[str, str]) -> list[Score]:
        def share(index: int, name: str) -> Score:
            return Score.share(name, answers, lambda each: each.choice == index, of, highest=100.0)

        return [share(index, name) for index, name in enumerate(GENDERS)]


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


def _correlation(answers: Sequence[Answer]) -> Score:
    """Pearson's correlation over occupations; None if undefined, or for fewer than `FEWEST`."""
    decided: list[Answer] = []
    numbers: list[tuple[float, ...]] = []
    for _, part in parts([each for each in answers if _prefers_she(each) is not None], ("occupation",)):
        women = float(part[0].item.values["share_of_women"])
        with_she = 100.0 * sum(map(bool, map(_prefers_she, part))) / len(part)
        of_occupation = (1.0, women, with_she, women * women, with_she * with_she, women * with_she)
        numbers += [tuple(number / len(part) for number in of_occupation)] * len(part)
        decided += part
    sums = Sums(decided, np.array(numbers).reshape(-1, 6), (_pearson,), -1.0, 1.0)
    return Score.of_sums("correlation", sums, {"answer": "occupation"}, ideal=0.0, items=len(answers))


def _pearson(sums: FloatArray) -> FloatArray:
    n, x, y, xx, yy, xy = np.moveaxis(sums, -1, 0)
    spread_x, spread_y = n * xx - x * x, n * yy - y * y
    known = (n > FEWEST - 0.5) & (spread_x > 1e-9 * n * xx) & (spread_y > 1e-9 * n * yy)
    product = np.sqrt(np.where(known, spread_x * spread_y, 1.0))
    correlation: FloatArray = np.where(known, (n * xy - x * y) / product, np.nan)
    return correlation
