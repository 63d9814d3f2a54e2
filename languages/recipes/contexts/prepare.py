"""Prepare the corpora for mining: ``python prepare.py CORPORA WORK``.

Tokenised words are joined again, words that the makers of a corpus removed become the name Unk, and texts that may not
be free everywhere are left out. Of each novel there is also a passage, for a set in which no source has most matches,
and of those of 1910 or later a longer one.
"""

import argparse
import json
import re
from collections.abc import Iterator
from pathlib import Path

from bvf_mining.corpora import lines_in

PASSAGES, LATE, NOVELS = "passages", "late", "novels"
WIKIPEDIA = ("bold-wikipedia", "gap-wikipedia", "wikitext2")
SETS = {
    "en": (NOVELS, "tatoeba", *WIKIPEDIA),
    "en-novels": (NOVELS,),
    "en-tatoeba": ("tatoeba",),
    "en-wikipedia": WIKIPEDIA,
    "en-mixed": (PASSAGES, "tatoeba", *WIKIPEDIA),
    "en-balanced": (LATE, "tatoeba", *WIKIPEDIA),
    "en-predicate": ("tatoeba", *WIKIPEDIA),
    "zh": ("prose", "tatoeba", "wikipedia"),
}
TAKEN_OUT, NAME = "<unk>", "Unk"
JOINED = re.compile(r" @(.)@ ")
LOOSE = re.compile(r" (?=[.,;:!?)\]%]|'s\b|n't\b|'(?:re|ve|ll|d|m)\b)|(?<=[(\[$]) ")
NOT_FREE_EVERYWHERE = ("zhuziqing/",)
PASSAGE, LATE_PASSAGE, PARAGRAPH = 15_000, 20_000, "\n\n"
PUBLISHED_FROM_1910 = {
    *("24", "32", "44", "62", "78", "113", "217", "238", "351", "502", "541", "543", "805", "1155", "1206", "1245"),
    *("2005", "2775", "2814", "2891", "3457", "4051", "4217", "4300", "8867", "9830", "12677", "15265"),
}
"""Numbers of Project Gutenberg, with which names of novels begin."""


def documents(file: Path) -> Iterator[dict[str, str]]:
    """Yield the rows of a compressed corpus that may be mined. The tokenisation of WikiText is undone."""
    for row in map(json.loads, lines_in(file)):
        if not row["id"].startswith(NOT_FREE_EVERYWHERE):
            yield {"id": row["id"], "text": put_together(row["text"]) if "wikitext" in file.name else row["text"]}


def put_together(text: str) -> str:
    """Undo the tokenisation of WikiText, and write its unknown words as the name Unk."""
    return LOOSE.sub("", JOINED.sub(r"\1", text.replace(TAKEN_OUT, NAME)))


def passage(text: str, length: int) -> str:
    """Return whole paragraphs from the middle of a text, of about ``length`` characters."""
    start = text.find(PARAGRAPH, max(len(text) - length, 0) // 2)
    cut = text[max(start, 0) :][:length]
    return cut.rpartition(PARAGRAPH)[0] or cut


def rows_of(corpora: Path, file: str) -> Iterator[dict[str, str]]:
    """Yield the rows of a corpus; of novels, for the sets that mix sources, a passage each."""
    lengths = {PASSAGES: PASSAGE, LATE: LATE_PASSAGE}
    for row in documents(corpora / f"{NOVELS if file in lengths else file}.jsonl.zst"):
        if file == LATE and row["id"].partition("_")[0] not in PUBLISHED_FROM_1910:
            continue
        yield {**row, "text": passage(row["text"], lengths[file])} if file in lengths else row


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpora", type=Path)
    parser.add_argument("work", type=Path)
    args = parser.parse_args()
    for name, files in SETS.items():
        folder = args.work / name
        folder.mkdir(parents=True, exist_ok=True)
        for file in files:
            rows = rows_of(args.corpora / name[:2], file)
            lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
            (folder / f"{file}.jsonl").write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
