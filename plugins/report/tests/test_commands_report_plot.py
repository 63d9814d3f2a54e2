"""``bvf plot`` draws every kind of figure of what is stored, says what it shows, and refuses the rest in a line."""

import os
from itertools import product

import numpy as np
import pytest
from bvf_factors.run import analyse_table
from bvf_report.pictures.compare import by_label
from bvf_report.pictures.kinds import of_topic
from bvf_report.plot.kinds import kind_of
from helpers.factor_tables import table_of

import bvf
from bvf import BvfError, PlotRequest
from bvf.drawing import caption_of
from bvf.hooks.loader import load

OF_ONE = ["lean", "heatmap", "distribution", "scatter", "curve", "variance"]
OF_FACTORS = ["coverage", "sunburst", "forest"]


@pytest.fixture(scope="module")
def runs(run_of, tmp_path_factory):
    """Folders of three toy models in the same contexts."""
    folder = tmp_path_factory.mktemp("runs")
    models = {"1m": "toy:hash", "2m": "baseline:stereotyped", "70m": "baseline:random"}
    return [
        run_of(model=model, out=str(folder / size), label={"size": size}, limit_groups=5).folder
        for size, model in models.items()
    ]


@pytest.fixture(scope="module")
def compared(runs):
    return bvf.compare(runs, by="size")


@pytest.fixture(scope="module")
def factors(tmp_path_factory):
    """A file of ``bvf factors analyse --json``."""
    generator = np.random.default_rng(3)
    rows = [
        {"f": f, "g": g, "t": t, "d": bool(generator.random() < 0.2 + 0.4 * (f == "b"))}
        for t, f, g in product(range(45), "abc", "pq")
    ]
    analysis = analyse_table(table_of(rows, outcome="d", cluster="t", factors={"f": {"reference": "a"}, "g": {}}))
    file = tmp_path_factory.mktemp("factors") / "factors.json"
    file.write_text(analysis.model_dump_json(by_alias=True))
    return file


@pytest.mark.parametrize("kind", [*OF_ONE, "density", "scale", "compare", "trend", *OF_FACTORS])
def test_every_kind_is_drawn_and_says_what_it_shows(kind, runs, factors, command, tmp_path):
    sources = [factors] if kind in OF_FACTORS else runs[:1] if kind in OF_ONE else [runs[0].parent]
    by = ("--by", "size") if kind == "trend" else ()
    file = tmp_path / f"{kind}.svg"
    done = command("plot", *sources, "--kind", kind, *by, "-o", file)
    assert done.code == 0, done.err
    said = done.out.split()
    assert said[-1] == str(file)
    caption = " ".join(said[:-1])
    drawn = file.read_text("utf-8")
    assert caption.replace("&", "&amp;").replace("<", "&lt;") in drawn
    assert caption.endswith(".")


@pytest.fixture(scope="module")
def known(run_of):
    """Folders of runs of two relations."""
    choices = {"contexts": "", "sample_contexts": 0, "limit_groups": 5}
    return [run_of(topic=f"knowledge/{each}", **choices).folder for each in ("capitals", "continents")]


ABOUT = ["lean; others: heatmap", "compare; others: lean", "subjects; others: certainty", "coverage; others: sunburst"]


@pytest.mark.parametrize("said", ABOUT)
def test_without_a_kind_it_draws_what_the_runs_are_about(said, runs, known, factors, command, tmp_path):
    sources = dict(zip(ABOUT, (runs[:1], runs[:2], known[:1], [factors]), strict=True))[said]
    first, file = said.partition(";")[0], tmp_path / "a.svg"
    done = command("plot", *sources, "-o", file)
    assert done.code == 0, done.err
    assert done.err.startswith(f"this is --kind {said}")
    request = PlotRequest(sources, load())
    picture, notes = kind_of(first, request)()
    assert " ".join(done.out.split()[:-1]) == caption_of(picture.caption(), notes)
    for other in done.err.strip().rpartition(": ")[2].split(", "):
        why = ""
        try:
            kind_of(other, request)()
        except BvfError as error:
            why = error.message
        assert "there is no such figure" not in why
        assert "has no figures of" not in why


def test_what_several_runs_or_a_study_show_is_said(runs, run_of, command, tmp_path):
    def caption(kind, *folders):
        done = command("plot", *folders, "--kind", kind, "-o", tmp_path / f"{kind}.svg")
        assert done.code == 0, done.err
        return " ".join(done.out.split())

    said = caption("lean", runs[0].parent)
    assert said.startswith("How far groups of gender lean by model: mean probability of male less that of")
    assert "baseline:stereotyped: median " in said
    sets = [run_of(contexts=name, sample_contexts=0).folder for name in ("gender", "gender-table8")]
    assert "R, R^b and R^v of toy:hash over 2 context sets of gender, 6 groups." in caption("contexts", *sets)
    few = {"limit_groups": 3, "limit_contexts": 3, "out": str(tmp_path / "study")}
    study = bvf.run(model="baseline:random", controls=True, **few)
    assert "of gender beside 3 controls, for baseline:random." in caption("controls", study.folder)


