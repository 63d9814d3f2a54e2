"""Word lists of a miner. Mistakes give one-line errors that name the file."""

import pytest
from bvf_stanza import read_lexicon

from bvf.errors import BvfError

GOOD = """script = "LATIN"
sentence_end = "[.]"
pronouns = {he = "masculine"}
subject_pronouns = "he she"
other_pronouns = ["it"]
persons = "nurse cook"
"""


def test_a_list_may_be_one_text(tmp_path):
    (tmp_path / "lexicon.toml").write_text(GOOD)
    assert read_lexicon(tmp_path).persons == {"nurse", "cook"}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "lexicon.toml: cannot be read: No such file or directory"),
        (b"\xff", "lexicon.toml: not UTF-8"),
        (b"persons = [", "lexicon.toml: not TOML"),
        (GOOD.replace("persons", "people").encode(), "lexicon.toml: persons: Field required"),
        (GOOD.replace('"nurse cook"', "1").encode(), "lexicon.toml: persons: Input should be"),
        (GOOD.replace('"[.]"', '"["').encode(), "lexicon.toml: sentence_end: "),
    ],
)
def test_word_lists_that_are_wrong(tmp_path, content, said):
    if content is not None:
        (tmp_path / "lexicon.toml").write_bytes(content)
    with pytest.raises(BvfError, match=said):
        read_lexicon(tmp_path)
