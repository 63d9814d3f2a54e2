"""Writes the figures of matplotlib to files."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from bvf.errors import BvfError, nearest
from bvf.files.writing import disk_errors_explained, marked, replacing

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ENDINGS = ("pdf", "svg", "png")
PER_INCH = 300
PROGRAM = "bvf"

BY_US: dict[str, dict[str, str | None]] = {
    "pdf": {"CreationDate": None, "Creator": PROGRAM},
    "svg": {"Date": None, "Creator": PROGRAM},
    "png": {"Software": PROGRAM},
}
"""What the file of a figure says of its making: which program, and no date. The same figure is the same file."""
is_figure = marked(b"/Creator (bvf)", b"<dc:title>bvf</dc:title>", b"Software\0bvf")
"""Whether a file is a figure that bvf drew."""


def ending_of(file: Path) -> str:
    """Return the format of a figure's file from the suffix of its name.

    Raises:
        BvfError: Figures cannot be written in the format that the suffix names.
    """
    ending = file.suffix.removeprefix(".").lower()
    if ending not in ENDINGS:
        near = nearest(ending, list(ENDINGS)) if ending else ""
        hint = near if near.startswith("did") else f"its name should end in {', '.join(f'.{each}' for each in ENDINGS)}"
        raise BvfError(f"{file}: no kind of figure", hint)
    return ending


def save(axes: "Axes", file: Path, title: str = "", caption: str = "") -> None:
    """Write the figure of some axes as PDF, SVG or PNG, by the suffix of the file. The output is reproducible.

    Title and caption are stored in the file for people who cannot see the figure.

    Raises:
        BvfError: The suffix is not one of these formats, or the file cannot be written.
    """
    from matplotlib import rc_context

    ending = ending_of(file)
    figure: Any = axes.get_figure(root=True)
    settings: Any = {"svg.hashsalt": "bvf", "pdf.fonttype": 42}
    texts = {"Title": title, "Subject" if ending == "pdf" else "Description": caption}
    metadata: Any = {**{name: text for name, text in texts.items() if text}, **BY_US[ending]}
    with disk_errors_explained(file, "choose another name"), rc_context(settings), replacing(file) as out:
        figure.savefig(out, format=ending, dpi=PER_INCH, metadata=metadata)
