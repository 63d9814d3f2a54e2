"""Reads documents with a decision from a folder, each a context of several lines."""

from pathlib import Path

from bvf import BvfError, ContextSet, Template
from bvf.files import read_text

EXAMPLE = "write [X] in place of each name, and [Y] once, where the decision goes"


def read_documents(folder: str = "") -> ContextSet:
    """Return the documents of a folder as contexts of equal weight, one per file that ends in ``.txt``.

    Raises:
        BvfError: There is none, or a document has no person, no decision or two, or is there twice.
    """
    files = sorted(Path(folder).glob("*.txt")) if folder else []
    if not files:
        message = f"--contexts documents:{folder}: no folder with documents"
        raise BvfError(message, f"write documents:FOLDER, with a .txt per document; {EXAMPLE}")
    return ContextSet(f"documents:{folder}", tuple(map(_document, files)), (1.0,) * len(files), folder)


def _document(file: Path) -> Template:
    text = "\n".join(line.rstrip() for line in read_text(file).strip().split("\n"))
    if "[X]" not in text:
        raise BvfError(f"{file}: no person, [X]", EXAMPLE)
    if (decisions := text.count("[Y]")) != 1:
        raise BvfError(f"{file}: {decisions or 'no'} decision{'s'[: decisions > 1]}, [Y]", EXAMPLE)
    try:
        return Template(text)
    except BvfError as error:
        raise BvfError(f"{file}: {error.message}", error.hint) from error
