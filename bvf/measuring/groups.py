"""The groups of a topic that are scored: all, named by ``--groups``, or drawn at random."""

from pathlib import Path

from bvf.domain.context import ContextSet
from bvf.domain.groups import Selection, drawn_groups, named_groups, own_groups
from bvf.domain.topic import Topic
from bvf.errors import BvfError
from bvf.measuring.config import MeasureConfig
from bvf.measuring.folder import read_record


def selected_groups(topic: Topic, config: MeasureConfig) -> tuple[tuple[str, ...], Selection | None]:
    """Return the groups that are scored, and also how they were selected (None: all are scored).

    Names that the topic does not have are groups of the user's own: `Selection.own` of the second.
    For ``--limit-groups`` earlier versions of bvf took the first groups; a folder begun by them keeps these groups.
    """
    own = own_groups(config.groups, topic.groups)
    known, limit = (*topic.groups, *own), config.limit_groups
    groups = named_groups(config.groups, known, f"of {topic.name}") if config.groups else known
    if not limit or limit >= len(groups):
        return groups, None if groups == topic.groups else Selection(of=len(known), own=own)
    if _begun_with(config.out, groups[:limit]):
        return groups[:limit], None
    return drawn_groups(groups, limit, config.seed), Selection(of=len(groups), own=own, seed=config.seed)


def in_pairs(
    topic: Topic, groups: tuple[str, ...], selection: Selection | None, contexts: ContextSet
) -> tuple[Topic, tuple[str, ...], Selection | None]:
    """Return topic, groups and their selection for contexts about two people: groups are ordered pairs then.

    Raises:
        BvfError: Some contexts are about two people and others about one, words are people and contexts are about one,
            groups are no pairs, or one that was named is in no pair.
    """
    about = {template.of_pair for template in contexts.templates}
    if about == {False} and not topic.words_are_people:
        return topic, groups, selection
    if about != {True}:
        others = "others" if len(about) == 2 else f"words of {topic.name}"
        message = f"{contexts.name}: contexts have [X], and {others} [X1] and [X2]"
        raise BvfError(message, "write [X1] and [X2] in each context of two people")
    paired = topic.in_pairs(groups)
    alone = set(groups).difference(*(each.values() for each in paired.factors.values()))
    if alone and selection and selection.seed is None:
        raise BvfError(f'--groups: "{min(alone)}" is in no pair of {topic.name}', "name both groups of a pair")
    of = len(topic.pairs) * 2 or selection.of * (selection.of - 1) if selection else 0
    return paired, paired.groups, selection and selection.model_copy(update={"of": of})


def _begun_with(out: str, groups: tuple[str, ...]) -> bool:
    """Whether a folder has the measurement of these groups by a version of bvf that drew none."""
    if not out:
        return False
    try:
        asked = read_record(Path(out)).asked
    except BvfError:
        return False  # there is none, or it is refused when the measurement begins
    return asked.selection is None and asked.group_names == groups
