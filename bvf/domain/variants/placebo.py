"""Placebo sets: contexts together with variants (such as *that* for *the*) that should make no difference."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from bvf.domain.context import WRITTEN, ContextSet, Template, properties_in
from bvf.errors import BvfError

ORIGIN = "origin"
"""The column of a context file that names the original template of a variant."""
PLACEBO = "placebo"
"""The column that names the swap that made a variant; empty for the original template."""
VERB = "verb"
ALIKE = ("family", "tense")
"""Columns that are equal in templates whose verbs are of the same kind."""


def placebo_set(contexts: ContextSet, swaps: Callable[[str], Mapping[str, str]]) -> ContextSet:
    """Return a set of templates and their placebo variants. Columns ``origin`` and ``placebo`` name template and swap.

    A template shares its count evenly with its new variants. Templates that differ only in verbs of the same family and
    tense, if the details name these, are variants of the most frequent of them and keep their counts. Templates
    without a variant are kept. ``swaps`` returns changed texts of a template, by the name of the swap.

    Raises:
        BvfError: There is nothing to swap, or the set is a placebo set already.
    """
    if any(PLACEBO in row for row in contexts.details):
        raise BvfError(f"{contexts.name}: has a column {PLACEBO} already", "name the set that it was made from")
    origins = _origins(contexts)
    keys, rows = {each.key for each in contexts.templates}, list[tuple[Template, float, dict[str, str]]]()
    for template, count, known in contexts.rows:
        kept, origin = properties_in(known), origins[template.key]
        is_origin = origin == template.key
        variants = dict[str, Template]()
        for swap, text in (swaps(template.text) if is_origin else {}).items():
            variant = replace(template, text=text)
            if variant.key not in keys:
                keys.add(variant.key)
                variants[swap] = variant
        share = count / (1 + len(variants))
        rows.append((template, share, {ORIGIN: origin, PLACEBO: "" if is_origin else VERB, **kept}))
        rows += [(each, share, {ORIGIN: origin, PLACEBO: swap, **kept}) for swap, each in variants.items()]
    if not any(row[PLACEBO] for _, _, row in rows):
        raise BvfError(
            f"{contexts.name}: nothing in its templates can be swapped without harm",
            f"write a table with the columns template, count, {ORIGIN} and {PLACEBO} yourself",
        )
    templates, counts, columns = zip(*rows, strict=True)
    return ContextSet(
        contexts.name, templates, counts, f"placebo of {contexts.source}", columns, WRITTEN, contexts.card
    )


def _origins(contexts: ContextSet) -> dict[str, str]:
    """The key of the most frequent template that differs only in the verb, by the key of each; without one, its own."""
    first, origin_of = dict[tuple[str, ...], tuple[str, str]](), dict[str, str]()
    for template, _, known in sorted(contexts.rows, key=lambda row: -row[1]):
        verb, frames = known.get(VERB, ""), _frames(template, known)
        origins = (first[frame][0] for frame in frames if frame in first and first[frame][1] != verb)
        origin = origin_of[template.key] = next(origins, template.key)
        if origin == template.key:
            for frame in frames:
                first.setdefault(frame, (origin, verb))
    return origin_of


def _frames(template: Template, known: Mapping[str, str]) -> list[tuple[str, ...]]:
    """The template with each word left out in turn.

    Empty if the template has media, or if its verb or family is unknown.
    """
    if template.media or not known.get(VERB) or known.get("family", "") in ("", "other"):
        return []
    words, alike = template.text.split(), [known.get(name, "") for name in ALIKE]
    return [(*alike, *words[:place], "", *words[place + 1 :]) for place, word in enumerate(words) if "[" not in word]
