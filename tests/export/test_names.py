"""Names that travel: in one line, in one direction, without the folders of a machine."""

import pytest

from bvf.export.names import one_line, portable, without_folder


def test_a_line_break_and_a_change_of_direction_are_written_out():
    assert one_line("nurse\n\u202e12\x07") == "nurse \\u202e12\\x07"
    assert one_line("\u2066a\u2069 \u200fb") == "\\u2066a\\u2069 \\u200fb"
    assert one_line("护士 ممرضة") == "护士 ممرضة"


@pytest.mark.parametrize(
    ("name", "left"),
    [
        ("/home/me/models/tuned", "tuned"),
        ("./out/tuned", "tuned"),
        ("~/tuned", "tuned"),
        ("data/mine.csv", "mine.csv"),
        ("facebook/opt-1.3b", "facebook/opt-1.3b"),
        ("knowledge/capitals", "knowledge/capitals"),
        ("bundled:en-causal", "bundled:en-causal"),
        ("/", "/"),
    ],
)
def test_folders_of_a_machine_are_left_out_and_names_of_a_hub_are_not(name, left):
    assert without_folder(name) == left


@pytest.mark.parametrize(
    ("name", "left"),
    [("baseline:random", "baseline-random"), ("a/../b", "a-..-b"), ("..", "unnamed"), ("知识", "知识")],
)
def test_a_portable_name_is_a_part_of_a_path(name, left):
    assert portable(name) == left
