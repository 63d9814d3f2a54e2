"""A plan from Python is that of the command."""

import json

import pytest

import bvf
from bvf import BvfError, load


def test_a_plan_from_python_is_that_of_the_command(run_of, toy, command):
    folder, plugins = run_of().folder, load(extra=toy)
    planned = bvf.plan(folder, precision=0.02, detect=0.05, criterion="lk:2", plugins=plugins)
    printed = command(
        *("plan", folder, "--precision", "0.02", "--detect", "0.05", "--criterion", "lk:2", "--format", "json")
    )
    assert planned.model_dump(mode="json") == json.loads(printed.out)
    assert planned.criterion == "lk:2"
    assert planned.precision == 0.02
    with pytest.raises(BvfError, match="--precision"):
        bvf.plan(folder, precision=-1.0, plugins=plugins)
