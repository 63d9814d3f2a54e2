"""What pages of docs/evidence are written with: tables, figures, raw figures, and a line on the machine."""

import json
import platform
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bvf.drawing.files import save

ROOT = Path(__file__).resolve().parents[1]
PAGES = ROOT / "docs/evidence"
DIGITS = re.compile(r"(\.\d{6})\d+(?![\de])")
Record = dict[str, Any]


def put(file: str, name: str, text: str) -> None:
    """Replace what a page has between the two markers of a name."""
    page = PAGES / file
    before, begin, rest = page.read_text(encoding="utf-8").partition(f"<!-- {name} -->")
    _, end, after = rest.partition(f"<!-- /{name} -->")
    if not end:
        raise SystemExit(f"{page} has no place for {name}")
    page.write_text(f"{before}{begin}\n\n{text}\n\n{end}{after}", encoding="utf-8")


def markdown(lines: Sequence[Sequence[str]]) -> str:
    """Return lines of cells as a table; bars in cells are escaped."""
    written = [f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in lines]
    return "\n".join([written[0], "|---" * len(lines[0]) + "|", *written[1:]])


def keep(file: Path, figures: Record) -> None:
    """Write raw figures with six decimals; a program that ends in the middle leaves the file as it was."""
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_suffix(".part")
    written = json.dumps(figures, separators=(",", ":")).replace("},", "},\n")
    part.write_text(DIGITS.sub(r"\1", written) + "\n", encoding="utf-8")
    part.replace(file)


def kept(file: Path) -> Record:
    """Return raw figures; none where there is no file."""
    return json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}


def machine(*facts: str) -> str:
    """Return one line on the processor, whose name may not say which it is, with more facts."""
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text().splitlines() if cpuinfo.exists() else []
    known = {name.strip(): fact.strip() for name, _, fact in (line.partition(":") for line in lines)}
    kind = f" (family {known['cpu family']}, model {known['model']})" if "cpu family" in known else ""
    return ", ".join([f"{known.get('model name', platform.processor())}{kind}", *facts])


@contextmanager
def drawing(file: Path, *panels: int, **options: Any) -> Iterator[tuple[Any, Any]]:
    """Give a figure and its panels, and write it; the same figures give the same bytes."""
    from matplotlib.figure import Figure

    figure = Figure(layout="constrained", **options)
    yield figure, figure.subplots(*panels)
    save(figure.axes[0], file)
