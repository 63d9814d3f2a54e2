"""What prints the result of a stored run takes the options of output that `bvf run` has."""

import pytest


@pytest.mark.parametrize("name", ["analyse", "merge", "show"])
def test_a_command_on_a_folder_may_be_quiet_as_a_run_is(name, result, command):
    printed, quiet = command(name, result.folder), command(name, result.folder, "-q")
    assert (quiet.code, quiet.out, quiet.err) == (0, printed.out, "")
