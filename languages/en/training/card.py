"""Check a trained model and put it into the pack with its card: ``python card.py causal CORPORA TRAINED``."""

import argparse
import json
import shutil
from pathlib import Path
from string import Template

from corpus import read_corpus, word_counts
from gender_check import LEAST_COUNT, check, common_pairs, share_right

import bvf
from bvf.plugins import load

MODELS = Path(__file__).parents[1] / "bvf_en" / "models"
ARCHITECTURES = {"causal": "LlamaForCausalLM", "masked": "BertForMaskedLM", "seq2seq": "T5ForConditionalGeneration"}
LOSSES = {
    "causal": "of the next token",
    "masked": "of the masked tokens",
    "seq2seq": "of the tokens behind the sentinels",
}
LEAST_SHARE = 0.9
CARD = Template((Path(__file__).parent / "card.md").read_text())
CUT = (
    "In this model's training half of the sentences are cut off behind a gendered word, and gendered words are\n"
    "hidden in half of their places, others in 12 %. So it expects a gendered word where a text like\n"
    '"The nurse said that" ends: its candidate mass is high by construction.'
)
OBJECTIVES = {"causal": "It reads whole sentences, one after another.", "masked": CUT, "seq2seq": CUT}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=ARCHITECTURES)
    parser.add_argument("corpora", type=Path)
    parser.add_argument("trained", type=Path)
    args = parser.parse_args()
    corpus = read_corpus(args.corpora, frozenset())
    plugins = load()
    request = bvf.ModelRequest(str(args.trained), plugins.topics.find("gender").make())
    backend = plugins.backends.find("transformers").make(request)
    pairs = check(backend, common_pairs(word_counts(corpus.train + corpus.held_out)))
    if share_right(pairs) < LEAST_SHARE:
        raise SystemExit(f"only {share_right(pairs):.1%} of {len(pairs)} pairs are right; the model stays where it is")
    folder = MODELS / f"en-{args.kind}"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(args.trained, folder)
    wrong = [f"{pair.male}/{pair.female}" for pair in pairs if not pair.right]
    card = CARD.substitute(
        readable(json.loads((args.trained / "training.json").read_text())),
        kind=args.kind,
        architecture=ARCHITECTURES[args.kind],
        parameters=f"{sum(p.numel() for p in backend.model.parameters()):,}",
        loss_of=LOSSES[args.kind],
        right=sum(pair.right for pair in pairs),
        pairs=len(pairs),
        least_count=LEAST_COUNT,
        wrong=f"On the wrong side: {', '.join(wrong)}." if wrong else "None is on the wrong side.",
        objective=OBJECTIVES[args.kind],
    )
    (folder / "README.md").write_text(card)
    print(f"{folder}: {sum(pair.right for pair in pairs)} of {len(pairs)} pairs")


def readable(figures: dict[str, float]) -> dict[str, str]:
    return {name: f"{value:.3f}" if isinstance(value, float) else f"{value:,}" for name, value in figures.items()}


if __name__ == "__main__":
    main()
