"""Tables of factors for tests: of plain rows or columns, and with the structure of SocialStigmaQA."""

from itertools import product

import pandas as pd
from bvf_factors.reading.declared import checked_declaration
from bvf_factors.reading.table import tabulate

from bvf.files.table_files import Row

STIGMA_QA = {
    "stigma": {"reference": "none"},
    "gender": {"type": "prompt", "reference": "none"},
    "style": {"type": "prompt", "reference": "base"},
    "biased": {"type": "prompt", "reference": "no"},
    "cot": {"type": "model", "reference": "no"},
    "template": {"type": "prompt"},
}
COLUMNS = tuple(STIGMA_QA)


def table_of(dicts, *, drop_missing=False, **declared):
    """A table of dictionaries; factors by name, as {} or with what is declared of them."""
    rows = [Row(f"t.csv:{number}", each) for number, each in enumerate(dicts, start=2)]
    return tabulate(rows, checked_declaration(declared, "f.toml"), drop_missing=drop_missing)


def table_of_columns(columns, references=None, within=None, cluster="", number=False):
    """A table of columns; ``deviates`` is the outcome, where there is one."""
    frame = pd.DataFrame(columns)
    factors = {
        name: {"reference": (references or {}).get(name, ""), "within": (within or {}).get(name, {})}
        for name in frame.columns
        if name not in ("deviates", cluster)
    }
    outcome = {"column": "deviates", "number": number} if "deviates" in frame else None
    return table_of(frame.to_dict("records"), outcome=outcome, cluster=cluster, factors=factors)


def stigma_qa_rows(cots=("no", "yes"), deviates=lambda row: row["biased"] == "yes"):
    """37 templates in three styles for 93 stigmas, and a base prompt each; 14 templates `yes`, all gender neutral."""
    for template, cot in product(range(1, 38), cots):
        gender = "female" if template <= 4 else "male" if template <= 12 else "neutral"
        common = {"biased": "yes" if 13 <= template <= 26 else "no", "cot": cot, "template": template}
        prompts = [{"stigma": "none", "gender": "none", "style": "base"}]
        prompts += [
            {"stigma": f"s{stigma}", "gender": gender, "style": style}
            for stigma, style in product(range(1, 94), ("original", "positive", "doubt"))
        ]
        for prompt in prompts:
            row = {**prompt, **common}
            yield {**row, "deviates": deviates(row)}


def stigma_qa(names=COLUMNS, **options):
    factors = {name: STIGMA_QA[name] for name in names}
    return table_of(stigma_qa_rows(**options), outcome="deviates", cluster="template", factors=factors)
