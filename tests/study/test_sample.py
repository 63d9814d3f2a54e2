"""What contexts are a sample of: templates and openings; a file of templates with counts is none, but by choice."""

import re
from dataclasses import replace

import numpy as np
import pytest
from helpers.fixtures import TOY
from helpers.made_alike import drawn, measured, probabilities, with_asked

import bvf
from bvf.domain.asked import AskedSampling
from bvf.study.sample import sample_of_openings


def uncertainty_of(measurement, **choices):
    """The uncertainty of an analysis, which has intervals or a sentence why it has none."""
    found = bvf.analyse(replace(measurement, folder=None), **choices).uncertainty
    assert bool(found.intervals) != bool(found.undefined)
    return found


@pytest.mark.parametrize(("contexts", "heaviest", "undefined"), [(2, 1, True), (12, 1, False), (12, 50, True)])
def test_templates_are_no_sample_where_they_are_worth_fewer_than_ten(contexts, heaviest, undefined):
    made = measured("a", probabilities(1, contexts=contexts))
    equal = [each.model_copy(update={"count": 1.0}) for each in made.record.asked.templates]
    equal[0] = equal[0].model_copy(update={"count": float(heaviest)})
    found = uncertainty_of(with_asked(made, templates=tuple(equal)), unit="template")
    assert ("effective templates" in found.undefined) == undefined
    assert set(found.as_templates) >= {"R", "R_bias"}
    assert found.leaving_one_out


@pytest.mark.parametrize(("number", "why"), [(11, "only 11 contexts were drawn, and intervals take 12"), (12, "")])
def test_fewer_than_ten_drawn_contexts_have_no_interval_and_a_sentence_why(number, why):
    assert uncertainty_of(drawn("a", probabilities(1), number)).undefined == why


@pytest.mark.parametrize(
    ("documents", "unit", "why"),
    [
        (4, {}, "the contexts are from only 4 documents, and intervals take 5"),
        (5, {}, ""),
        (4, {"unit": "occurrence"}, ""),
    ],
)
def test_fewer_than_five_documents_have_no_interval_by_document_and_a_sentence_why(documents, unit, why):
    made, rng = measured("a", probabilities(1)), np.random.default_rng(0)
    counts = np.array([each.count for each in made.record.asked.templates])
    sampling = AskedSampling(occurrences=counts.sum(), documents=documents)
    made = replace(with_asked(made, sampling=sampling), replicates=rng.poisson(counts, (200, 12)).T)
    assert uncertainty_of(made, **unit).undefined == why


def test_the_error_is_that_of_each_template_by_itself():
    rng = np.random.default_rng(3)
    places = np.array([0, 0, 0, 1, 1, 1, 1, 2, 2])
    times, of_template = np.array([1, 2, 1, 1, 1, 3, 1, 2, 2]), np.array([0.5, 0.3, 0.2])
    weights = of_template[places] * times / np.bincount(places, times)[places]
    values = rng.normal(size=9) + 10.0 * places  # templates differ: that is no error
    influence = values - values @ weights
    by_hand = 0.0
    for place in range(3):
        each = np.repeat(values[places == place], times[places == place])
        by_hand += of_template[place] ** 2 * each.var(ddof=1) / len(each)
    sample = sample_of_openings(times, places, weights)
    assert sample.standard_errors(influence) == pytest.approx(np.sqrt(by_hand), rel=0.06)
    assert sample.size == 14 - 3 + 1
    first, second = sample.halves
    assert (first + second) == pytest.approx(np.broadcast_to(2.0 * weights, first.shape))


