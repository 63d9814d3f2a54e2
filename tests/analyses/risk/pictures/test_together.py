"""One picture shows results that were asked and judged alike; anything else is refused by what differs."""

import pytest

from bvf import BvfError
from bvf.analyses.risk.pictures.together import ASKED, JUDGED, together


def test_results_that_differ_are_refused_by_name(result, several):
    assert together([result, result], (*ASKED, *JUDGED)) == [result, result]
    with pytest.raises(BvfError, match=r"has the topic gender, and .* weekday"):
        together([result, several], ASKED)
    other = result.model_copy(update={"criterion": "tv"})
    assert together([result, other], ASKED) == [result, other]
    with pytest.raises(BvfError, match=r"has the criterion linf, and .* tv"):
        together([result, other], JUDGED)
