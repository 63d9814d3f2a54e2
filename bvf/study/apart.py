"""Makes names distinct: where several things have the same name, facts that differ between them are appended."""

from collections.abc import Hashable, Mapping, Sequence
from itertools import zip_longest
from typing import Protocol

from bvf.domain.measurement import WORDINGS, Wording
from bvf.domain.model_names import parts_of


def distinct_names(
    names: Sequence[str], facts: Sequence[Sequence[str]], within: Sequence[Hashable] = (), *, form: str = "{} ({})"
) -> tuple[str, ...]:
    """Return names made distinct: to equal names, facts that differ are appended one by one until no names are equal.

    Args:
        names: Names of things.
        facts: Facts about each thing, of the same kinds in the same order; an empty fact is not written.
        within: The place of each thing; names need to differ only within a place. Empty: all are in one place.
        form: Format of a name and its facts.

    >>> distinct_names(["a", "a", "b"], [["chat", "x"], ["bare", "x"], ["bare", "x"]])
    ('a (chat)', 'a (bare)', 'b')
    """
    shown: list[tuple[str, ...]] = [()] * len(names)
    places = within or ("",) * len(names)
    for of_each in zip_longest(*facts, fillvalue=""):
        equal = dict[Hashable, list[int]]()
        for index, key in enumerate(list(zip(names, places, shown, strict=True))):
            equal.setdefault(key, []).append(index)
        for indices in equal.values():
            if len({of_each[index] for index in indices}) > 1:
                for index in indices:
                    shown[index] += (of_each[index],) if of_each[index] else ()
    return tuple(form.format(name, ", ".join(its)) if its else name for name, its in zip(names, shown, strict=True))


class AskedModel(Protocol):
    """The attributes of a model that `facts_of` reads, whether it comes from a measurement or from a result."""

    @property
    def wording(self) -> Wording: ...

    @property
    def revision(self) -> str: ...


def facts_of(
    models: Sequence[AskedModel], labels: Sequence[Mapping[str, str]], paths: Sequence[str]
) -> list[list[str]]:
    """Return facts in which models may differ: wording, revision, labels, and the parts of ``paths``, last first."""
    keys = list(dict.fromkeys(key for each in labels for key in each))
    parts = [parts_of(path)[::-1] for path in paths]
    longest = max(map(len, parts), default=0)
    return [
        [
            WORDINGS[each.wording],
            each.revision,
            *(f"{key}={its[key]}" if key in its else "" for key in keys),
            *of_path,
            *[""] * (longest - len(of_path)),
        ]
        for each, its, of_path in zip(models, labels, parts, strict=True)
    ]
