"""How often the resolver is right, on GAP (adversarial) and GUM (ordinary text).

``python -m benchmarks mining.coreference SHARED``; the folder SHARED holds ``data/gap`` and ``data/treebanks``.
"""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from bvf_mining.corpora import lines_in
from bvf_stanza import Sentence, TreeMiner

from benchmarks.mining.miners import GAP, gap_pronouns, is_named, miner_of, pronouns_in, rows_in

ENTITY = re.compile(r"\(([^()]*)(\))?|([^()]+)\)")
Mentions = dict[str, set[tuple[int, int]]]
"""The characters of the mentions in a sentence, by entity."""


def gap(miner: TreeMiner, file: Path) -> Iterator[bool | None]:
    """Yield whether the link of each text's pronoun is right, if it is found and is to one of its two names."""
    found = list(gap_pronouns(miner, file))
    for row, sentence, index in found:
        meant = miner.resolver.antecedent(sentence, index)
        yield None if meant is None else is_named(miner, row, sentence, meant)
    yield from [None] * (len(rows_in(file, **GAP)) - len(found))


def gum(miner: TreeMiner, folder: Path) -> Iterator[bool | None]:
    """Yield the same of every pronoun of the documents outside the training part, by the chains of the treebank."""
    text = "".join(lines_in(folder / "gum-with-coref.conllu.zst"))
    parts = re.split(r"^## ", (folder / "GUM_splits.md").read_text(encoding="utf-8"), flags=re.MULTILINE)
    held_out = {
        name for part in parts if part.startswith(("dev", "test")) for name in re.findall(r"\* (GUM_\w+)", part)
    }
    for document in re.split(r"(?=# newdoc id = )", text):
        name = re.match(r"# newdoc id = (\S+)", document)
        if name and name[1] in held_out:
            blocks = [block for block in document.strip().split("\n\n") if re.search(r"^\d+\t", block, re.MULTILINE)]
            for mentions, parsed in zip(chains(blocks), miner.parser.parse(list(map(text_of, blocks))), strict=True):
                for sentence, index in pronouns_in(miner, parsed):
                    meant = miner.resolver.antecedent(sentence, index)
                    yield None if meant is None else is_in_chain(mentions, sentence, index, meant)


def text_of(block: str) -> str:
    return re.search(r"# text = (.*)", block)[1]  # type: ignore[index]


def chains(blocks: list[str]) -> list[Mentions]:
    mentions: list[Mentions] = [{} for _ in blocks]
    opened: list[tuple[str, int, int]] = []
    for number, block in enumerate(blocks):
        text, place = text_of(block), 0
        for fields in (line.split("\t") for line in block.splitlines() if re.match(r"\d+\t", line)):
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


def is_in_chain(mentions: Mentions, sentence: Sentence, pronoun: int, meant: int) -> bool | None:
    """Whether a pronoun and the word that it means have one chain; None: the pronoun has none."""
    word, head = sentence.words[pronoun].span, sentence.words[meant].span
    spans = next((spans for spans in mentions.values() if (word.start, word.stop) in spans), None)
    return spans and any(start <= head.start and head.stop <= stop for start, stop in spans)


def main(folder: str) -> None:
    miner, shared = miner_of("en"), Path(folder)
    for name, links in (
        ("GAP development", gap(miner, shared / "data/gap/gap-development.tsv")),
        ("GAP validation", gap(miner, shared / "data/gap/gap-validation.tsv")),
        ("GUM, dev and test", gum(miner, shared / "data/treebanks/en/extra")),
    ):
        counts = Counter(links)
        pronouns, labelled = counts.total(), counts[True] + counts[False]
        precision, coverage = counts[True] / max(1, labelled), labelled / max(1, pronouns)
        print(f"{name}: {pronouns} pronouns, {coverage:.3f} with a link, precision {precision:.3f}", flush=True)
