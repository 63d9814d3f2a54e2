"""The same figure is the same file, with its caption."""

import pytest
from helpers.made_pictures import leans

from bvf import BvfError
from bvf.drawing.files import save


@pytest.mark.parametrize("ending", ["svg", "pdf", "png"])
def test_the_same_figure_is_the_same_file_with_its_caption(ending, tmp_path):
    view = leans(["captain", "nurse"])
    said = view.caption()
    for name in ("one", "other"):
        save(view.draw(), tmp_path / f"{name}.{ending}", "How far groups lean", said)
    one, other = ((tmp_path / f"{name}.{ending}").read_bytes() for name in ("one", "other"))
    assert one == other
    assert one.startswith({"svg": b"<?xml", "pdf": b"%PDF", "png": b"\x89PNG"}[ending])
    if ending != "pdf":
        assert b"How far groups lean" in one
        assert said.encode() in one
    assert b"CreationDate" not in one
    assert b"dc:date" not in one


def test_files_that_are_no_figure_or_cannot_be_written_are_refused(tmp_path):
    axes = leans(["captain"]).draw()
    with pytest.raises(BvfError, match="no kind of figure") as refused:
        save(axes, tmp_path / "f.gif")
    assert ".pdf, .svg, .png" in refused.value.hint
    with pytest.raises(BvfError, match="no kind of figure") as refused:
        save(axes, tmp_path / "f.sgv")
    assert "did you mean svg" in refused.value.hint
    with pytest.raises(BvfError, match="cannot be written"):
        save(axes, tmp_path / "none" / "f.png")
