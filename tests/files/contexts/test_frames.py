"""Files of frames and of formats are read, or refused with the file and the table."""

import pytest

from bvf import BvfError
from bvf.files.contexts.frames import read_formats, read_frames

IN = '"In [level], [template]"\nlevels = ["a", "b"]\n'


@pytest.fixture
def file(tmp_path):
    """A file with this text."""

    def write(text):
        (tmp_path / "mine.toml").write_text(text)
        return tmp_path / "mine.toml"

    return write


def test_each_table_is_a_frame_or_a_format(file):
    frames = read_frames(file('[weather]\npattern = "On a [level] day, [template]"\nlevels = ["hot", "cold", "wet"]\n'))
    assert {name: frame.levels for name, frame in frames.items()} == {"weather": ("hot", "cold", "wet")}
    text = '[bare]\n[terse]\nturn = "user"\ntext = "Go on: [template]"\nsystem = "Be brief."\n'
    formats = read_formats(file(text))
    assert {name: (each.text, each.chat and str(each.chat)) for name, each in formats.items()} == {
        "bare": ("[template]", None),
        "terse": ("Go on: [template]", 'user\'s turn, system "Be brief."'),
    }


@pytest.mark.parametrize(
    ("read", "text", "says"),
    [
        (read_frames, "", "there is no frame"),
        (read_frames, "year = 1", "year is not a table"),
        (read_frames, '[year]\npattern = "In [level], [template]"\n', r"\[year\]"),
        (read_frames, f"[year]\npatern = {IN}", r'\[year\]: there is no setting "patern"'),
        (read_frames, f"[format]\npattern = {IN}", r"\[format\] is the frame of formats"),
        (read_formats, "", "there is no format"),
        (read_formats, '[terse]\nturn = "me"\n', r"\[terse\]"),
        (read_formats, '[terse]\ntrun = "user"\n', r'\[terse\]: there is no setting "trun"'),
    ],
)
def test_what_is_no_file_of_frames_or_of_formats_is_refused(file, read, text, says):
    with pytest.raises(BvfError, match=f"{file('')}.*{says}"):
        read(file(text))
