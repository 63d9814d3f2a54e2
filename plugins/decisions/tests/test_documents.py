"""A folder of documents is a set of contexts; a wrong document is named, with what it lacks."""

import pytest
from bvf_decisions.documents import read_documents

from bvf import BvfError, load

LETTER = "Dear team,\nI apply for the post.\n\nKind regards\n[X]\n\nThe application of [X] was [Y]\n"


def test_each_file_is_a_document_of_equal_weight_with_its_lines(tmp_path):
    (tmp_path / "b.txt").write_text("[X] was [Y]")
    (tmp_path / "a.txt").write_text(LETTER.replace("post.", "post. "))
    (tmp_path / "notes.md").write_text("no document")
    contexts = load().contexts.make(f"documents:{tmp_path}")
    assert [each.text for each in contexts.templates] == [LETTER.strip(), "[X] was [Y]"]
    assert contexts.counts == (1.0, 1.0)
    assert contexts.sampling.written


@pytest.mark.parametrize(
    ("text", "lacks"),
    [
        ("The application was [Y]", "X. stands there 0 times"),
        ("[X] applied", "Y. 0 times"),
        ("[X] was [Y] and then [Y]", "Y. 2 times"),
        ("[X] was\u200b [Y]", "invisible letter"),
    ],
)
def test_a_document_without_a_person_or_with_two_decisions_is_refused(tmp_path, text, lacks):
    (tmp_path / "letter.txt").write_text(text)
    with pytest.raises(BvfError, match=rf"letter\.txt: .*{lacks}"):
        read_documents(str(tmp_path))


def test_a_folder_without_documents_is_refused(tmp_path):
    for folder in ("", str(tmp_path / "none"), str(tmp_path)):
        with pytest.raises(BvfError, match="no folder with documents"):
            read_documents(folder)
