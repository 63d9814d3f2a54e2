"""``--limit-groups`` draws groups by the seed, and a folder that was begun with the first ones goes on with them."""

import json

import pytest
from helpers.toy_runs import copied, small_config

import bvf
from bvf import BvfError
from bvf.measuring.folder import content_of, read_record


@pytest.fixture
def config(toy, tmp_path):
    return lambda **changes: small_config(
        copied(toy, tmp_path), tmp_path / "out", topic="gender-2026", contexts="gender", limit_groups=6, **changes
    )


def test_the_draw_is_in_the_record_in_the_notes_and_in_the_first_line(config, command, tmp_path):
    result = bvf.run(config())
    groups = [group.group for group in result.groups]
    assert groups == ["cio", "commander", "cook", "economist", "representative", "surveyor"]
    record = json.loads((tmp_path / "out" / "measurement.json").read_text())
    assert record["asked"]["selection"] == {"of": 120, "own": [], "seed": 0}
    assert "6 of 120 groups, drawn by the seed 0" in result.notes
    assert "6 of 120 groups (drawn) in 10 contexts" in " ".join(command("show", result.folder).out.split())
    assert command("verify", result.folder).code == 0
    assert [group.group for group in bvf.run(config(seed=1, out=str(tmp_path / "1"))).groups] != groups


def test_a_folder_that_was_begun_with_the_first_groups_goes_on_with_them(config, tmp_path, command):
    first = ("accountant", "administrator", "advisor", "ambassador", "analyst", "animator")
    changes = {"limit_groups": 0, "groups": first}
    folder = bvf.run(config().model_copy(update=changes)).folder
    as_before_groups_were_drawn(folder)
    next((folder / "probabilities").iterdir()).unlink()
    again = bvf.run(config())
    assert tuple(group.group for group in again.groups) == first
    assert again.selection is None
    assert command("verify", folder).code == 0
    with pytest.raises(BvfError, match="holds another measurement"):
        bvf.run(config().model_copy(update={"limit_groups": 7}))


def as_before_groups_were_drawn(folder):
    """Write the record of a folder as it was when ``--limit-groups`` took the first groups."""
    record = read_record(folder)
    before = record.model_copy(update={"asked": record.asked.model_copy(update={"selection": None}), "notes": ()})
    written = json.loads(before.model_copy(update={"content": content_of(before)}).model_dump_json(by_alias=True))
    del written["asked"]["selection"]
    (folder / "measurement.json").write_text(json.dumps(written))
