"""Placebo sets: contexts together with variants of them that should make no difference."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from bvf.domain.context import ContextSet, Sampling, Template
from bvf.errors import BvfError

ORIGIN = "origin"
"""The column of a context file that names the template a variant is of."""
PLACEBO = "placebo"
"""The column that names the swap; empty for the template itself."""
VERB = "verb"
ALIKE = ("family", "tense")
"""Columns that are equal in templates that differ by a verb of the same kind."""
NO_FAMILY = ("", "other")
OF_THE_COUNT = ("documents",)
"""Columns about the count of a template; they do not hold for its variants."""


def placebo_set(contexts: ContextSet, swaps: Callable[[str], Mapping[str, str]]) -> ContextSet:
    """Return the templates with their harmless variants, and columns ``origin`` and ``placebo``.

    A template shares its count evenly with the variants that are written for it. Templates that differ by a verb of
    the same family and tense, and by no other word, are variants of the most frequent of them, each with its own count.
    Those without a variant are kept.

    Args:
        contexts: Where its details have ``verb``, ``family`` and ``tense``, verbs are compared too.
        swaps: What may be changed in the text of a template: the new text, by the name of the swap.

    Raises:
        BvfError: There is nothing to swap, or the set is a placebo set already.
    """
    details = contexts.details or ({},) * len(contexts.templates)
    if any(PLACEBO in row for row in details):
        raise BvfError(f"{contexts.name}: has a column {PLACEBO} already", "name the set that it was made from")
    origins = _origins(contexts.templates, contexts.counts, details)
    there, rows = {each.key for each in contexts.templates}, list[tuple[Template, float, dict[str, str]]]()
    for template, count, known, origin in zip(contexts.templates, contexts.counts, details, origins, strict=True):
        kept = {name: value for name, value in known.items() if name not in OF_THE_COUNT}
        is_origin = origin == template.key
        variants = dict[str, Template]()
        for swap, text in (swaps(template.text) if is_origin else {}).items():
            variant = replace(template, text=text)
            if variant.key not in there:
                there.add(variant.key)
                variants[swap] = variant
        share = count / (1 + len(variants))
        rows.append((template, share, {ORIGIN: origin, PLACEBO: "" if is_origin else VERB, **kept}))
        rows += [(each, share, {ORIGIN: origin, PLACEBO: swap, **kept}) for swap, each in variants.items()]
    if not any(told[PLACEBO] for _, _, told in rows):
        raise BvfError(
            f"{contexts.name}: nothing in its templates can be swapped without harm",
            f"write a table with the columns template, count, {ORIGIN} and {PLACEBO} yourself",
        )
    templates, counts, told = zip(*rows, strict=True)
    return ContextSet(contexts.name, templates, counts, f"placebo of {contexts.source}", told, Sampling(written=True))


def _origins(templates: Iterable[Template], counts: Iterable[float], details: Iterable[Mapping[str, str]]) -> list[str]:
    """The key of the template that each one is a variant of, by its verb; its own where there is none."""
    rows = list(zip(templates, counts, details, strict=True))
    first, origin_of = dict[tuple[str, ...], tuple[str, str]](), dict[str, str]()
    for template, _, known in sorted(rows, key=lambda row: -row[1]):
        verb, frames = known.get(VERB, ""), _frames(template, known)
        origins = (first[frame][0] for frame in frames if frame in first and first[frame][1] != verb)
        origin = origin_of[template.key] = next(origins, template.key)
        if origin == template.key:
            for frame in frames:
                first.setdefault(frame, (origin, verb))
    return [origin_of[template.key] for template, _, _ in rows]


def _frames(template: Template, known: Mapping[str, str]) -> list[tuple[str, ...]]:
    """The template with each of its words left out in turn; none where no family of its verb is known."""
    if template.media or not known.get(VERB) or known.get(ALIKE[0], "") in NO_FAMILY:
        return []
    words, alike = template.text.split(), [known.get(name, "") for name in ALIKE]
    return [(*alike, *words[:place], "", *words[place + 1 :]) for place, word in enumerate(words) if "[" not in word]
