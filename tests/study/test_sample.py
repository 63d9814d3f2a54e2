"""What contexts are a sample of: templates, openings, and a decision on a file of one's own."""

from dataclasses import replace

import numpy as np
import pytest
from helpers.made_alike import drawn, measured, probabilities, with_asked

import bvf
from bvf.domain.measurement import AskedSampling
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
def asked(tmp_path_factory):
    """Options of a run of two groups in templates of one's own, and the file of a pool."""
    folder = tmp_path_factory.mktemp("openings")
    (folder / "pool.txt").write_text(f"{SENTENCES}\n")
    rows = "".join(f"{each},{n}\n" for n, each in enumerate(TEMPLATES, 1))
    (folder / "ward.csv").write_text(f"template,count\n{rows}")
    return ("--contexts", folder / "ward.csv", "--groups"), ("--openings", folder / "pool.txt")


def test_templates_of_ones_own_get_an_interval_for_other_openings(command, asked, tmp_path):
    (contexts, openings), out = asked, tmp_path / "out"
    done = command("run", *contexts, "nurse,captain,librarian,sergeant", *openings, "--out", out)
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
    assert "2.6 effective templates" in by_template.said
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
