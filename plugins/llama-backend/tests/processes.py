"""What a process of ``bvf`` printed."""

import json


def result_of(process):
    assert process.returncode == 0, process.stderr
    return json.loads(process.stdout)


def refused(process, code=2):
    """What it says instead of a result, on few lines."""
    assert process.returncode == code, process.stderr
    assert process.stdout == ""
    assert "Traceback" not in process.stderr
    assert len(process.stderr.splitlines()) <= 2 or code != 2
    return process.stderr
