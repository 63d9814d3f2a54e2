"""Files of frames and of formats are read, or refused with the file and the table."""

import pytest

from bvf import BvfError
from bvf.files.contexts.frames import read_formats, read_frames


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
        ("year = 1", "year is not a table"),
        ('[year]\npattern = "In [level], [template]"\n', r"\[year\]"),
        ('[year]\npatern = "In [level], [template]"\nlevels = ["a", "b"]\n', r'\[year\]: there is no setting "patern"'),
        ('[format]\npattern = "In [level], [template]"\nlevels = ["a", "b"]\n', r"\[format\] is the frame of formats"),
    ],
)
def test_what_is_no_file_of_frames_is_refused(tmp_path, text, says):
    file = tmp_path / "mine.toml"
    file.write_text(text)
    with pytest.raises(BvfError, match=f"{file}.*{says}"):
        read_frames(file)


def test_each_table_is_a_format(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text('[bare]\n[terse]\nturn = "user"\ntext = "Go on: [template]"\nsystem = "Be brief."\n')
    formats = read_formats(file)
    assert {name: (each.text, each.chat and str(each.chat)) for name, each in formats.items()} == {
        "bare": ("[template]", None),
        "terse": ("Go on: [template]", 'user\'s turn, system "Be brief."'),
    }


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "there is no format"),
        ('[terse]\nturn = "me"\n', r"\[terse\]"),
        ('[terse]\ntrun = "user"\n', r'\[terse\]: there is no setting "trun"'),
    ],
)
def test_what_is_no_file_of_formats_is_refused(tmp_path, text, says):
    file = tmp_path / "mine.toml"
    file.write_text(text)
    with pytest.raises(BvfError, match=f"{file}.*{says}"):
        read_formats(file)
