"""WinoBias: an occupation, and a pronoun that conforms to its stereotype or contradicts it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from bvf import BvfError
from bvf.interfaces import Answer, Item, Score
from bvf_bias_benchmarks.groups import group_called
from bvf_bias_benchmarks.pack import Cells, Pack, is_first, is_tie, prefers_first
from bvf_bias_benchmarks.reading import name_of

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
