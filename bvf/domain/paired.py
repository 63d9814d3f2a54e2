"""Paired topics: where contexts are about two people, the groups are ordered pairs, such as ``nurse & surgeon``."""

from collections.abc import Sequence
from itertools import permutations, product

from bvf.domain.pair import PLACES
from bvf.domain.topic import Topic, checked_topic
from bvf.errors import BvfError


def topic_of_pairs(topic: Topic, groups: Sequence[str]) -> Topic:
    """Return the topic whose groups are the ordered pairs of these groups, but for those that the topic does not list.

    Each pair has the groups as its factors and features ``first`` and ``second``, and the features of both.

    Raises:
        BvfError: None of the pairs is of these groups, or words of the topic agree with one group.
    """
    if topic.words_agree_with:
        message = f"topic {topic.name}: its words agree with one group, and its contexts have two"
        raise BvfError(message, "choose contexts with [X] alone")
    listed = {*topic.pairs, *(pair[::-1] for pair in topic.pairs)}
    chosen = [both for both in permutations(groups, 2) if not listed or both in listed]
    if not chosen:
        message = f"topic {topic.name}: its contexts have two people, and {', '.join(groups)} are no pair"
        raise BvfError(message, "choose two groups or more; with pairs in the topic, both of one pair")
    pairs = {" & ".join(both): dict(zip(PLACES, both, strict=True)) for both in chosen}
    features = {place: {name: both[place] for name, both in pairs.items()} for place in PLACES}
    for (feature, table), place in product(topic.group_features.items(), PLACES):
        known = {name: table[group] for name, group in features[place].items() if group in table}
        features |= {f"{place} {feature}": known}
    of_groups = {"truth", "glosses", "group_weights", "references", "statistics", "pairs", "neutral"}
    changed = {
        **topic.model_dump(by_alias=True, exclude=of_groups),
        "groups": tuple(pairs),
        "factors": pairs,
        "group_features": features,
        "words_agree_with": PLACES if topic.words_are_people else (),
    }
    return checked_topic(changed, f"topic {topic.name} in pairs")
