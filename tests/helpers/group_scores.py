"""A plugin with files of scores of models and of groups, and such files, for comparisons of measures."""

import json

PLUGIN = """
from bvf import Provider, hookimpl
from bvf.interfaces.reported_file import ReportedFigure, ReportedFile, ReportedGroup

class Marks(ReportedFile):
    what = "Marks"

    def __init__(self, values, name):
        self.title, self.asked, self.values = values["title"], values.get("asked", ""), values

    def sections(self, show=24):
        return []

    def picture(self, of, **_):
        raise NotImplementedError

    def figures(self):
        return [
            ReportedFigure(name, model, value, None, None, 0.95, "item", ideal=50.0, of_part=name == "mark[a part]")
            for model, scores in self.values["scores"].items()
            for name, value in scores.items()
        ]

    def group_figures(self):
        return [
            ReportedGroup("mark", model, group, tuple(called), value, value - 1.0, value + 1.0)
            for model, groups in self.values.get("groups", {}).items()
            for group, (value, *called) in groups.items()
        ]

@hookimpl
def bvf_files():
    return [Provider("marks/1", Marks, "a file of marks")]
"""


def marks(file, scores, groups=None, **fields):
    """Write a file of marks: scores by model, and by model and group a value and other names of the group."""
    values = {"schema": "marks/1", "title": "Marks", "scores": scores, "groups": groups or {}, **fields}
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(values))
    return file
