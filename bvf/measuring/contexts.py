"""The contexts of a run: found, drawn or put into formats, and refused where a model cannot read them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import repeat
from pathlib import Path

import numpy as np

from bvf.asking.model import ChosenModel
from bvf.domain.asked import AskedOpenings, Draws
from bvf.domain.chat import SYSTEM, messages_in
from bvf.domain.context import ContextSet, Sampling
from bvf.domain.openings import BARE, NONE, TURNS_BEFORE, Openings
from bvf.domain.spelling import scripts_of
from bvf.domain.topic import Topic
from bvf.domain.variants.formats import FORMAT, Formats
from bvf.domain.variants.frames import framed_set
from bvf.errors import BvfError, nearest
from bvf.files.contexts.frames import read_formats
from bvf.files.contexts.openings import OPENING_ENDINGS, read_openings
from bvf.files.contexts.sets import CONTEXT_ENDINGS, read_contexts
from bvf.files.pictures import IMAGE, check_picture
from bvf.hooks.loader import Plugins
from bvf.interfaces.language import Language
from bvf.measuring.config import MeasureConfig

TURNS = 2
"""The fewest draws per template where templates take turns and openings are drawn, so that each has its own spread."""
FIRST_LOOK = 100
"""Contexts that are drawn with ``--precision`` before the first check whether they are enough."""
DRAWN = 80
"""Contexts that are drawn from a topic's own set if the user does not say how many."""


def find_contexts(choice: str | ContextSet, plugins: Plugins, language: str) -> ContextSet:
    """Return a context set by its name in a language or by its file. A `ContextSet` is returned unchanged."""
    if isinstance(choice, ContextSet):
        return choice
    named = plugins.contexts.in_language(language)
    if choice in named.names() or not choice.endswith(CONTEXT_ENDINGS):
        contexts: ContextSet = named.make(choice)
        return contexts
    return read_contexts(Path(choice))


def find_openings(choice: str, language: Language, named_by: str = "--openings") -> Openings | None:
    """Return a pool of openings by its name in a language or by its file; None for ``none``, or without a choice.

    Errors begin with ``named_by``, what names the pool.
    """
    if choice in ("", NONE):
        return None
    pools = language.openings()
    if choice not in pools and not choice.endswith(OPENING_ENDINGS):
        message = f'{named_by}: {language.code} has no openings "{choice}"'
        raise BvfError(message, nearest(choice, [NONE, *pools]))
    pool = pools[choice] if choice in pools else read_openings(Path(choice))
    if pool.card.language not in ("", language.code):
        message = f"{named_by}: {choice} is in {pool.card.language}, and the contexts are in {language.code}"
        raise BvfError(message, "choose openings of the same language")
    return pool


def openings_of(config: MeasureConfig, topic: Topic) -> str:
    """Return the pool of a run: the user's, or the topic's before contexts of a pack; those of a file stand bare.

    So do those that are read from a folder, such as ``documents:FOLDER``.
    """
    named = isinstance(config.contexts, str) and not (
        config.contexts.endswith(CONTEXT_ENDINGS) or ":" in config.contexts
    )
    return config.openings or (topic.openings if named else "") or NONE


def asked_openings(config: MeasureConfig, topic: Topic, language: Language, before: ContextSet) -> AskedOpenings | None:
    """Return the openings of a run as they are stored; None: templates stand bare."""
    choice, named_by = openings_of(config, topic), "--openings" if config.openings else f"topic {topic.name}"
    pool = find_openings(choice, language, named_by)
    if pool is None:
        return None
    scripts = scripts_of("".join(topic.groups))
    said = [messages_in(text) for text in pool.texts]
    read = "".join(each["content"] for messages in said for each in messages) or "".join(pool.texts)
    if scripts and scripts.isdisjoint(scripts_of(read)):
        message = f"{named_by}: {choice} is in another script than the groups of {topic.name}"
        raise BvfError(message, "choose openings of the language of the contexts")
    known: Sequence[Mapping[str, str]] = () if choice in language.openings() else pool.details  # a pack's: no factors
    if pool.conversations:
        turns = (str(sum(each["role"] != SYSTEM for each in messages)) for messages in said)
        known = [{**row, TURNS_BEFORE: number} for row, number in zip(pool.details or repeat({}), turns, strict=False)]
    taken = {BARE, *(name for row in before.details for name in row)}
    if both := taken.intersection(name for row in known for name in row):
        message = f'{named_by}: {choice} has a column "{min(both)}", and so have its contexts, {before.name}'
        raise BvfError(message, "give it another name in one of the files")
    asked = AskedOpenings(
        name=pool.name, source=pool.source, between=language.between_words, texts=pool.texts, counts=pool.counts
    )
    return asked.model_copy(update={"columns": tuple(map(dict, known))})


