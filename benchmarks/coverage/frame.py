"""The frame of simulations: cells whose truth is known are measured in many samples, and fill the tables of pages.

Raw figures are kept by scene in docs/evidence. A cell is measured again only with more samples, or with ``--anew``;
the tables are written from what is kept.
"""

import argparse
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import partial, reduce
from itertools import chain, product
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
import pandas as pd
import scipy

from benchmarks.coverage.populations import Rng
from benchmarks.pages import PAGES, Record, keep, kept, machine, markdown, put
from bvf.arrays import FloatArray
from bvf.stats.comparing.comparison import Difference
from bvf.stats.figures.risk import Risk
from bvf.study.study import PARTICULAR, RISK, SHARED, Averages

LEVEL = 0.95
SOURCES = 10
"""Sources that the samples of a cell are spread over, so that no figure depends on one."""
ROUNDING = 1e-9
Column = Callable[[list[Record]], str]
"""What a table says of the cells of a line."""
Rows = Iterator[Record]
"""The figures of one sample after the other."""


@dataclass(frozen=True)
class Cell:
    """Means of figures over samples: ``measure`` takes the number of samples and a generator, and yields the figures.

    The generator begins with ``seed``, or with the name of the cell, so that all numbers are the same every time.
    """

    scene: str
    facts: Record
    measure: Callable[[int, Rng], Rows]
    seed: Sequence[int] = ()

    @property
    def name(self) -> str:
        """The facts in which it differs from the other cells of its scene."""
        return ", ".join(f"{key} {value}" for key, value in self.facts.items())

    def measured(self, repetitions: int) -> Record:
        """Return the facts and the figures of so many samples."""
        rng = np.random.default_rng(self.seed or crc32(f"{self.scene}: {self.name}".encode()))
        return {**self.facts, "repetitions": repetitions, **means(self.measure(repetitions, rng))}


def cells(
    scene: str,
    measure: Callable[..., Rows],
    facts: Mapping[str, Iterable[Any]],
    seed: Callable[..., Sequence[int]] = lambda *_: (),
) -> Iterator[Cell]:
    """Yield a cell per combination of facts, by which, in their order, it is measured and has a seed of its own."""
    for values in product(*facts.values()):
        yield Cell(scene, dict(zip(facts, values, strict=True)), partial(measure, *values), seed(*values))


@dataclass(frozen=True)
class Table:
    """A table with a line per combination of facts, where a page has the marker of its scene."""

    scene: str
    rows: dict[str, str]  # formats of facts by the head of their column
    columns: Sequence[tuple[str, Column]]  # heads, each with what stands below it
    after: Column | None = None  # what stands below the table
    turned: bool = False  # whether lines become columns
    beside: str = ""  # a scene whose figures stand on the same lines
    left_out: tuple[str, ...] = ()  # how facts of lines begin that ``--whole`` alone prints

    def written(self, records: dict[str, list[Record]]) -> str:
        cells = records[self.scene]
        if self.beside:
            cells = [cell | other for cell, other in zip(cells, records[self.beside], strict=True)]
        together: dict[tuple[str, ...], list[Record]] = {}
        for cell in cells:
            facts = tuple(form.format_map(cell) for form in self.rows.values())
            if not any(fact.startswith(self.left_out) for fact in facts):
                together.setdefault(facts, []).append(cell)
        lines = [[*self.rows, *(head for head, _ in self.columns)]]
        lines += [[*facts, *(column(some) for _, column in self.columns)] for facts, some in together.items()]
        table = markdown(list(zip(*lines, strict=True)) if self.turned else lines)
        return f"{table}\n\n{self.after(cells)}" if self.after else table


@dataclass(frozen=True)
class Simulation:
    """A program that measures cells, whose raw figures are in a file of docs/evidence, and writes tables of pages."""

    description: str | None
    raw: str
    cells: Sequence[Cell]
    repetitions: int
    pages: dict[str, Sequence[Table]] = field(default_factory=dict)
    after: Callable[[dict[str, list[Record]]], None] = lambda _: None  # draws what else is to be drawn of them

    @property
    def file(self) -> Path:
        return PAGES / self.raw

    def tables(self, records: dict[str, list[Record]]) -> Iterator[tuple[str, str, str]]:
        """Yield page, marker and text of every table whose scene was measured, and of all machines of its file."""
        days: dict[str, set[str]] = {}
        for cell in chain(*records.values()):
            machine, _, day = cell["on"].rpartition(", ")
            days.setdefault(machine, set()).add(day)
        on = "; ".join(f"{machine}, {', '.join(sorted(days[machine]))}" for machine in days)
        for page, tables in self.pages.items():
            yield page, f"machine of {self.file.stem}", f"{on}."
            yield from ((page, table.scene, table.written(records)) for table in tables if table.scene in records)

    def __call__(self, *given: str) -> None:
        """Measure the scenes that the command line names, all if none, and write raw figures and tables."""
        known = list(dict.fromkeys(cell.scene for cell in self.cells))
        parser = argparse.ArgumentParser(description=self.description)
        parser.add_argument("scenes", nargs="*", metavar="SCENE", choices=[*known, []], help=", ".join(known))
        parser.add_argument("--repetitions", type=int, default=self.repetitions, help="0: tables only")
        parser.add_argument("--anew", action="store_true", help="forget what is kept of these scenes")
        parser.add_argument("--whole", action="store_true", help="only print what is kept, every figure of every cell")
        asked = parser.parse_args(given)
        chosen, records = asked.scenes or known, kept(self.file)
        if asked.whole:
            for scene in (scene for scene in chosen if scene in records):
                print(f"{scene}:\n\n{pd.json_normalize(records[scene]).drop(columns='on').to_string(index=False)}\n")
            return
        records |= {scene: [] for scene in chosen if asked.anew}
        for cell in (cell for cell in self.cells if cell.scene in chosen):
            found = records.setdefault(cell.scene, [])
            at = next((at for at, each in enumerate(found) if cell.facts.items() <= each.items()), len(found))
            if at < len(found) and found[at]["asked"] >= asked.repetitions:
                continue
            began = time.perf_counter()
            on = machine("one thread", f"numpy {np.__version__}", f"scipy {scipy.__version__}")
            of_cell = {"asked": asked.repetitions, "on": f"{on}, {date.today()}", **cell.measured(asked.repetitions)}
            found[at : at + 1] = [of_cell]
            keep(self.file, records)
            print(f"{cell.scene}: {cell.name}: {time.perf_counter() - began:.1f} s", flush=True)
        records = kept(self.file)
        for place in self.tables(records):
            put(*place)
        self.after(records)


