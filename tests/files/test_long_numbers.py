"""Numbers of any length on the command line: in range, or one line."""

import pytest

from bvf import BvfError
from bvf.builtin.criteria import Lk
from bvf.builtin.engines.processes import Processes
from bvf.files.parsing import whole_number
from bvf.terminal.view import view_of

LONG = ["9" * 5000, "1" + "0" * 400, "0", "-1", "1.5", "", "²", "٣"]


@pytest.mark.parametrize("text", LONG)
def test_a_number_out_of_range_is_refused_in_one_short_line(text):
    for read in (Lk, lambda show: view_of(None, show), *([Processes] if text else [])):
        with pytest.raises(BvfError) as error:
            read(text)
        assert len(error.value.message) < 120


def test_a_long_number_ends_with_exit_code_2(command, toy):
    for option in (
        ["--show", "9" * 5000],
        ["--criterion", "lk:1" + "0" * 400],
        ["--engine", "processes:" + "9" * 5000],
    ):
        shown = command("run", "--plugin", toy, "--model", "toy:hash", *option)
        assert shown.code == 2, shown.err
        assert "bug" not in shown.err


@pytest.mark.parametrize(("text", "number"), [("1", 1), ("007", 7), ("0" * 5000 + "12", 12), ("13", None), ("0", None)])
def test_a_whole_number_lies_between_two_others(text, number):
    assert whole_number(text, 1, 12) == number
