"""What tells things of one name apart: the first fact that differs between them stands after the name."""

from collections.abc import Hashable, Mapping, Sequence
from itertools import zip_longest
from typing import Protocol

from bvf.domain.measurement import WORDINGS, Wording
from bvf.domain.model_names import parts_of

Facts = Sequence[str]


def told_apart(
    names: Sequence[str], facts: Sequence[Facts], within: Sequence[Hashable] = (), *, form: str = "{} ({})"
) -> tuple[str, ...]:
    """Return names, of which those that are equal have the facts behind them that differ, until none are equal.

    Args:
        names: Of things.
        facts: Of each thing, in the same order; an empty fact says nothing.
        within: Where each thing stands; names need to differ only there. Empty: all stand in one place.
        form: How a fact stands behind a name.

    >>> told_apart(["a", "a", "b"], [["chat", "x"], ["bare", "x"], ["bare", "x"]])
    ('a (chat)', 'a (bare)', 'b')
    """
    told: list[tuple[str, ...]] = [()] * len(names)
    places = within or ("",) * len(names)
    for of_each in zip_longest(*facts, fillvalue=""):
        for alike in _alike(list(zip(names, places, told, strict=True))):
            if len({of_each[place] for place in alike}) > 1:
                for place in alike:
                    told[place] += (of_each[place],) if of_each[place] else ()
    return tuple(form.format(name, ", ".join(its)) if its else name for name, its in zip(names, told, strict=True))


def _alike(keys: Sequence[Hashable]) -> list[list[int]]:
    by_key = dict[Hashable, list[int]]()
    for place, key in enumerate(keys):
        by_key.setdefault(key, []).append(place)
    return [alike for alike in by_key.values() if len(alike) > 1]


class AskedModel(Protocol):
    """A model as it was asked: of a measurement, or of a result."""

    @property
    def wording(self) -> Wording: ...

    @property
    def revision(self) -> str: ...


def facts_of(
    models: Sequence[AskedModel], labels: Sequence[Mapping[str, str]], paths: Sequence[str]
) -> list[list[str]]:
    """Return what tells runs of one model apart: wording, revision, labels, then the path of the model from its end.

    Args:
        models: As they were asked.
        labels: Of each run.
        paths: What ``--model`` said of each.
    """
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
