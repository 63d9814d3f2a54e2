"""Reads treebanks in CoNLL-U, and splits them into sentences or turns them into raw text."""

import re
from pathlib import Path

from bvf_mining.corpora import lines_in

TEXT = re.compile(r"^# text = (.*)$", re.MULTILINE)


def read_treebank(folder: Path, code: str, split: str) -> str:
    """Return the CoNLL-U text of ``folder/CODE/SPLIT.conllu.zst``."""
    return "".join(lines_in(folder / code / f"{split}.conllu.zst"))


def sentences(conllu: str) -> list[str]:
    """Return the block of each sentence, comments included. The empty line after it is left out."""
    return [block for block in conllu.split("\n\n") if block.strip()]


def raw_text(conllu: str, code: str) -> str:
    """Return the running text: empty lines between paragraphs, spaces between sentences but in Chinese."""
    between = "" if code == "zh" else " "
    parts: list[str] = []
    for block in sentences(conllu):
        opens = "# newpar" in block or "# newdoc" in block
        parts.append(("\n\n" if opens else between) if parts else "")
        match = TEXT.search(block)
        if match is None:
            raise ValueError(f"a sentence without '# text': {block[:80]!r}")
        parts.append(match.group(1))
    return "".join(parts)
