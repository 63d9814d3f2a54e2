"""Other words in the prompts of a run: what else could stand in the slot, as a standard for the words of its topic."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from bvf.arrays import FloatArray
from bvf.asking.model import ChosenModel
from bvf.domain.asked import Draws
from bvf.domain.measurement import RECORD, Measurement, MeasurementRecord
from bvf.domain.prompt import Prompt
from bvf.domain.spelling import scripts_of
from bvf.domain.topic import Attribute
from bvf.errors import BvfError, ContractError, in_one_line
from bvf.files.folder import OTHER_WORDS, Folder
from bvf.hooks.failure import explained
from bvf.hooks.loader import Plugins
from bvf.interfaces.backend import Backend, TokenCounting
from bvf.measuring.controls import topics_at_hand
from bvf.measuring.folder import RunFolder
from bvf.measuring.plan import Plan
from bvf.measuring.run import Load, OnProgress, folder_of, measure_plan
from bvf.running.config import RunConfig
from bvf.stats.comparing.other_words import FEWEST_SETS, WORDS_PER_CLASS, sets_of_words

WORDS = 150
PER_READING = 20
"""Other words where a causal model reads the group after the word, each by a pass of its own: more for many classes."""
MOST_PROMPTS, FEWEST_PROMPTS, FEWEST_CONTEXTS = 10_000, 400, 12
"""The most prompts in which other words are read, and how many prompts and contexts a run has that asks by default: to
choose words takes 60 prompts at least, and a place in fewer contexts is noise."""
CONTEXTS, GROUPS, SHARE, MASS_SAMPLE = 16, 8, 16, 64
"""Of so many contexts, asked of so many groups, other words are chosen, and their mass is measured in so many prompts;
but only one in `SHARE` of the prompts of a run, and of two groups at least."""
CANDIDATES, FIRST_LOOK, PER_WORD = 3000, 8, 4
"""The first tokens of the vocabulary, the prompts in which all of these are scored, and how many per word that is
wanted are then scored in all prompts."""
NOT_ASKED = "other words were not asked, as {}; --other-words asks them"
LEAST = 1e-6
"""The least mean probability of another word, in that of all words of the topic."""
SHORTEST_STEM = 3
"""From so many letters on, a word that goes on is a form of it, in languages with spaces between words."""
ANOTHER = 1
"""Added to the seed of a run for the contexts that other words are chosen in."""


@dataclass
class OtherWordsBeside:
    """Other words that are read in the forward passes of a run. ``needed``: an error ends the run; else ``why`` has it.

    They are begun with the run. What is scored without them, `measure_other_words` asks.
    """

    plugins: Plugins
    needed: bool
    why: str = ""

    def plan_of(self, plan: Plan, record: MeasurementRecord, backend: Backend | None, todo: int) -> Plan | None:
        """Return the plan of other words in the contexts that a plan draws."""
        if self.why or plan.questions.size > MOST_PROMPTS:
            return None
        if (stored := RunFolder(_folder(plan)).record()) is not None:
            of_words = _plan_of(plan, stored.asked.words)
            return of_words if of_words.going_on(stored.asked.draws).draws == plan.draws else None
        if todo < len(plan.questions.shards()) and not self.needed:
            self.why = NOT_ASKED.format("the run began without them")
            return None
        words, p = _chosen(plan, record, backend or plan.model.load(), self.plugins)
        if not self.needed:
            _refuse_no_sets(plan, p)
        return _plan_of(plan, words)

    def failed(self, error: Exception) -> None:
        """Raise the error if other words are needed."""
        if self.needed:
            raise error
        line = error if isinstance(error, BvfError) else explained(error)
        self.why = f"other words were not asked: {in_one_line(line.message)}"


def with_other_words(config: RunConfig, plan: Plan, *, of_risk: bool) -> tuple[Plan, bool]:
    """Return the plan of a run, and whether other words are read beside it; a note says where only a pass of theirs is.

    They are if the user wants them; and by default where they take no further forward pass and can say something.
    """
    asked, description = config.other_words, plan.model.description
    contexts, classes = len(plan.asked.in_order), len(plan.topic.attributes)
    is_small = contexts < FEWEST_CONTEXTS or contexts * len(plan.groups) < FEWEST_PROMPTS
    says_little = not of_risk or is_small or WORDS_PER_CLASS * classes > WORDS or _why_none(plan) is not None
    if asked is False or (asked is None and (says_little or config.part)):
        return plan, False
    if _one_by_one(plan):
        why = "where a group stands after the word, this model reads each by a pass of its own"
    elif description.word_boundary:
        why = "with --word-boundary, each takes a pass of its own"
    elif plan.questions.size > MOST_PROMPTS:
        why = f"there are more than {MOST_PROMPTS:,} prompts"
    elif description.capabilities.reads_beside:
        return plan, True
    else:
        why = f"the backend {plan.model.backend} reads them by a pass of their own"
    notes = () if asked or _folder(plan).exists(RECORD) else (NOT_ASKED.format(why),)
    return replace(plan, notes=(*plan.notes, *notes)), False


def measure_other_words(
    plan: Plan, measurement: Measurement, plugins: Plugins, on_progress: OnProgress, loading: Load
) -> None:
    """Score other words in the prompts of a run, in a folder of its folder, where they are not stored yet.

    Words are those of one token with the largest mean probability in some contexts that are used for nothing else. A
    run of more than `MOST_PROMPTS` prompts has them in a part of its contexts.
    """
    stored = RunFolder(_folder(plan)).record()
    loading = ChosenModel.load if plan.model.description.rounds else loading
    words = _chosen(plan, measurement.record, loading(plan.model), plugins)[0] if stored is None else stored.asked.words
    of_words = replace(_plan_of(plan, words), draws=_draws(plan, measurement))
    measure_plan(of_words, plugins, on_progress, loading=loading)


def _folder(plan: Plan) -> Folder:
    return folder_of(plan).files.sub(OTHER_WORDS)


def _plan_of(plan: Plan, words: Sequence[str]) -> Plan:
    """The plan of a run with other words, each a class. Rounding of the weights is not checked again."""
    none: dict[str, object] = {table: {} for table in ("truth", "references", "statistics", "group_weights", "kinds")}
    classes = tuple(Attribute(name=word, words=(word,)) for word in words)
    topic = plan.topic.model_copy(
        update={"attributes": classes, "ambiguous": (), "units": (), "words_agree_with": (), **none}
    )
    few = max(CONTEXTS, min(MASS_SAMPLE, plan.questions.size // SHARE))
    out = {"out": str(_folder(plan).own_path()), "tolerance": 0.0, "label": {}, "name": "", "mass_sample": few}
    model = replace(plan.model, description=replace(plan.model.description, rounds={}))
    return replace(plan, topic=topic, config=plan.config.model_copy(update=out), model=model)


def _draws(plan: Plan, measurement: Measurement) -> Draws | None:
    """The draws of the run, or of all its contexts, as many as make `MOST_PROMPTS` prompts."""
    draws, most = measurement.record.asked.draws, max(1, MOST_PROMPTS // len(plan.groups))
    if draws is None:
        few = len(measurement.record.asked.in_order) <= most
        return None if few else Draws(seed=plan.config.seed, rounds=(most,))
    return draws.up_to(min(draws.number, most))


def refuse_no_other_words(plan: Plan) -> None:
    """Raise `BvfError` if a run cannot have other words as a standard."""
    if (why := _why_none(plan)) is not None:
        raise BvfError(f"--other-words: {why[0]}", why[1])


def _why_none(plan: Plan) -> tuple[str, str] | None:
    """Why a run cannot have other words, and what would help; None: it can."""
    if plan.asked.samples or plan.model.description.samples:
        return "answers are sampled, and other words have no probabilities", "leave it out"
    if not plan.model.description.capabilities.lists_tokens:
        return (
            f"the backend {plan.model.backend} gives no probabilities of all its tokens",
            "leave it out, or load the model here: bvf models",
        )
    if len(plan.groups) < 2:
        return "there is one group, and nothing to set it apart from", "ask two groups or more"
    return None


def _one_by_one(plan: Plan) -> bool:
    """Whether a causal model needs a pass for each word, as a group stands after it."""
    return not plan.model.description.capabilities.reads_right and any(
        each.context.group_right_of_slot for each in plan.asked.in_order
    )


def _chosen(
    plan: Plan, record: MeasurementRecord, backend: Backend, plugins: Plugins
) -> tuple[tuple[str, ...], FloatArray]:
    """The most probable other words of one token, and their mean p; fewer where a causal model needs a pass for each.

    ``record`` is that of the run, with the probability of the topic's words.
    """
    if not isinstance(backend, TokenCounting):
        raise ContractError(f"{backend.model_name} declares lists_tokens, and is no bvf.interfaces.TokenCounting")
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
    likeliest, p = _likeliest(backend, prompts, few, fewest if _one_by_one(plan) else WORDS)
    mass = record.check.candidate_mass
    number = len(p) if mass is None else int((p >= LEAST * mass.mean).sum())
    if number < 2:
        raise _too_improbable(plan)
    return tuple(likeliest[:number]), p[:number]


def _refuse_no_sets(plan: Plan, p: FloatArray) -> None:
    """Raise `BvfError` if other words with these mean probabilities make too few sets for a standard."""
    classes = len(plan.topic.attributes)
    if len(p) < WORDS_PER_CLASS * classes or len(sets_of_words(p, classes)) < FEWEST_SETS:
        raise _too_improbable(plan)


def _too_improbable(plan: Plan) -> BvfError:
    return BvfError(
        f"{plan.model.name} gives other words than the topic's too little probability in these contexts",
        "leave --other-words out: what is scored is kept",
    )


def _likeliest(
    backend: Backend, prompts: Sequence[Prompt], words: Sequence[str], number: int
) -> tuple[list[str], FloatArray]:
    """The words with the largest mean probability, and that, largest first."""
    p = np.exp(backend.word_logprobs(prompts, words)).mean(axis=0)
    places = np.argsort(-p, kind="stable")[:number].tolist()
    return [words[place] for place in places], p[places]


def _prompts(plan: Plan) -> list[Prompt]:
    """The prompts by which other words are chosen: of contexts that the run does not ask, if it has more of them.

    Else neutral subjects (or some groups, where the topic has none) in its own contexts.
    """
    rng = np.random.default_rng(plan.config.seed + ANOTHER)
    groups = tuple(
        rng.permutation(plan.groups)[: max(2, min(GROUPS, plan.questions.size // (SHARE * CONTEXTS)))].tolist()
    )
    others, counts = list[int](), np.array(plan.contexts.counts)
    if plan.draws is not None:
        others = np.setdiff1d(np.arange(len(counts)), plan.draws.of_templates(plan.contexts.counts)).tolist()
    if others:
        weights = counts[others]
        chosen = rng.choice(others, min(CONTEXTS, len(others)), replace=False, p=weights / weights.sum()).tolist()
    else:
        every, most = len(plan.contexts.templates), CONTEXTS * len(groups)
        groups = plan.topic.neutral or groups
        most = max(CONTEXTS, most // len(groups))
        chosen = range(every) if every <= most else np.sort(rng.permutation(every)[:most]).tolist()
    described = plan.topic.model_copy(update={"groups": groups}).described(groups)
    templates = [plan.contexts.templates[place] for place in chosen]
    if plan.openings is not None:
        drawn = plan.openings.pool.drawn(len(templates), plan.config.seed + ANOTHER).tolist()
        templates = list(map(plan.openings.before, drawn, templates))
    return [plan.language.prompt(template, group.name, group.features) for template in templates for group in described]


def _words_of_topics(plan: Plan, plugins: Plugins) -> Iterator[str]:
    """The words of all classes and groups of every topic of the language.

    Mentions of a person by a cue, such as *the person with a tie*, are phrases of everyday words and do not count.
    """
    for topic in (plan.topic, *topics_at_hand(plan.language.code, plugins)):
        for attribute in topic.attributes:
            for phrase in attribute.words:
                yield from phrase.split()
        for phrase in (*(each for each in topic.groups if "cue" not in topic.factors.get(each, ())), *topic.neutral):
            yield from phrase.split()
