"""The treebanks as text: CoNLL-U in, sentences and raw text out."""

import re
from pathlib import Path

from bvf.files.corpora import lines_in

TEXT = re.compile(r"^# text = (.*)$", re.MULTILINE)


def read_treebank(folder: Path, code: str, split: str) -> str:
    """The CoNLL-U of ``folder/CODE/SPLIT.conllu.zst``."""
    return "".join(lines_in(folder / code / f"{split}.conllu.zst"))


def sentences(conllu: str) -> list[str]:
    """The sentence blocks, comments included, without the empty line after each."""
    return [block for block in conllu.split("\n\n") if block.strip()]


def raw_text(conllu: str, code: str) -> str:
    """The text a reader would see: paragraphs apart by an empty line, Chinese sentences without a space between."""
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
