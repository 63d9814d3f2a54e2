"""Files of frames are read, or refused with the file and the frame."""

import pytest

from bvf import BvfError
from bvf.files.contexts.frames import read_frames


def test_each_table_is_a_frame(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text('[weather]\npattern = "On a [level] day, [template]"\nlevels = ["hot", "cold", "wet"]\n')
    (frame,) = read_frames(file).items()
    assert frame[0] == "weather"
    assert frame[1].levels == ("hot", "cold", "wet")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "there is no frame"),
        ("year = 1", "year is no table"),
        ('[year]\npattern = "In [level], [template]"\n', r"\[year\]"),
        ('[year]\npatern = "In [level], [template]"\nlevels = ["a", "b"]\n', r'\[year\]: there is no setting "patern"'),
        ("[year", "not TOML"),
    ],
)
def test_what_is_no_file_of_frames_is_refused(tmp_path, text, says):
    file = tmp_path / "mine.toml"
    file.write_text(text)
    with pytest.raises(BvfError, match=f"{file}.*{says}"):
        read_frames(file)
