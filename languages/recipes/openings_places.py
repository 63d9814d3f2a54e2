"""In how many sentences that fit a template is it the first of a document? ``python openings_places.py en CORPORA``.

A sentence fits if what stands between [X] and [Y] in a mined template stands in it, right before a pronoun, with
something before that. Of novels, the first sentence of a chapter counts too.
"""

import argparse
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import chinese
import english
from contexts.prepare import documents
from openings import SOURCES, read
from openings_lexicon import LANGUAGES

SETS = {"en": "gender-all", "zh": "gender-mined"}
PRONOUN = {"en": re.compile(r"(?<= )(?:he|she|his|her)\b"), "zh": re.compile("[他她](?!们)")}
BETWEEN = re.compile(r"\[X\](.+)\[Y\]")
HEADING = re.compile(r"(?:chapter|book|volume|part)\b.{0,60}|[IVXLC]+\.?|\d+\.?", re.IGNORECASE | re.DOTALL)
LONGEST = {"en": 100, "zh": 20}
QUOTES = re.compile('[“”"]')


def paragraphs(code: str, text: str) -> list[str]:
    """Return the paragraphs of a text, each on one line."""
    cut = re.split(r"\n\s*\n", text) if code == "en" else text.splitlines()
    return [each for each in (re.sub(r"\s+", " ", part).strip() for part in cut) if each]


def sentences(code: str, paragraph: str) -> Iterator[str]:
    end = english.SENTENCE_END if code == "en" else chinese.SENTENCE_END
    yield from (each for each in end.split(paragraph) if re.search(r"\w", each))


def fits(code: str, sentence: str, between: frozenset[str]) -> int:
    """Return at how many pronouns of a sentence a template fits."""
    text = QUOTES.sub("", sentence.lower())
    ends = (each.start() for each in PRONOUN[code].finditer(text))
    starts = [each.end() for each in re.finditer(r"\s" if code == "en" else "(?s).", text)]
    return sum(any(text[at:end] in between for at in starts if 0 < end - at <= LONGEST[code]) for end in ends)


def places(code: str, file: Path, between: frozenset[str]) -> Counter[str]:
    """Count the fits in a corpus, all and by place."""
    found = Counter[str]()
    for document in documents(file):
        number, opens = 0, True
        for paragraph in paragraphs(code, document["text"]):
            if HEADING.fullmatch(paragraph):
                opens = True
                continue
            for at, sentence in enumerate(sentences(code, paragraph)):
                fit = fits(code, sentence, between)
                for place, here in (
                    ("all", True),
                    ("document", number == 0),
                    ("chapter", opens),
                    ("paragraph", at == 0),
                ):
                    found[place] += fit * here
                number, opens = number + 1, False
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("language", choices=SETS)
    parser.add_argument("corpora", type=Path)
    args = parser.parse_args()
    code = args.language
    rows = read(LANGUAGES / code / f"bvf_{code}" / "contexts" / f"{SETS[code]}.csv")
    between = frozenset(part[1].lstrip().lower() for row in rows if (part := BETWEEN.search(row["template"])))
    for file in (name for kind in SOURCES[code] for name in kind):
        found = places(code, args.corpora / code / f"{file}.jsonl.zst", between)
        print(file, *(f"{place}: {number}" for place, number in found.items()))


if __name__ == "__main__":
    main()
