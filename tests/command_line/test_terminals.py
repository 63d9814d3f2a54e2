"""On a terminal and in a pipe: colours where they are wanted, results alone on stdout, all else on stderr."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import termios
from contextlib import suppress
from threading import Thread

import pytest

COLOUR = re.compile(r"\x1b\[[\d;]*3[0-7]m")
SEQUENCE = re.compile(r"\x1b\[[\d;]*[A-Za-z]")
RUN = ("run", "--model", "baseline:stereotyped", "--limit-groups", "3", "--out", "out put")


class Terminal:
    """A pseudo-terminal of some width that a process writes to."""

    def __init__(self, columns):
        self._ours, self.end = pty.openpty()
        fcntl.ioctl(self.end, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        self._parts = []
        self._reader = Thread(target=self._read, daemon=True)  # a process waits where its output is not read
        self._reader.start()

    def _read(self):
        with suppress(OSError):  # what Linux says when no writer is left
            while part := os.read(self._ours, 4096):
                self._parts.append(part)

    def text(self):
        """Everything that was written there, after its writers ended."""
        os.close(self.end)
        self._reader.join()
        os.close(self._ours)
        return b"".join(self._parts).decode().replace("\r\n", "\n")


@pytest.fixture
def bvf(process):
    def call(*arguments, variables=(), **streams):
        known = {"TERM": "xterm-256color", **dict(variables)}
        cold = bool(variables)  # some are read when a library is imported
        return process(*arguments, cold=cold, variables=known, stdin=subprocess.DEVNULL, **streams)

    return call


COLOURED = {
    "terminal": ({}, True, True),
    "pipe": ({}, False, False),
    "NO_COLOR": ({"NO_COLOR": "1"}, True, False),
    "FORCE_COLOR": ({"FORCE_COLOR": "1"}, False, True),
    "dumb": ({"TERM": "dumb"}, True, False),
}


@pytest.mark.parametrize(("variables", "terminal", "coloured"), COLOURED.values(), ids=COLOURED)
def test_colours_are_for_terminals_and_for_who_asks(bvf, variables, terminal, coloured):
    end = Terminal(80)
    done = bvf("criteria", "--no-such-option", variables=variables, **({"stderr": end.end} if terminal else {}))
    said = end.text() if terminal else done.stderr
    assert bool(COLOUR.search(said)) == coloured
    assert "No such option" in said


@pytest.mark.parametrize("columns", [40, 120])
def test_a_listing_is_as_wide_as_the_terminal(bvf, columns):
    end = Terminal(columns)
    bvf("criteria", stdout=end.end)
    lines = SEQUENCE.sub("", end.text()).splitlines()
    assert max(map(len, lines)) <= columns
    whole = "knowledge:sqrt, knowledge:log or knowledge:power=a: mastery of known answers"
    assert any(whole in line for line in lines) == (columns == 120)
    assert whole in " ".join(" ".join(lines).split())


def test_a_run_on_a_terminal_ends_by_saying_what_to_do_next_and_stdout_has_the_result_alone(bvf):
    end = Terminal(80)
    done = bvf(*RUN, stderr=end.end)
    last = SEQUENCE.sub("", end.text()).splitlines()[-1]
    assert last == "next: bvf report, compare, plot, explain or plan DIR; or run it again with --controls"
    assert "next:" not in done.stdout
    assert done.stdout.startswith("gender (en)")
    assert done.stdout.splitlines()[-1] == "details: bvf show --details 'out put'"
    assert "\x1b" not in done.stdout


def test_a_run_in_a_pipe_or_with_quiet_says_nothing_of_it(bvf):
    assert bvf(*RUN).stderr == ""
    end = Terminal(80)
    bvf(*RUN, "--quiet", stderr=end.end)
    assert end.text() == ""


def test_force_color_makes_no_terminal_of_a_pipe(bvf):
    done = bvf(*RUN, variables={"FORCE_COLOR": "1", "COLUMNS": "200"})
    assert done.stderr == ""
    assert "\x1b[1mgender (en)" in done.stdout
    assert max(len(SEQUENCE.sub("", line)) for line in done.stdout.splitlines()) <= 80
