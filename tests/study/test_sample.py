"""What contexts are a sample of."""

from dataclasses import replace

import pytest
from helpers.made_alike import measured, probabilities, with_asked

import bvf


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
