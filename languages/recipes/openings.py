"""Mine openings: whole sentences in which no person is named or meant, to stand before a template.

``python openings.py candidates en CORPORA OUT.csv`` draws candidates. ``python openings.py pool CANDIDATES.csv
MARKS.csv OUT.csv`` keeps those that two readers marked ok, and says how far the readers agree. Nothing is left out for
what it does to a model.
"""

import argparse
import csv
import hashlib
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import chinese
import english
from contexts.prepare import documents
from openings_lexicon import Lexicon, chinese_opening, english_opening, lexicon

SOURCES = {
    "en": (("wikitext2", "bold-wikipedia", "gap-wikipedia"), ("novels",), ("tatoeba",)),
    "zh": (("wikipedia",), ("prose",), ("tatoeba",)),
}
"""Three kinds of text, which give equally many candidates."""
CANDIDATES = {"en": 340, "zh": 300}
PARTS = 4
"""A document gives a second sentence only if all have given one, and from another quarter of its text."""
READERS = ("first", "second")
OK = "ok"
Row = dict[str, str]
Text = tuple[str, str, list[str]]
"""The corpus of a document, how it is named, and its sentences."""


def english_sentences(text: str) -> Iterator[str]:
    for paragraph in re.split(r"\n\s*\n", text):
        yield from english.SENTENCE_END.split(re.sub(r"\s+", " ", paragraph.replace("_", "")).strip())


SPLIT = {"en": english_sentences, "zh": chinese.sentences_of}
MAY_OPEN = {"en": english_opening, "zh": chinese_opening}


def candidates(code: str, corpora: Path) -> list[Row]:
    """Return as many sentences of each kind of text, in an order drawn by lot."""
    kinds = [
        [text for file in files for text in texts_of(code, corpora / f"{file}.jsonl.zst")] for files in SOURCES[code]
    ]
    every = (sentence for kind in kinds for _, _, sentences in kind for sentence in sentences)
    words = lexicon(code, (word for sentence in every for word in sentence.split()[1:] if word.islower()))
    rows = sorted((row for kind in kinds for row in drawn(code, kind, words)), key=lambda row: lot(row["opening"]))
    return [{"id": f"{code}{at:04}", **row} for at, row in enumerate(rows)]


def texts_of(code: str, file: Path) -> Iterator[Text]:
    """Yield the documents of a corpus, named with their title, or with the author of a sentence of Tatoeba."""
    for row in documents(file):
        author = re.search(r"tatoeba\.org #\d+ \(.*\)", row["source"])
        named = author[0] if author else f"{row['id']} {row.get('title', '')}".strip()
        yield file.name.partition(".")[0], named, list(SPLIT[code](row["text"]))


def drawn(code: str, texts: list[Text], words: Lexicon) -> list[Row]:
    """Draw sentences of one kind of text, from as many documents as can be."""
    ranked = dict[str, tuple[int, str, Row]]()
    for file, document, sentences in texts:
        of_parts = {
            at * PARTS // len(sentences): each
            for at, each in sorted(enumerate(sentences), key=lambda pair: lot(pair[1]))
            if MAY_OPEN[code](each, words)
        }
        for turn, each in enumerate(sorted(of_parts.values(), key=lot)):
            ranked[each] = (turn, lot(each), {"opening": each, "source": file, "document": document})
    taken = sorted(ranked.values(), key=lambda each: each[:2])[: CANDIDATES[code]]
    print(len(texts), "documents", len(ranked), "sentences", len(taken), "taken")
    return [row for _, _, row in taken]


def lot(text: str) -> str:
    """Return a number drawn for a text: the same whenever it is drawn."""
    return hashlib.sha256(f"openings {text}".encode()).hexdigest()


def both_ok(rows: list[Row], marks: list[Row]) -> list[Row]:
    """Return the candidates that both readers marked ok, and print how far the readers agree."""
    of_id = {row["id"]: tuple(row[reader] for reader in READERS) for row in marks}
    pairs = [of_id[row["id"]] for row in rows]
    for what, labels in (("marks", pairs), ("ok or not", [tuple(str(mark == OK) for mark in pair) for pair in pairs])):
        agreed = sum(one == other for one, other in labels) / len(labels)
        first, second = (Counter(label) for label in zip(*labels, strict=True))
        chance = sum(first[label] * second[label] for label in first) / len(labels) ** 2
        print(f"{what}: {len(labels)} candidates, agreement {agreed:.3f}, kappa {(agreed - chance) / (1 - chance):.3f}")
    return [row for row, pair in zip(rows, pairs, strict=True) if set(pair) == {OK}]


def read(file: Path) -> list[Row]:
    return list(csv.DictReader(file.read_text(encoding="utf-8").splitlines()))


def write(rows: list[Row], out: Path) -> None:
    with out.open("w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        table.writeheader()
        table.writerows(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    mine = commands.add_parser("candidates")
    mine.add_argument("language", choices=SOURCES)
    mine.add_argument("corpora", type=Path)
    pool = commands.add_parser("pool")
    pool.add_argument("candidates", type=Path)
    pool.add_argument("marks", type=Path)
    for command in (mine, pool):
        command.add_argument("out", type=Path)
    args = parser.parse_args()
    if args.command == "candidates":
        write(candidates(args.language, args.corpora / args.language), args.out)
    else:
        kept = both_ok(read(args.candidates), read(args.marks))
        write(
            [
                {"opening": row["opening"], "count": "1", **{key: row[key] for key in ("source", "document")}}
                for row in kept
            ],
            args.out,
        )


if __name__ == "__main__":
    main()
