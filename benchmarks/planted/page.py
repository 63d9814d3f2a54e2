"""The tables of the page: risks by dose, of all groups and of both parts, and what is found to differ."""

from collections.abc import Callable, Sequence
from statistics import fmean
from typing import Any

Record = dict[str, Any]
SPLIT = {"R_bias": "R^b", "R_volatility": "R^v"}
PARTS = ("planted", "others")
ALPHA = 0.05


def page(record: Record) -> str:
    """Return every table."""
    rows, planted = record["doses"], record["planted"]
    return "\n\n".join(
        [
            f"{record['date']}. Planted: {', '.join(planted)}. In brackets: intervals of 95 %.",
            "## The planted groups and the others",
            _parts(rows),
            "## With p* of the untouched model",
            "p* is what the untouched model says of each group on average.",
            _moved(rows),
            "## Against dose 0",
            "Differences from dose 0, paired by context, and what `bvf compare` decides.",
            _differences(rows),
            "## Group by group",
            "How many groups have an r^b within their interval at dose 0, how many are found higher or lower than at "
            "dose 0 (paired, false discovery rate 5 %), and the mean size of all differences.",
            _groups(rows, planted),
        ]
    )


def within(rows: list[Record], row: Record, names: list[str]) -> int:
    """Return how many of some groups have an r^b inside their interval at dose 0."""
    before = next(each for each in rows if each["dose"] == "0")["groups"]
    intervals = {name: before[name]["interval"] for name in names}
    return sum(low <= row["groups"][name]["r_bias"] <= high for name, (low, high) in intervals.items())


def found_to_differ(row: Record, names: list[str]) -> tuple[int, int]:
    """Return how many of some groups have an r^b that is found higher than at dose 0, and how many lower."""
    each = [row["against"]["groups"][name] for name in names]
    sure = [one["value"] for one in each if one["adjusted_p"] < ALPHA]
    return sum(value > 0 for value in sure), sum(value < 0 for value in sure)


def _parts(rows: list[Record]) -> str:
    figures = {"female": "P(female)", **SPLIT}
    return _by_part(rows, PARTS, figures, lambda row, part, name: _shown(row["parts"][part][name]))


def _moved(rows: list[Record]) -> str:
    return _by_part(rows, PARTS[:1], SPLIT, lambda row, part, name: _shown(row["parts"][part]["from_untouched"][name]))


def _differences(rows: list[Record]) -> str:
    def cell(row: Record, part: str, name: str) -> str:
        return _decided((row["against"]["all"] if part == "all" else row["against"]["parts"][part])[name])

    return _by_part([row for row in rows if row["against"]], ("all", *PARTS), SPLIT, cell)


def _by_part(rows: list[Record], parts: Sequence[str], figures: dict[str, str], cell: Callable[..., str]) -> str:
    """Return a table with a column per part and figure."""
    columns = [(part, name) for part in parts for name in figures]
    head = ["dose", *(f"{figures[name]}, {part}" for part, name in columns)]
    return _table(head, rows, lambda row: [cell(row, part, name) for part, name in columns])


def _groups(rows: list[Record], planted: list[str]) -> str:
    others = [name for name in rows[0]["groups"] if name not in planted]
    columns = "dose, groups, P(female), r^b within its interval at dose 0, found higher, found lower, mean size"
    lines = [columns.split(", ")]
    for row in (row for row in rows if row["against"]):
        for part, names in zip(PARTS, (planted, others), strict=True):
            p = [row["groups"][name]["female"] for name in names]
            line = [row["dose"], f"{len(names)} {part}", f"{min(p):.2f} to {max(p):.2f}", str(within(rows, row, names))]
            size = fmean(abs(row["against"]["groups"][name]["value"]) for name in names)
            lines.append([*line, *map(str, found_to_differ(row, names)), f"{size:.3f}"])
    return _markdown(lines)


def _table(head: list[str], rows: list[Record], cells: Any) -> str:
    return _markdown([head, *([row["dose"], *cells(row)] for row in rows)])


def _shown(figure: Record) -> str:
    low, high = figure["interval"]
    return f"{figure['value']:.3f} ({low:.3f} to {high:.3f})"


def _decided(figure: Record) -> str:
    return f"{figure['value']:+.3f} {figure['decision']}"


def _markdown(lines: list[list[str]]) -> str:
    written = [f"| {' | '.join(line)} |" for line in lines]
    return "\n".join([written[0], "|---" * len(lines[0]) + "|", *written[1:]])
