"""Describes context sets, merges them, writes them as CSV, and compares them."""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from os.path import relpath
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bvf.arrays import FloatArray
from bvf.domain.chat import Chat
from bvf.domain.context import Card, ContextSet, Sampling, Template
from bvf.stats.comparing.ranks import spearman


def narrowed(counts: NDArray[np.integer]) -> NDArray[np.unsignedinteger]:
    """Return counts >= 0 as uint16 or, for larger counts, as the narrowest unsigned type that holds them.

    >>> narrowed(np.array([65_535])).dtype, narrowed(np.array([65_536])).dtype
    (dtype('uint16'), dtype('uint32'))
    """
    largest = int(counts.max(initial=0))
    return counts.astype(np.promote_types(np.uint16, np.min_scalar_type(largest)))


LEAST_FOR_RANKS = 3
NAMED = 5
WHOLE_AS_FLOATS = 2.0**53
OF_ALL_SETS = ("language", "miner", "min_confidence")
"""Fields of a data card that a merged set has if all sets have the same."""


@dataclass(frozen=True)
class Comparison:
    """The overlap of two context sets, and distances between their distributions over templates.

    Args:
        templates: Number of templates of each set.
        shared: Number of templates in both sets.
        shared_weight: Total weight of these shared templates in each set.
        rank_correlation: Spearman's, of the weights of shared templates; None for fewer than three, or equal weights.
        jensen_shannon: Distance between the two P(C), base 2: 0 if they are equal, 1 if no template is shared.
        total_variation: Distance between the two P(C): 0 if they are equal, 1 if no template is shared.
        alone: The heaviest templates that are only in the first set, and those that are only in the second.
    """

    templates: tuple[int, int]
    shared: int
    shared_weight: tuple[float, float]
    rank_correlation: float | None
    jensen_shannon: float
    total_variation: float
    alone: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())


def merged(sets: list[ContextSet], name: str) -> ContextSet:
    """Return the union of context sets, most frequent template first. Counts of the same template are added up.

    Occurrences, documents and replicates are added up if all sets have them, assuming that no two sets share a source.
    The result is marked ``written`` (counts were chosen) or ``cut`` (a part of the source is left out) if any set is.
    Its licence is that of all sets together, and it is cited as each of them; what differs otherwise is not stated.
    """
    templates: dict[str, Template] = {}
    counts: dict[str, float] = {}
    for one in sets:
        for template, count in zip(one.templates, one.counts, strict=True):
            templates.setdefault(template.key, template)
            counts[template.key] = counts.get(template.key, 0.0) + count
    counts = dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
    source = "; ".join(one.source for one in sets)
    ordered = tuple(templates[key] for key in counts)
    sampling = _merged_sampling(sets, list(counts))
    return ContextSet(name, ordered, tuple(counts.values()), source, (), sampling, _merged_card(sets))


def as_csv(contexts: ContextSet, folder: Path) -> str:
    """Return a context set as CSV. Templates, counts and further columns can be read back unchanged.

    Paths of media files are relative to ``folder``, where the CSV will lie; a template has at most one file per kind.
    """
    kinds = sorted({media.kind for template in contexts.templates for media in template.media})
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    columns = list(dict.fromkeys(name for known in contexts.details for name in known))
    chats = [template.chat.columns if template.chat else {} for template in contexts.templates]
    of_chats = [column for column in Chat.COLUMNS.values() if any(column in said for said in chats)]
    writer.writerow(("template", "count", *kinds, *of_chats, *columns))
    for (template, count, known), said in zip(contexts.rows, chats, strict=True):
        files = {media.kind: relpath(media.file, folder) for media in template.media}
        shown = [files.get(kind, "") for kind in kinds] + [said.get(column, "") for column in of_chats]
        writer.writerow((template.text, exact(count), *shown, *(known.get(name, "") for name in columns)))
    return text.getvalue()


def exact(count: float) -> str:
    """Return a count as text without loss of digits.

    >>> exact(12345679.0), exact(0.123456789), exact(1e300)
    ('12345679', '0.123456789', '1e+300')
    """
    whole = abs(count) < WHOLE_AS_FLOATS and float(count).is_integer()
    return str(int(count)) if whole else repr(float(count))