@pytest.mark.parametrize("kind", ["lean", "scale"])
def test_show_limits_a_figure_or_is_refused(kind, runs, command, tmp_path):
    shown = [command("plot", runs[0], "--kind", kind, "--show", n, "-o", tmp_path / f"{n}.svg") for n in (2, "all")]
    if load().pictures.make(kind).picture.limited:
        few, every = (" ".join(done.out.split()[:-1]) for done in shown)
        assert "2 of 5 groups" in few
        assert "5 groups" in every
    else:
        assert [done.code for done in shown] == [2, 2]
        assert all(f"--show does nothing with --kind {kind}" in done.err for done in shown)


def test_the_curve_is_of_the_group_that_is_named_in_the_analysis_of_all(runs, command, tmp_path):
    group = bvf.read_result(runs[0]).groups[0]
    done = command("plot", runs[0], "--kind", "curve", "--groups", group.group, "-o", tmp_path / "f.svg")
    caption = " ".join(done.out.split())
    assert f"and {group.group} on it, for toy:hash" in caption
    assert f"r^b {group.r_bias:.3f} is the risk" in caption
    assert "Another analysis" not in caption
    names = ",".join(each.group for each in bvf.read_result(runs[0]).groups[:2])
    two = command("plot", runs[0], "--kind", "curve", "--groups", names, "-o", tmp_path / "f.svg")
    assert two.err.startswith("error: --groups names 2 groups, and a curve shows one")


def test_a_caption_has_what_makes_a_run_doubtful_in_short(runs, run_of):
    def notes(kind, *folders):
        return kind_of(kind, PlotRequest(folders, load()))().notes

    few = "intervals rest on 30 drawn contexts"
    for kind in ("lean", "scale", "density", "heatmap"):
        assert f"Doubtful: {few}." in notes(kind, runs[0]), kind
    rare = run_of(model="toy:rare", sample_contexts=60).folder
    assert "Doubtful: toy:hash: " + few in notes("scale", runs[0], rare)
    for kind in ("compare", "scale"):
        said = "toy:rare: the compared words have less than 0.01% of the probability on average."
        assert said in notes(kind, runs[0], rare)
    assert "Doubtful" not in notes("lean", run_of(sample_contexts=60).folder)


def test_figures_are_drawn_on_axes_of_a_user(runs, compared):
    from matplotlib.figure import Figure

    result = bvf.read_result(runs[0])
    axes = Figure(layout="constrained").subplots(2, 3).ravel()
    for draw, ax in zip((bvf.plot.lean, bvf.plot.heatmap, bvf.plot.distribution, bvf.plot.scatter), axes, strict=False):
        assert draw(result, ax) is ax
    assert bvf.plot.scale(result, axes[4]) is axes[4]
    assert bvf.plot.lean([result], axes[4]) is bvf.plot.density(result, axes[4]) is axes[4]
    assert bvf.plot.curve(result, axes[4], group=result.groups[0].group) is axes[4]
    assert bvf.plot.compare(compared, axes[5]) is axes[5]
    with pytest.raises(BvfError, match="compare cannot draw a list") as refused:
        bvf.plot.compare(runs)
    assert "that of `bvf.compare`" in (refused.value.hint or "")
    names = [label.get_text() for label in axes[0].get_yticklabels()]
    assert sorted(names) == sorted(group.group for group in result.groups)


def test_a_topic_is_named_where_there_are_several(compared):
    views = by_label(compared)
    with pytest.raises(BvfError, match="there are 2 topics"):
        of_topic([*views, views[0]], "")
    with pytest.raises(BvfError, match="there is no topic race"):
        of_topic(views, "race")
    assert of_topic(views, "gender") is views[0]


MISTAKES = [
    ("RUN --kind lean -o f.gif", "f.gif: no kind of figure", ".pdf, .svg, .png"),
    ("RUN RUN --kind scatter", "2 runs, and this figure shows one", "--kind scale"),
    ("none --kind scatter", "none: not the folder of a run", "bvf run"),
    ("OTHER --kind forest", "a schema that no plugin reads", "bvf factors analyse"),
    ("FACTORS --kind scatter", "--kind scatter is not drawn", "sunburst, forest\n"),
    ("RUN --kind lean --columns 3", "--columns 3", "write 1"),
    ("RUN --kind lean --by format", "--by does nothing", "--kind trend"),
    ("RUN --kind lean --factor f", "--factor does nothing with runs", "factors"),
    ("RUN --kind lean --show none", '--show is "none"', "or all"),
    ("RUN --kind curve --groups nobody", '"nobody" is not one of', "there are"),
]


@pytest.mark.parametrize(("arguments", "message", "hint"), MISTAKES)
def test_mistakes_are_one_line(arguments, message, hint, runs, factors, command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    other = factors.with_name("other.json")
    other.write_text('{"rows": 3}')
    places = {"RUN": runs[0], "FACTORS": factors, "OTHER": other}
    done = command("plot", "-o", "f.svg", *(places.get(each, each) for each in arguments.split()))
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("error: ")
    assert len(done.err.strip().splitlines()) == 2
    assert message in done.err
    assert hint in done.err
    assert os.listdir(tmp_path) == []
