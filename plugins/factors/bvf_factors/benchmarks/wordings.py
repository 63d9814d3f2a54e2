"""Wordings of a benchmark's items: the texts around them in a prompt."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from bvf.errors import BvfError, nearest
from bvf.files.parsing import read_text, shortened
from bvf.interfaces.benchmark import Item

PLACE = re.compile(r"\{([a-z_]*)\}")
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
AS_WRITTEN = "as written"


@dataclass(frozen=True)
class Wording:
    """The text before an answer, with slots for the fields of an item.

    It contains ``{left}``, the text of the benchmark itself; or its parts, such as ``{context}`` and ``{question}``,
    and ``{choices}``, a line per choice with a letter.
    """

    name: str
    text: str

    def of(self, item: Item) -> Item:
        """Return an item in this wording. Refuses a wording with a slot for a field that the item lacks."""
        parts = {**item.texts, "left": item.left, "choices": lettered(item.choices)}
        unknown = next((name for name in PLACE.findall(self.text) if name not in parts), None)
        if unknown is not None:
            raise BvfError(
                f"wording {self.name}: items have no part {{{unknown}}}",
                nearest(unknown, [f"{{{each}}}" for each in parts]),
            )
        return replace(item, left=PLACE.sub(lambda match: parts[match[1]], self.text))


def lettered(choices: Sequence[str]) -> str:
    r"""Return a line per choice, each with a letter.

    >>> lettered(["the man", "nobody"])
    'A. the man\nB. nobody'
    """
    return "\n".join(f"{letter}. {choice}" for letter, choice in zip(LETTERS, choices, strict=False))


def read_wordings(file: Path) -> tuple[Wording, ...]:
    r"""Return the prompt wordings of a file, one per line. ``\n`` is a line break, and ``NAME: TEXT`` names one."""
    wordings: list[Wording] = []
    for number, line in enumerate(read_text(file).split("\n"), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        name, colon, text = line.partition(": ")
        named = bool(colon) and re.fullmatch(r"[\w-]+", name) is not None
        wording = Wording(
            name if named else str(len(wordings) + 1), (text if named else line).strip().replace("\\n", "\n")
        )
        if not PLACE.search(wording.text):
            raise BvfError(
                f'{file}:{number}: "{shortened(line)}" asks nothing of an item',
                r"write, for example, {context}\n{question}\n",
            )
        if any(each.name == wording.name or each.text == wording.text for each in wordings):
            raise BvfError(f'{file}:{number}: wording "{wording.name}" is there twice', "leave one of them")
        wordings.append(wording)
    if not wordings:
        raise BvfError(f"{file}: there is no wording", r"write one per line: {context}\n{question}\n")
    return tuple(wordings)
