"""What contexts are a sample of."""

from dataclasses import replace

import numpy as np
import pytest
from helpers.made_alike import drawn, measured, probabilities, with_asked

import bvf
from bvf.domain.measurement import AskedSampling


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
