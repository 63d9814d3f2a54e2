"""Other words in the prompts of a run: what else could stand in the slot, as a standard for the words of its topic."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from bvf.asking.model import ChosenModel
from bvf.domain.measurement import Draws, Measurement
from bvf.domain.prompt import Prompt
from bvf.domain.spelling import scripts_of
from bvf.domain.topic import Attribute
from bvf.errors import BvfError, ContractError
from bvf.files.kinds import OTHER_WORDS
from bvf.files.run_folders import run_at
from bvf.hooks.loader import Plugins
from bvf.interfaces.backend import Backend, TokenCounting
from bvf.measuring.controls import topics_at_hand
from bvf.measuring.folder import RunFolder
from bvf.measuring.plan import Plan
from bvf.measuring.run import Load, OnProgress, measure_plan
from bvf.stats.comparing.other_words import WORDS_PER_CLASS

WORDS = 150
PER_READING = 20
"""Other words where a causal model reads the group after the word, each by a pass of its own: more for many classes."""
MOST_PROMPTS = 10_000
CONTEXTS, GROUPS = 16, 8
"""Of so many contexts, asked of so many groups, other words are chosen."""
CANDIDATES, FIRST_LOOK, PER_WORD = 3000, 8, 4
"""The first tokens of the vocabulary, the prompts in which all of these are scored, and how many per word that is
wanted are then scored in all prompts."""
LEAST = 1e-6
"""The least mean probability of another word, in that of all words of the topic."""
SHORTEST_STEM = 3
"""From so many letters on, a word that goes on is a form of it, in languages with spaces between words."""
ANOTHER = 1
"""Added to the seed of a run for the contexts that other words are chosen in."""


def measure_other_words(
    plan: Plan,
    measurement: Measurement,
    plugins: Plugins,
    on_progress: OnProgress | None,
    loading: Load = ChosenModel.load,
) -> None:
    """Score other words in the prompts of a run, in a folder of its folder.

    Words are those of one token with the largest mean probability in some contexts that are used for nothing else. A
    run of more than `MOST_PROMPTS` prompts has them in a part of its contexts.
    """
    folder = run_at(measurement.folder or "").sub(OTHER_WORDS)
    stored = RunFolder(folder).record()
    words = stored.asked.words if stored is not None else _chosen(plan, loading(plan.model), plugins)
    if len(words) < 2:
        raise BvfError(
            f"--other-words: {plan.model.name} gives other words than the topic's too little probability in these "
            "contexts",
            "leave the option out: what is scored is kept",
        )
    none: dict[str, object] = {table: {} for table in ("truth", "references", "statistics", "group_weights", "kinds")}
    classes = tuple(Attribute(name=word, words=(word,)) for word in words)
    topic = plan.topic.model_copy(update={"attributes": classes, "ambiguous": (), "units": (), **none})
    out = {"out": str(folder.own_path()), "tolerance": 0.0, "label": {}, "name": ""}
    of_words = replace(plan, topic=topic, config=plan.config.model_copy(update=out), draws=_draws(plan, measurement))
    measure_plan(of_words, plugins, on_progress, loading=loading)


def _draws(plan: Plan, measurement: Measurement) -> Draws | None:
    """The draws of the run, or of all its contexts, as many as make `MOST_PROMPTS` prompts."""
    draws, most = measurement.record.asked.draws, max(1, MOST_PROMPTS // len(plan.groups))
    if draws is None:
        few = len(measurement.record.asked.in_order) <= most
        return None if few else Draws(seed=plan.config.seed, rounds=(most,))
    return draws.up_to(min(draws.number, most))


def refuse_no_other_words(plan: Plan) -> None:
    """Raise `BvfError` if a run cannot have other words as a standard."""
    capabilities = plan.model.description.capabilities
    if plan.asked.samples or plan.model.description.samples:
        why, hint = "answers are sampled, and other words have no probabilities", "leave it out"
    elif not capabilities.lists_tokens:
        why = f"the backend {plan.model.backend} gives no probabilities of all its tokens"
        hint = "leave it out, or load the model here: bvf models"
    elif len(plan.groups) < 2:
        why, hint = "there is one group, and nothing to set it apart from", "ask two groups or more"
    else:
        return
    raise BvfError(f"--other-words: {why}", hint)


def _chosen(plan: Plan, backend: Backend, plugins: Plugins) -> tuple[str, ...]:
    """The most probable other words of one token; fewer where a causal model needs a pass for each."""
    if not isinstance(backend, TokenCounting):
        raise ContractError(f"{backend.model_name} declares lists_tokens, and is no bvf.interfaces.TokenCounting")
    one_by_one = not plan.model.description.capabilities.reads_right and any(
        each.context.group_right_of_slot for each in plan.asked.in_order
    )
    taken = {word.casefold() for word in _words_of_topics(plan, plugins)}
    letters = scripts_of("".join(plan.questions.words))
    begins = 1 if plan.language.between_words == "" else SHORTEST_STEM
    beginnings = {word[:end] for word in taken for end in range(1, len(word) + 1)}
    candidates = [
        word
        for word in dict.fromkeys(backend.single_tokens())
        if word.isalpha() and word == word.casefold() and scripts_of(word) <= letters
        if word not in beginnings and not any(word[:end] in taken for end in range(begins, len(word)))
    ][:CANDIDATES]
    prompts = _prompts(plan)
    counts = backend.token_counts(prompts[0], candidates) if candidates else []
    fewest_tokens = min(counts, default=0)
    words = [word for word, tokens in zip(candidates, counts, strict=True) if tokens == fewest_tokens]
    few, _ = _likeliest(backend, prompts[:: max(1, len(prompts) // FIRST_LOOK)], words, PER_WORD * WORDS)
    fewest = max(PER_READING, WORDS_PER_CLASS * len(plan.topic.attributes))
    likeliest, p = _likeliest(backend, prompts, few, fewest if one_by_one else WORDS)
    least = LEAST * np.exp(backend.word_logprobs(prompts, plan.questions.words)).sum(axis=1).mean()
    return tuple(word for word, mean in zip(likeliest, p, strict=True) if mean >= least)


def _likeliest(
    backend: Backend, prompts: Sequence[Prompt], words: Sequence[str], number: int
) -> tuple[list[str], list[float]]:
    """The words with the largest mean probability, and that, largest first."""
    p = np.exp(backend.word_logprobs(prompts, words)).mean(axis=0)
    places = np.argsort(-p, kind="stable")[:number].tolist()
    return [words[place] for place in places], p[places].tolist()


def _prompts(plan: Plan) -> list[Prompt]:
    """The prompts by which other words are chosen: of contexts that the run does not ask, if it has more of them.

    Else neutral subjects (or some groups, where the topic has none) in its own contexts.
    """
    rng = np.random.default_rng(plan.config.seed + ANOTHER)
    groups = tuple(rng.permutation(plan.groups)[:GROUPS].tolist())
    others = [place for place, each in enumerate(plan.asked.templates) if plan.draws is not None and not each.drawn]
    if others:
        weights = np.array([plan.contexts.counts[place] for place in others])
        chosen = rng.choice(others, min(CONTEXTS, len(others)), replace=False, p=weights / weights.sum()).tolist()
    else:
        chosen, groups = range(len(plan.contexts.templates)), plan.topic.neutral or groups
    described = plan.topic.model_copy(update={"groups": groups}).described(groups)
    templates = [plan.contexts.templates[place] for place in chosen]
    if plan.openings is not None:
        drawn = plan.openings.pool.drawn(len(templates), plan.config.seed + ANOTHER).tolist()
        templates = list(map(plan.openings.before, drawn, templates))
    return [plan.language.prompt(template, group.name, group.features) for template in templates for group in described]


def _words_of_topics(plan: Plan, plugins: Plugins) -> Iterator[str]:
    """The words of all classes and groups of every topic of the language."""
    for topic in (plan.topic, *topics_at_hand(plan.language.code, plugins)):
        for attribute in topic.attributes:
            for phrase in attribute.words:
                yield from phrase.split()
        for phrase in (*topic.groups, *topic.neutral):
            yield from phrase.split()
