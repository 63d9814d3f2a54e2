"""The base class of all packs: finds their files, compares them with the published ones, and computes fractions."""

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import ClassVar

from bvf.domain.factors import checked_declaration
from bvf.errors import BvfError
from bvf.files.parsing import parse_toml, read_text
from bvf.files.table_files import Row
from bvf.interfaces.benchmark import Answer, Benchmark, Item, Origin, Score
from bvf_bias_benchmarks.groups import HERE, names_of
from bvf_bias_benchmarks.reading import digest_of, files_in, name_of, rows_of, text_of


class Pack(Benchmark):
    """A benchmark whose factors and sample items are declared in files of this package.

    Attributes:
        name: The name that users type.
        declared: Name of the pack whose declaration this one uses; empty: its own.
        patterns: Glob patterns of its files in a folder; only the first that matches any is used.
    """

    name: ClassVar[str]
    declared: ClassVar[str] = ""
    patterns: ClassVar[tuple[str, ...]]
    encoding = "utf-8"

    def __init__(self) -> None:
        file = HERE / f"{self.declared or self.name}.toml"
        self.declaration = checked_declaration(parse_toml(read_text(file), str(file)), str(file))
        self.sample = HERE / "sample" / self.name

    @abstractmethod
    def read(self, file: Path) -> Iterator[Item]:
        """Yield the items of a file."""

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
        note = difference_note(self.origin, self.files(data))
        return (note,) if note else ()

    def called(self, group: str) -> tuple[str, ...]:
        return names_of(group)

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


def origin(name: str, *, url: str, licence: str, citation: str) -> Origin:
    """Return the origin of a benchmark. The digests of its published files are from ``digests.toml``."""
    return Origin(url, licence, citation, _digests()[name])


@cache
def _digests() -> dict[str, dict[str, str]]:
    file = HERE / "digests.toml"
    return parse_toml(read_text(file), str(file))


def differing(source: Origin, data: Iterable[Path]) -> tuple[str, ...]:
    """Return the names of files that differ from all published files. Empty if no published digests are known."""
    known = set(source.files.values())
    return tuple(name_of(file) for file in data if digest_of(file) not in known) if known else ()


def difference_note(source: Origin, data: Iterable[Path]) -> str:
    """Return a line that names the files that `differing` finds; empty if there are none."""
    names = differing(source, data)
    if not names:
        return ""
    shown = ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
    return f"not as published: {shown} ({source.url})"


def parts(answers: Sequence[Answer], *divisions: tuple[str, ...]) -> Iterator[tuple[dict[str, str], list[Answer]]]:
    """Yield each combination of values of each division (a tuple of columns), and its answers. ``()``: all answers."""
    for columns in divisions:
        answers_of: dict[tuple[str, ...], list[Answer]] = {}
        for answer in answers:
            answers_of.setdefault(tuple(answer.item.values[column] for column in columns), []).append(answer)
        for values, part in answers_of.items():
            yield dict(zip(columns, values, strict=True)), part


def values_of(answer: Answer, *columns: str) -> dict[str, str]:
    """Return the values of an answer's item in the given columns."""
    return {column: answer.item.values[column] for column in columns}


def count(name: str, answers: Sequence[Answer], chosen: Callable[[Answer], bool]) -> Score:
    """Return a score that counts the answers for which ``chosen`` is true."""
    return Score(name, float(sum(map(chosen, answers))), len(answers))


def is_tie(answer: Answer) -> bool:
    """Whether two or more choices have the highest score, so that none is chosen."""
    return answer.choice is None


def prefers_first(answer: Answer) -> bool | None:
    """Whether the first option has the highest score; None for a tie."""
    return None if answer.choice is None else answer.choice == 0


def only(index: int, choices: int) -> tuple[float, ...]:
    """Return scores for an answer of which only the chosen index is known. That choice has 1, the others 0."""
    return tuple(float(number == index) for number in range(choices))


def as_text(index: int | None) -> str:
    """Return an index as text, for an item's values; empty for None."""
    return "" if index is None else str(index)
