"""Tasks for inspect: one per topic of the bundled packs, and one for any topic."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from bvf_openai_backend.word_begun import tokens_of_the_longest
from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessageUser, GenerateConfig, get_model
from inspect_ai.solver import generate

from bvf_inspect.models import ASKED, BvfModel
from bvf_inspect.naming import of_bvf, shown_by_inspect
from bvf_inspect.scoring import risk, words

if TYPE_CHECKING:
    from bvf_inspect.questions import PlannedTask

NAMES = """
age cues decisions disability disability-paper education gender gender-2026 gender-they hair-colour looks names
names-origin nationality nationality-traits occupation-traits ordinal politics race race-gender race-paper region
religion religion-paper sexual-orientation social-class traits traits-nationality weekday weekday-adjectives
weekday-names
"""
TOPICS = {name: "zh" if name in ("education", "region") else "en" for name in NAMES.split()}
"""Topics that have a task of their own, each with its default language: English where it has the topic."""
MOST_PROBABLE = 20
TOKENS = 16
"""The fewest tokens to ask for: some providers refuse fewer."""


@task(name="topic")
@of_bvf
def topic(**choices: Any) -> Task:
    """Return a task with the questions of a topic, for the evaluated model.

    Args:
        choices: Fields of `bvf.RunConfig`, see `bvf_inspect.questions.CHOICES`: ``topic``, ``lang``, ``contexts``,
            ``criterion``, ``limit_groups``, ``limit_contexts``, ...; and ``samples``, the number of continuations to
            sample per question, for models without log-probabilities.
    """
    from bvf_inspect.questions import choices_of, planned_task

    model = get_model()
    settings = model.api.settings if isinstance(model.api, BvfModel) else {"model": f"inspect:{model}"}
    with shown_by_inspect():
        chosen = choices_of(settings, choices)
        planned = planned_task(chosen)
    if isinstance(model.api, BvfModel):
        model.api.chosen = planned.plan.model
    return Task(
        dataset=MemoryDataset(_samples(planned), name=f"{planned.plan.topic.name} ({planned.plan.language.code})"),
        solver=generate(),
        scorer=words(chosen),
        metrics=[risk(chosen)],
        epochs=planned.samples or None,
        config=_config(planned),
        metadata=_metadata(planned),
    )


def _of_topic(name: str, language: str) -> Callable[..., Task]:
    def asked(lang: str = language, **choices: Any) -> Task:
        return topic(topic=name, lang=lang, **choices)

    made: Callable[..., Task] = task(name=name)(of_bvf(asked))
    return made


OF_TOPICS = [_of_topic(name, language) for name, language in TOPICS.items()]


def _samples(planned: "PlannedTask") -> list[Sample]:
    questions = planned.plan.questions
    samples = []
    for number, prompt in enumerate(planned.plan.prompts(range(questions.size))):
        context = questions.templates[number % len(questions.templates)].key
        read = {name: getattr(prompt, name) for name in ("left", "right", "group", "context", "spaced", "before")}
        metadata = None if planned.by_inspect else {ASKED: {"prompt": read, "words": questions.words}}
        text = prompt.left if planned.by_inspect else str(prompt)
        samples.append(
            Sample(
                id=number + 1,
                input=[ChatMessageUser(content=text, metadata=metadata)],
                metadata={"group": prompt.group, "context": context},
            )
        )
    return samples


def _config(planned: "PlannedTask") -> GenerateConfig:
    if not planned.by_inspect:
        return GenerateConfig()
    tokens = max(TOKENS, tokens_of_the_longest(planned.plan.questions.words))
    if planned.samples:
        return GenerateConfig(temperature=1.0, max_tokens=tokens)
    return GenerateConfig(temperature=1.0, max_tokens=tokens, logprobs=True, top_logprobs=MOST_PROBABLE)


def _metadata(planned: "PlannedTask") -> dict[str, Any]:
    """How probabilities were obtained, and the questions of a task, for a reader of the log."""
    if not planned.by_inspect:
        how = "exact: log-probabilities of whole words, by bvf"
    elif planned.samples:
        how = (
            f"sampled: shares of words among {planned.samples} continuations per question, "
            "without the noise of sampling"
        )
    else:
        how = "bounds: the most probable first tokens; of a word that is not among them, the middle between its limits"
    asked = planned.plan.asked
    return {
        "probabilities": how,
        "topic": asked.topic,
        "language": asked.language,
        "contexts": asked.contexts,
        "groups": len(asked.groups),
        "notes": list(planned.plan.notes),
    }
