"""Unpack the treebanks as Stanza's scripts expect them: ``python prepare.py zh TREEBANKS WORK``."""

import argparse
from pathlib import Path

from pipelines import LANGUAGES
from treebank import read_treebank, sentences

SPLITS = ("train", "dev", "test")


def lemma_pairs(conllu: str) -> str:
    """Return a one-word sentence per distinct form and part of speech, with its first lemma, for the lemmatizer."""
    seen: dict[tuple[str, str], str] = {}
    for block in sentences(conllu):
        for line in block.splitlines():
            fields = line.split("\t")
            if line[:1].isdigit() and fields[0].isdigit():
                seen.setdefault((fields[1], fields[3]), fields[2])
    rows = (f"1\t{form}\t{lemma}\t{upos}\t_\t_\t0\troot\t_\t_\n" for (form, upos), lemma in seen.items())
    return "\n".join(rows) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("language", choices=LANGUAGES)
    parser.add_argument("treebanks", type=Path)
    parser.add_argument("work", type=Path)
    args = parser.parse_args()
    language = LANGUAGES[args.language]
    bank = args.work / "ud" / language.treebank
    data = args.work / "data"
    bank.mkdir(parents=True, exist_ok=True)
    data.mkdir(parents=True, exist_ok=True)
    for split in SPLITS:
        conllu = read_treebank(args.treebanks, language.code, split)
        (bank / f"{language.code}_tiny-ud-{split}.conllu").write_text(conllu, "utf-8")
        (data / f"{split}.gold.conllu").write_text(conllu, "utf-8")
        if "lemma" in language.processors:
            (data / f"{split}.pairs.conllu").write_text(lemma_pairs(conllu), "utf-8")


if __name__ == "__main__":
    main()
