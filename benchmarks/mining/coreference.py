"""How often the resolver is right, on GAP (adversarial) and GUM (ordinary text).

``python benchmarks/mining/coreference.py SHARED``; the folder SHARED holds ``data/gap`` and ``data/treebanks``.
"""

import csv
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import torch
from bvf_mining.corpora import lines_in
from bvf_stanza import Sentence, TreeMiner

from bvf.hooks.loader import load
from bvf.interfaces.miner import Document, MiningRequest

ENTITY = re.compile(r"\(([^()]*)(\))?|([^()]+)\)")


@dataclass
class Score:
    """Counts of pronouns, of right and wrong links, and of links to somebody without a label."""

    pronouns: int = 0
    right: int = 0
    wrong: int = 0
    unlabelled: int = 0
    mistakes: list[str] = field(default_factory=list)

    @property
    def precision(self) -> float:
        """Share of the labelled links that are right."""
        return self.right / max(1, self.right + self.wrong)

    @property
    def coverage(self) -> float:
        """Share of the pronouns with a labelled link."""
        return (self.right + self.wrong) / max(1, self.pronouns)

    def __str__(self) -> str:
        return (
            f"{self.pronouns} pronouns, {self.right} links right, {self.wrong} wrong, {self.unlabelled} to others; "
            f"precision {self.precision:.3f}, coverage {self.coverage:.3f}"
        )

    def add(self, right: bool | None, sentence: Sentence, meant: int) -> None:
        """Count a link; None: it has no label."""
        if right is None:
            self.unlabelled += 1
        elif right:
            self.right += 1
        else:
            self.wrong += 1
            self.mistakes.append(f"[{sentence.words[meant].text}] {' '.join(word.text for word in sentence.words)}")


def english_miner() -> TreeMiner:
    """The miner of the English pack with its own parser."""
    plugins = load()
    made = plugins.miners.find("en").make(MiningRequest(plugins.topics.in_language("en").make("gender")))
    assert isinstance(made, TreeMiner)
    return made


def gap(miner: TreeMiner, file: Path) -> Score:
    """Score the links of each text's pronoun that are to one of its two names."""
    score = Score(pronouns=len(gap_rows(file)))
    for row, sentence, index in gap_pronouns(miner, file):
        meant = miner.resolver.antecedent(sentence, index)
        if meant is not None:
            score.add(is_named(miner, row, sentence, meant), sentence, meant)
    return score


def gap_rows(file: Path) -> list[dict[str, str]]:
    """Read the texts, pronouns and names of GAP."""
    lines = file.read_text(encoding="utf-8").splitlines()
    return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


def gap_pronouns(miner: TreeMiner, file: Path) -> Iterator[tuple[dict[str, str], Sentence, int]]:
    """Yield each text of GAP with the parsed sentence of its pronoun and the pronoun's place in it."""
    rows = gap_rows(file)
    spans = []
    for row in rows:
        place, sentences = int(row["Pronoun-offset"]), miner.sieve.rough_sentences(row["Text"])
        spans.append(next(span for span in sentences if span.start <= place < span.stop))
    texts = [span.of(Document("", row["Text"])) for row, span in zip(rows, spans, strict=True)]
    for row, span, parsed in zip(rows, spans, miner.parser.parse(texts), strict=True):
        for sentence, index in _pronouns(miner, parsed):
            if sentence.words[index].span.start == int(row["Pronoun-offset"]) - span.start:
                yield row, sentence, index


