"""Ways of asking over the same groups: correlations and their correction by hand and plainly, and what is refused."""

import json
from pathlib import Path

import numpy as np
import pytest
from bvf_insights.asking import Asking, _agreement, compare_asking, sections
from bvf_insights.pictures import Asking as AskingPicture
from scipy.stats import pearsonr, spearmanr

from bvf import BvfError, load

NAMES = ("nurse", "dentist", "cook", "lawyer", "pharmacist", "carpenter")
PLUGIN = """
from bvf import Provider, hookimpl
from bvf.interfaces.reported_file import ReportedFile, ReportedGroup

class Treated(ReportedFile):
    what = "Treated"

    def __init__(self, values, name):
        self.title, self.values = "Treated", values

    def sections(self, show=24):
        return []

    def picture(self, of, **_):
        raise NotImplementedError

    def group_figures(self):
        to = tuple(self.values["to"])
        return [ReportedGroup("m", group, to, tuple(of)) for group, of in self.values["groups"].items()]

@hookimpl
def bvf_files():
    return [Provider("treated/1", Treated, "a file of items about groups")]
"""


@pytest.fixture(scope="module")
def plugins(tmp_path_factory):
    file = tmp_path_factory.mktemp("plugin") / "treated.py"
    file.write_text(PLUGIN)
    return load(extra=(str(file),))


@pytest.fixture(scope="module")
def run(run_of):
    return run_of(groups=NAMES, limit_groups=0, sample_contexts=12)


def treated(folder, groups, to=("women", "female")):
    folder.mkdir(exist_ok=True)
    (folder / "treated.json").write_text(json.dumps({"schema": "treated/1", "groups": groups, "to": to}))
    return folder


def asking(values, kind="benchmark"):
    values = np.array(values, dtype=float)
    groups = tuple(f"g{place}" for place in range(len(values)))
    return Asking(kind, "b", "m", groups, values, np.ones(values.shape[1]), np.arange(values.shape[1]))


def test_a_run_agrees_with_the_share_of_women_as_a_plain_correlation_says(run):
    found = compare_asking([run.folder])
    women = json.loads(Path(run.folder, "measurement.json").read_text())
    women = women["asked"]["statistics"]["women"]["values"]
    known = [group for group in run.groups if women.get(group.group) is not None]
    x = [group.mean_probabilities["female"] for group in known]
    y = [women[group.group] for group in known]
    (pair,) = found.agreements
    assert (found.to, pair.second, pair.groups, pair.rough) == ("female", "share of women", len(known), True)
    assert pair.correlation == pytest.approx(pearsonr(x, y).statistic)
    assert pair.ranks == pytest.approx(spearmanr(x, y).statistic)
    assert pair.low <= pair.correlation <= pair.high
    mine, share = found.ways
    assert mine.reliability < 0 < share.reliability == 1
    assert pair.corrected is None  # the answers of this model are noise


def test_a_benchmark_is_matched_by_group_with_means_over_its_items(run, plugins, tmp_path):
    """Items of each group are 1 above and below a mean that falls with p, so that the correlation is -1."""
    p = {group.group: group.mean_probabilities["female"] for group in run.groups}
    groups = {name.title(): (1 - 10 * each, -1 - 10 * each) for name, each in p.items()}
    folder = treated(tmp_path / "b", {**groups, "alone": (1.0,), "unknown": (1.0, 2.0)})
    found = compare_asking([run.folder, folder], plugins=plugins)
    assert [each.name for each in found.ways] == [Path(run.folder).name, "Treated", "share of women"]
    pair = found.agreements[0]
    assert (pair.groups, found.ways[1].groups) == (len(NAMES), len(NAMES) + 1)
    assert (pair.correlation, pair.low) == (pytest.approx(-1), pytest.approx(-1))
    assert {each.group for each in found.values if each.way == "Treated"} == {*NAMES, "unknown"}
    table, ways, of_groups = sections(found, 2)
    assert table.rows[0][:4] == (Path(run.folder).name, "Treated", "6", "-1.00")
    assert [row[0] for row in ways.rows] == [each.name for each in found.ways]
    assert len(of_groups.rows) == 3
    assert "agree most" in AskingPicture(found).caption()
    assert len(AskingPicture(found).marks().marks[0].values) == 3


def test_reliability_by_hand():
    """Halves with a correlation of .5 have a reliability of 2 * .5 / 1.5; without noise it is 1."""
    groups = [f"g{place}" for place in range(5)]
    exact = np.arange(5.0)[:, np.newaxis] + np.array([0.0, 3.0])
    assert asking(exact).reliability(groups, 0.95) == pytest.approx(1)
    first, second = np.array([-2.0, -1, 0, 1, 2]), np.array([-1.0, -2, 2, -1, 2])
    r = pearsonr(first, second).statistic
    both = asking(np.stack([first, second], axis=1))
    assert both.reliability(groups, 0.95) == pytest.approx(2 * r / (1 + r))
    assert both.reliability(groups[:4], 0.95) is None
    assert asking(exact, "run").reliability(groups, 0.95) is None


def test_correction_finds_what_two_noisy_ways_share():
    """Two ways of the same 400 true values, each with as much noise as truth: r is near .5, corrected near 1."""
    rng = np.random.default_rng(1)
    true = rng.standard_normal((400, 1))
    one, other = (asking(true + 4 * rng.standard_normal((400, 16))) for _ in range(2))
    found = _agreement(one, other, 0.95)
    assert found.correlation == pytest.approx(0.5, abs=0.1)
    assert found.corrected == pytest.approx(1, abs=0.15)
    assert found.corrected_low < 1 < found.corrected_high


def test_five_groups_are_enough():
    five = asking([[0.0, 1.0], [1.0, 2.0], [2.0, 3.0], [3.0, 4.0], [4.0, 5.0]])
    assert _agreement(five, five, 0.95).correlation == pytest.approx(1)


def test_few_groups_and_a_constant_have_no_correlation(run, plugins, tmp_path):
    few = treated(tmp_path / "few", {name: (0.0, 1.0) for name in NAMES[:4]})
    same = treated(tmp_path / "same", dict.fromkeys(NAMES, (1.0, 1.0)))
    found = compare_asking([run.folder, few, same], plugins=plugins)
    assert [each.correlation for each in found.agreements[:2]] == [None, None]
    assert [each.name for each in found.ways[1:3]] == ["Treated (2)", "Treated (3)"]
    assert "empty: fewer than 5 groups in both" in sections(found)[0].notes


@pytest.mark.parametrize(
    ("sources", "message"),
    [
        (("b",), "--by asking: no folder has a run"),
        (("run", "woman"), "woman: neither a folder nor a statistic of gender"),
        (("run", "none"), "none: neither a run nor answers to a benchmark"),
        (("run", "other"), "its items do not say how a group is tied to female"),
        (("run", "young"), 'has no class "female"'),
    ],
)
def test_what_cannot_be_compared_is_refused_in_a_line(run, run_of, plugins, tmp_path, sources, message):
    treated(tmp_path / "b", {"nurse": (1.0, 2.0)})
    treated(tmp_path / "other", {"nurse": (1.0, 2.0)}, to=("men", "male"))
    (tmp_path / "none").mkdir()
    known = {"run": run.folder, "woman": "woman"}
    if "young" in sources:
        known["young"] = run_of(topic="age").folder
    with pytest.raises(BvfError) as refused:
        compare_asking([known.get(each, tmp_path / each) for each in sources], plugins=plugins)
    assert message in refused.value.message
