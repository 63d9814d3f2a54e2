"""Check a trained model and put it into the pack with its card: ``python card.py zh causal CORPORA TRAINED``."""

import argparse
import json
import shutil
from pathlib import Path
from string import Template

from corpus import LANGUAGES
from gender_check import LEAST_COUNT, check, common_pairs, share_right
from train import MATERIALS

import bvf
from bvf import load

ARCHITECTURES = {"causal": "LlamaForCausalLM", "masked": "BertForMaskedLM", "seq2seq": "T5ForConditionalGeneration"}
LOSSES = {
    "causal": "of the next token",
    "masked": "of the masked tokens",
    "seq2seq": "of the tokens after the sentinels",
}
LEAST_SHARE = 0.9
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
    if share_right(pairs) < LEAST_SHARE:
        raise SystemExit(f"only {share_right(pairs):.1%} of {len(pairs)} pairs are right; the model stays where it is")
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
        right=sum(pair.right for pair in pairs),
        pairs=len(pairs),
        least_count=LEAST_COUNT,
        wrong=f"On the wrong side: {', '.join(wrong)}." if wrong else "None is on the wrong side.",
        objective=Template(SEEN[args.kind]).substitute(context=material.context.format("W"))
        + (FROM_THE_NOUN if args.kind in material.begin_at_noun else ""),
    )
    (folder / "README.md").write_text(card, "utf-8")
    print(f"{folder}: {sum(pair.right for pair in pairs)} of {len(pairs)} pairs")


if __name__ == "__main__":
    main()
