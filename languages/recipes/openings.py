"""Mine openings: whole sentences in which no person is named or meant, to stand before a template.

``python openings.py en CORPORA OUT.csv`` draws candidates; with ``--marks openings_marks/en.csv`` it keeps those that
two readers marked ok. The pools that are shipped are written, not mined: see docs/evidence/openings.md.
"""

import argparse
import hashlib
import re
from collections.abc import Iterator
from pathlib import Path

import chinese
import english
from contexts.prepare import documents
from contexts.rows import Row, read, write
from openings_lexicon import Lexicon, chinese_opening, english_opening, lexicon

SOURCES = {
    "en": (("wikitext2", "bold-wikipedia", "gap-wikipedia"), ("novels",), ("tatoeba",)),
    "zh": (("wikipedia",), ("prose",), ("tatoeba",)),
}
"""Three kinds of text, which give equally many candidates."""
CANDIDATES = {"en": 340, "zh": 300}
PARTS = 4
"""A document gives a second sentence only if all have given one, and from another quarter of its text."""


def english_sentences(text: str) -> Iterator[str]:
    for paragraph in re.split(r"\n\s*\n", text):
        yield from english.SENTENCE_END.split(re.sub(r"\s+", " ", paragraph.replace("_", "")).strip())


SPLIT = {"en": english_sentences, "zh": chinese.sentences_of}
MAY_OPEN = {"en": english_opening, "zh": chinese_opening}


def candidates(code: str, corpora: Path) -> list[Row]:
    """Return as many sentences of each kind of text, in an order drawn by lot."""
    kinds = [
        [(row["id"], list(SPLIT[code](row["text"]))) for at in kind for row in documents(corpora / f"{at}.jsonl.zst")]
        for kind in SOURCES[code]
    ]
    every = (sentence for kind in kinds for _, sentences in kind for sentence in sentences)
    words = lexicon(code, (word for sentence in every for word in sentence.split()[1:] if word.islower()))
    rows = sorted((row for kind in kinds for row in drawn(code, kind, words)), key=lambda row: lot(row["opening"]))
    return [{"id": f"{code}{at:04}", **row} for at, row in enumerate(rows)]


def drawn(code: str, texts: list[tuple[str, list[str]]], words: Lexicon) -> list[Row]:
    """Draw sentences of one kind of text, from as many documents as can be."""
    ranked = dict[str, tuple[int, str, Row]]()
    for document, sentences in texts:
        of_parts = {
            at * PARTS // len(sentences): each
            for at, each in sorted(enumerate(sentences), key=lambda pair: lot(pair[1]))
            if MAY_OPEN[code](each, words)
        }
        for turn, each in enumerate(sorted(of_parts.values(), key=lot)):
            ranked[each] = (turn, lot(each), {"opening": each, "document": document})
    taken = sorted(ranked.values(), key=lambda each: each[:2])[: CANDIDATES[code]]
    print(len(texts), "documents", len(ranked), "sentences", len(taken), "taken")
    return [row for _, _, row in taken]


def lot(text: str) -> str:
    """Return a number drawn for a text: the same whenever it is drawn."""
    return hashlib.sha256(f"openings {text}".encode()).hexdigest()


def both_ok(rows: list[Row], marks: list[Row]) -> list[Row]:
    kept = {row["id"] for row in marks if row["first"] == row["second"] == "ok"}
    return [row for row in rows if row["id"] in kept]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("language", choices=SOURCES)
    parser.add_argument("corpora", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--marks", type=Path)
    args = parser.parse_args()
    rows = candidates(args.language, args.corpora / args.language)
    write(both_ok(rows, read(args.marks)) if args.marks else rows, args.out)


if __name__ == "__main__":
    main()
