"""Wordings of a benchmark's items: the texts around them in a prompt."""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from pathlib import Path

import numpy as np

from bvf import BvfError
from bvf.domain import written
from bvf.errors import nearest, shortened
from bvf.files import read_text
from bvf.interfaces import Item

PLACE = re.compile(r"\{([a-z_]*)\}")
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
AS_WRITTEN = "as written"
ORDERS = ("", "all", "random")
"""The orders of choices: that of the data; every order; or one drawn for each item."""
MOST_IN_EVERY_ORDER = 4
"""The most choices for which every order is asked: 4 of them have 24."""


@dataclass(frozen=True)
class Wording:
    """A named wording of prompts: the text before an answer, with slots for the fields of an item.

    Args:
        name: Name of the wording.
        text: Contains ``{left}``, the text of the benchmark itself; or its parts, such as ``{context}`` and
            ``{question}``, and ``{choices}``, a line per choice with a letter.
        order: The order of the choices: indices, or a seed that draws an order for each item; None: as in the data.
    """

    name: str
    text: str
    order: tuple[int, ...] | int | None = None

    @property
    def ending(self) -> str:
        """The text after the last slot, such as ``Answer:``."""
        return PLACE.split(self.text)[-1].strip()

    def order_of(self, item: Item) -> tuple[int, ...]:
        """Return the indices of an item's choices in the order of this wording."""
        if isinstance(self.order, int):
            digest = hashlib.sha256(f"{self.order} {item.id}".encode()).digest()
            drawn = np.random.default_rng(int.from_bytes(digest)).permutation(len(item.choices))
            return tuple(map(int, drawn))
        return tuple(range(len(item.choices))) if self.order is None else self.order

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


def in_orders(wordings: Sequence[Wording], orders: str, seed: int, items: Sequence[Item]) -> tuple[Wording, ...]:
    """Return each wording in the orders of choices that are asked for."""
    if orders not in ORDERS:
        raise BvfError(f"--orders {orders}: no orders of choices", "choose all or random")
    if not orders:
        return tuple(wordings)
    if orders == "random":
        return tuple(replace(wording, order=seed) for wording in wordings)
    numbers = sorted({len(item.choices) for item in items})
    if len(numbers) > 1 or numbers[0] > MOST_IN_EVERY_ORDER:
        raise BvfError(f"--orders all: items have up to {numbers[-1]} choices", "--orders random draws one per item")
    return tuple(
        Wording(f"{wording.name}, order {order_text(order)}", wording.text, order)
        for wording in wordings
        for order in permutations(range(numbers[0]))
    )


def order_text(order: Sequence[int]) -> str:
    """Return an order of choices as text, counted from 1.

    >>> order_text((2, 0, 1))
    '3 1 2'
    """
    return " ".join(str(index + 1) for index in order)


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
        line = written(line, f"{file}:{number}")
        name, colon, text = line.partition(": ")
        named = bool(colon) and re.fullmatch(r"[\w-]+", name) is not None
        wording = Wording(
            name if named else str(len(wordings) + 1), (text if named else line).strip().replace("\\n", "\n")
        )
        if not PLACE.search(wording.text):
            raise BvfError(
                f'{file}:{number}: "{shortened(line)}" has no place for a part of an item',
                r"write, for example, {context}\n{question}\n",
            )
        if any(each.name == wording.name or each.text == wording.text for each in wordings):
            raise BvfError(f'{file}:{number}: wording "{wording.name}" occurs twice', "leave one of them")
        wordings.append(wording)
    if not wordings:
        raise BvfError(f"{file}: there is no wording", r"write one per line: {context}\n{question}\n")
    return tuple(wordings)
