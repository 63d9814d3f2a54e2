"""Every topic and its controls on every bundled model: ``python benchmarks/controls/run.py``.

Prints how stereotypes and controls differ: how much of R the groups share, and how far apart they are. Two published
models have such a table in docs/results/findings.md.
"""

import sys
import tempfile
from pathlib import Path

import numpy as np

import bvf

MODELS = {
    "en": ("bundled:en-causal", "bundled:en-masked", "bundled:en-seq2seq"),
    "zh": ("bundled:zh-causal", "bundled:zh-masked"),
}
TOPICS = {
    "en": ("gender", "race-paper", "religion-paper", "disability-paper", "race-gender", "weekday", "hair-colour"),
    "zh": ("gender", "region", "religion", "disability", "weekday", "hair-colour"),
}


def total_variation(result: bvf.Result) -> float:
    """Mean total variation between a group's prediction and the mean over groups, 0 to 1."""
    long = result.stereotypes()
    names = list(result.groups[0].reference_probabilities)
    p = long.pivot_table(index="group", columns=["context", "attribute"], values="probability")
    contexts = list(dict.fromkeys(long["context"]))
    cube = np.stack([p[context][names].to_numpy() for context in contexts], axis=1)
    weights = long.drop_duplicates("context").set_index("context")["weight"].loc[contexts]
    return bvf.decompose(cube, context_weights=weights, criterion="tv", scale="raw").parts.particular


def main() -> None:
    print("| | topic | model | R | R^b | R^v | shared | particular | total variation | candidate mass |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for lang, topics in TOPICS.items():
            for topic in topics:
                for model in MODELS[lang]:
                    out = str(Path(folder, lang, topic, model.replace(":", "-")))
                    result = bvf.run(bvf.RunConfig(lang=lang, topic=topic, model=model, out=out))
                    figures = (result.R, result.R_bias, result.R_volatility, result.shared, result.particular)
                    shown = " | ".join(f"{figure:.3f}" for figure in (*figures, total_variation(result)))
                    print(f"| {lang} | {topic} | {model[11:]} | {shown} | {result.candidate_mass.mean:.1e} |")
                    sys.stdout.flush()


if __name__ == "__main__":
    main()
