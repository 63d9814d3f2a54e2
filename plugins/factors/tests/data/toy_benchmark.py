"""Two made-up benchmarks: which pet is meant, and which of two sentences is more probable."""

import json
from pathlib import Path

from bvf import BvfError, Provider, hookimpl
from bvf.domain.factors import Declaration
from bvf.interfaces.benchmark import Benchmark, Item, Origin, Score

PETS = ("the cat", "the old dog", "nobody")


class Pets(Benchmark):
    title = "Pets"
    language = "en"
    asks = "answers"
    origin = Origin("https://example.org/pets", "CC0 1.0", "nobody, 2026")
    declaration = Declaration.model_validate(
        {
            "outcome": "deviates",
            "cluster": "template",
            "factors": {"place": {}, "time": {"type": "prompt", "reference": "day"}},
        }
    )
    sample = Path(__file__).parent / "pets.jsonl"

    def items(self, data):
        if not data.is_file():
            raise BvfError(f"{data}: no pets are there", "name a file of JSON lines")
        for number, line in enumerate(data.read_text().splitlines()):
            row = json.loads(line)
            texts = {"context": f"It was {row['time']} in the {row['place']}.", "question": "Who slept?"}
            left = f"{texts['context']} {texts['question']} It was"
            yield Item(str(number), PETS, left, values={**row, "template": row["place"]}, texts=texts)

    def row(self, answer):
        values = answer.item.values
        deviates = None if answer.choice is None else answer.choice != 2
        return {**{name: values[name] for name in ("place", "time", "template")}, "deviates": deviates}

    def scores(self, answers):
        known = [answer.choice for answer in answers if answer.choice is not None]
        return [Score("share of unknown", known.count(2) / len(known) if known else None, len(known))]


class Pairs(Pets):
    title = "Pairs"
    asks = "shared tokens"

    def items(self, data):
        for item in super().items(data):
            place, time = item.values["place"], item.values["time"]
            choices = tuple(f"The {pet} slept in the {place} at {time}." for pet in ("cat", "dog"))
            yield Item(item.id, choices, values=item.values)

    def row(self, answer):
        return {**super().row(answer), "deviates": None if answer.choice is None else answer.choice == 0}


@hookimpl
def bvf_benchmarks():
    return [Provider("pets", Pets, "which pet is meant"), Provider("pairs", Pairs, "two sentences", language="en")]