def draws_of(config: MeasureConfig, contexts: ContextSet, openings: AskedOpenings | None) -> Draws | None:
    """Return how contexts are drawn; None: all are asked.

    Templates that were written, or are all asked, take turns where openings are drawn.
    """
    drawn, limit, option = config.sample_contexts, config.limit_contexts, f"--sample-contexts {config.sample_contexts}"
    if config.precision is not None:
        drawn, option = max(drawn or 0, FIRST_LOOK), f"--precision {config.precision:g}"
    if drawn and limit and openings is None:
        raise BvfError(
            f"{option} and --limit-contexts {limit} exclude each other",
            "the heaviest contexts are no sample of all: leave one out",
        )
    templates = limit or len(contexts.templates)
    if drawn and openings is None:
        contexts.refuse_draws(option)
    if drawn is None:
        of_topic = not config.contexts and not limit and not contexts.sampling.written
        drawn = DRAWN if of_topic and templates > DRAWN else 0
    in_turn = openings is not None and (contexts.sampling.written or limit > 0 or not drawn)
    if in_turn and not drawn:
        drawn = max(DRAWN, TURNS * templates) if contexts.sampling.written and not limit else templates
    step = -(-drawn // 10) if config.order == "contexts" else drawn
    rounds = (*range(step, drawn, step or 1), drawn)  # of a run that is cut off, whole rounds can be analysed
    return Draws(seed=config.seed, rounds=rounds, in_turn=in_turn) if drawn else None


def in_formats(
    contexts: ContextSet, config: MeasureConfig, language: Language, draws: Draws | None, openings: AskedOpenings | None
) -> ContextSet:
    """Return the contexts that would be asked, each in every format. An opening stands beside its template."""
    option, (first, *others) = f"--formats {','.join(config.formats)}", config.formats
    if config.precision is not None:
        message = f"{option} and --precision exclude each other"
        raise BvfError(message, "give the number of templates: --sample-contexts N")
    if first.endswith(".toml") and not others:
        formats = Formats(read_formats(Path(first)))
    else:
        formats = Formats(language.formats()).with_levels(config.formats, option)
    if draws is not None and openings is not None:
        contexts = _after_openings(contexts, draws, openings)
    elif draws is not None:
        contexts = contexts.counting_draws(draws.number, draws.seed)
    return framed_set(contexts, {FORMAT: formats}, language.inside)


def _after_openings(contexts: ContextSet, draws: Draws, openings: AskedOpenings) -> ContextSet:
    """The drawn templates, each after its opening, with their weights in all as counts."""
    places = draws.of_templates(contexts.counts)
    weights = np.ones(draws.number)
    if draws.in_turn:
        weights = (contexts.weights() * draws.number / np.bincount(places, minlength=len(contexts.counts)))[places]
    of_context = dict[tuple[int, int], float]()
    opened = openings.pool.drawn(draws.number, draws.seed)
    for pair, weight in zip(zip(places.tolist(), opened.tolist(), strict=True), weights.tolist(), strict=True):
        of_context[pair] = of_context.get(pair, 0.0) + weight
    details = contexts.details or ({},) * len(contexts.templates)
    return ContextSet(
        contexts.name,
        tuple(openings.before(opening, contexts.templates[place]) for place, opening in of_context),
        tuple(of_context.values()),
        contexts.source,
        tuple({**details[place], **openings.known_of(opening)} for place, opening in of_context),
        contexts.sampling if draws.in_turn else Sampling(),
        contexts.card,
    )


def without_group_right_of_slot(contexts: ContextSet) -> tuple[ContextSet, list[str]]:
    """Return the contexts for a model that reads only what is left of ``[Y]``, and also a note on the others."""
    kept = [index for index, text in enumerate(contexts.texts) if text.index("[X]") < text.index("[Y]")]
    all_of_them = len(contexts.texts)
    if len(kept) == all_of_them:
        return contexts, []
    where = "[X] stands right of [Y], where this backend does not look"
    if not kept:
        raise BvfError(
            f"{contexts.name}: in every template {where}",
            "use a model that runs here, a server that gives log p of any token, or templates with [X] first",
        )
    read = contexts.only(kept)
    if contexts.share == 1.0:
        read = replace(read, sampling=replace(read.sampling, occurrences=None))
    return read, [f"{all_of_them - len(kept)} of {all_of_them} templates left out: {where}"]


def refuse_media(contexts: ContextSet, model: ChosenModel) -> None:
    """Raise `BvfError` if contexts have media that the model does not take, or a picture that cannot be read."""
    kinds = {media.kind for template in contexts.with_more for media in template.media}
    for kind in sorted(kinds - model.description.capabilities.media):
        raise BvfError(
            f"{contexts.name} has media of the kind {kind}, which the backend {model.backend} does not take",
            f"choose another backend, or contexts without {kind}",
        )
    for template in contexts.with_more:
        for media in template.media:
            if media.kind == IMAGE:
                check_picture(Path(media.file))


def in_chats(contexts: ContextSet) -> bool:
    """Return whether contexts bring chats of their own."""
    return any(template.chat for template in contexts.with_more)


def refuse_unread_chats(contexts: ContextSet, model: ChosenModel, openings: AskedOpenings | None) -> None:
    """Raise `BvfError` if contexts bring chats, or follow conversations, and the model is not asked in such chats."""
    capabilities = model.description.capabilities
    chats = [template.chat for template in contexts.with_more if template.chat]
    said = () if openings is None else openings.pool.conversations
    if said and (not capabilities.reads_chats or (capabilities.wording == "bare" and len(chats) < len(contexts.texts))):
        message = f"--openings has conversations, and the backend {model.backend} is not asked in a chat after them"
        raise BvfError(message, "with a chat template of the model: --backend llama --chat-turn assistant, or user")
    has_system = model.description.system or any(chat.system for chat in chats)
    if has_system and any(messages_in(each)[0]["role"] == SYSTEM for each in said):
        message = "--openings has a conversation that begins with the system's message, and the chat has another"
        raise BvfError(message, "leave it out there, or leave --system out")
    if not chats or (capabilities.reads_chats and capabilities.wording == "bare"):
        return
    if capabilities.wording != "bare":
        message = f"{contexts.name}: its contexts bring chats of their own, and the run puts all contexts into one"
        hint = "leave --chat-template and --chat-turn out; --backend llama may name the template: -B chat_template=NAME"
        raise BvfError(message, hint)
    raise BvfError(
        f"{contexts.name} has contexts in chats, which the backend {model.backend} does not read",
        "for a causal model with a chat template: --backend llama",
    )
