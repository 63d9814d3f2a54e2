"""Each notebook runs from its first cell to its last, and shows what its stored outputs show."""

import re
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
FIRST = FOLDER / "first-result.ipynb"
PICTURE = "image/svg+xml"
NUMBER = re.compile(r"\d+(?:\.\d+)?")
FOLDER_NAME = re.compile(r"runs/[\w.-]+")
MOST_BYTES, MOST_CELLS = 150_000, 10


def code_cells(path):
    return [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]


def executed(path, folder):
    """The code cells after they were run in a kernel, in an empty folder."""
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(folder)}}).execute()
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def shown(cell):
    """What a reader sees below a cell, as text; of a picture, that there is one."""
    texts = []
    for output in cell.outputs:
        data = output.get("data", {})
        if PICTURE in data:
            texts.append("a picture")
        elif output.get("name") != "stderr":  # progress, and what tqdm says of ipywidgets
            texts.append(data.get("text/html") or data.get("text/plain") or output.text)
    return FOLDER_NAME.sub("runs/NAME", "\n".join(texts))


def assert_alike(now, stored):
    """Texts and whole numbers are equal; others agree to three digits, or to one unit of their last decimal place."""
    assert NUMBER.split(now) == NUMBER.split(stored)
    for new, old in zip(NUMBER.findall(now), NUMBER.findall(stored), strict=True):
        decimals = len(old.partition(".")[2])
        close = pytest.approx(float(old), rel=5e-3, abs=1.01 * 10**-decimals)
        assert float(new) == close if decimals else new == old


@pytest.mark.parametrize(
    "path", [pytest.param(each, marks=[] if each == FIRST else pytest.mark.long, id=each.stem) for each in NOTEBOOKS]
)
def test_it_runs_and_shows_what_is_stored(path, tmp_path):
    for now, stored in zip(executed(path, tmp_path), code_cells(path), strict=True):
        assert_alike(shown(now), shown(stored))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_is_short_and_has_its_outputs(path):
    assert path.stat().st_size < MOST_BYTES
    assert len(nbformat.read(path, as_version=4).cells) <= MOST_CELLS
    outputs = [output for cell in code_cells(path) for output in cell.outputs]
    assert all(output.output_type != "error" and output.get("name") != "stderr" for output in outputs)
    assert any(PICTURE in output.get("data", {}) for output in outputs)
    assert any("<table" in output.get("data", {}).get("text/html", "") for output in outputs)


def test_numbers_may_differ_after_the_third_digit_and_nothing_else_may():
    assert_alike("8 groups, R 0.5474", "8 groups, R 0.5471")
    for other in ("8 groups, R 0.560", "8 words, R 0.547", "9 groups, R 0.547", "8 groups, R 0.547, R 0.1"):
        with pytest.raises(AssertionError):
            assert_alike(other, "8 groups, R 0.547")