TOY_MODEL = ("--plugin", TOY, "--model", "toy:hash")
MANY = "nurse,captain,librarian,sergeant"
TWELVE = [
    f"{when} the [X] {verb} that [Y]"
    for when in ("Today", "Then", "Later")
    for verb in ("said", "knew", "saw", "wrote")
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with three templates and with twelve, their counts, and a pool of openings."""
    folder = tmp_path_factory.mktemp("written")
    (folder / "pool.txt").write_text("".join(f"It rained on day {day}.\n" for day in range(10)))
    for name, rows in (
        ("ward", zip(TWELVE[::4], (40, 25, 10), strict=True)),
        ("twelve", ((each, 5) for each in TWELVE)),
    ):
        lines = "".join(f"{template},{count}\n" for template, count in rows)
        (folder / f"{name}.csv").write_text(f"template,count\n{lines}", "utf-8")
    return folder


@pytest.fixture
def asked(folder):
    """Options of a run in templates of one's own, and the file of a pool."""
    return (*TOY_MODEL, "--contexts", folder / "ward.csv", "--groups"), ("--openings", folder / "pool.txt")


def test_templates_of_ones_own_get_an_interval_for_other_openings(command, asked, tmp_path):
    (contexts, openings), out = asked, tmp_path / "out"
    done = command("run", *contexts, MANY, *openings, "--out", out)
    assert done.code == 0, done.err
    assert "95% intervals: other openings." in done.said
    assert "after openings (" in done.said
    uncertainty = bvf.read_result(out).uncertainty
    assert (uncertainty.estimand, uncertainty.unit, uncertainty.draws) == ("openings", "opening", 80)
    details = command("show", "--details", out).said
    assert "pool.txt: 80 contexts drawn" in details
    assert "0 occurrences" not in details
    gated = command("gate", out, "--max", "R=0.99")
    assert gated.code == 0, gated.out
    assert command("verify", out).code == 0
    by_template = command("analyse", out, "--unit", "template", "--save-as", "t")
    assert "2.4 effective templates" in by_template.said
    refused = command("analyse", out, "--unit", "occurrence", "--save-as", "o")
    assert "templates took turns" in " ".join((refused.out + refused.err).split())


def test_openings_are_no_unit_where_there_are_none(command, asked, tmp_path):
    done = command("run", *asked[0], "nurse,captain", "--out", tmp_path / "out", "--unit", "opening")
    assert "--unit opening: openings alone were not drawn" in done.refusal


def test_more_openings_are_drawn_until_an_interval_is_narrow_enough(command, asked, tmp_path):
    contexts, openings = asked
    precise = ("--precision", "0.9", "--out", tmp_path / "wide", "--details")
    done = command("run", *contexts, "nurse,captain", *openings, *precise)
    assert done.code == 0, done.err
    assert "--precision 0.9 reached: " in done.said
    assert "with 100 contexts drawn" in done.said
    assert "of 60 prompts were asked" in done.said  # 3 templates after 10 openings, 2 groups


@pytest.fixture
def run(command, folder):
    def of(name, *options, model="hash"):
        out = folder / f"{name}{''.join(options)}{model}"
        asked = ("--plugin", TOY, "--model", f"toy:{model}", "--contexts", folder / f"{name}.csv", "--groups", MANY)
        done = command("run", *asked, *options, "--out", out)
        assert done.code == 0, done.err
        return done, out

    return of


def test_numbers_in_a_file_are_weights_and_give_no_interval(command, run):
    shown, out = run("ward")
    (heading,) = (line for line in shown.out.splitlines() if "male, %" in line)
    assert "interval" not in heading
    assert "No interval for other texts: the contexts were written, not sampled" in shown.said
    assert "--unit template" not in shown.said  # three are too few
    uncertainty = bvf.read_result(out).uncertainty
    assert (uncertainty.intervals, uncertainty.estimand) == ({}, "set")
    gated = command("gate", out, "--max", "R=0.99")
    assert (gated.code, gated.out.startswith("cannot tell: R ")) == (3, True)
    assert command("gate", out, "--max", "R=0.99", "--as-is").code == 0
    page = out.with_suffix(".html")
    assert command("report", out, "-o", page).code == 0
    text = page.read_text("utf-8")
    assert "This holds in these 3 contexts; what others would give is not known" in text
    assert "95%:" not in text


@pytest.mark.parametrize(
    ("unit", "as_if"),
    [
        ("template", "other templates of the kind, as if these templates had been drawn"),
        ("occurrence", "other texts of the kind, as if these counts had been counted"),
    ],
)
def test_whoever_knows_better_says_so_and_every_output_says_as_if(command, run, folder, unit, as_if):
    plain, stored = run("twelve")
    options = "--unit template: as if these templates had been drawn; --unit occurrence: as if these counts had been"
    offered = "(--unit template or --unit occurrence takes them for a sample)"
    assert f"the contexts were written, not sampled {offered}." in plain.said
    in_full = command("show", "--details", stored).said
    assert f"the contexts were written, not sampled ({options} counted)" in in_full
    shown, out = run("twelve", f"--unit={unit}")
    assert re.search(rf"95% intervals( \(.*% for groups shown\))?: {as_if}\.", shown.said)
    assert f"Intervals of 95% are for {as_if}" in command("show", "--details", out).said
    short = as_if.partition(", ")[2]
    gated = command("gate", stored, "--max", "R=0.99", "--unit", unit).out
    assert re.match(rf"\w[\w ]*: R 0\.\d+ \(95%, {short}: ", gated)
    compared = command("compare", stored, run("twelve", model="alike")[1], "--unit", unit)
    assert compared.code == 0, compared.err
    assert f"intervals are for {as_if}" in compared.said
    assert f"--unit {unit}: {short}" in command("plan", stored).err
    assert command("plan", stored, "--unit", unit).code == 0
    tex = folder / f"{unit}.tex"
    assert command("export", out, "--to", "latex", "-o", tex).code == 0
    assert as_if in tex.read_text("utf-8")


def test_documents_that_are_not_known_are_refused_as_the_unit(command, asked, tmp_path):
    done = command("run", *asked[0], MANY, "--unit", "document", "--out", tmp_path / "x")
    assert "--unit document: the documents that the contexts of" in done.refusal