def within(low: Any, high: Any, truth: Any, **more: Any) -> Record:
    """How often intervals hold the truth: one, or those of all groups, shape (X,) each; rounding is no miss."""
    held = (low - ROUNDING <= truth) & (truth <= high + ROUNDING)
    return {"coverage": np.mean(held), "width": np.mean(high - low), **more}


def of_parts(
    parts: Iterable[Averages], weights: FloatArray, truth: dict[str, float], *, printed: bool = False
) -> Record:
    """Return figures of a risk whose truth is known, and how far off are plug-in (or printed) values and cross-fit."""
    row: Record = {}
    for part in (part for part in parts if truth.keys() & set(part.names)):
        found, shown = part.sampled.estimates(weights, LEVEL), part.sampled.values(weights)
        for name, each, value in zip(part.names, (found.total, found.of_mean, found.rest), shown, strict=True):
            if name in truth:
                plug_in, crossed = (float(end - truth[name]) for end in each.bracket)
                off = float(value) - truth[name] if printed else plug_in
                row[name] = within(each.low, each.high, truth[name], off=off, cross_fit_off=crossed)
    return row


def of_each(names: Iterable[str], found: Any, truth: dict[str, float]) -> Record:
    """Return a total, the part of its mean, and their difference; of two models also whether they are found to differ.

    Without those whose truth is not known.
    """
    row: Record = {}
    for name, each in zip(names, (found.total, found.of_mean, found.rest), strict=True):
        if name in truth:
            more = {"found": each.p_value < 1.0 - LEVEL} if isinstance(each, Difference) else {}
            row[name] = within(each.low, each.high, truth[name], **more)
    return row


def means(rows: Iterable[Record]) -> Record:
    """Return the mean of each figure over rows; what a row lacks, or what is not defined in it, does not count."""
    figures: dict[str, list[Any]] = {}
    for row in rows:
        for name, figure in row.items():
            figures.setdefault(name, []).append(figure)
    return {
        name: means(every) if isinstance(every[0], dict) else float(np.nanmean(every))
        for name, every in figures.items()
    }


def samples(
    make: Callable[..., Any], truth: Callable[[Any], Any], repetitions: int, rng: Rng, sources: int = SOURCES
) -> Iterator[tuple[Any, Any]]:
    """Yield a source and what is true of it for every sample; each source has an equal part of the samples."""
    for number in range(min(sources, repetitions)):
        source = make(rng=rng)
        known = truth(source)
        for _ in range(number, repetitions, sources):
            yield source, known


def figures_of(risk: Risk) -> dict[str, float]:
    """Return R, R^b and R^v, and those of shared and particular risk if they are defined."""
    figures = {name: float(getattr(risk, name)) for name in RISK}
    return figures | {name: float(getattr(risk.parts, name)) for name in (*SHARED, *PARTICULAR) if risk.parts}


def each(figure: Callable[[Record], str]) -> Column:
    """Return a column of the figures of all cells in their order, or of one if all are equal."""

    def column(cells: list[Record]) -> str:
        every = list(map(figure, cells))
        return ", ".join(every if len(set(every)) > 1 else every[:1])

    return column


def number(path: str, form: str, times: float = 1.0) -> Column:
    """Return a column of a number; the path to it has dots."""
    return each(lambda cell: format(times * reduce(lambda record, name: record[name], path.split("."), cell), form))


def percent(path: str) -> Column:
    return number(path, ".1f", 100.0)


def shares(names: dict[str, str], path: str = "{}") -> list[tuple[str, Column]]:
    """Return a column with the share of each figure in percent, by its name in the table."""
    return [(called, percent(path.format(name))) for name, called in names.items()]


def held(names: dict[str, str]) -> list[tuple[str, Column]]:
    """Return a column with the coverage of each figure, by its name in the table."""
    return shares(names, "{}.coverage")
