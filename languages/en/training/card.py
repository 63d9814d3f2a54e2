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
CARD = Template("""---
language: en
license: cc-by-sa-4.0
library_name: transformers
---

# en-$kind

A $architecture of $parameters parameters that comes with `bvf`. It demonstrates that everything works offline, and tests
use it. It is **not a subject of study**: it has read a few million words, most of them from novels older than a century.

| | |
|---|---|
| held-out loss $loss_of | $held_out_loss nats |
| gender: pairs on the right side | $right of $pairs |
| tokens read in training | $tokens |
| sentences (with repetitions) | $sentences |
| seed | $seed |

The gender row: over the word pairs of the topic (uncle and aunt, king and queen, ...) of which both are at least $least_count
times in the sentences, the log-odds of *he* to *she* after "The W said that" should be higher for the male word.
$wrong

## Data

Sentences of 4 to 45 words with a third-person pronoun, from 100 English novels (public domain; Project Gutenberg, via
LitBank), WikiText-2 (Wikipedia, CC BY-SA), the Wikipedia sentences of BOLD (CC BY-SA 4.0), the passages of GAP (Wikipedia text; selection
Apache-2.0), and Tatoeba (CC BY 2.0 FR, by its contributors). One sentence in a hundred is held out. Sentences in
which a gendered noun stands before a pronoun are read up to six times, more often the rarer the noun is$objective

So this model expects a gendered word where a text like "The nurse said that" ends, more than a model of ordinary text would:
its candidate mass is high by construction, and its R says something about old novels and about this recipe.

## Licence

CC BY-SA 4.0, as part of the text is. Attribution: the contributors of Wikipedia and Tatoeba; the authors of WikiText-2, BOLD,
GAP and LitBank. The recipe is `languages/en/training` of the bvf repository.
""")
OBJECTIVES = {
    "causal": ".",
    "masked": ";\nhalf of the sentences are cut off behind a gendered word, and gendered words are masked in half of their places, others in 12 %.",
    "seq2seq": ";\nhalf of the sentences are cut off behind a gendered word, and gendered words move behind a sentinel in half of their places,\nothers in 12 %.",
}


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
        json.loads((args.trained / "training.json").read_text()),
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


if __name__ == "__main__":
    main()
