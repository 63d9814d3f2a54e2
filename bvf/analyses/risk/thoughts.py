"""The two parts of the volatility of a model that thinks: between contexts, and of the thoughts within a context."""

from bvf.analyses.risk.result import Result
from bvf.stats.figures.each_group import each_group
from bvf.study.averages import VOLATILITY, parts_of_volatility
from bvf.study.study import Study


def with_parts_of_volatility(result: Result, study: Study) -> Result:
    """Return the result with the two parts of R^v, and of r^v of each group; unchanged if the model did not think."""
    if study.predictions.by_thought is None:
        return result
    p_x, each = study.predictions.group_weights, each_group(len(result.groups))
    of_result, of_groups = dict[str, float](), [dict[str, float]() for _ in result.groups]
    for part in parts_of_volatility(study.in_these_contexts):
        name = part.names[VOLATILITY]
        of_result[name] = float(part.sampled.values(p_x)[VOLATILITY])
        for of_group, value in zip(of_groups, part.sampled.values(each)[VOLATILITY].tolist(), strict=True):
            of_group[name] = value
    groups = tuple(group.model_copy(update=fields) for group, fields in zip(result.groups, of_groups, strict=True))
    return result.model_copy(update={**of_result, "groups": groups})
