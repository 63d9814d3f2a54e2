"""Contexts C: weighted templates with the slots ``[X]`` and ``[Y]``."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bvf.domain.chat import Chat
from bvf.domain.media import Media
from bvf.domain.pair import PAIR, about_two
from bvf.domain.spelling import written
from bvf.errors import BvfError

ROUNDING = 1e-9
"""Relative tolerance for a sum of counts."""
LARGE = 100_000
"""A run stores all templates of a set, also those that it does not draw, unless there are more than this."""
SAMPLED_COUNTS = "If the counts are of a source, say so in sources.toml beside the file: occurrences = N"
"""How a user says that the counts of a file are a sample."""

NO_PROPERTIES = re.compile("documents|lean_.*")
"""Columns of a context set that describe no text: of its count, and of what models answer in it."""


@dataclass(frozen=True)
class Template:
    """A context: text with the slots ``[X]`` (group) and ``[Y]`` (attribute word), its media and its chat.

    A text about two people has ``[X1]`` and ``[X2]`` in place of ``[X]``. ``before`` has the messages before it in the
    chat, as `bvf.domain.chat.messages_in` reads them. A group may stand in several places, as in a story; the word is
    asked for in one. Spaces of every kind become plain ones, and letters with accents are composed, so that equal texts
    are equal.

    Raises:
        BvfError: A slot is missing, ``[Y]`` is repeated, or there is an invisible letter or another form of a letter.
    """

    text: str
    media: tuple[Media, ...] = ()
    chat: Chat | None = None
    before: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", written(self.text))
        if not has_slots(self.text):
            needs = "[X1] and [X2] for two people or [X] for one" if any(map(self.text.count, PAIR)) else "[X]"
            raise BvfError(
                f'a template needs {needs}, and [Y] once, found "{self.text}"',
                'write [X] where the group goes and [Y] where the word goes, e.g. "The [X] said that [Y]"',
            )

    @property
    def of_pair(self) -> bool:
        """Whether the text is about two people."""
        return about_two(self.text)

    @property
    def key(self) -> str:
        """The identity of this context: its text, the digests of its media, its chat, and what was said before it.

        >>> Template("The [X] is [Y]", (Media("image", "street.png", "0123456789abcdef"),)).key
        'The [X] is [Y] (image 0123456789abcdef)'
        """
        if not (self.media or self.chat or self.before):
            return self.text
        said = [f"({each})" for each in (self.chat, self.before and f"after {self.before}") if each]
        return " ".join((self.text, *(f"({each.kind} {each.digest})" for each in self.media), *said))

    @property
    def group_right_of_slot(self) -> bool:
        """Whether a group stands right of ``[Y]`` alone. A causal model that predicts ``[Y]`` does not see it then."""
        people = PAIR if self.of_pair else ("[X]",)
        return max(map(self.text.index, people)) > self.text.index("[Y]")


@dataclass(frozen=True)
class Sampling:
    """The origin of the counts of a context set. It decides whether figures hold for more than the set itself.

    Args:
        written: The counts were chosen, so they are not a sample.
        cut: An unknown part of the source is left out.
        capped_at: Counts above it were lowered to it, so the weights are shares of no text; None: they were not.
        occurrences: Number of matches in the whole source; None: the set has all of them, so their number is the sum
            of the counts (not known if ``written`` or ``cut``).
        documents: Number of documents of the source with a match; None: not known.
        replicates: Counts of every template in each bootstrap resample of the documents, shape (C, R), unsigned
            integers; None: not known. Each document is drawn Poisson(1) times (Hanley & MacGibbon 2006; Rao & Wu 1988).

    Raises:
        BvfError: Chosen counts are declared a sample, or a size is given for an unknown source.
    """

    written: bool = False
    cut: bool = False
    occurrences: float | None = None
    documents: int | None = None
    capped_at: float | None = None
    replicates: NDArray[np.unsignedinteger] | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        has_source = any(
            each is not None for each in (self.occurrences, self.documents, self.capped_at, self.replicates)
        )
        if self.written and (self.cut or has_source):
            message = "counts that were written have no occurrences, documents or rest"
            raise BvfError(message, "leave out written, or the others")
        if self.cut and self.occurrences is not None:
            raise BvfError("cut says that the occurrences of the source are not known", "leave out cut or occurrences")

    @property
    def entry(self) -> dict[str, Any]:
        """What an entry of ``sources.toml`` says of it: all but the replicates."""
        return {each.name: getattr(self, each.name) for each in fields(self) if each.name != "replicates"}


WRITTEN = Sampling(written=True)
"""The origin of counts of which nothing else is known: numbers in a column are weights."""


@dataclass(frozen=True)
class Card:
    """Under what terms a context set may be used, how it is cited, and how it was found. Empty: not stated.

    Args:
        licence: SPDX expression, such as ``CC-BY-SA-4.0``.
        citation: Whom and what to cite, in words.
        language: Language of the templates.
        miner: What found the templates in the source, with versions.
        min_confidence: Matches of which the miner was less sure are left out.
    """

    licence: str = ""
    citation: str = ""
    language: str = ""
    miner: str = ""
    min_confidence: float | None = None


@dataclass(frozen=True)
class Texts(Sequence[Template]):
    """Templates that have nothing beside their text. Each is made when it is asked for, as a set may have millions."""

    texts: Sequence[str]

    def __len__(self) -> int:
        return len(self.texts)

    def __getitem__(self, place: Any) -> Any:
        found = self.texts[place]
        return Template(found) if isinstance(found, str) else tuple(map(Template, found))


@dataclass(frozen=True)
class ContextSet:
    """A context set: templates, and their counts as weights.

    Args:
        name: Name of the set, or its file.
        templates: Templates with distinct keys, length C.
        counts: How often each template was seen, or any positive weights; length C.
        source: Where the counts come from.
        details: Further columns of each template (verb, family, tense, ...); length C, or empty.
        sampling: The origin of the counts: `WRITTEN`, unless it is known how they were sampled.
        card: Licence, citation and miner.

    Raises:
        BvfError: There is no template, a template is repeated, counts are not as many as templates, a count is negative
            or not a number, all are zero or their sum overflows, or the sampling does not fit the counts.
    """

    name: str
    templates: Sequence[Template]
    counts: tuple[float, ...]
    source: str = ""
    details: tuple[Mapping[str, str], ...] = ()
    sampling: Sampling = WRITTEN
    card: Card = Card()

    def __post_init__(self) -> None:
        if not self.templates:
            raise BvfError(f"{self.name}: no templates", "give at least one line with a template and a count")
        if len(self.counts) != len(self.templates):
            message = f"{self.name}: {len(self.templates)} templates and {len(self.counts)} counts"
            raise BvfError(message, "each template has one")
        keys = self.keys
        if len(set(keys)) < len(keys):
            key, times = Counter(keys).most_common(1)[0]
            raise BvfError(f'{self.name}: the template "{key}" occurs {times} times', "add its counts up")
        total = sum(self.counts)
        if total == 0 and not any(self.counts):
            raise BvfError(f"{self.name}: all counts are zero", "at least one template needs a count above 0")
        if min(self.counts) < 0 or not isfinite(total):
            for text, count in zip(self.texts, self.counts, strict=True):
                refuse_no_count(self.name, text, count)
            raise BvfError(f"{self.name}: the counts are too large to be added up", "divide them all by one number")
        self._check_sampling(total)

    @property
    def texts(self) -> Sequence[str]:
        """The text of each template, length C."""
        return self.templates.texts if isinstance(self.templates, Texts) else [each.text for each in self.templates]

    @property
    def with_more(self) -> Sequence[Template]:
        """The templates that have something beside their text: media, a chat, or what was said before."""
        return () if isinstance(self.templates, Texts) else [each for each in self.templates if each.key != each.text]

    @property
    def keys(self) -> Sequence[str]:
        """The key of each template, length C."""
        return [each.key for each in self.templates] if self.with_more else self.texts

    @property
    def rows(self) -> list[tuple[Template, float, Mapping[str, str]]]:
        """Each template with its count and its further columns, length C."""
        return list(zip(self.templates, self.counts, self.details or ({},) * len(self.templates), strict=True))

    def weights(self) -> NDArray[np.float64]:
        """Return P(C): counts divided by their sum, shape (C,)."""
        counts = np.asarray(self.counts, dtype=np.float64)
        normalised: NDArray[np.float64] = counts / counts.sum()
        return normalised

    def heaviest(self, limit: int) -> "ContextSet":
        """Return a set of the ``limit`` templates with the largest counts, in the order of this set."""
        return self.only(sorted(np.argsort(-np.asarray(self.counts), kind="stable")[:limit].tolist()))

    def drawn(self, number: int, seed: int) -> NDArray[np.intp]:
        """Draw indices of ``number`` templates by weight, with replacement. A larger ``number`` extends the draw."""
        return places_drawn(self.counts, number, seed)

    def counting_draws(self, number: int, seed: int) -> "ContextSet":
        """Return the templates that are among ``number`` draws by weight, each counted as often as it was drawn."""
        drawn, times = np.unique(self.drawn(number, seed), return_counts=True)
        counts = tuple(times.astype(float).tolist())
        return replace(self.only(drawn.tolist()), counts=counts, sampling=Sampling())

    def refuse_draws(self, option: str) -> None:
        """Raise `BvfError`, which begins with an option, if the contexts were written, so that none can be drawn."""
        if self.sampling.written:
            message = f"{option}: the contexts of {self.name} were written, not sampled"
            raise BvfError(message, f"leave it out: all of them are asked. {SAMPLED_COUNTS}")

    def only(self, indices: Sequence[int]) -> "ContextSet":
        """Return the set of the templates with these indices. Numbers of matches and documents stay unchanged."""
        sampling, texts = self.sampling, self.templates.texts if isinstance(self.templates, Texts) else ()
        replicates = None if sampling.replicates is None else sampling.replicates[list(indices)]
        occurrences = self.occurrences if len(indices) < len(self.templates) else sampling.occurrences
        return replace(
            self,
            templates=Texts([texts[i] for i in indices]) if texts else tuple(self.templates[i] for i in indices),
            counts=tuple(self.counts[i] for i in indices),
            details=tuple(self.details[i] for i in indices) if self.details else (),
            sampling=replace(sampling, occurrences=occurrences, replicates=replicates),
        )

    @property
    def occurrences(self) -> float | None:
        """Number of template matches in the whole corpus; None if unknown or there is no corpus."""
        sampling = self.sampling
        if sampling.written or sampling.cut:
            return None
        return sum(self.counts) if sampling.occurrences is None else sampling.occurrences

    @property
    def share(self) -> float | None:
        """Fraction of the corpus's matches whose template is in this set; None if unknown or there is no corpus."""
        occurrences = self.occurrences
        return None if occurrences is None else min(sum(self.counts) / occurrences, 1.0)

    @property
    def sample_facts(self) -> dict[str, Any]:
        """Facts about the sample of documents behind the counts, by name; None if unknown or undefined.

        ``unseen`` is the Good-Turing estimate f1 / n of the probability that a new text uses an unseen template: f1 is
        the number of templates that were seen once, n that of all occurrences (Good 1953, Biometrika 40).
        """
        sampling, counted = self.sampling, all(count == int(count) for count in self.counts)
        unseen = self.counts.count(1.0) / sum(self.counts)
        whole = self.share is not None and self.share >= 1
        return {
            "written": sampling.written,
            "cut": sampling.cut,
            "occurrences": self.occurrences if counted else None,
            "documents": sampling.documents,
            "capped_at": sampling.capped_at,
            "share": self.share,
            "replicates": 0 if sampling.replicates is None else sampling.replicates.shape[1],
            "unseen": unseen if counted and whole and sampling.capped_at is None else None,
        }

    @property
    def sample_in_words(self) -> str:
        """A phrase on what the counts are a sample of, and how large a part of it the set has."""
        sample, most = self.sample_facts, self.sampling.capped_at
        if sample["written"]:
            return "none: the counts were chosen, not counted"
        if sample["cut"]:
            return "a part of its source; how much is left out is not known"
        if sample["occurrences"] is None:
            return "of how many occurrences is not known: the counts are not whole numbers"
        size = f"{sample['occurrences']:,.0f} occurrences"
        if most is not None:
            return f"{size}, at most {most:g} per template: weights are shares of no text"
        size += f" in {sample['documents']:,} documents" if sample["documents"] else ""
        if sample["unseen"] is None:
            return f"{sample['share']:.1%} of the {size} of its source"
        unseen = f"{sample['unseen']:.1%} of those in more such text would have other templates (Good-Turing)"
        return f"all {size} of its source; {unseen}"

    def _check_sampling(self, total: float) -> None:
        occurrences, documents, replicates = self.occurrences, self.sampling.documents, self.sampling.replicates
        if occurrences is not None and not total <= occurrences * (1 + ROUNDING) < np.inf:
            raise BvfError(
                f"{self.name}: the counts add up to {total:g}, and there are {occurrences:g} occurrences in its source",
                "mine the set again, or correct what is said of its source",
            )
        if documents is not None and documents < 1:
            raise BvfError(f"{self.name}: {documents} documents have a match", "it is at least one")
        if replicates is None:
            return
        if replicates.ndim != 2 or len(replicates) != len(self.templates) or replicates.dtype.kind != "u":
            raise BvfError(
                f"{self.name}: replicates have shape {replicates.shape} and type {replicates.dtype}",
                f"a row of unsigned integers per template, {len(self.templates)} rows",
            )


