"""Control measurements of a run: the same groups and model, but an unrelated topic."""

from collections.abc import Iterator, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from bvf.asking.model import ChosenModel
from bvf.domain.measurement import RECORD
from bvf.domain.openings import NONE
from bvf.domain.pair import about_two
from bvf.domain.topic import Topic, features_together
from bvf.errors import BvfError
from bvf.files.digests import digest_of
from bvf.files.folder import CONTROLS, Folder, run_at
from bvf.hooks.loader import Plugins
from bvf.interfaces.backend import Backend
from bvf.measuring.config import MeasureConfig
from bvf.measuring.contexts import FIRST_LOOK, find_contexts
from bvf.measuring.plan import Plan, plan_for


def control_folders(study: Path) -> list[Folder]:
    """Return the folders of control measurements in the folder of a run, by name."""
    return [each for each in run_at(study).sub(CONTROLS).folders() if each.exists(RECORD)]


def control_plans(config: MeasureConfig, study: Plan, folder: Path, plugins: Plugins) -> tuple[Plan, list[Plan]]:
    """Return the run's plan with notes on control topics that are left out, and also the plans of the other ones.

    ``config`` is the configuration of the run as the user gave it, ``study`` its plan, and ``folder`` its folder.
    """
    if study.topic.control:
        raise BvfError(
            f"--controls: {study.topic.name} is a control topic itself", "leave --controls out, or choose another topic"
        )
    if any(map(about_two, study.contexts.texts)):
        raise BvfError("--controls: control topics are about one person, and the contexts about two", "leave it out")
    controls = control_topics(study.language.code, study.topic.groups, plugins)
    if not controls:
        raise BvfError(
            f"--controls: there is no control topic in {study.language.code}",
            "write one: a topic file (bvf new topic NAME) with the line control = true",
        )
    shared = {control.name: _shared_words(control, study.topic) for control in controls}
    left_out = [f"{name}, which shares {', '.join(words)} with it" for name, words in shared.items() if words]
    kept = [control for control in controls if not shared[control.name]]
    if not kept:
        raise BvfError(
            f"--controls: no control has words of its own beside {study.topic.name}: {'; '.join(left_out)}",
            "write one with other words: a topic file (bvf new topic NAME) with the line control = true",
        )
    notes = tuple(f"control left out: {each}" for each in left_out)
    of_controls = run_at(folder).sub(CONTROLS)
    plans = [_plan_of(each, config, study, of_controls.sub(each.name).own_path(), plugins) for each in kept]
    return replace(study, notes=(*study.notes, *notes)), plans


def control_topics(language: str, groups: Sequence[str], plugins: Plugins) -> tuple[Topic, ...]:
    """Return the control topics of a language whose sentences fit these groups.

    They fit where a control has one of the groups itself: those of occupations ask of *the nurse*, and none of *the
    Emily*. For groups that no control has, they are those of the default topic of the language, or else all.
    """
    controls = tuple(topic for topic in topics_at_hand(language, plugins) if topic.control)
    return _fitting(controls, groups) or _fitting(controls, _default_groups(language, plugins)) or controls


def control_topics_of(topic: str, language: str, asked: Sequence[str], plugins: Plugins) -> tuple[Topic, ...]:
    """Return the `control_topics` of a topic from its name and the groups of it that were asked.

    They are those of all groups of the topic, as for ``--controls``. Where the topic is not installed under this name,
    only the groups that were asked are known.
    """
    named, groups = plugins.topics.in_language(language), tuple(asked)
    if topic in named.names():
        with suppress(BvfError):  # it needs an option or a library
            groups = named.make(topic).groups
    return control_topics(language, groups if set(asked) <= set(groups) else asked, plugins)


def _fitting(controls: tuple[Topic, ...], groups: Sequence[str]) -> tuple[Topic, ...]:
    return tuple(control for control in controls if set(control.groups).intersection(groups))


def topics_at_hand(language: str, plugins: Plugins) -> Iterator[Topic]:
    """Yield the topics of a language that need no parameter and no library that is not installed."""
    for entry in plugins.topics.in_language(language):
        with nullcontext() if entry.is_ours else suppress(BvfError):
            if entry.missing_modules or entry.provider.options is not None or not entry.takes():
                continue
            topic = entry.make()
            if topic.language == language:
                yield topic


def _default_groups(language: str, plugins: Plugins) -> tuple[str, ...]:
    topics = plugins.topics.in_language(language)
    defaults = [plugins.languages.make(language).default_topic] if language in plugins.languages.names() else []
    return topics.make(defaults[0]).groups if set(defaults) & set(topics.names()) else ()


def _shared_words(control: Topic, topic: Topic) -> list[str]:
    ours, theirs = ({word for words in each.counted_words().values() for word in words} for each in (control, topic))
    return sorted(ours & theirs)


def _plan_of(control: Topic, config: MeasureConfig, study: Plan, folder: Path, plugins: Plugins) -> Plan:
    """The plan of a control: the run's groups in the control's contexts.

    If the run has the same contexts, they are drawn alike.
    """
    contexts, chosen, drawn = find_contexts(control.contexts, plugins, study.language.code), "", None
    if control.contexts == study.config.contexts:
        chosen, drawn = control.contexts, study.config.sample_contexts
    elif study.config.openings != NONE or not contexts.sampling.written:  # what was written is drawn by openings alone
        drawn = FIRST_LOOK if config.precision is not None else config.sample_contexts
    choices = {
        **dict(topic=control.name, cross=(), phrase="", topic_options={}, words={}, groups=(), limit_groups=0),
        **dict(contexts=chosen, sample_contexts=drawn, precision=None, out=str(folder)),
    }
    try:
        asked = study.config.model_copy(update=choices)
        return plan_for(_with_groups_of(study, control), asked, plugins, study.language)
    except BvfError as error:
        raise BvfError(f"--controls: {control.name}: {error.message}", error.hint) from error


def _with_groups_of(study: Plan, control: Topic) -> Topic:
    """The control topic with the run's groups. Their glosses, factors, features and weights are included."""
    topic, groups = study.topic, study.groups
    glosses, factors = {**control.glosses, **topic.glosses}, {**control.factors, **topic.factors}
    return control.model_copy(
        update={
            "groups": groups,
            "truth": {},
            "glosses": {group: glosses[group] for group in groups if group in glosses},
            "factors": {group: factors[group] for group in groups if group in factors},
            "group_features": features_together((topic, control), (*groups, *control.neutral)),
            "group_weights": {**control.group_weights, **topic.group_weights},
        }
    )


@dataclass
class LoadedOnce:
    """Loads a model, and keeps it for the next request for the same model.

    Two kinds of models are loaded anew each time: those whose description has no weights, as they may depend on the
    topic, and those that are loaded unrounded first, as memory may not hold three copies.
    """

    kept: dict[str, Backend] = field(default_factory=dict)

    def __call__(self, model: ChosenModel) -> Backend:
        description = model.description
        if not description.weights or description.rounds:
            return model.load()
        key = digest_of(model.identity())
        if key not in self.kept:
            self.kept = {key: model.load()}
        return self.kept[key]