def compared(first: ContextSet, second: ContextSet) -> Comparison:
    """Return the overlap of two context sets, and distances between their distributions over templates."""
    from scipy.spatial.distance import jensenshannon

    p, q = ({t.key: float(w) for t, w in zip(s.templates, s.weights(), strict=True)} for s in (first, second))
    shared = sorted(set(p) & set(q))
    every = sorted(set(p) | set(q))
    return Comparison(
        templates=(len(p), len(q)),
        shared=len(shared),
        shared_weight=(sum(p[text] for text in shared), sum(q[text] for text in shared)),
        rank_correlation=(
            spearman(_weights(p, shared), _weights(q, shared)) if len(shared) >= LEAST_FOR_RANKS else None
        ),
        jensen_shannon=float(jensenshannon(_weights(p, every), _weights(q, every), base=2)),
        total_variation=float(np.abs(_weights(p, every) - _weights(q, every)).sum() / 2.0),
        alone=(_heaviest_outside(p, q), _heaviest_outside(q, p)),
    )


def _heaviest_outside(weights: dict[str, float], other: dict[str, float]) -> tuple[str, ...]:
    return tuple(sorted(weights.keys() - other.keys(), key=lambda text: (-weights[text], text))[:NAMED])


def _merged_card(sets: Sequence[ContextSet]) -> Card:
    cards = [one.card for one in sets]
    languages, miners, confidences = ({getattr(card, name) for card in cards} for name in OF_ALL_SETS)
    return Card(
        licence=licence_of_all([card.licence for card in cards]),
        citation=" ".join(dict.fromkeys(card.citation for card in cards if card.citation)),
        language=languages.pop() if len(languages) == 1 else "",
        miner=miners.pop() if len(miners) == 1 else "",
        min_confidence=confidences.pop() if len(confidences) == 1 else None,
    )


def licence_of_all(licences: Sequence[str]) -> str:
    """Return the licence of what has a part under each of these licences; empty if that of a part is not stated.

    >>> licence_of_all(["MIT", "CC-BY-4.0 OR MIT", "MIT"]), licence_of_all(["MIT", ""])
    ('MIT AND (CC-BY-4.0 OR MIT)', '')
    """
    different = list(dict.fromkeys(licences))
    if "" in different:
        return ""
    return " AND ".join(f"({each})" if " OR " in each and len(different) > 1 else each for each in different)


def _merged_sampling(sets: Sequence[ContextSet], texts: Sequence[str]) -> Sampling:
    samplings = [one.sampling for one in sets]
    caps = {sampling.capped_at for sampling in samplings}
    if any(sampling.written for sampling in samplings) or (len(sets) > 1 and caps != {None}):
        return Sampling(written=True)
    documents = [sampling.documents for sampling in samplings if sampling.documents is not None]
    occurrences = [one.occurrences for one in sets if one.occurrences is not None]
    whole = all(sampling.occurrences is None for sampling in samplings)
    return Sampling(
        cut=any(sampling.cut for sampling in samplings),
        occurrences=None if whole or len(occurrences) < len(sets) else sum(occurrences),
        documents=sum(documents) if len(documents) == len(sets) else None,
        capped_at=caps.pop(),
        replicates=_merged_replicates(sets, texts),
    )


def _merged_replicates(sets: Sequence[ContextSet], texts: Sequence[str]) -> NDArray[np.unsignedinteger] | None:
    """The sum of all sets' bootstrap counts, a row per text. None: a set has none, or numbers of resamples differ."""
    of_sets = [one.sampling.replicates for one in sets]
    drawn = {None if replicates is None else replicates.shape[1] for replicates in of_sets}
    number = drawn.pop()
    if drawn or number is None:
        return None
    row = {text: index for index, text in enumerate(texts)}
    total = np.zeros((len(texts), number), dtype=np.uint64)
    for one, replicates in zip(sets, of_sets, strict=True):
        if replicates is not None:
            total[[row[template.key] for template in one.templates]] += replicates.astype(np.uint64)
    return narrowed(total)


def _weights(weights: dict[str, float], texts: list[str]) -> FloatArray:
    return np.array([weights.get(text, 0.0) for text in texts])