def gum(miner: TreeMiner, folder: Path) -> Score:
    """Score every pronoun of the documents outside the training part by the chains of the treebank."""
    text = "".join(lines_in(folder / "gum-with-coref.conllu.zst"))
    held_out = _held_out_documents((folder / "GUM_splits.md").read_text(encoding="utf-8"))
    score = Score()
    for document in re.split(r"(?=# newdoc id = )", text):
        name = re.match(r"# newdoc id = (\S+)", document)
        if name and name[1] in held_out:
            blocks = [block for block in document.strip().split("\n\n") if re.search(r"^\d+\t", block, re.MULTILINE)]
            chains = _chains(blocks)
            texts = [re.search(r"# text = (.*)", block)[1] for block in blocks]  # type: ignore[index]
            for number, parsed in enumerate(miner.parser.parse(texts)):
                for sentence, index in _pronouns(miner, parsed):
                    score.pronouns += 1
                    meant = miner.resolver.antecedent(sentence, index)
                    if meant is not None:
                        score.add(_same_chain(chains[number], sentence, index, meant), sentence, meant)
    return score


def _pronouns(miner: TreeMiner, sentences: list[Sentence]) -> Iterator[tuple[Sentence, int]]:
    for sentence in sentences:
        for index, word in enumerate(sentence.words):
            if word.text.lower() in miner.lexicon.pronouns:
                yield sentence, index


def is_named(miner: TreeMiner, row: dict[str, str], sentence: Sentence, meant: int) -> bool | None:
    """Whether a link to one of the two names is right; None: it is to somebody else."""
    name = {word for word in miner.resolver.name(sentence, meant) if word[0].isupper()}
    named = [which for which in "AB" if name & set(row[which].split())]
    return row[f"{named[0]}-coref"].upper() == "TRUE" if len(named) == 1 else None


def _held_out_documents(splits: str) -> set[str]:
    part, documents = "", set()
    for line in splits.splitlines():
        if line.startswith("## "):
            part = line[3:].strip()
        elif (name := re.match(r"\s*\* (GUM_\w+)", line)) and part in ("dev", "test"):
            documents.add(name[1])
    return documents


Mentions = dict[str, set[tuple[int, int]]]


def _chains(blocks: list[str]) -> list[Mentions]:
    """The mentions of each sentence as characters of its text, by entity."""
    mentions: list[Mentions] = [{} for _ in blocks]
    opened: list[tuple[str, int, int]] = []
    for number, block in enumerate(blocks):
        text = re.search(r"# text = (.*)", block)[1]  # type: ignore[index]
        place = 0
        for line in block.splitlines():
            if not re.match(r"\d+\t", line):
                continue
            fields = line.split("\t")
            start = text.find(fields[1], place)
            start, place = (start, start + len(fields[1])) if start >= 0 else (place, place)
            for part in ENTITY.finditer((re.search(r"Entity=([^|]*)", fields[9]) or [""] * 2)[1]):
                if part[1] is not None:
                    opened.append((part[1].split("-")[0], number, start))
                entity = part[1].split("-")[0] if part[2] else part[3].split("-")[0] if part[3] else None
                if entity is not None:
                    last = max(index for index, mention in enumerate(opened) if mention[0] == entity)
                    _, sentence, begun = opened.pop(last)
                    if sentence == number:
                        mentions[number].setdefault(entity, set()).add((begun, place))
    return mentions


def _same_chain(mentions: Mentions, sentence: Sentence, pronoun: int, meant: int) -> bool | None:
    word, head = sentence.words[pronoun].span, sentence.words[meant].span
    entities = [entity for entity, spans in mentions.items() if (word.start, word.stop) in spans]
    if not entities:
        return None
    return any(start <= head.start and head.stop <= stop for start, stop in mentions[entities[0]])


def main() -> None:
    shared = Path(sys.argv[1])
    torch.set_num_threads(1)
    miner = english_miner()
    for name, score in (
        ("GAP development", gap(miner, shared / "data/gap/gap-development.tsv")),
        ("GAP validation", gap(miner, shared / "data/gap/gap-validation.tsv")),
        ("GUM, dev and test", gum(miner, shared / "data/treebanks/en/extra")),
    ):
        sys.stdout.write(f"{name}: {score}\n")


if __name__ == "__main__":
    main()
