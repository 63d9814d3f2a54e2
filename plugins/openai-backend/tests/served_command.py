"""What the tests of ``bvf run`` with a model on a server share: options, a key, and what the process printed."""

import json

FEW = (
    "--limit-groups",
    "4",
    "--limit-contexts",
    "2",
    "--words",
    "male=he",
    "--words",
    "female=she",
    "--format",
    "json",
)
KEY = "sk-very-secret-0123456789"


def result_of(process):
    assert process.returncode == 0, process.stderr
    return json.loads(process.stdout)


def refused(process, code=2):
    assert process.returncode == code, process.stderr
    assert process.stdout == ""
    assert "Traceback" not in process.stderr
    return process.stderr
