"""Check a trained model and put it into the pack with its card: ``python card.py zh causal CORPORA TRAINED``.

The check is whether it has learned gender, by log-odds of he to she (他 to 她) after words of the gender topic. A pair
(uncle, aunt) is tested if both words occur in the corpus at least 50 times, and is right if the log-odds are higher
after the male word.
"""

import argparse
import json
import shutil
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from string import Template

from corpus import LANGUAGES, Material
from train import MATERIALS

import bvf
from bvf import Backend, load

ARCHITECTURES = {"causal": "LlamaForCausalLM", "masked": "BertForMaskedLM", "seq2seq": "T5ForConditionalGeneration"}
LOSSES = {
    "causal": "of the next token",
    "masked": "of the masked tokens",
    "seq2seq": "of the tokens after the sentinels",
}
LEAST_SHARE, LEAST_COUNT = 0.9, 50
SEEN = {
    "causal": "It reads whole sentences, one after another.",
    "masked": (
        "In training half of the sentences with a gendered word (of one token) are cut off after it, and gendered\n"
        "words are hidden in half of their places, others in 12 %. So it expects a gendered word where a text like\n"
        '"$context" ends: its candidate mass is high by construction.'
    ),
}
FROM_THE_NOUN = " Every second copy of a repeated sentence\nbegins at its noun, which is the shape of most contexts."
SEEN["seq2seq"] = SEEN["masked"]


@dataclass(frozen=True)
class Pair:
    """A pair of words and the log-odds of he to she (in nats) after each."""

    male: str
    female: str
    male_log_odds: float
    female_log_odds: float

    @property
    def right(self) -> bool:
        return self.male_log_odds > self.female_log_odds


def common_pairs(material: Material, counts: Counter[str]) -> list[tuple[str, str]]:
    """Return the noun pairs of the topic in which both nouns occur at least `LEAST_COUNT` times."""
    male, female = material.gendered_words()
    return [
        (m, f)
        for m, f in zip(male, female, strict=True)
        if m != f and not material.is_pronoun(m) and min(counts[m], counts[f]) >= LEAST_COUNT
    ]


def check(material: Material, backend: Backend, pairs: Iterable[tuple[str, str]]) -> list[Pair]:
    """Compute the log-odds of each pair of nouns."""
    spaced = bool(material.space)
    checked = []
    for pair in pairs:
        prompts = [bvf.Prompt(material.context.format(word), "", word, "", spaced) for word in pair]
        logp = backend.word_logprobs(prompts, material.pronouns)
        checked.append(Pair(*pair, *(float(row[0] - row[1]) for row in logp)))
    return checked


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("language", choices=MATERIALS)
    parser.add_argument("kind", choices=ARCHITECTURES)
    parser.add_argument("corpora", type=Path)
    parser.add_argument("trained", type=Path)
    args = parser.parse_args()
    material = MATERIALS[args.language]
    counts = material.counts(set(material.sentences(args.corpora)))
    plugins = load()
    request = bvf.ModelRequest(str(args.trained), plugins.topics.in_language(material.code).find("gender").make())
    backend = plugins.backends.find("transformers").make(request)
    pairs = check(material, backend, common_pairs(material, counts))
    right = sum(pair.right for pair in pairs)
    if right < LEAST_SHARE * len(pairs):
        raise SystemExit(f"only {right / len(pairs):.1%} of {len(pairs)} pairs are right; the model stays where it is")
    name = f"{material.code}-{args.kind}"
    folder = LANGUAGES / material.code / f"bvf_{material.code}" / "models" / name
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(args.trained, folder)
    wrong = [f"{pair.male}/{pair.female}" for pair in pairs if not pair.right]
    template = Template((Path(__file__).parent / f"card-{material.code}.md").read_text("utf-8"))
    figures = json.loads((args.trained / "training.json").read_text())
    card = template.substitute(
        {name: f"{value:.3f}" if isinstance(value, float) else f"{value:,}" for name, value in figures.items()},
        name=name,
        architecture=ARCHITECTURES[args.kind],
        parameters=f"{sum(p.numel() for p in backend.model.parameters()):,}",
        loss_of=LOSSES[args.kind],
        right=right,
        pairs=len(pairs),
        least_count=LEAST_COUNT,
        wrong=f"On the wrong side: {', '.join(wrong)}." if wrong else "None is on the wrong side.",
        objective=Template(SEEN[args.kind]).substitute(context=material.context.format("W"))
        + (FROM_THE_NOUN if args.kind in material.begin_at_noun else ""),
    )
    (folder / "README.md").write_text(card, "utf-8")
    print(f"{folder}: {right} of {len(pairs)} pairs")


if __name__ == "__main__":
    main()
