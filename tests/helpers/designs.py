"""Tables of factors for tests: small ones, and the structure of SocialStigmaQA."""

import numpy as np
import pandas as pd
from bvf_factors.reading.table import tabulate

from bvf.domain.factors import Declaration
from bvf.files.table_files import Row
from helpers.factor_tables import stigma_qa_rows

STIGMAS = tuple(f"s{number}" for number in range(1, 94))
REFERENCES = {"stigma": "none", "gender": "none", "style": "base", "biased": "no"}


def table_of(columns, references=None, within=None, cluster="", number=False):
    """A table of columns; ``deviates`` is the outcome, where there is one."""
    frame = pd.DataFrame(columns)
    factors = {
        name: {"reference": (references or {}).get(name, ""), "within": (within or {}).get(name, {})}
        for name in frame.columns
        if name not in ("deviates", cluster)
    }
    outcome = {"column": "deviates", "number": number} if "deviates" in frame else None
    declaration = Declaration.model_validate({"outcome": outcome, "cluster": cluster, "factors": factors})
    records = frame.to_dict("records")
    return tabulate((Row(f"row {at}", record) for at, record in enumerate(records, start=1)), declaration)


def stigma_qa():
    """The prompts of SocialStigmaQA without chain of thought; what its published regression takes as factors."""
    return pd.DataFrame(stigma_qa_rows(("no",)))[[*REFERENCES, "template"]]


def answered(frame, seed=0, spread=0.5, rate=-1.0):
    """The same with answers: some stigmas, styles and templates deviate more than others."""
    rng = np.random.default_rng(seed)
    logit = rate + rng.normal(0, spread, 37)[frame["template"] - 1]
    logit += frame["style"].map({"positive": 0.6, "doubt": -0.4}).fillna(0.0).to_numpy(dtype=float)
    by_stigma = dict(zip(STIGMAS, rng.normal(0, 0.4, 93), strict=True))
    logit += frame["stigma"].map(by_stigma).fillna(0.0).to_numpy(dtype=float)
    deviates = rng.random(len(frame)) < 1 / (1 + np.exp(-logit))
    return frame.assign(deviates=np.where(deviates, "yes", "no"))
