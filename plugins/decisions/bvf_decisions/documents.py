"""Reads documents with a decision from a folder, each a context of several lines."""

from pathlib import Path

from bvf import BvfError, ContextSet, Template
from bvf.files import read_text

EXAMPLE = "write [X] in place of each name, and [Y] once, where the decision goes"


def read_documents(folder: str = "") -> ContextSet:
    """Return the documents of a folder as contexts of equal weight, one per file that ends in ``.txt``."""
    files = sorted(Path(folder).glob("*.txt")) if folder else []
    if not files:
        message = f"--contexts documents:{folder}: no folder with documents"
        raise BvfError(message, f"write documents:FOLDER, with a .txt per document; {EXAMPLE}")
    return ContextSet(f"documents:{folder}", tuple(map(_document, files)), (1.0,) * len(files), folder)


def _document(file: Path) -> Template:
    text = "\n".join(line.rstrip() for line in read_text(file).strip().split("\n"))
    persons, decisions = text.count("[X]"), text.count("[Y]")
    if not persons or decisions != 1:
        raise BvfError(f"{file}: [X] stands there {persons} times, and [Y] {decisions} times", EXAMPLE)
    try:
        return Template(text)
    except BvfError as error:
        raise BvfError(f"{file}: {error.message}", error.hint) from error
