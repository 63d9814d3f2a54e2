"""What contexts are a sample of: templates, openings, and a decision on a file of one's own."""

import json
from dataclasses import replace

import numpy as np
import pytest
from helpers.made_alike import drawn, measured, probabilities, with_asked

import bvf
from bvf.domain.measurement import AskedSampling
from bvf.study.sample import sample_of_openings


@pytest.mark.parametrize(("contexts", "heaviest", "undefined"), [(2, 1, True), (12, 1, False), (12, 50, True)])
def test_templates_are_no_sample_where_they_are_worth_fewer_than_ten(contexts, heaviest, undefined):
    made = measured("a", probabilities(1, contexts=contexts))
    equal = [each.model_copy(update={"count": 1.0}) for each in made.record.asked.templates]
    equal[0] = equal[0].model_copy(update={"count": float(heaviest)})
    result = bvf.analyse(replace(with_asked(made, templates=tuple(equal)), folder=None), unit="template")
    assert ("effective templates" in result.uncertainty.undefined) == undefined
    assert bool(result.uncertainty.intervals) != undefined
    assert set(result.uncertainty.as_templates) >= {"R", "R_bias"}
    assert result.uncertainty.leaving_one_out


@pytest.mark.parametrize(("number", "why"), [(11, "only 11 contexts were drawn, and intervals take 12"), (12, "")])
def test_fewer_than_ten_drawn_contexts_have_no_interval_and_a_sentence_why(number, why):
    made = drawn("a", probabilities(1), number)
    result = bvf.analyse(replace(made, folder=None))
    assert result.uncertainty.undefined == why
    assert bool(result.uncertainty.intervals) == (not why)


@pytest.mark.parametrize(
    ("documents", "unit", "why"),
    [
        (4, None, "the contexts are from only 4 documents, and intervals take 5"),
        (5, None, ""),
        (4, "occurrence", ""),
    ],
)
def test_fewer_than_five_documents_have_no_interval_by_document_and_a_sentence_why(documents, unit, why):
    made, rng = measured("a", probabilities(1)), np.random.default_rng(0)
    counts = np.array([each.count for each in made.record.asked.templates])
    sampling = AskedSampling(occurrences=counts.sum(), documents=documents)
    made = replace(with_asked(made, sampling=sampling), folder=None, replicates=rng.poisson(counts, (200, 12)).T)
    result = bvf.analyse(made, **({"unit": unit} if unit else {}))
    assert result.uncertainty.undefined == why
    assert bool(result.uncertainty.intervals) == (not why)


SENTENCES = "\n".join(
    (
        *("It was a cold day.", "The train was late again.", "Prices rose in March.", "The soup had gone cold."),
        *("The old bridge was closed.", "A strong wind came from the north.", "The shop opens at nine."),
        *("The clock on the wall had stopped.", "Snow lay on the hills.", "The report is long."),
    )
)
TEMPLATES = ("The [X] wrote in the report that [Y]", "Yesterday the [X] said that [Y]", "The [X] knew that [Y]")


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


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("openings")
    (folder / "pool.txt").write_text(f"{SENTENCES}\n")
    (folder / "ward.csv").write_text(
        "template,count\n" + "".join(f"{each},{n}\n" for n, each in enumerate(TEMPLATES, 1))
    )
    return folder


def test_templates_of_ones_own_get_an_interval_for_other_openings(command, files, tmp_path):
    asked = (
        "--contexts",
        files / "ward.csv",
        "--groups",
        "nurse,captain,librarian,sergeant",
        "--out",
        tmp_path / "out",
    )
    done = command("run", *asked, "--openings", files / "pool.txt")
    assert done.code == 0, done.err
    one_line = " ".join(done.out.split())
    assert "other openings" in one_line
    assert "95% intervals: other openings." in one_line
    result = json.loads((tmp_path / "out" / "result.json").read_text())
    assert (result["uncertainty"]["estimand"], result["uncertainty"]["unit"]) == ("openings", "opening")
    assert result["uncertainty"]["draws"] == 80
    assert "after openings (" in one_line
    details = " ".join(command("show", "--details", tmp_path / "out").out.split())
    assert "pool.txt: 80 contexts drawn" in details
    assert "0 occurrences" not in details
    gated = command("gate", tmp_path / "out", "--max", "R=0.99")
    assert gated.code == 0, gated.out
    assert command("verify", tmp_path / "out").code == 0
    by_template = command("analyse", tmp_path / "out", "--unit", "template", "--save-as", "t")
    assert "2.6 effective templates" in " ".join(by_template.out.split())
    refused = command("analyse", tmp_path / "out", "--unit", "occurrence", "--save-as", "o")
    assert "templates took turns" in " ".join((refused.out + refused.err).split())


def test_openings_are_no_unit_where_there_are_none(command, files, tmp_path):
    asked = ("--contexts", files / "ward.csv", "--groups", "nurse,captain", "--out", tmp_path / "out")
    refused = command("run", *asked, "--unit", "opening")
    assert refused.code == 2
    assert "--unit opening: openings alone were not drawn" in refused.err


def test_more_openings_are_drawn_until_an_interval_is_narrow_enough(command, files, tmp_path):
    asked = ("--contexts", files / "ward.csv", "--groups", "nurse,captain", "--openings", files / "pool.txt")
    done = command("run", *asked, "--precision", "0.9", "--out", tmp_path / "wide", "--details")
    assert done.code == 0, done.err
    note = " ".join(done.out.split())
    assert "--precision 0.9 reached: " in note
    assert "with 100 contexts drawn" in note
    assert "of 60 prompts were asked" in note  # 3 templates after 10 openings, 2 groups
