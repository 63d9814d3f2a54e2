"""The scores that a folder of answers keeps, so that other commands read them without the data of the benchmark."""

import json

from bvf.files.writing import OTHER_FOLDER, disk_errors_explained, write_text
from bvf_factors.benchmarks.answered import Answered
from bvf_factors.benchmarks.judged import EVERY
from bvf_factors.benchmarks.scored import benchmark_scores

SCORES = "scores.json"


def keep_scores(answered: Answered) -> None:
    """Write the scores of a model, and those of each group that items are about, into the folder of its answers."""
    about = any(item.group for item in answered.asked.items)
    scores = benchmark_scores([answered], groups=[EVERY] if about else (), against_others=False)
    values = scores.model_dump(mode="json", by_alias=True)
    with disk_errors_explained(answered.folder, OTHER_FOLDER):
        write_text(answered.folder / SCORES, json.dumps(values, indent=1, ensure_ascii=False) + "\n")
