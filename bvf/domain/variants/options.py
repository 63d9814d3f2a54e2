"""Lettered options: the classes that a context offers, in every rotation of their order."""

import re
from collections.abc import Sequence
from dataclasses import replace
from string import ascii_uppercase

from bvf.domain.context import WRITTEN, ContextSet
from bvf.domain.variants.placebo import ORIGIN
from bvf.errors import BvfError

PLACE = re.compile(r"\[options(?::((?:[^\[\]]|\[X[12]?\])*))?\]")
"""Where a template lists the options: ``[options]``, or ``[options: male=a man | female=a woman]``."""
OPTIONS = "options"
"""The column of a context that has its options, the classes in the order of their letters."""
BETWEEN = " | "


def in_every_order(contexts: ContextSet, classes: Sequence[str]) -> ContextSet:
    """Return a set in which each template that offers options stands once per rotation of their order.

    So each class has each letter once, and whatever a model feels for a letter or a place is averaged out of the bias
    and stands in the volatility. The copies of a template share its count; column ``origin`` names the template and
    column ``options`` the order. A set without such templates is returned unchanged.

    Raises:
        BvfError: There are more classes than letters, the options of a template are not the classes, it lists them
            twice, or the set has a column ``options`` already.
    """
    if not any(map(PLACE.search, contexts.texts)):
        return contexts
    if len(classes) > len(ascii_uppercase):
        message = f"{contexts.name}: {len(classes)} classes as options, and there are {len(ascii_uppercase)} letters"
        raise BvfError(message, "choose a topic with fewer classes, or contexts without [options]")
    if any(OPTIONS in row for row in contexts.details):
        raise BvfError(f"{contexts.name}: has a column {OPTIONS} already", "leave the column out, or [options]")
    orders = [(*classes[first:], *classes[:first]) for first in range(len(classes))]
    rows = []
    for template, count, known in contexts.rows:
        wordings = _wordings(template.text, classes, contexts.name)
        for order in orders if wordings else ():
            lettered = zip(ascii_uppercase, order, strict=False)
            listed = " ".join(f"({letter}) {wordings[name]}" for letter, name in lettered)
            before, *_, after = PLACE.split(template.text)
            offering = replace(template, text=before + listed + after)
            further = {ORIGIN: template.key, OPTIONS: BETWEEN.join(order), **known}
            rows.append((offering, count / len(orders), further))
        if not wordings:
            rows.append((template, count, {**known}))
    templates, counts, columns = zip(*rows, strict=True)
    return replace(contexts, templates=templates, counts=counts, details=columns, sampling=WRITTEN)


def _wordings(text: str, classes: Sequence[str], where: str) -> dict[str, str]:
    """How a template words each class as an option; empty if it lists none."""
    places = PLACE.findall(text)
    if not places:
        return {}
    if len(places) > 1:
        raise BvfError(f'{where}: "{text}" lists its options twice', "write [options] once")
    if not places[0].strip():
        return {name: name for name in classes}
    pairs = [part.partition("=") for part in places[0].split("|")]
    wordings = {name.strip(): wording.strip() for name, _, wording in pairs}
    if sorted(wordings) != sorted(classes) or len(pairs) != len(classes) or not all(wordings.values()):
        right = BETWEEN.join(f"{name}=..." for name in classes)
        message = f'{where}: the options of "{text}" are not the classes of the topic'
        raise BvfError(message, f"write [options: {right}]")
    return wordings
