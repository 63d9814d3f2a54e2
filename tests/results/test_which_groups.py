"""``--groups`` measures, analyses, compares and draws the groups that it names, and no other."""

import json

import pytest

import bvf
from bvf.running.verify import differences

NAMED = ("operator", "worker")


@pytest.fixture(scope="module")
def six(run_of):
    return run_of()


def figures(result):
    return result.model_dump(mode="json", include={"uncertainty", "groups", "R", "shared", "particular", "word_lists"})


def test_a_run_of_named_groups_is_the_same_as_an_analysis_of_them(six, run_of):
    measured = run_of(limit_groups=0, groups=("worker", "operator"))
    analysed = bvf.analyse(bvf.read_measurement(six.folder), groups="worker,operator")
    assert bvf.read_measurement(measured.folder).record.asked.group_names == NAMED
    assert not list(differences(figures(measured), figures(analysed)))
    assert measured.particular != pytest.approx(six.particular)
    assert "2 of 116 groups, chosen by name" in measured.notes


def test_show_restricts_a_stored_result_and_leaves_it_as_it_is(run_of, command):
    folder = run_of(model="baseline:stereotyped").folder
    before = sorted((file, file.read_bytes()) for file in folder.rglob("*.json"))
    done = command("show", folder, "--groups", "worker,operator")
    lines = " ".join(done.out.split())
    assert (done.code, done.err) == (0, "")
    assert "2 of 6 groups (chosen) in " in lines
    assert f"bvf show --details {folder} --groups operator --groups worker" in lines
    assert "trainer" not in done.out
    assert sorted((file, file.read_bytes()) for file in folder.rglob("*.json")) == before
    shown = json.loads(command("show", folder, "--groups", "worker,operator", "--format", "json").out)
    assert [group["group"] for group in shown["groups"]] == list(NAMED)
    assert shown["selection"] == {"of": 6, "own": [], "seed": None}


def test_an_analysis_of_named_groups_is_stored_and_verified(run_of, command):
    folder = run_of(model="baseline:random").folder
    bvf.analyse(folder, groups=NAMED, save_as="two")
    assert [group.group for group in bvf.read_result(folder, analysis="two").groups] == list(NAMED)
    assert command("verify", folder).code == 0


def test_comparisons_gates_and_plans_are_of_the_named_groups(six, run_of, command):
    other = run_of(model="baseline:stereotyped")
    compared = bvf.compare([six.folder, other.folder], groups=NAMED)
    assert compared.topics[0].groups == NAMED
    assert "2 of 6 groups, chosen by name" in compared.topics[0].notes
    done = command("gate", six.folder, "--groups", "operator,worker", "--max", "R=0.9")
    assert "groups operator, worker" in " ".join(done.err.split())
    planned = command("plan", six.folder, "--groups", "operator").out
    assert "groups operator," in " ".join(planned.split())


@pytest.mark.parametrize("arguments", [("show",), ("plot", "--kind", "lean", "-o", "x.svg"), ("analyse",)])
def test_a_group_that_a_run_has_not_is_one_line_with_the_nearest_name(arguments, six, command):
    name, *options = arguments
    done = command(name, six.folder, *options, "--groups", "workr")
    assert done.code == 2
    assert '"workr" is not one of the groups' in done.err
    assert "worker" in done.err
