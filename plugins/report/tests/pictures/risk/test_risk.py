"""Every picture of risk refuses other results, and keeps the names of strangers on one line."""

from dataclasses import replace

import pytest
from bvf_report.pictures.risk.contexts import distributions, grid
from bvf_report.pictures.risk.groups import scatter
from bvf_report.pictures.risk.leanings import leanings
from bvf_report.pictures.risk.models import scale

from bvf import BvfError


def test_a_result_of_knowledge_has_no_such_picture(run_of):
    known = run_of(topic="knowledge/capitals", contexts="", sample_contexts=0, limit_contexts=2, limit_groups=3)
    for picture in (leanings, grid, distributions, scatter, lambda each: scale([each])):
        with pytest.raises(BvfError, match="has no figures of risk"):
            picture(known)


@pytest.mark.parametrize("name", ["bell\x07\x1b[31m\n", "\u202eleft \ud800", "x" * 300])
def test_names_of_strangers_stay_on_one_line(name, result):
    first, *others = result.groups
    classes = dict(zip((name, "b"), first.mean_probabilities.values(), strict=True))
    groups = (first.model_copy(update={"mean_probabilities": classes}), *others)
    strange = result.model_copy(update={"model": name, "groups": groups})
    views = [replace(view, result=strange) for view in (leanings(result), scatter(result))]
    views += [replace(view, model=name, classes=(name, "b")) for view in (grid(result), distributions(result))]
    for said in (view.caption() for view in views):
        assert said.isprintable()
        assert len(said.encode()) < 900
