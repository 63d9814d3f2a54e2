"""The contexts of a run: found, drawn or put into formats, and refused where a model cannot read them."""

from dataclasses import replace
from pathlib import Path

from bvf.asking.model import ChosenModel
from bvf.domain.context import ContextSet
from bvf.domain.topic import Topic
from bvf.domain.variants.formats import FORMAT, Formats
from bvf.domain.variants.frames import framed_set
from bvf.errors import BvfError
from bvf.files.contexts.frames import read_formats
from bvf.files.contexts.sets import CONTEXT_ENDINGS, read_contexts
from bvf.files.pictures import IMAGE, check_picture
from bvf.hooks.loader import Plugins
from bvf.interfaces.language import Language
from bvf.measuring.config import MeasureConfig

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


def with_contexts(config: MeasureConfig, topic: Topic, contexts: ContextSet) -> MeasureConfig:
    """Return the configuration with the name of its context set and the number of contexts to draw."""
    drawn, limit, option = config.sample_contexts, config.limit_contexts, f"--sample-contexts {config.sample_contexts}"
    if config.precision is not None:
        drawn, option = max(drawn or 0, FIRST_LOOK), f"--precision {config.precision:g}"
    if drawn and limit:
        raise BvfError(
            f"{option} and --limit-contexts {limit} exclude each other",
            "the heaviest contexts are no sample of all: leave one out",
        )
    if drawn:
        contexts.refuse_draws(option)
    if drawn is None:
        of_topic = not config.contexts and not limit and not contexts.sampling.written
        drawn = DRAWN if of_topic and len(contexts.templates) > DRAWN else 0
    return config.model_copy(update={"contexts": config.contexts or topic.contexts, "sample_contexts": drawn})


def in_formats(contexts: ContextSet, config: MeasureConfig, language: Language) -> ContextSet:
    """Return the contexts that would be asked, each in every format."""
    option, (first, *others) = f"--formats {','.join(config.formats)}", config.formats
    if config.precision is not None:
        message = f"{option} and --precision exclude each other"
        raise BvfError(message, "give the number of templates: --sample-contexts N")
    if first.endswith(".toml") and not others:
        formats = Formats(read_formats(Path(first)))
    else:
        formats = Formats(language.formats()).with_levels(config.formats, option)
    if config.sample_contexts:
        contexts = contexts.counting_draws(config.sample_contexts, config.seed)
    return framed_set(contexts, {FORMAT: formats}, language.inside)


def without_group_right_of_slot(contexts: ContextSet) -> tuple[ContextSet, list[str]]:
    """Return the contexts for a model that reads only what is left of ``[Y]``, and also a note on the others."""
    kept = [index for index, template in enumerate(contexts.templates) if not template.group_right_of_slot]
    all_of_them = len(contexts.templates)
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
    kinds = {media.kind for template in contexts.templates for media in template.media}
    for kind in sorted(kinds - model.description.capabilities.media):
        raise BvfError(
            f"{contexts.name} has media of the kind {kind}, which the backend {model.backend} does not take",
            f"choose another backend, or contexts without {kind}",
        )
    for template in contexts.templates:
        for media in template.media:
            if media.kind == IMAGE:
                check_picture(Path(media.file))


def in_chats(contexts: ContextSet) -> bool:
    """Return whether contexts bring chats of their own."""
    return any(template.chat for template in contexts.templates)


def refuse_unread_chats(contexts: ContextSet, model: ChosenModel) -> None:
    """Raise `BvfError` if contexts bring chats and the model reads none."""
    capabilities = model.description.capabilities
    if capabilities.reads_chats or not in_chats(contexts):
        return
    if capabilities.wording != "bare":
        message = f"{contexts.name}: its contexts bring chats of their own, and the run puts all contexts into one"
        raise BvfError(message, "leave --chat-template and --chat-turn out")
    raise BvfError(
        f"{contexts.name} has contexts in chats, which the backend {model.backend} does not read",
        "for a causal model with a chat template: --backend llama",
    )