def places_drawn(counts: Sequence[float], number: int, seed: int) -> NDArray[np.intp]:
    """Draw ``number`` indices by weights ``counts``, with replacement. A larger ``number`` extends the draw."""
    weights = np.asarray(counts, dtype=np.float64)
    reached = np.cumsum(weights / weights.sum())
    chances = np.random.default_rng(seed).random(number) * reached[-1]
    places: NDArray[np.intp] = np.searchsorted(reached, chances, side="right")
    return places


def properties_in(columns: Mapping[str, str]) -> dict[str, str]:
    """Return the further columns of a context that describe its text: verb, family, tense, ...

    >>> properties_in({"verb": "say", "documents": "114", "lean_smollm2": "-0.204"})
    {'verb': 'say'}
    """
    return {name: value for name, value in columns.items() if not NO_PROPERTIES.fullmatch(name)}


def has_slots(text: str) -> bool:
    """Whether a text has the slots of a template: those of one person or of two, and ``[Y]`` once."""
    return [slot for slot in ("[X]", *PAIR) if slot in text] in (["[X]"], [*PAIR]) and text.count("[Y]") == 1


def refuse_no_count(where: str, text: str, count: float) -> None:
    """Raise `BvfError` if the count of a template is negative, infinite or not a number."""
    if not (isfinite(count) and count >= 0):
        raise BvfError(f'{where}: the count of "{text}" is {count}', "counts are numbers of 0 or more")
