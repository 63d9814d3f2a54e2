"""The notebook runs from its first cell to its last, and a result in it is a table."""

import re
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOK = Path(__file__).resolve().parents[2] / "docs" / "notebooks" / "first-result.ipynb"
GROUPS = 3
FEW = f"limit_groups={GROUPS}, sample_contexts=12, mass_sample=4"


@pytest.fixture(scope="module")
def written():
    return nbformat.read(NOTEBOOK, as_version=4)


@pytest.fixture(scope="module")
def executed(tmp_path_factory, written):
    """The notebook after its cells were run in a kernel, with fewer groups and contexts."""
    folder = tmp_path_factory.mktemp("notebook")
    fewer = nbformat.v4.new_notebook(metadata=written.metadata)
    fewer.cells = [nbformat.from_dict(cell) for cell in written.cells]
    for cell in fewer.cells:
        cell.source = re.sub(r"limit_groups=\d+", FEW, cell.source)
    return NotebookClient(fewer, timeout=300, resources={"metadata": {"path": str(folder)}}).execute()


def html_of(executed, source):
    """What a notebook shows of the value of the cell whose last line that is."""
    (cell,) = [cell for cell in executed.cells if cell.cell_type == "code" and cell.source.endswith(source)]
    (shown,) = [output for output in cell.outputs if output.output_type == "execute_result"]
    return shown.data["text/html"]


def test_a_result_and_a_comparison_are_tables(executed):
    result, comparison = html_of(executed, "\nresult"), html_of(executed, "\ncomparison")
    assert "male or female?" in result
    assert "95% interval" in result
    assert result.count("<table") == 1
    assert "Differences, the first less the second" in comparison
    assert "<script" not in result + comparison


def test_frames_have_the_groups_that_were_asked(executed):
    assert html_of(executed, ".tail()").count("<tr>") == GROUPS
    assert "decision" in html_of(executed, '"decision"]]')


def test_every_cell_has_a_value_and_prints_nothing_else(executed):
    for cell in executed.cells:
        if cell.cell_type == "code":
            outputs = [
                each for each in cell.outputs if "TqdmWarning" not in each.get("text", "")
            ]  # it wants ipywidgets
            assert [output.output_type for output in outputs] == ["execute_result"], cell.source


def test_it_is_kept_without_outputs(written):
    """So that a change of a figure changes no notebook, and nothing in it is older than the program."""
    for cell in written.cells:
        if cell.cell_type == "code":
            assert (cell.outputs, cell.execution_count) == ([], None)
