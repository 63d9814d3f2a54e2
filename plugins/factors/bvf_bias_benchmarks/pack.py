"""The base class of all packs: finds their files, compares them with the published ones, and computes their scores."""

from abc import abstractmethod
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import ClassVar, TypeVar

from bvf_factors.reading.declared import checked_declaration

from bvf import Benchmark, BvfError
from bvf.files import Row
from bvf.interfaces import Answer, Formula, Item, Origin, Score
from bvf.stats import FloatArray
from bvf_bias_benchmarks import HERE, PACKS, declared, pack_named
from bvf_bias_benchmarks.reading import digest_of, files_in, name_of, rows_of, text_of

Cells = dict[str, str | bool | float | None]
K = TypeVar("K", bound=Hashable)


class Pack(Benchmark):
    """A benchmark that files of this package declare: ``packs.toml``, ``digests.toml`` and ``NAME.toml`` (its factors).

    Attributes:
        name: The name that users type.
        described: Values of an item that are columns of the table of answers.
        undecided: What the number of answers without a choice is called among the scores.
        divisions: Columns by whose values the benchmark is divided into parts with scores of their own; empty: all.
        patterns: Glob patterns of its files in a folder; only the first that matches any is used.
    """

    name: ClassVar[str]
    described: ClassVar[tuple[str, ...]] = ()
    undecided: ClassVar[str] = "ties"
    divisions: ClassVar[tuple[tuple[str, ...], ...]] = ((),)
    encoding = "utf-8"

    def __init__(self) -> None:
        about = pack_named(self.name)
        own = about.get("like", self.name)
        self.title, self.language, self.patterns = about["title"], PACKS[self.name][1], tuple(about["patterns"])
        self.origin = Origin(about["url"], about["licence"], about["citation"], declared("digests").get(own, {}))
        self.declaration = checked_declaration(declared(own), f"{own}.toml")
        self.sample = HERE / "sample" / self.name

    @abstractmethod
    def read(self, file: Path) -> Iterator[Item]:
        """Yield the items of a file."""

    def described_by(self, answer: Answer) -> Cells:
        """Return the columns of an answer that say which item it is."""
        return {column: answer.item.values[column] for column in self.described}

    def scores_of(self, answers: Sequence[Answer], of: Mapping[str, str]) -> list[Score]:
        """Return the scores of a part of the benchmark; none by default."""
        return []

    def counts(self, answers: Sequence[Answer]) -> list[Score]:
        """Return the scores that count answers."""
        return [count(self.undecided, answers, is_tie)]

    def scores(self, answers: Sequence[Answer]) -> list[Score]:
        return [*self.counts(answers), *self.scores_of_parts(answers)]

    def scores_of_parts(self, answers: Sequence[Answer]) -> list[Score]:
        """Return the scores of all divisions."""
        return [score for of, part in parts(answers, *self.divisions) for score in self.scores_of(part, of)]

    def files(self, data: Path) -> list[Path]:
        """Return the files that `items` reads."""
        return files_in(data, self.patterns, self.title)

    def encoding_of(self, file: Path) -> str:
        """Return the encoding of a file: the one that the user named, unless it is a published file in another."""
        return self.encoding

    def text(self, file: Path) -> str:
        """Return the text of a file."""
        return text_of(file, self.encoding_of(file))

    def rows(self, file: Path, columns: tuple[str, ...] = ()) -> Iterator[Row]:
        """Yield the rows of a file, each with a value in every one of ``columns``."""
        return rows_of(file, columns, self.encoding_of(file))

    def remarks(self, data: Path) -> tuple[str, ...]:
        """Return a line that names the files that differ from all published files, if any published digest is known."""
        known = set(self.origin.files.values())
        names = [name_of(file) for file in self.files(data) if digest_of(file) not in known] if known else []
        more = f" and {len(names) - 3} more" if len(names) > 3 else ""
        return (f"not as published: {', '.join(names[:3])}{more} ({self.origin.url})",) if names else ()

    def called(self, group: str) -> tuple[str, ...]:
        return tuple(declared("groups").get(group, ()))

    def items(self, data: Path) -> Iterator[Item]:
        seen: set[str] = set()
        for file in self.files(data):
            for item in self.read(file):
                if item.id in seen:
                    raise BvfError(f"{file}: the item {item.id} occurs twice", "leave one of them")
                seen.add(item.id)
                yield item
        if not seen:
            raise BvfError(f"{data}: no file of {self.title} found", f"see {self.origin.url}")


def parts(answers: Sequence[Answer], *divisions: tuple[str, ...]) -> Iterator[tuple[dict[str, str], list[Answer]]]:
    """Yield each combination of values of each division (a tuple of columns), and its answers. ``()``: all answers."""
    for columns in divisions:
        answers_of: dict[tuple[str, ...], list[Answer]] = {}
        for answer in answers:
            answers_of.setdefault(tuple(answer.item.values[column] for column in columns), []).append(answer)
        for values, part in answers_of.items():
            yield dict(zip(columns, values, strict=True)), part


def count(name: str, answers: Sequence[Answer], chosen: Callable[[Answer], bool]) -> Score:
    """Return a score that counts the answers for which ``chosen`` is true."""
    return Score(name, float(sum(map(chosen, answers))), len(answers))


def ratio(above: int = 0, below: int = 1, scale: float = 1.0) -> Formula:
    """Return the formula of a mean: ``scale`` times one sum, divided by another."""

    def formula(sums: FloatArray) -> FloatArray:
        mean: FloatArray = scale * sums[..., above] / sums[..., below]
        return mean

    return formula


def is_tie(answer: Answer) -> bool:
    """Whether two or more choices have the highest score, so that none is chosen."""
    return answer.choice is None


def is_first(answer: Answer) -> bool:
    """Whether the first option alone has the highest score."""
    return answer.choice == 0


def prefers_first(answer: Answer) -> bool | None:
    """Whether the first option has the highest score; None for a tie."""
    return None if is_tie(answer) else is_first(answer)


def only(index: int, choices: int) -> tuple[float, ...]:
    """Return scores for an answer of which only the chosen index is known. That choice has 1, the others 0."""
    return tuple(float(number == index) for number in range(choices))


def taken(items: dict[K, Item], key: K, row: Row) -> Item:
    """Return the item of a published answer, and take it from ``items``. Refuses a second answer to it."""
    if key not in items:
        raise BvfError(f"{row.where}: no item is left for this answer", "are these the items it was given to?")
    return items.pop(key)
